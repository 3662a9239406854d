import SophaxFiles
import Testing

@testable import PortableBundle

@Suite("Names of entries")
struct EntryNamesTests {
    private func name(_ id: [UInt8], _ part: BundlePart = .conversations) -> String {
        var names = EntryNames()
        return names.name(for: ByteText(id), in: part)
    }

    @Test("ids that apps make stay readable")
    func plain() {
        #expect(name(Array("08c4cab788bd5f92".utf8)) == "conversations/08c4cab788bd5f92.jsonl")
        #expect(name(Array("group.1F-A2".utf8)) == "conversations/group.1F-A2.jsonl")
        #expect(name(Array("__note_to_self__".utf8)) == "conversations/__note_to_self__.jsonl")
        #expect(name(Array("ABC".utf8), .attachments) == "attachments/ABC")
        #expect(name(Array("pending_queue".utf8), .blobs) == "blobs/pending_queue.json")
    }

    @Test(
        "an id of somebody else cannot leave its folder",
        arguments: [
            ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"), ("", "%"), (".", "%2E"), ("..", "%2E%2E"),
            ("a.", "a%2E"), ("a\0b", "a%00b"), ("é", "%C3%A9"), ("C:\\x", "C%3A%5Cx"), ("%", "%25"), ("~2", "%7E2"),
        ])
    func hostile(id: String, stem: String) {
        #expect(name(Array(id.utf8), .attachments) == "attachments/" + stem)
    }

    @Test("a long id, and one that is not UTF-8, get a name that fits, and two such ids get two")
    func long() throws {
        let long = [UInt8](repeating: UInt8(ascii: "a"), count: 70_000)
        let other = long + [UInt8(ascii: "b")]
        #expect(name(long).utf8.count < 100)
        #expect(name(long) != name(other))
        #expect(name([0xFF, 0xFE]) == "conversations/%FF%FE.jsonl")
    }

    @Test("names that differ only in case are told apart")
    func cases() {
        var names = EntryNames()
        #expect(names.name(for: ByteText("ab"), in: .attachments) == "attachments/ab")
        #expect(names.name(for: ByteText("AB"), in: .attachments) == "attachments/AB~2")
        #expect(names.name(for: ByteText("aB"), in: .attachments) == "attachments/aB~3")
        // Another part has names of its own.
        #expect(names.name(for: ByteText("AB"), in: .conversations) == "conversations/AB.jsonl")
    }

    @Test("every name that is made is one that a manifest may have")
    func accepted() throws {
        var names = EntryNames()
        let ids: [[UInt8]] = [[], [0], [0x2E], Array("../x".utf8), [0xFF], [UInt8](repeating: 0x2F, count: 300)]
        let entries = ids.map { id in
            ManifestEntry(
                name: names.name(for: ByteText(id), in: .attachments), size: 1, content: .attachment(ByteText(id)))
        }
        let manifest = Manifest(createdAt: 1, creator: "test", entries: entries)
        #expect(try Manifest(manifest.text()) == manifest)
    }
}
