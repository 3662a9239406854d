import SophaxCore
import SophaxFiles
import Testing

@testable import PortableBundle

@Suite("What two bundles differ in")
struct BundleDifferenceTests {
    private func difference(
        _ first: MadeSource, _ second: MadeSource, _ shapes: (BundleShape, BundleShape) = (.portable, .portable),
        limit: Int = 10
    ) throws -> BundleDifference {
        try BundleDifference(
            BundleIndex(of: first, shape: shapes.0), BundleIndex(of: second, shape: shapes.1), limit: limit)
    }

    private func messages(_ lines: [String], _ more: [(ConversationID, MessagePlatform, [String])] = []) throws
        -> MadeSource
    {
        try MadeSource(conversations: [(MadeSource.peer, .ios, lines)] + more)
    }

    private func section(_ difference: BundleDifference, _ part: BundlePart) -> BundleDifference.Section? {
        difference.sections.first { $0.part == part }
    }

    @Test("messages are the same whatever the order of keys, the spelling of text, and a missing isEdited")
    func canonical() throws {
        let first = try messages([
            #"{"id":"1","peerID":"08c4cab788bd5f92","direction":"sent","body":"é","timestamp":1,"status":"read","isEdited":false}"#
        ])
        let second = try messages([
            #"{"status":"read", "timestamp":1.0,"body":"\u00e9","direction":"sent","peerID":"08c4cab788bd5f92","id":"1"}"#
        ])
        let found = try difference(first, second)
        #expect(!found.differs && section(found, .conversations)?.same == 1)
    }

    @Test("two spellings of é are two bodies")
    func spellings() throws {
        let found = try difference(
            try messages([MadeSource.message("1", body: "caf\u{e9}")]),
            try messages([MadeSource.message("1", body: "cafe\u{301}")]))
        #expect(section(found, .conversations)?.count(.changed) == 1)
    }

    @Test("added, removed and changed messages are counted and named, in whatever order they stand")
    func changes() throws {
        let first = try messages(["1", "2", "3", "4"].map { MadeSource.message($0) })
        let second = try messages(
            [MadeSource.message("5"), MadeSource.message("4"), MadeSource.message("3", body: "other")]
                + [MadeSource.message("1")])
        let found = try #require(section(try difference(first, second), .conversations))
        #expect(found.same == 2)
        #expect(found.count(.removed) == 1 && found.count(.added) == 1 && found.count(.changed) == 1)
        let names = found.items.map { "\($0.change.rawValue) \($0.name.string)" }
        #expect(names.sorted() == ["added 5", "changed 3", "removed 2"])
        #expect(found.items.allSatisfy { $0.conversation == MadeSource.peer })
    }

    @Test("messages with one id, or with none, are compared as a whole")
    func repeatedIDs() throws {
        let none = MadeSource.message("").replacing(#""id":"","#, with: "")
        let first = try messages([MadeSource.message("1"), MadeSource.message("1", body: "b"), none, none])
        let second = try messages([MadeSource.message("1", body: "c"), none, MadeSource.message("1", body: "b")])
        let found = try #require(section(try difference(first, second), .conversations))
        #expect(found.same == 2)
        #expect(found.count(.changed) == 1 && found.count(.removed) == 1 && found.count(.added) == 0)
    }

    @Test("names stop at the limit, counts do not", arguments: [0, 3])
    func limit(limit: Int) throws {
        let first = try messages((0..<20).map { MadeSource.message("\($0)") })
        let found = try #require(
            section(try difference(first, try messages([]), limit: limit), .conversations))
        #expect(found.count(.removed) == 20 && found.items.count == limit)
    }

    @Test("ids that only look alike, and conversations that do, are two")
    func bytes() throws {
        let first = try messages([MadeSource.message("caf\u{e9}")])
        let second = try messages([MadeSource.message("cafe\u{301}")])
        let found = try #require(section(try difference(first, second), .conversations))
        #expect(found.count(.removed) == 1 && found.count(.added) == 1)
    }

