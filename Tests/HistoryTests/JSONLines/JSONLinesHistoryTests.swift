import Glibc
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import History

@Suite("History of JSON lines")
struct JSONLinesHistoryTests {
    private let folder = TemporaryFolder()
    private let header = #"{"type":"header","format":"sxkey-messages","version":1,"source":"archive"}"#

    private func line(_ id: String, _ more: String = "") -> String {
        let source = #"{"id":"\#(id)","peerID":"p","direction":"sent","body":"b","timestamp":700000000}"#
        return
            #"{"type":"message","conversation":"p","id":"\#(id)","timestampUnit":"seconds-since-2001","source":\#(source)\#(more)}"#
    }

    private func read(_ text: String, _ request: HistoryRequest = HistoryRequest()) throws -> Taken {
        folder.write(text, to: "history.jsonl")
        let taken = Taken()
        try JSONLinesHistory(FilePath(folder.file("history.jsonl"))).send(request, to: taken)
        return taken
    }

    @Test("lines with any line end, and one without, are read; what is unknown is counted", arguments: ["\n", "\r\n"])
    func lines(end: String) throws {
        let lines = [header, line("a"), #"{"type":"aside","x":1}"#, "", line("b"), #"{"type":"later"}"#, line("c")]
        let taken = try read(lines.joined(separator: end))
        #expect(taken.ids == ["a", "b", "c"])
        #expect(taken.losses.map(\.reason.description) == ["unknown 2"])
    }

    @Test("one JSON document with the same objects is read too")
    func document() throws {
        let taken = try read("[\(header),\n\(line("a")),\n\(line("b"))\n]\n")
        #expect(taken.ids == ["a", "b"])
        #expect(taken.losses.isEmpty)
    }

    @Test(
        "a document whose end is missing is a loss, wherever it was cut",
        arguments: ["[H,\nA,\nB\n", "[H,\nA,\nB", "[H,\nA,\nB,\n", "[H,\nA,\nB,"])
    func cutDocument(text: String) throws {
        let text = text.replacing("H", with: header).replacing("A", with: line("a")).replacing("B", with: line("b"))
        let taken = try read(text)
        #expect(taken.ids == ["a", "b"])
        #expect(taken.losses.map(\.reason.description) == ["messages 1"])
    }

    @Test("people are taken wherever they stand, and a header of a later version is refused there too")
    func appended() throws {
        func person(_ digits: String, _ name: String) -> String {
            #"{"type":"person","fingerprint":"\#(String(repeating: digits, count: 32))","name":"\#(name)"}"#
        }
        let taken = try read(
            [header, person("ab", "Ana"), line("a"), header, person("cd", "Bob"), line("b"), person("ef", "Cleo")]
                .joined(separator: "\n"))
        #expect(taken.ids == ["a", "b"] && taken.losses.isEmpty)
        #expect(taken.everyone == ["Ana", "Bob", "Cleo"])
        #expect(try read([header, person("ab", "Ana")].joined(separator: "\n")).everyone == ["Ana"])
        #expect(throws: HistoryError.self) {
            try read(
                [header, line("a"), header.replacing("\"version\":1", with: "\"version\":2")].joined(separator: "\n"))
        }
    }

