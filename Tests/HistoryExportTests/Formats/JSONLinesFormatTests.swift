import History
import SophaxCore
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import HistoryExport

@Suite("Export as JSON lines")
struct JSONLinesFormatTests {
    private func lines(_ text: [UInt8]) -> [String] {
        String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("every message is there with its source byte for byte, whatever is in it")
    func complete() throws {
        let history = Hostile.history()
        let (text, outcome) = try exported(JSONLinesFormat(), history)
        let count = history.conversations[0].messages.count
        #expect(outcome.totals.written == count && outcome.totals.read == count && outcome.failed == 0)
        #expect(text.count { $0 == 0x0A } == count + 1)
        let messages = MadeHistory.parsed(history.conversations[0].messages).messages
        var expected = MessageLines()
        expected.appendHeader(source: "store")
        for message in messages { expected.append(message, in: history.conversations[0].id, isStrict: false) }
        #expect(text == expected.output)
    }

    @Test("small parts and a thread of its own change nothing")
    func parts() throws {
        let history = Hostile.history()
        for (number, messages) in (0..<1_500).map({ MadeHistory.message("n\($0)", "body \($0)") }).enumerated() {
            if number % 500 == 0 { history.add("group.\(number)", []) }
            let last = history.conversations.removeLast()
            history.add(last.id.text.string, last.messages + [Array(messages.utf8)])
        }
        let whole = try exported(JSONLinesFormat(), history).text
        for length in [1, 7, 499, 501] {
            history.partLength = length
            #expect(try exported(JSONLinesFormat(), history, isThreaded: true).text == whole, "\(length)")
        }
    }

    @Test("a part of an archive names those who occur in it, and nobody else")
    func chosenPeople() throws {
        let history = MadeHistory(MadeHistory.bob, [MadeHistory.message("A", "x")])
        history.add(
            "group.G",
            [
                Array(#"{"id":"g","peerID":"group.G","senderID":"cccccccccccccccc","body":"y","timestamp":1}"#.utf8)
            ])
        history.kind = .archive
        for (byte, name) in [(UInt8(0xAB), "Ana"), (0xCC, "Cleo"), (0xDD, "Dora")] {
            history.names.add(Array(name.utf8), of: try Fingerprint(bytes: Array(repeating: byte, count: 32)))
        }
        func people(_ selection: HistorySelection) throws -> [String] {
            try lines(exported(JSONLinesFormat(), history, selection).text).filter { $0.contains("\"person\"") }
                .compactMap { line in ["Ana", "Bob", "Cleo", "Dora"].first { line.contains("\"\($0)\"") } }
        }
        #expect(try people(HistorySelection()) == ["Ana", "Cleo", "Dora"])
        var group = MessageFilter()
        group.restrict(to: [ConversationID(ByteText("group.G"))])
        #expect(try people(HistorySelection(group)) == ["Cleo"])
        #expect(try people(HistorySelection(limit: 1)) == ["Cleo"])
    }

    @Test("what an archive knows is said: names, other sources, conflicts, removed messages")
    func archive() throws {
        let shown = MadeHistory.message("A", "after")
        let history = MadeHistory(MadeHistory.bob, [shown, MadeHistory.message("B", "plain")])
        history.kind = .archive
        history.others[shown] = [
            Array(MadeHistory.message("A", "before").utf8), Array("{\"id\":\"A\",\n\"body\":1}".utf8),
        ]
        history.names.add(Array("Bob \"B\"".utf8), of: try Fingerprint(bytes: Array(repeating: 0xAB, count: 32)))
        let bob = ConversationID(ByteText(MadeHistory.bob))
        history.removed = [
            RemovedMessage(
                conversation: bob, key: .id(ByteText("gone")), direction: .sent, time: 1_000, removedAt: 2_000),
            RemovedMessage(
                conversation: bob, key: .nameless(Array(repeating: 1, count: 32)), direction: .unknown, time: nil,
                removedAt: 3),
        ]
        let found = lines(try exported(JSONLinesFormat(), history).text)
        #expect(found[0] == #"{"type":"header","format":"sxkey-messages","version":1,"source":"archive"}"#)
        let digits = String(repeating: "ab", count: 32)
        #expect(found[1] == #"{"type":"person","fingerprint":""# + digits + #"","name":"Bob \"B\""}"#)
        #expect(
            found[2].hasSuffix(
                #","conflicting":true,"source":"# + shown + #","otherSources":[{"source":"#
                    + MadeHistory.message("A", "before") + #"},{"sourceBase64":"eyJpZCI6IkEiLAoiYm9keSI6MX0="}]}"#),
            "\(found[2])")
        #expect(!found[3].contains("otherSources") && !found[3].contains("conflicting"))
        #expect(
            found[4] == #"{"type":"removed","conversation":"# + "\"\(MadeHistory.bob)\""
                + #","id":"gone","direction":"sent","timestampMs":1000,"removedAtMs":2000}"#)
        #expect(
            found[5] == #"{"type":"removed","conversation":"# + "\"\(MadeHistory.bob)\"" + #","digest":""#
                + String(repeating: "01", count: 32) + #"","removedAtMs":3}"#)
        // Somebody who chooses messages wants no tombstones, and nobody named who does not occur in them.
        let chosen = HistorySelection(MessageFilter(direction: .received))
        #expect(lines(try exported(JSONLinesFormat(), history, chosen).text).count == 3)
    }

    @Test("an Android message without a date says what it is")
    func platform() throws {
        let history = MadeHistory()
        let text = #"{"id":"1","peerID":"b","direction":"sent","body":"x"}"#
        history.add("b", [Array(text.utf8)], platform: .android)
        history.add("c", [Array(text.utf8)])
        let found = lines(try exported(JSONLinesFormat(), history).text)
        #expect(found[1].contains(#""platform":"android","source":"#) && !found[2].contains("platform"))
    }

    @Test("json is one array of the same objects", .enabled(if: ChildProcess.has("python3"), "needs python3"))
    func array() throws {
        let history = Hostile.history()
        history.removed = [
            RemovedMessage(
                conversation: history.conversations[0].id, key: .id(ByteText("gone\n")), direction: .sent, time: 1,
                removedAt: 2)
        ]
        let folder = TemporaryFolder()
        folder.write(try exported(JSONLinesFormat(), history).text, to: "lines")
        folder.write(try exported(JSONLinesFormat(isArray: true), history, isThreaded: true).text, to: "array")
        folder.write(try exported(JSONLinesFormat(isArray: true), MadeHistory()).text, to: "empty")
        let run = ChildProcess.run(
            [
                "python3", "-c",
                """
                import json
                lines = [json.loads(line) for line in open("lines", encoding="utf-8", newline="\\n")]
                assert json.load(open("array", encoding="utf-8")) == lines
                assert len(json.load(open("empty", encoding="utf-8"))) == 1
                """,
            ], in: folder.path)
        #expect(run.status == 0, "\(run.errorText)")
    }

    @Test("nothing is written before the first message, so that a wrong key leaves no line")
    func late() throws {
        let history = MadeHistory(MadeHistory.bob, [MadeHistory.message("A", "x")])
        history.names.add(Array("Bob".utf8), of: try Fingerprint(bytes: Array(repeating: 0xAB, count: 32)))
        history.failure = (0, .wrongKey)
        let text = Gathered()
        let writer = TextWriter(JSONLinesFormat(), isThreaded: true) { (bytes) throws(ExportError) in
            text.bytes += bytes
        }
        #expect(throws: ExportError.self) { try HistoryExportRun(history).run(into: writer) }
        #expect(text.bytes.isEmpty)
    }

    @Test("an output that fails ends the export, with or without a thread", arguments: [false, true])
    func failing(isThreaded: Bool) throws {
        let history = MadeHistory(MadeHistory.bob, (0..<10_000).map { MadeHistory.message("\($0)", "x") })
        var pieces = 0
        let writer = TextWriter(JSONLinesFormat(), isThreaded: isThreaded) { (_) throws(ExportError) in
            pieces += 1
            if pieces == 3 { throw .stopped }
        }
        #expect(throws: ExportError.self) { try HistoryExportRun(history).run(into: writer) }
        #expect(pieces == 3)
    }
}
