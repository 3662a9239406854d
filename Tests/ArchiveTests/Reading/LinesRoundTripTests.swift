import CryptoPrimitives
import History
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import Archive

@Suite("An archive as JSON lines and back")
struct LinesRoundTripTests {
    /// The lines that an export writes of all that an archive knows.
    private func lines(_ archive: Archive) throws -> [UInt8] {
        let sink = LineSink()
        try ArchiveHistory(archive, path: "archive").send(HistoryRequest(), to: sink)
        return sink.lines.output
    }

    @Test("export and import again is the identity: sources, further sources, order, conflicts, tombstones")
    func identity() throws {
        let made = try MadeArchive()
        try made.add(
            GivenHistory([
                ios("a", "old"), ios("1", "mine"), ios("b", "\\u0000 nul \\ud800"), ios("gone"),
                #"{"id":"raw","peerID":"0123456789abcdef","direction":"sent","body":"line"# + "\n"
                    + #"break","timestamp":1e400}"#,
                #"{"peerID":"0123456789abcdef","direction":"sent","body":"nameless","timestamp":700000003}"#,
                ios("later", at: 700_000_100),
            ]))
        try made.add(
            GivenHistory([
                ios("a", "new", more: ",\"isEdited\":true,\"editedAt\":700000100"), ios("1", "other", at: 700_000_009),
                ios("b", "\\u0000 nul \\ud800", status: "read"),
            ]))
        try made.add(GivenHistory("group.X", [android("g", peer: "group.X")], platform: .android))
        try made.add(
            GivenHistory(
                [#"{"id":"t","peerID":"0123456789abcdef","direction":"sent","body":"no date at all"}"#],
                platform: .android))
        _ = try made.archive.remove(RemovalSelection(MessageFilter(), ids: [ByteText("gone")]), now: 77)

        let exported = try lines(made.archive)
        let path = made.folder.write(exported, to: "history.jsonl")
        let second = try MadeArchive()
        let report = try second.add(JSONLinesHistory(FilePath(path)))
        #expect(report.read == report.counts.total)
        #expect(report.counts.failed == 0)
        #expect(try lines(second.archive) == exported)
        #expect(try second.archive.verify(.full).findings.isEmpty)
        #expect(try second.add(JSONLinesHistory(FilePath(path))).counts.new == 0)
    }
}

/// Writes lines as an export does.
private final class LineSink: HistorySink {
    var lines = MessageLines()

    func take(_ people: PeerNames) {
        for one in people.known { lines.appendPerson(name: one.name, fingerprint: one.fingerprint.hex) }
    }

    func take(_ part: HistoryPart) {
        if lines.outputCount == 0 { lines.appendHeader(source: "archive") }
        for (place, message) in part.messages.enumerated() {
            var known = MessageLines.Knowledge()
            known.isConflicting = part.conflicting.contains(place)
            known.others = part.others[place] ?? []
            lines.append(message, in: part.conversation, isStrict: part.isStrict, knowing: known)
        }
    }

    func take(_ removed: [RemovedMessage]) {
        for message in removed {
            guard case .id(let id) = message.key else { continue }
            lines.appendRemoved(
                in: message.conversation, id: id.bytes, digest: nil,
                direction: message.direction == .sent ? "sent" : "received", time: message.time,
                removedAt: message.removedAt)
        }
    }

    func begin(attachment id: ByteText, size: Int) -> Bool { false }
    func take(attachment bytes: Span<UInt8>) {}
    func endAttachment() {}
    func take(_ loss: HistoryLoss) {}
}