    @Test("further sources that are none, and hashes that are none, are not passed over")
    func badMembers() throws {
        let taken = try read(
            [
                header, line("a", #","otherSources":[7]"#), line("b", #","otherSources":[{"source":{"id":"b"}}]"#),
            ].joined(separator: "\n"))
        #expect(taken.ids == ["b"])
        #expect(taken.losses.map(\.reason.description) == ["messages 1"])
        _ = folder.makeFolder("attachments")
        folder.write([1, 2, 3], to: "attachments/one")
        let attachment = #","attachment":{"id":"x","file":"attachments/one","size":3,"sha256":"zz"}"#
        let other = try read(
            [header, line("a", attachment)].joined(separator: "\n"), HistoryRequest(attachments: .all))
        #expect(other.whole.isEmpty && other.losses.map(\.item.string) == ["x"])
    }

    @Test("no link below the folder of the lines is followed, neither a file nor a folder")
    func links() throws {
        let elsewhere = TemporaryFolder()
        elsewhere.write([1, 2, 3], to: "secret")
        _ = folder.makeFolder("attachments")
        #expect(symlink(elsewhere.file("secret"), folder.file("attachments/link")) == 0)
        #expect(symlink(elsewhere.path, folder.file("other")) == 0)
        folder.write([1, 2, 3], to: "attachments/real")
        let lines = ["attachments/link", "other/secret", "attachments", "attachments/real"].enumerated().map {
            line("\($0)", #","attachment":{"id":"\#($0)","file":"\#($1)"}"#)
        }
        let taken = try read(([header] + lines).joined(separator: "\n"), HistoryRequest(attachments: .all))
        #expect(taken.whole.map(\.string) == ["3"])
        #expect(taken.losses.map(\.item.string) == ["0", "1", "2"])
    }

    @Test("a line that was cut, or is none, is a loss that names it, and the others are read")
    func damage() throws {
        let cut = String(line("c").dropLast(20))
        let taken = try read(
            [header, line("a"), "nonsense", #"{"type":"message"}"#, line("b"), cut].joined(separator: "\n"))
        #expect(taken.ids == ["a", "b"])
        #expect(taken.losses.map(\.reason.description) == ["messages 1", "messages 1", "messages 1"])
        #expect(taken.losses.map { $0.item.string.suffix(2) } == [":3", ":4", ":6"])
    }

    @Test("sources that are no strict JSON, further sources, conflicts, names and removed messages come back")
    func knowledge() throws {
        // {"id":"z","peerID":"p","direction":"sent","body":"<FF>","timestamp":1}
        let broken = "eyJpZCI6InoiLCJwZWVySUQiOiJwIiwiZGlyZWN0aW9uIjoic2VudCIsImJvZHkiOiL/IiwidGltZXN0YW1wIjoxfQ=="
        let fingerprint = String(repeating: "ab", count: 32)
        let digest = String(repeating: "0f", count: 32)
        let taken = try read(
            [
                header, #"{"type":"person","fingerprint":"\#(fingerprint)","name":"Ana"}"#,
                line(
                    "a",
                    #","conflicting":true,"otherSources":[{"source":{"id":"a","body":"old"}},{"sourceBase64":"\#(broken)"}]"#
                ),
                #"{"type":"message","conversation":"p","platform":"android","sourceBase64":"\#(broken)"}"#,
                #"{"type":"removed","conversation":"p","id":"r","direction":"sent","timestampMs":7,"removedAtMs":8}"#,
                #"{"type":"removed","conversation":"p","digest":"\#(digest)","removedAtMs":9}"#,
            ].joined(separator: "\n"))
        #expect(taken.names.name(of: Array(fingerprint.utf8)) == Array("Ana".utf8))
        #expect(taken.ids == ["a", "z"])
        #expect(taken.parts[0].conflicting == [0])
        #expect(taken.parts[0].others[0]?.map { $0.id?.string } == ["a", "z"])
        #expect(taken.parts[0].earlier[0]?.count == 2)
        #expect(taken.parts[0].messages[1].body?.bytes == [0xFF])
        #expect(taken.removed.map(\.time) == [7, nil])
        #expect(taken.removed.map(\.key) == [.id(ByteText("r")), .nameless([UInt8](repeating: 0x0F, count: 32))])
    }

    @Test("attachments come from the files beside the lines, and nothing from elsewhere")
    func attachments() throws {
        _ = folder.makeFolder("attachments")
        folder.write([1, 2, 3], to: "attachments/one")
        folder.write([1, 2, 4], to: "attachments/two")
        // SHA-256 of 01 02 03.
        let digest = "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81"
        func attachment(_ id: String, _ file: String) -> String {
            line(id, #","attachment":{"id":"\#(id)","file":"\#(file)","size":3,"sha256":"\#(digest)"}"#)
        }
        let taken = try read(
            [
                header, attachment("good", "attachments/one"), attachment("bad", "attachments/two"),
                attachment("none", "attachments/three"), attachment("out", "../history.jsonl"),
                attachment("root", "/etc/hostname"),
            ].joined(separator: "\n"), HistoryRequest(attachments: .all))
        #expect(taken.whole.map(\.string) == ["good"])
        #expect(taken.losses.map(\.item.string) == ["bad", "none", "out", "root"])
    }

    @Test(
        "other formats and later versions are refused",
        arguments: [
            "", "{}", "x", #"{"type":"header","format":"other","version":1}"#,
            #"{"type":"header","format":"sxkey-messages","version":2}"#,
        ])
    func refusal(text: String) {
        folder.write(text, to: "history.jsonl")
        #expect(throws: HistoryError.self) { try JSONLinesHistory(FilePath(folder.file("history.jsonl"))) }
    }

    @Test("a line beyond the ceiling is stepped over, and the next one is read")
    func longLine() throws {
        folder.write("aaaa\n" + String(repeating: "b", count: 3_000_000) + "\ncc", to: "lines")
        var lines = try FileLines(FilePath(folder.file("lines")), limit: 2_000_000)
        var found: [Int] = []
        while let line = try lines.next() {
            switch line {
            case .text(let text): found.append(text.count)
            case .tooLong: found.append(-1)
            }
        }
        #expect(found == [4, -1, 2])
        let (number, isCut) = (lines.number, lines.isCut)
        #expect(number == 3)
        #expect(isCut)
    }
}

extension HistoryLoss.Reason {
    fileprivate var description: String {
        switch self {
        case .messages(let number): "messages \(number)"
        case .unknownLines(let number): "unknown \(number)"
        case .file, .notInSource, .wrongContent, .notOpened, .ownSender: "other"
        }
    }
}

/// What came.
private final class Taken: HistorySink {
    var names = PeerNames()
    var parts: [HistoryPart] = []
    var removed: [RemovedMessage] = []
    var losses: [HistoryLoss] = []
    var whole: [ByteText] = []
    private var current = ByteText([])

    var ids: [String?] { parts.flatMap { $0.messages.map { $0.id?.string } } }

    var everyone: [String] = []

    func take(_ people: PeerNames) {
        names = people
        everyone += people.known.map { String(decoding: $0.name, as: UTF8.self) }
    }
    func take(_ part: HistoryPart) { parts.append(part) }
    func take(_ removed: [RemovedMessage]) { self.removed += removed }
    func take(_ loss: HistoryLoss) { losses.append(loss) }
    func begin(attachment id: ByteText, size: Int) -> Bool {
        current = id
        return true
    }
    func take(attachment bytes: Span<UInt8>) {}
    func endAttachment() { whole.append(current) }
}
