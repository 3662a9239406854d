import CryptoPrimitives
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("sxkey store merge")
struct StoreMergeTests {
    private let stores = TwoStores()
    private static let peer = MadeStore.bob

    private static func message(_ number: Int, body: String = "hi", extra: String = "") -> String {
        MadeStore.message("m\(number)", peer: peer, body: body, time: 795_000_000 + number, extra: extra)
    }

    private static func file(_ store: String, _ stem: String = peer) -> String {
        "\(store)/sophax_messages/\(stem).enc"
    }

    @Test("takes each message once, and nothing when it is repeated")
    func overlap() throws {
        try stores.conversation("a", Self.peer, (1...100).map { Self.message($0) })
        try stores.conversation("b", Self.peer, (50...150).map { Self.message($0) })
        let before = FolderListing(stores.folder.path)
        let dry = stores.merge(out: nil, with: ["--dry-run", "--json"])
        #expect(dry.status == .success && dry.errors == "")
        let expected = [
            "read": 101, "new": 50, "alreadyThere": 51, "changed": 0, "conflicting": 0, "skipped": 0, "failed": 0,
        ]
        #expect(dry.counts == expected)
        #expect(FolderListing(stores.folder.path) == before)
        let run = stores.merge(with: ["--json"])
        #expect(run.status == .success && run.errors == "")
        #expect(run.counts == expected)
        #expect(try stores.ids(Self.file("c")) == (1...150).map { "m\($0)" })
        // Again, with either: nothing new, and the same text.
        for (name, second) in [("d", "b"), ("e", "a")] {
            let again = stores.merge("c", second, out: name, with: ["--json"])
            #expect(again.status == .success)
            #expect(again.counts["new"] == 0 && again.counts["changed"] == 0 && again.counts["conflicting"] == 0)
            #expect(try stores.text(Self.file(name)) == stores.text(Self.file("c")))
        }
        // The sources are as they were, and nothing but the three stores came.
        #expect(stores.names("") == ["a", "a.key", "b", "b.key", "c", "d", "e"])
        #expect(stores.names("c") == ["sophax_attachments", "sophax_messages"])
    }

    @Test("keeps both of two messages that share an id, says so, and exits with 8")
    func conflicts() throws {
        try stores.conversation("a", Self.peer, [Self.message(1), Self.message(2, body: "one")])
        try stores.conversation("b", Self.peer, [Self.message(2, body: "two"), Self.message(3)])
        let run = stores.merge(with: ["--json"])
        #expect(run.status == .finding)
        #expect(run.counts["conflicting"] == 1 && run.counts["new"] == 1)
        #expect(try stores.ids(Self.file("c")).sorted() == ["m1", "m2", "m2", "m3"])
        let conflict = (run.object["conflicts"] as? [[String: String]])?.first
        #expect(conflict == ["conversation": Self.peer, "id": "m2", "field": "body"])
        let again = stores.merge("c", "b", out: "d", with: ["--json"])
        #expect(again.status == .success && again.counts["alreadyThere"] == 2)
    }

