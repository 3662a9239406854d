import CryptoPrimitives
import JSONCoding
import SophaxCore
import SophaxFiles
import Testing

@testable import PortableBundle

@Suite("Two bundles as one")
struct MergedSourceTests {
    private func merged(_ first: MadeSource, _ second: MadeSource) throws -> MergedSource<MadeSource, MadeSource> {
        try MergedSource(first, second, createdAt: 1_790_000_000, creator: "a test")
    }

    private func messages(_ ids: [String], body: String = "hi", at time: Double = 1_780_000_000) throws -> MadeSource {
        try MadeSource(
            at: time, conversations: [(MadeSource.peer, .ios, ids.map { MadeSource.message($0, body: body) })])
    }

    private let name = "conversations/08c4cab788bd5f92.jsonl"

    @Test("overlapping histories are united by id, and merging again adds nothing")
    func overlap() throws {
        let first = try messages((1...100).map { "\($0)" })
        let second = try messages((51...150).map { "\($0)" })
        let both = try merged(first, second)
        #expect(
            both.report[.conversations]
                == counts {
                    $0.fromFirst = 50; $0.fromSecond = 50; $0.same = 50
                })
        let found = try collected(both)
        #expect(found.text(name).split(separator: "\n").count == 150)
        #expect(both.manifest.messages == 150)
        let again = try MergedSource(both, second, createdAt: 0, creator: "a test")
        #expect(again.report[.conversations].fromSecond == 0)
        #expect(try collected(again).text(name) == found.text(name))
        let itself = try merged(first, first)
        #expect(try collected(itself).text(name) == collected(first).text(name))
    }

    @Test("messages with one id and different content are both kept and named")
    func conflict() throws {
        let both = try merged(try messages(["1"], body: "one"), try messages(["1"], body: "two"))
        let text = try collected(both).text(name)
        #expect(text.contains("one") && text.contains("two"))
        #expect(both.report.conflicting == 1)
        #expect(both.report.notes.map(\.name) == ["1"])
    }

    @Test("entries that only a later version knows are left out, and listed")
    func unknownEntries() throws {
        let both = try merged(
            try MadeSource(attachments: [("a", [1])], others: [("polls.json", [1, 2])]),
            try MadeSource(others: [("polls.json", [3]), ("drawings/1", [4])]))
        #expect(
            both.report.notMerged == [
                .init(name: "polls.json", bytes: 2, isFirst: true), .init(name: "polls.json", bytes: 1, isFirst: false),
                .init(name: "drawings/1", bytes: 1, isFirst: false),
            ])
        #expect(both.manifest.entries.map(\.name) == ["attachments/a"])
        #expect(try collected(both).names == both.manifest.entries.map(\.name))
    }

    @Test("what comes out is what the manifest says: names, sizes and sums")
    func manifest() throws {
        let first = try MadeSource(
            owner: MadeSource.fingerprint, identity: MadeSource.ana(), preKeys: [("spk.1", MadeSource.seed)],
            blobs: [("pending_queue", "[1]")], attachments: [("a", [1]), ("b", [2])])
        let second = try MadeSource(
            at: 1_780_000_001, preKeys: [("spk.2", MadeSource.dh)],
            conversations: [(MadeSource.peer, .ios, [MadeSource.message("1")])],
            blobs: [("pending_queue", "[2]")], attachments: [("b", [3]), ("a", [1]), ("c", [4])])
        let both = try merged(first, second)
        let found = try collected(both)
        #expect(found.names == both.manifest.entries.map(\.name))
        for entry in both.manifest.entries {
            let bytes = found.entries[entry.name] ?? []
            #expect(bytes.count == entry.size, "\(entry.name)")
            if let sha256 = entry.sha256 { #expect(SHA256.hash(bytes.span) == sha256, "\(entry.name)") }
        }
        #expect(both.manifest.owner.fingerprint == MadeSource.fingerprint)
        #expect(found.text("blobs/pending_queue.json") == "[2]")
    }

    @Test("attachments with one id and other bytes are both kept")
    func attachments() throws {
        let both = try merged(
            try MadeSource(attachments: [("a", [1]), ("b", [2])]),
            try MadeSource(attachments: [("b", [3]), ("a", [1]), ("c", [4])]))
        let found = try collected(both)
        #expect(found.entries.values.sorted { $0[0] < $1[0] } == [[1], [2], [3], [4]])
        #expect(both.manifest.entries.compactMap(\.id).map(\.string) == ["a", "b", "b~2", "c"])
        #expect(
            both.report[.attachments]
                == counts {
                    $0.fromFirst = 0; $0.fromSecond = 1; $0.same = 1; $0.conflicting = 1
                })
        // And again: nothing new.
        let again = try MergedSource(
            both, try MadeSource(attachments: [("b~2", [3]), ("c", [4])]), createdAt: 0, creator: "a test")
        #expect(again.manifest.entries.count == 4)
    }

    @Test("bundles of two identities are not merged")
    func identities() throws {
        let other = String(repeating: "0", count: 64)
        #expect(throws: MergeError.otherIdentity(MadeSource.fingerprint, other)) {
            _ = try merged(
                try MadeSource(owner: MadeSource.fingerprint, identity: MadeSource.ana()),
                try MadeSource(owner: other, conversations: []))
        }
    }

    @Test("no private item is lost: of two values the newer counts, and the other stays beside it")
    func items() throws {
        let first = try MadeSource(
            owner: MadeSource.fingerprint,
            identity: MadeSource.ana([("storage.master", MadeSource.seed), ("only.first", [1])]))
        let second = try MadeSource(
            at: 1_780_000_001, owner: MadeSource.fingerprint,
            identity: MadeSource.ana([("storage.master", MadeSource.dh), ("only.second", [2])]))
        let both = try merged(first, second)
        let bytes = try #require(try collected(both).entries["identity.json"])
        let document = try ItemsDocument(PlaintextBuffer(copying: bytes), .identity)
        func value(_ account: String) throws -> [UInt8]? {
            guard let secret = try document.value(of: account) else { return nil }
            return secret.withSpan { span in span.indices.map { span[$0] } }
        }
        #expect(try value("storage.master") == MadeSource.dh)
        #expect(try value("storage.master.merged") == MadeSource.seed)
        #expect(try value("only.first") == [1])
        #expect(try value("only.second") == [2])
        #expect(
            both.report[.identity]
                == counts {
                    $0.fromFirst = 1; $0.fromSecond = 1; $0.same = 3; $0.conflicting = 1
                })
        // Turned round, the newer one counts all the same.
        let turned = try #require(try collected(merged(second, first)).entries["identity.json"])
        let other = try ItemsDocument(PlaintextBuffer(copying: turned), .identity)
        let kept = try #require(try other.listing().first { $0.account == Array("storage.master".utf8) })
        #expect(kept.changedAt == nil)
        let place = try #require(try other.listing().firstIndex(of: kept))
        let counting = try other.value(at: place)
        #expect(counting.withSpan { span in span.indices.map { span[$0] } } == MadeSource.dh)
    }

    @Test("a conversation under ids of 16 and 32 digits is one")
    func lengths() throws {
        let long = ConversationID(ByteText("08c4cab788bd5f920000000000000000"))
        let first = try messages(["1"])
        let second = try MadeSource(conversations: [
            (long, .ios, ["1", "2"].map { MadeSource.message($0, peer: long) })
        ])
        let both = try merged(first, second)
        let found = try collected(both)
        #expect(found.names == [name])
        #expect(found.text(name).split(separator: "\n").count == 2)
        #expect(!found.text(name).contains(long.text.string))
    }

    @Test("people are united by their keys: marks and history of both stay")
    func people() throws {
        let keys = try IdentityPublicKeys(signing: MadeSource.seed, dh: MadeSource.dh)
        func head(_ name: String, at time: Double, marked: Bool, ids: [String]) -> DocumentHead {
            var head = DocumentHead()
            let mark = ContactRecord.Mark(form: "ios-v0", number: "1", markedAt: 1, byIdentity: nil)
            let key = ContactRecord.Key(
                keys: keys, firstSeen: time, lastSeen: time + 1, isCurrent: true, replacedAt: nil, origin: "backup",
                peerIDs: ids.map { Array($0.utf8) }, mark: marked ? mark : nil)
            let event = ContactRecord.Event(
                at: time, what: "added", from: nil, to: nil, form: nil, number: nil, origin: nil)
            head.contacts = [
                ContactRecord(name: Array(name.utf8), isBlocked: false, addedAt: time, keys: [key], events: [event])
            ]
            return head
        }
        let first = try MadeSource(head: head("Bob", at: 5, marked: true, ids: ["a"]))
        let second = try MadeSource(at: 1_790_000_000, head: head("Robert", at: 3, marked: false, ids: ["b"]))
        let bytes = try #require(try collected(merged(first, second)).entries["contacts.json"])
        let contacts = try ItemsDocument(PlaintextBuffer(copying: bytes), .contacts).head.contacts
        #expect(contacts.count == 1)
        let bob = try #require(contacts.first)
        #expect(bob.name == Array("Robert".utf8) && bob.addedAt == 3)
        #expect(bob.keys.count == 1 && bob.keys[0].mark != nil)
        #expect(bob.keys[0].firstSeen == 3 && bob.keys[0].lastSeen == 6)
        #expect(bob.keys[0].peerIDs.map { String(decoding: $0, as: UTF8.self) } == ["b", "a"])
        #expect(bob.events.map(\.at) == [3, 5])
    }

    @Test("a failing side is named")
    func failing() throws {
        struct Failing: EntrySource {
            let manifest = Manifest(createdAt: 0, creator: "", entries: [])

            func send<S: EntrySink & ~Copyable>(to sink: inout S) throws(EntryError) { throw .cipher }
        }
        #expect(throws: MergeError.entries(.cipher, isFirst: false)) {
            _ = try MergedSource(try messages([]), Failing(), createdAt: 0, creator: "")
        }
    }

    private func counts(_ set: (inout MergeReport.Counts) -> Void) -> MergeReport.Counts {
        var counts = MergeReport.Counts()
        set(&counts)
        return counts
    }
}
