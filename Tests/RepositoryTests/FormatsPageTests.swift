import JSONCoding
import Keyring
import SophaxFiles
import Testing

@Suite("sxkey-formats(5)")
struct FormatsPageTests {
    private let page: String

    init() throws {
        page = String(decoding: try Repository.text(of: "man/sxkey-formats.5"), as: UTF8.self)
    }

    /// The terms of the list below a `.Ss` or `.Sh` heading, in order.
    private func terms(below heading: String) -> [String] {
        var terms: [String] = []
        var isInside = false
        for line in page.split(separator: "\n") {
            if line.hasPrefix(".Ss ") || line.hasPrefix(".Sh ") { isInside = line.dropFirst(4) == heading }
            guard isInside, line.hasPrefix(".It Li ") else { continue }
            terms += line.dropFirst(7).split(separator: " , ").map(String.init)
        }
        return terms
    }

    @Test(
        "every code of a finding is explained once, under its weight",
        arguments: [("Damage", Finding.Severity.damage), ("Risk", .risk), ("Note", .note)]
    )
    func findings(heading: String, severity: Finding.Severity) {
        let codes = Finding.Kind.allCases.filter { $0.severity == severity }.map(\.rawValue)
        #expect(terms(below: heading).sorted() == codes.sorted())
    }

    @Test("every code of prekey verify is explained once")
    func preKeyFindings() {
        #expect(terms(below: "Bundles of prekeys").sorted() == PreKeyFinding.Kind.allCases.map(\.rawValue).sorted())
    }

    @Test("every code of session verify is explained once, and every kind of item is named")
    func sessionsAndItems() {
        #expect(terms(below: "Sessions").sorted() == SessionFinding.Kind.allCases.map(\.rawValue).sorted())
        #expect(terms(below: "Kinds of items").sorted() == ItemKind.allCases.map(\.rawValue).sorted())
    }

    @Test("the keys of a message line are specified, in their order")
    func messageKeys() throws {
        let samples = [
            #"{"id":"a","peerID":"b","direction":"sent","body":"\ud800","timestamp":1,"status":"read","replyToID":"c","#
                + #""senderID":"d","isEdited":true,"editedAt":2,"receivedAt":3,"expiresAt":4,"attachmentID":"e","#
                + #""reactions":{"f":"g"},"deliveredBy":[],"readBy":[],"hopCount":5}"#,
            #"{"id":"a","peerID":"b","direction":"sent","body":"","timestamp":1,"status":"read"}"#,
            #"{"id":"a","peerID":"b","direction":"sent","body":""}"#,
        ]
        let buffer = try PlaintextBuffer(copying: Array("[\(samples.joined(separator: ","))]".utf8))
        var scanner = try MessageScanner()
        var sink = KeySink(buffer: buffer)
        _ = try scanner.scan(buffer, 0..<buffer.count, into: &sink)
        let specified = terms(below: "Message lines")
        #expect(sink.keys.count == 3)
        for keys in sink.keys {
            #expect(keys == specified.filter(Set(keys).contains))
        }
        #expect(Set(sink.keys.joined()) == Set(specified))
    }

    @Test("every key that a command writes is specified")
    func outputKeys() throws {
        let specified = page.split(separator: "\n").filter { $0.hasPrefix(".Li ") || $0.hasPrefix(".It Li ") }
        let words = Set(SwiftText.words(of: Array(specified.joined(separator: "\n").utf8)))
        var keys: Set<String> = []
        for file in try Repository.files(below: "Sources/SXKeyCommands") {
            let parts = String(decoding: file.text, as: UTF8.self).split(separator: "json.member(\"").dropFirst()
            keys.formUnion(parts.compactMap { $0.split(separator: "\"").first.map(String.init) })
        }
        #expect(keys.count > 50)
        #expect(keys.filter { !words.contains($0) } == [])
    }

    @Test("the keys of the first line are specified")
    func headerKeys() throws {
        var lines = MessageLines()
        lines.appendHeader(source: "store")
        #expect(try keys(of: lines.output) == terms(below: "First line"))
    }
}

private func keys(of line: [UInt8]) throws -> [String] {
    let buffer = try PlaintextBuffer(copying: line)
    let members = try JSONMembers(object: buffer, 0..<buffer.count)
    return members.members.map { String(decoding: $0.key, as: UTF8.self) }
}

/// Renders each message as a line and keeps the line's keys.
private struct KeySink: MessageSink {
    let buffer: PlaintextBuffer
    var keys: [[String]] = []

    init(buffer: PlaintextBuffer) {
        self.buffer = buffer
    }

    mutating func restart() {
        keys.removeAll()
    }

    mutating func take(_ batch: borrowing MessageBatch) -> Bool {
        for index in 0..<batch.count {
            var lines = MessageLines()
            let platform: MessagePlatform = index < 2 ? .ios : .android
            let kept = StoredMessage.Batch(batch, in: buffer, at: 0, platform: platform)
            let message = StoredMessage(kept, index)
            var known = MessageLines.Knowledge()
            known.isConflicting = true
            known.others = [message]
            lines.append(message, in: .notesToSelf, isStrict: false, knowing: known)
            keys.append((try? RepositoryTests.keys(of: lines.output)) ?? [])
        }
        return true
    }
}
