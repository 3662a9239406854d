import SophaxFiles
import Testing

@testable import PortableBundle

@Suite("The manifest of a bundle")
struct ManifestTests {
    private static let sample = Manifest(
        createdAt: 1_790_000_000.25, creator: "sxkey 1.2",
        owner: .init(
            name: ByteText([0x41, 0xFF]), fingerprint: String(repeating: "0a", count: 32)),
        entries: [
            ManifestEntry(
                name: "identity.json", size: 12, sha256: [UInt8](repeating: 7, count: 32), content: .document(.identity)
            ),
            ManifestEntry(
                name: "conversations/a.jsonl", size: 6, sha256: [UInt8](repeating: 255, count: 32),
                content: .conversation(ConversationID(ByteText("a")), .android, messages: 3)),
            ManifestEntry(
                name: "conversations/%FF.jsonl", size: 5,
                content: .conversation(ConversationID(ByteText([0xFF])), .ios, messages: 1)),
            ManifestEntry(name: "blobs/pending_queue.json", size: 2, content: .blob(ByteText("pending_queue"))),
            ManifestEntry(name: "attachments/A", size: 1 << 40, content: .attachment(ByteText("A"))),
            ManifestEntry(name: "new-thing.json", size: 9, content: .other),
        ],
        notIncluded: [
            .init(.sessions, .notAsked), .init(.attachments, .unreadable, item: ByteText("B")),
            .init(.groups, .other("lost-in-space")),
        ])

    @Test("what is written is read again")
    func roundTrip() throws {
        #expect(try Manifest(Self.sample.text()) == Self.sample)
        #expect(Self.sample.messages == 4)
        #expect(Self.sample.parts == [.identity, .conversations, .blobs, .attachments])
    }

    /// A manifest with one entry, whose text is changed.
    private func error(_ change: (String) -> String) -> DocumentError? {
        let manifest = Manifest(
            createdAt: 5, creator: "c",
            entries: [ManifestEntry(name: "attachments/A", size: 3, content: .attachment(ByteText("A")))])
        let text = change(String(decoding: manifest.text(), as: UTF8.self))
        do throws(DocumentError) {
            _ = try Manifest(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "names that could lead elsewhere are refused",
        arguments: [
            "", "/etc/passwd", "../x", "a/../b", "a//b", "a/", "./a", ".hidden", "a/.git", "C:\\\\x", "a b", "é",
            String(repeating: "a", count: 241), "a/a/a/a/a/a/a/a/a",
        ])
    func badNames(name: String) {
        let found = error { $0.replacing("attachments/A", with: name) }
        if case .badEntryName(let bytes) = found {
            #expect(bytes == Array(name.replacing("\\\\", with: "\\").utf8))
        } else {
            Issue.record("\(name): \(String(describing: found))")
        }
    }

    @Test("a newer version, another format, and what is no manifest are told apart")
    func versions() {
        #expect(
            error { $0.replacing("\"version\":1", with: "\"version\":2") }
                == .newerVersion(document: "manifest.json", found: 2, newest: 1))
        #expect(error { $0.replacing("sxkey-bundle", with: "other") } == .otherFormat(document: "manifest.json"))
        #expect(error { _ in "" } == .notJSON(document: "manifest.json", offset: 0))
        #expect(error { _ in "[]" } == .notJSON(document: "manifest.json", offset: 0))
        if case .notJSON = error({ String($0.dropLast()) }) {} else { Issue.record("a cut manifest was read") }
        if case .notJSON = error({ $0 + "x" }) {} else { Issue.record("bytes behind it were passed over") }
    }

    @Test(
        "wrong types and sizes are refused",
        arguments: [
            ("\"size\":3", "\"size\":-1"), ("\"size\":3", "\"size\":3.5"), ("\"size\":3", "\"size\":\"3\""),
            ("\"size\":3", "\"size\":9223372036854775808"), ("\"createdAt\":5", "\"createdAt\":null"),
            ("\"createdAt\":5", "\"createdAt\":1e999"), ("\"size\":3", "\"size\":3,\"sha256\":\"00\""),
            ("\"attachment\":\"A\"", "\"attachment\":7"), ("\"attachment\":\"A\"", "\"other\":7"),
        ])
    func types(old: String, new: String) {
        #expect(error { $0.replacing(old, with: new) } != nil)
        #expect(error { $0 } == nil)
    }

    @Test("a size above the ceiling is refused, one at it is not")
    func ceiling() {
        #expect(error { $0.replacing("\"size\":3", with: "\"size\":\(1 << 43)") } == nil)
        #expect(
            error { $0.replacing("\"size\":3", with: "\"size\":\((1 << 43) + 1)") }
                == .tooLarge(document: "attachments/A", found: (1 << 43) + 1, ceiling: 1 << 43))
    }

    @Test("what is read as a whole has a ceiling of its own, and counts of messages have a sum")
    func texts() throws {
        func error(_ part: String, _ size: Int, _ messages: Int) -> DocumentError? {
            let entry = #"{"name":"conversations/N.jsonl","size":\#(size),"conversation":"c","platform":"ios","#
            let entries = [1, 2].map {
                entry.replacing("N", with: String($0)).replacing("conversations/", with: part)
                    + #""blob":"b","messages":\#(messages)}"#
            }
            let text = #"{"format":"sxkey-bundle","version":1,"createdAt":5,"creator":"c","entries":["#
            do throws(DocumentError) {
                let manifest = try Manifest(Array((text + entries.joined(separator: ",") + "]}").utf8))
                #expect(manifest.messages <= manifest.totalBytes)
                return nil
            } catch {
                return error
            }
        }
        let ceiling = 1 << 30
        #expect(error("conversations/", ceiling, ceiling / 2) == nil)
        #expect(
            error("conversations/", ceiling + 1, 1)
                == .tooLarge(document: "conversations/1.jsonl", found: ceiling + 1, ceiling: ceiling))
        #expect(error("conversations/", 6, .max) == .wrong(document: "manifest.json", key: "messages"))
        #expect(error("conversations/", 6, 4) == .wrong(document: "manifest.json", key: "messages"))
        #expect(error("conversations/", 6, 3) == nil)
    }

    @Test("a key twice, an entry twice, and entries that differ only in case are refused")
    func repeated() {
        #expect(
            error { $0.replacing("\"version\":1", with: "\"version\":1,\"version\":1") }
                == .repeatedKey(document: "manifest.json", key: "version"))
        for name in ["attachments/A", "ATTACHMENTS/a", "manifest.json", "Manifest.JSON"] {
            let second = #"[{"name":"\#(name)","size":3,"attachment":"B"},"#
            #expect(error { $0.replacing("\"entries\":[", with: "\"entries\":" + second) } != nil, "\(name)")
        }
    }

    @Test("keys of a later version are passed over")
    func unknownKeys() {
        #expect(error { $0.replacing("\"size\":3", with: "\"size\":3,\"mood\":{\"a\":[1]}") } == nil)
    }
}
