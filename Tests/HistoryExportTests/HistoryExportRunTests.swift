import History
import SophaxFiles
import SystemIO
import Testing

@testable import HistoryExport

/// Which messages come out, and in which order, from sources of one part and of many.
@Suite("Export runs")
struct HistoryExportRunTests {
    /// Notes what it is given.
    private final class Recorder: HistoryWriter {
        let needs: ExportNeeds
        var events: [String] = []
        var overview: ExportOverview?
        var starts: [Int] = []

        init(needs: ExportNeeds = []) { self.needs = needs }

        func begin(_ overview: ExportOverview) throws(ExportError) { self.overview = overview }
        func begin(conversation: ConversationID) throws(ExportError) { events.append("[\(conversation.text.string)") }
        func write(_ part: ExportPart) throws(ExportError) {
            starts.append(part.start)
            events += part.messages.map { entry in
                let replied = entry.replied?.id?.string
                return (entry.message.id?.string ?? "?") + (replied.map { "→" + $0 } ?? "")
            }
        }
        func end(conversation: ConversationID) throws(ExportError) { events.append("]") }
        func finish(_ totals: ExportTotals) throws(ExportError) { events.append("\(totals.read)/\(totals.written)") }
    }

    private static func history(_ partLength: Int) -> MadeHistory {
        let history = MadeHistory(
            "a",
            (0..<10).map {
                MadeHistory.message("a\($0)", "even \($0 % 2 == 0)", direction: $0 % 3 == 0 ? "sent" : "received")
            })
        history.add("b", (0..<3).map { Array(MadeHistory.message("b\($0)", "x", peer: "b").utf8) })
        history.add("c", [])
        history.partLength = partLength
        return history
    }

    private func events(
        _ history: MadeHistory, _ selection: HistorySelection, needs: ExportNeeds = []
    ) throws -> [String] {
        let recorder = Recorder(needs: needs)
        _ = try HistoryExportRun(history, selection).run(into: recorder)
        return recorder.events
    }

    @Test("all, chosen, the newest, and newest first, in parts of any length", arguments: [1, 3, 4, .max])
    func selections(partLength: Int) throws {
        let history = Self.history(partLength)
        let all = ["[a"] + (0..<10).map { "a\($0)" } + ["]", "[b", "b0", "b1", "b2", "]", "13/13"]
        #expect(try events(history, HistorySelection()) == all)
        #expect(
            try events(history, HistorySelection(MessageFilter(direction: .sent)))
                == ["[a", "a0", "a3", "a6", "a9", "]", "13/4"])
        #expect(
            try events(history, HistorySelection(limit: 2))
                == ["[a", "a8", "a9", "]", "[b", "b1", "b2", "]", "13/4"])
        #expect(
            try events(history, HistorySelection(MessageFilter(direction: .sent), limit: 2, newestFirst: true))
                == ["[a", "a9", "a6", "]", "13/2"])
        #expect(
            try events(history, HistorySelection(newestFirst: true))
                == ["[a"] + (0..<10).reversed().map { "a\($0)" } + ["]", "[b", "b2", "b1", "b0", "]", "13/13"])
        var filter = MessageFilter()
        filter.restrict(to: [ConversationID(ByteText("b"))])
        #expect(try events(history, HistorySelection(filter)) == ["[b", "b0", "b1", "b2", "]", "3/3"])
    }

    @Test("a writer that needs them knows counts, times and the places of what is replied to")
    func overview() throws {
        let history = MadeHistory(
            "a",
            [
                MadeHistory.message("0", "x", direction: "sent"), MadeHistory.message("1", "x"),
                MadeHistory.message("2", "x", time: "795000100", ",\"replyToID\":\"1\""),
                MadeHistory.message("3", "x", ",\"replyToID\":\"0\""),
                MadeHistory.message("4", "x", ",\"replyToID\":\"none\""),
            ])
        history.partLength = 2
        let recorder = Recorder(needs: [.overview, .places, .replied])
        _ = try HistoryExportRun(history, HistorySelection(MessageFilter(direction: .received))).run(into: recorder)
        let a = ConversationID(ByteText("a"))
        #expect(recorder.overview?.conversations.map(\.messages) == [4])
        #expect(recorder.overview?.conversations[0].times == 1_773_307_201...1_773_307_300)
        #expect(recorder.overview?.places.place(of: ByteText("1"), in: a) == 0)
        // It is replied to, and not chosen.
        #expect(recorder.overview?.places.place(of: ByteText("0"), in: a) == nil)
        #expect(recorder.overview?.places.place(of: ByteText("2"), in: a) == nil)
        #expect(recorder.events == ["[a", "1", "2→1", "3→0", "4", "]", "5/4"])
        #expect(recorder.starts == [0, 1, 3])
        let newest = Recorder(needs: [.places])
        _ = try HistoryExportRun(history, HistorySelection(limit: 4, newestFirst: true)).run(into: newest)
        #expect(newest.overview?.places.place(of: ByteText("1"), in: a) == 3)
        #expect(newest.overview?.places.place(of: ByteText("0"), in: a) == nil)
    }

    @Test("losses are counted by what was lost")
    func losses() throws {
        let history = Self.history(.max)
        history.losses = [
            HistoryLoss(ByteText("x"), .conversations, .messages(5)),
            HistoryLoss(ByteText("y"), .conversations, .notInSource),
            HistoryLoss(ByteText("z"), .attachments, .notInSource),
        ]
        let outcome = try HistoryExportRun(history).run(into: Recorder())
        #expect(outcome.failed == 6 && outcome.losses.count == 2)
    }
}