    @Test("takes the newest of a message at two times, and completes what newer apps require")
    func changed() throws {
        let old = Self.message(1).replacing(#","isEdited":false"#, with: "").replacing("read", with: "sending")
        try stores.conversation("a", Self.peer, [old])
        try stores.conversation("b", Self.peer, [Self.message(1, extra: #","readBy":["x"]"#)])
        let run = stores.merge(with: ["--json"])
        #expect(run.status == .success && run.counts["changed"] == 1)
        let message = try #require(stores.messages(Self.file("c")).first)
        #expect(message["status"] as? String == "read" && message["isEdited"] as? Bool == false)
        #expect(message["readBy"] as? [String] == ["x"])
    }

    @Test("unites attachments by id, and keeps both contents of one id")
    func attachments() throws {
        let ids = ["AA-1", "AA-2", "AA-3"]
        try stores.attachment("a", ids[0], "same")
        try stores.attachment("b", ids[0], "same")
        try stores.attachment("a", ids[1], "of a")
        try stores.attachment("b", ids[1], "of b")
        try stores.attachment("b", ids[2], "only b")
        let run = stores.merge(with: ["--json"])
        #expect(run.status == .finding)
        let tally = try #require(run.object["attachments"] as? [String: Any])
        #expect(tally["first"] as? Int == 2 && tally["new"] as? Int == 1 && tally["alreadyThere"] as? Int == 1)
        #expect(tally["conflicting"] as? [String] == ["sophax_attachments/AA-2.second"])
        #expect(stores.names("c/sophax_attachments") == ["AA-1", "AA-2", "AA-2.second", "AA-3"])
        #expect(try stores.text("c/sophax_attachments/AA-2") == "of a")
        #expect(try stores.text("c/sophax_attachments/AA-2.second") == "of b")
        let again = stores.merge("c", "b", out: "d")
        #expect(again.status == .success)
        #expect(stores.names("d/sophax_attachments") == stores.names("c/sophax_attachments"))
        #expect(try stores.text("d/sophax_attachments/AA-2.second") == "of b")
    }

    @Test("carries what does not authenticate byte for byte, and lets the good file of the two have the name")
    func damaged() throws {
        try stores.conversation("a", Self.peer, [Self.message(1)])
        try stores.conversation("b", Self.peer, [Self.message(2)])
        try stores.conversation("b", "0badf00d", [MadeStore.message("x", peer: "0badf00d")])
        try stores.attachment("a", "AA-1", "lost")
        try stores.attachment("b", "AA-1", "good")
        var broken = try #require(fileBytes(stores.folder.file(Self.file("a"))))
        broken[20] ^= 1
        stores.folder.write(broken, to: Self.file("a"))
        var attachment = try #require(fileBytes(stores.folder.file("a/sophax_attachments/AA-1")))
        attachment[3] ^= 1
        stores.folder.write(attachment, to: "a/sophax_attachments/AA-1")
        try stores.write("{}", "a", "pending_queue")
        let run = stores.merge(with: ["--json"])
        #expect(run.status == .someDamaged)
        #expect(try stores.ids(Self.file("c")) == ["m2"])
        #expect(fileBytes(stores.folder.file("c/sophax_messages/\(Self.peer).enc.unproven")) == broken)
        #expect(try stores.text("c/sophax_attachments/AA-1") == "good")
        #expect(fileBytes(stores.folder.file("c/sophax_attachments/AA-1.unproven")) == attachment)
        #expect((run.object["carried"] as? [Any])?.count == 2)
        let text = stores.merge(out: "d")
        #expect(text.output.contains("As it was"))
        #expect(
            text.output.hasSuffix(
                "read 2 · new 2 · already there 0 · changed 0 · conflicting 0 · skipped 0 · failed 0\n"))
    }

    @Test("keeps the files of lists with elements that are no messages")
    func lostElements() throws {
        try stores.conversation("a", Self.peer, [Self.message(1)])
        let cut = "[" + Self.message(2) + ",5," + Self.message(3).dropLast(9)
        try stores.write(cut, "b", Self.peer)
        try stores.write("{}", "b", "aaaa")
        let run = stores.merge(with: ["--json"])
        #expect(run.status == .someDamaged)
        #expect(run.counts["new"] == 1 && run.counts["failed"] == 2 && run.counts["read"] == 3)
        #expect(try stores.ids(Self.file("c")) == ["m1", "m2"])
        #expect(try stores.text("c/sophax_messages/\(Self.peer).enc.original") == cut)
        #expect(try stores.text(Self.file("c", "aaaa")) == "{}")
    }

    @Test("puts blobs, older group files and files of nobody where they belong")
    func otherFiles() throws {
        let group = "E8EEABCD-D69B-4E6D-999A-612230CBB467"
        func message(_ id: String) -> String { MadeStore.message(id, peer: "group.\(group)") }
        try stores.conversation("a", "", [message("1"), message("2")], stem: group)
        try stores.conversation("b", "", [message("2"), message("3")], stem: "group.\(group)")
        try stores.write("[]", "a", "pending_queue")
        try stores.write(#"{"x":[]}"#, "b", "pending_queue")
        try stores.write("[]", "b", "dht_kbuckets")
        stores.folder.write(Array("note".utf8), to: "a/sophax_messages/note.txt")
        stores.folder.write(Array("other".utf8), to: "b/sophax_messages/note.txt")
        _ = stores.folder.makeFolder("b/sophax_attachments/deep")
        stores.folder.write(Array("x".utf8), to: "b/sophax_attachments/deep/file")
        let run = stores.merge(with: ["--json"])
        #expect(run.status == .someDamaged)
        #expect(
            stores.names("c/sophax_messages") == [
                "dht_kbuckets.enc", "group.\(group).enc", "note.txt", "note.txt.second", "pending_queue.enc",
                "pending_queue.enc.second",
            ])
        #expect(try stores.ids(Self.file("c", "group.\(group)")).sorted() == ["1", "2", "3"])
        #expect(fileBytes(stores.folder.file("c/sophax_messages/note.txt.second")) == Array("other".utf8))
        #expect(fileBytes(stores.folder.file("c/sophax_attachments/deep/file")) == Array("x".utf8))
        #expect(try stores.text("c/sophax_messages/pending_queue.enc.second") == #"{"x":[]}"#)
    }

    @Test("takes peer ids of both lengths for one person, and keeps the form of the first")
    func peerIDs() throws {
        let short = String(Self.peer.prefix(16))
        try stores.conversation("a", short, [MadeStore.message("1", peer: short, time: 795_000_001)])
        try stores.conversation("b", Self.peer, [Self.message(1), Self.message(2)])
        try stores.conversation("b", MadeStore.alice, [MadeStore.message("z", peer: MadeStore.alice)])
        let run = stores.merge(with: ["--json"])
        #expect(run.status == .success && run.counts["new"] == 3)
        #expect(
            stores.names("c/sophax_messages")
                == ["\(MadeStore.alice.prefix(16)).enc", "\(short).enc"])
        #expect(try stores.ids(Self.file("c", short)) == ["1", "m1", "m2"])
        #expect(try stores.text(Self.file("c", short)).contains(Self.peer) == false)
        let back = stores.merge("b", "a", out: "d", with: ["--json"])
        #expect(back.status == .success && back.counts["new"] == 1)
        #expect(stores.names("d/sophax_messages") == ["\(MadeStore.alice).enc", "\(Self.peer).enc"])
        #expect(try stores.text(Self.file("d"), key: "b").contains("\"\(short)\"") == false)
    }

    @Test("does not take two long peer ids for one person because they begin alike")
    func likePeerIDs() throws {
        let other = Self.peer.prefix(16) + String(repeating: "f", count: 16)
        try stores.conversation("a", Self.peer, [Self.message(1)])
        try stores.conversation("b", String(other), [MadeStore.message("o", peer: String(other))])
        let run = stores.merge(with: ["--json"])
        #expect(run.status == .success && run.counts["new"] == 1)
        #expect(stores.names("c/sophax_messages").sorted() == ["\(Self.peer).enc", "\(other).enc"].sorted())
        #expect(try stores.ids(Self.file("c")) == ["m1"])
    }

    @Test("encrypts under the new key when there is one")
    func newKey() throws {
        try stores.conversation("a", Self.peer, [Self.message(1)])
        let run = stores.merge(with: ["--new-key-file", stores.folder.file("b.key")])
        #expect(run.status == .success)
        #expect(try stores.ids(Self.file("c"), key: "b") == ["m1"])
        #expect(run.output.contains("\"\(stores.folder.file("c"))\": "))
    }

    @Test("refuses what cannot be done, and writes nothing")
    func refusals() throws {
        try stores.conversation("a", Self.peer, [Self.message(1)])
        try stores.conversation("b", Self.peer, [Self.message(2)])
        let before = FolderListing(stores.folder.path)
        #expect(stores.merge(keys: ["a", "a"]).status == .wrongSecret)
        #expect(stores.merge(keys: ["b", "b"]).errors.contains("/a\""))
        #expect(stores.merge(keys: ["a"]).status == .usage)
        #expect(stores.merge(keys: ["a", "b", "b"]).status == .usage)
        #expect(stores.merge(out: nil).status == .usage)
        #expect(stores.merge(out: "b").status == .wouldOverwrite)
        #expect(stores.merge(out: "a/sophax_messages/c").status == .failure)
        #expect(stores.merge(out: "b/c").status == .failure)
        #expect(stores.merge("a", "nowhere", keys: ["a", "b"]).status == .notFound)
        #expect(stores.merge("a", "a.key", keys: ["a", "b"]).status != .success)
        #expect(FolderListing(stores.folder.path) == before)
    }

    @Test(
        "of a store with itself gives the store, also that of the fixtures",
        .enabled(if: SharedFolder.isThere, "../shared is not here"))
    func fixtures() throws {
        let path = SharedFolder.file("fixtures/march/appsupport")
        let key = SharedFolder.file("fixtures/march/keychain-bob.json")
        let out = stores.folder.file("c")
        let run = CommandRun.run(
            ["store", "merge", path, path, "-k", key, "-k", key, "--out", out, "--json"])
        #expect(run.status == .success, "\(run.errors)")
        #expect(run.counts["new"] == 0 && run.counts["changed"] == 0 && run.counts["conflicting"] == 0)
        #expect(run.counts["alreadyThere"] == run.object["first"] as? Int)
        let verified = CommandRun.run(["store", "verify", out, "-k", key])
        #expect(verified.status == .success, "\(verified.output)")
    }
}