    @Test("an attachment with other bytes is changed")
    func attachments() throws {
        let first = try MadeSource(attachments: [("a", [1]), ("b", [2]), ("c", [3])])
        let second = try MadeSource(attachments: [("a", [1]), ("b", [9]), ("d", [3])])
        let found = try #require(section(try difference(first, second), .attachments))
        #expect(found.same == 1)
        #expect(
            found.items.map { "\($0.change.rawValue) \($0.name.string)" } == ["changed b", "removed c", "added d"])
    }

    @Test("private items are compared by value and named by account only")
    func items() throws {
        let first = try MadeSource(
            owner: MadeSource.fingerprint, identity: MadeSource.ana([("storage.master", MadeSource.seed)]),
            preKeys: [("spk.1", MadeSource.seed)])
        let second = try MadeSource(
            owner: MadeSource.fingerprint, identity: MadeSource.ana([("storage.master", MadeSource.dh)]),
            preKeys: [("spk.1", MadeSource.seed), ("spk.2", MadeSource.dh)])
        let found = try difference(first, second)
        #expect(section(found, .identity)?.same == 3)
        #expect(section(found, .identity)?.items.map(\.name) == ["storage.master"])
        #expect(section(found, .preKeys)?.items.map(\.name) == ["spk.2"])
    }

    @Test("two identities are not compared item by item")
    func otherIdentity() throws {
        let first = try MadeSource(owner: MadeSource.fingerprint, identity: MadeSource.ana())
        let second = try MadeSource(
            owner: String(repeating: "0", count: 64), identity: [("identity.signing", MadeSource.dh)])
        let found = try difference(first, second)
        #expect(found.hasOtherIdentity && found.differs)
        #expect(section(found, .identity)?.items.count == 1)
    }

    @Test("what one kind has no room for is named and not compared")
    func gaps() throws {
        let portable = try MadeSource(
            owner: MadeSource.fingerprint, identity: MadeSource.ana([("storage.master", MadeSource.seed)]),
            preKeys: [("spk.1", MadeSource.seed)], conversations: [(MadeSource.peer, .ios, [MadeSource.message("1")])],
            attachments: [("a", [1])])
        let export = try MadeSource(
            owner: MadeSource.fingerprint, identity: MadeSource.ana(),
            conversations: [(MadeSource.peer, .ios, [MadeSource.message("1")])],
            notIncluded: [.init(.attachments, .notInSource)])
        let found = try difference(portable, export, (.portable, .app(.fullExport)))
        #expect(!found.differs)
        #expect(found.gaps.map(\.part) == [.preKeys, .attachments])
        #expect(found.gaps.allSatisfy { !$0.isFirst && $0.reason == .noRoom })
        #expect(section(found, .identity)?.same == 3)
    }

    @Test("what was left out on purpose is no difference")
    func leftOut() throws {
        let first = try MadeSource(attachments: [("a", [1])])
        let second = try MadeSource(notIncluded: [.init(.attachments, .notAsked)])
        let found = try difference(first, second)
        #expect(!found.differs && found.gaps == [.init(part: .attachments, isFirst: false, reason: .leftOut)])
    }

    @Test("lines that are no message are counted")
    func unreadable() throws {
        let found = try difference(try messages([MadeSource.message("1"), "nonsense"]), try messages([]))
        #expect(found.unreadable == 1)
    }

    @Test("people are their keys: another name is a change, another key another person")
    func people() throws {
        func head(_ name: String, _ keys: IdentityPublicKeys, verified: Bool = false) -> DocumentHead {
            var head = DocumentHead()
            let mark = ContactRecord.Mark(form: "ios-v0", number: "1", markedAt: 1, byIdentity: nil)
            let key = ContactRecord.Key(
                keys: keys, firstSeen: 1, lastSeen: 2, isCurrent: true, replacedAt: nil, origin: "backup", peerIDs: [],
                mark: verified ? mark : nil)
            head.contacts = [
                ContactRecord(name: Array(name.utf8), isBlocked: false, addedAt: 1, keys: [key], events: [])
            ]
            return head
        }
        let keys = try IdentityPublicKeys(signing: MadeSource.seed, dh: MadeSource.dh)
        let others = try IdentityPublicKeys(signing: MadeSource.dh, dh: MadeSource.seed)
        let bob = try MadeSource(head: head("Bob", keys))
        #expect(!(try difference(bob, MadeSource(head: head("Bob", keys)))).differs)
        let renamed = try difference(bob, MadeSource(head: head("Bert", keys)))
        #expect(section(renamed, .contacts)?.items.map(\.detail) == ["another name"])
        let verified = try difference(bob, MadeSource(head: head("Bob", keys, verified: true)))
        #expect(section(verified, .contacts)?.items.map(\.detail) == ["verified"])
        let other = try #require(section(try difference(bob, MadeSource(head: head("Bob", others))), .contacts))
        #expect(other.count(.added) == 1 && other.count(.removed) == 1)
    }
}
