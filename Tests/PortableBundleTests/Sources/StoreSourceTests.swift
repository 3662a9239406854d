import CryptoPrimitives
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import PortableBundle

@Suite("A store as a source of a bundle")
struct StoreSourceTests {
    @Test("conversations, queues and attachments come with their bytes, in the order of the manifest")
    func all() throws {
        let store = MadeStore()
        let messages = (1...3).map { MadeStore.message("m\($0)", "08c4cab788bd5f92", body: "n\($0) \\/ é") }
        try store.write("[\(messages.joined(separator: " , "))]", to: "08c4cab788bd5f92")
        try store.write("[{ \"id\":\"n1\",\n\"peerID\":\"__note_to_self__\" }]", to: "notetoself")
        try store.write("{\"a\":[]}", to: "pending_queue")
        let picture = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try store.writeAttachment(picture, "AB-1")
        try store.writeAttachment([], "AB-2")
        let source = try store.source()
        #expect(source.problems.isEmpty && source.merged == 0)
        var sink = CollectingSink()
        try source.send(to: &sink)
        #expect(sink.names == source.manifest.entries.map(\.name))
        #expect(
            sink.names == [
                "conversations/08c4cab788bd5f92.jsonl", "conversations/__note_to_self__.jsonl",
                "blobs/pending_queue.json", "attachments/AB-1", "attachments/AB-2",
            ])
        #expect(sink.text(sink.names[0]) == messages.map { $0 + "\n" }.joined())
        #expect(sink.text(sink.names[1]) == "{ \"id\":\"n1\",\"peerID\":\"__note_to_self__\" }\n")
        #expect(sink.text(sink.names[2]) == "{\"a\":[]}")
        #expect(sink.entries["attachments/AB-1"] == picture)
        #expect(sink.largestPiece <= EntryPiece.size)
        for entry in source.manifest.entries {
            guard let sum = entry.sha256, let bytes = sink.entries[entry.name] else { continue }
            #expect(SHA256.hash(bytes.span) == sum)
        }
        #expect(source.manifest.messages == 4)
        // A second pass gives the same.
        var again = CollectingSink()
        try source.send(to: &again)
        #expect(again.entries == sink.entries)
    }

    @Test("an attachment of any size around a piece comes back whole", arguments: [-17, -16, -1, 0, 1, 15, 16, 17])
    func sizes(difference: Int) throws {
        let store = MadeStore()
        let bytes = (0..<(EntryPiece.size + difference)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try store.writeAttachment(bytes, "A")
        try store.writeAttachment(bytes + bytes, "B")
        var sink = CollectingSink()
        try store.source().send(to: &sink)
        #expect(sink.entries["attachments/A"] == bytes && sink.entries["attachments/B"] == bytes + bytes)
    }

    @Test("the two files of a group are one conversation, and one file with two conversations is two")
    func united() throws {
        let store = MadeStore()
        let id = "5C7A1E2F-0000-4000-8000-0123456789AB"
        let (a, b, c) = (
            MadeStore.message("a", "group." + id), MadeStore.message("b", "group." + id),
            MadeStore.message("c", "group." + id)
        )
        try store.write("[\(a),\(b)]", to: id)
        try store.write("[\(b),\(c)]", to: "group." + id)
        let other = MadeStore.message("x", "aa"), third = MadeStore.message("y", "bb")
        try store.write("[\(other),\(third)]", to: "aa")
        try store.write("[\(third),\(MadeStore.message("z", "bb"))]", to: "bb")
        let source = try store.source()
        var sink = CollectingSink()
        try source.send(to: &sink)
        #expect(sink.text("conversations/group.\(id).jsonl") == [a, b, c].map { $0 + "\n" }.joined())
        #expect(source.merged == 1)
        #expect(sink.text("conversations/aa.jsonl") == other + "\n")
        #expect(sink.text("conversations/bb.jsonl") == third + "\n" + MadeStore.message("z", "bb") + "\n")
        #expect(source.manifest.messages == 6)
    }

    @Test("what does not authenticate is listed and left out, with every byte of it flipped")
    func damaged() throws {
        let store = MadeStore()
        try store.write("[\(MadeStore.message("a", "aa"))]", to: "aa")
        try store.writeAttachment([1, 2, 3], "AA")
        let sealed = fileBytes(store.folder.file("sophax_attachments/AA")) ?? []
        #expect(sealed.count == 31)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            store.folder.write(changed, to: "sophax_attachments/AA")
            let source = try store.source()
            #expect(source.manifest.entries.map(\.name) == ["conversations/aa.jsonl"])
            #expect(
                source.manifest.notIncluded.contains(.init(.attachments, .unreadable, item: ByteText("AA"))))
            #expect(source.problems.count == 1 && !source.isWrongKey)
        }
        for length in 0..<28 {
            store.folder.write(Array(sealed.prefix(length)), to: "sophax_attachments/AA")
            #expect(try store.source().problems.count == 1)
        }
    }

    @Test("a key that opens nothing is said to be another one")
    func wrongKey() throws {
        let store = MadeStore()
        try store.write("[]", to: "aa")
        let other = [UInt8](repeating: 9, count: 32)
        let source = try StoreSource(
            StoreFolder(at: FilePath(store.folder.path)), key: SecretBytes(copying: other.span), createdAt: 1,
            creator: "t",
            workers: 1)
        #expect(source.isWrongKey)
        #expect(try !store.source().isWrongKey)
    }

    @Test("a file that changes between the two passes is an error")
    func changes() throws {
        for name in ["sophax_attachments/AA", "sophax_messages/aa.enc"] {
            let store = MadeStore()
            try store.write("[\(MadeStore.message("a", "aa"))]", to: "aa")
            try store.writeAttachment([1, 2, 3], "AA")
            let source = try store.source()
            if name.hasSuffix("enc") {
                try store.write("[\(MadeStore.message("b", "aa"))]", to: "aa")
            } else {
                try store.writeAttachment([1, 2, 3], "AA")
            }
            var sink = CollectingSink()
            #expect(throws: EntryError.changed(FilePath(store.folder.file(name)))) { try source.send(to: &sink) }
        }
    }

    @Test("broken text is carried as it stands, and what cannot be read is said")
    func broken() throws {
        let store = MadeStore()
        let good = MadeStore.message("a", "aa")
        try store.write("[\(good),17,{\"id\":\"b\",\"peerID\":\"aa\",\"body\":\"\\q\"}", to: "aa")
        try store.write("no list", to: "bb")
        let source = try store.source()
        var sink = CollectingSink()
        try source.send(to: &sink)
        #expect(
            sink.text("conversations/aa.jsonl") == good + "\n" + "{\"id\":\"b\",\"peerID\":\"aa\",\"body\":\"\\q\"}\n")
        let lost = source.problems.reduce(0) { sum, problem in
            if case .text(_, let lost) = problem.kind { sum + lost } else { sum }
        }
        #expect(lost >= 2)
        #expect(source.manifest.notIncluded.contains(.init(.conversations, .unreadable, item: ByteText("aa"))))
        #expect(source.manifest.notIncluded.contains(.init(.conversations, .unreadable, item: ByteText("bb"))))
    }

    @Test("attachments that were not asked for are said to be left out")
    func withoutAttachments() throws {
        let store = MadeStore()
        try store.writeAttachment([1], "AA")
        let source = try store.source(includesAttachments: false)
        #expect(source.manifest.entries.isEmpty)
        #expect(source.manifest.notIncluded.contains(.init(.attachments, .notAsked)))
    }
}
