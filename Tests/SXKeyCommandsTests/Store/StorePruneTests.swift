import CommandKit
import Foundation
import TestSupport
import Testing

@testable import SXKeyCommands

/// What is to go goes, and nothing else.
@Suite("store prune")
struct StorePruneTests {
    private let store = MadeStore()
    /// 2026-03-12 and a day later, in seconds since 2001.
    private let early = 795_000_000
    private let late = 795_086_400

    private func message(_ id: String, _ peer: String, time: Int, attachment: String? = nil, expires: Int? = nil)
        -> String
    {
        MadeStore.message(
            id, peer: peer, time: time,
            extra: (attachment.map { ",\"attachmentID\":\"\($0)\"" } ?? "")
                + (expires.map { ",\"expiresAt\":\($0)" } ?? ""))
    }

    init() throws {
        try store.conversation(
            MadeStore.alice,
            [
                message("A1", MadeStore.alice, time: early, attachment: "AA"),
                message("A2", MadeStore.alice, time: early, attachment: "BB"),
                message("A3", MadeStore.alice, time: late, attachment: "BB", expires: early),
                message("A4", MadeStore.alice, time: late),
            ])
        try store.conversation(MadeStore.bob, [message("B1", MadeStore.bob, time: early)])
        for id in ["AA", "BB", "CC"] { try store.attachment(id, "picture \(id)") }
    }

    private func ids(_ stem: String) throws -> [String]? {
        guard let box = fileBytes(store.path + "/sophax_messages/\(stem).enc") else { return nil }
        let list = try JSONSerialization.jsonObject(with: Data(try MadeStore.open(box))) as? [[String: Any]]
        return list?.compactMap { $0["id"] as? String }
    }

    private var attachments: [String] { FolderListing(store.path + "/sophax_attachments").names.sorted() }

    @Test("without --apply nothing is done, and the plan names every message")
    func plan() throws {
        let before = FolderListing(store.folder.path)
        let run = store.run("prune", ["--before", "2026-03-13", "--json"])
        #expect(run.status == .success)
        #expect(FolderListing(store.folder.path) == before)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
        let conversations = try #require(json["conversations"] as? [[String: Any]])
        let pruned = conversations.flatMap { $0["pruned"] as? [[String: Any]] ?? [] }.compactMap { $0["id"] as? String }
        #expect(pruned.sorted() == ["A1", "A2", "B1"])
        #expect(store.run("prune", ["--before", "2026-03-13"]).output.contains("Nothing was done; --apply does it"))
    }

    @Test("old messages go with the attachments that only they refer to; an empty conversation has no file")
    func before() throws {
        let run = store.run("prune", ["--before", "2026-03-13", "--apply"])
        #expect(run.status == .success, "\(run.errors)")
        #expect(try ids(MadeStore.alice) == ["A3", "A4"])
        #expect(try ids(MadeStore.bob) == nil)
        #expect(attachments == ["BB", "CC"])
        #expect(run.output.contains("everything that was pruned is in the folder as it was"))
        #expect(fileBytes(store.path + ".before-prune-2026-05-28/sophax_attachments/AA") != nil)
    }

    @Test("expired messages go; --no-keep leaves nothing of them")
    func expired() throws {
        let run = store.run("prune", ["--expired", "--apply", "--no-keep"])
        #expect(run.status == .success, "\(run.errors)")
        #expect(try ids(MadeStore.alice) == ["A1", "A2", "A4"])
        #expect(attachments == ["AA", "BB", "CC"])
        #expect(store.folder.names.sorted() == ["phone", "storage.key"])
    }

    @Test("an attachment whose id a message writes in the other case is not an orphan, and does not go with others")
    func otherCase() throws {
        try store.conversation(
            MadeStore.bob,
            [
                message("B1", MadeStore.bob, time: late, attachment: "aa"),
                message("B2", MadeStore.bob, time: late, attachment: "cc"),
            ])
        let run = store.run("prune", ["--before", "2026-03-13", "--orphaned-attachments", "--apply"])
        #expect(run.status == .success, "\(run.errors)")
        #expect(try ids(MadeStore.alice) == ["A3", "A4"])
        #expect(attachments == ["AA", "BB", "CC"])
    }

    @Test("beside a file that a merge could not read, which may refer to any attachment, all of them stay")
    func unreadBeside() throws {
        store.folder.write([UInt8](repeating: 7, count: 50), to: "phone/sophax_messages/b0.enc.unproven")
        let run = store.run("prune", ["--before", "2026-03-13", "--orphaned-attachments", "--apply"])
        #expect(run.status == .someDamaged, "\(run.errors)")
        #expect(try ids(MadeStore.alice) == ["A3", "A4"])
        #expect(attachments == ["AA", "BB", "CC"])
    }

    @Test("conditions are held together")
    func combined() throws {
        #expect(
            store.run("prune", ["--before", "2026-03-13", "--conversation", "08c4", "--apply"]).status == .success)
        #expect(try ids(MadeStore.alice) == ["A3", "A4"])
        #expect(try ids(MadeStore.bob) == ["B1"])
    }

    @Test("whole conversations go")
    func conversations() throws {
        let run = store.run("prune", ["--conversation", MadeStore.alice, "--conversation", "3619", "--apply"])
        #expect(run.status == .success, "\(run.errors)")
        #expect(try ids(MadeStore.alice) == nil)
        #expect(try ids(MadeStore.bob) == nil)
        #expect(attachments == ["CC"])
        #expect(store.run("prune", ["--conversation", "nobody"]).status == .notFound)
    }

    @Test("attachments that nobody refers to go when they are asked for")
    func orphans() throws {
        let run = store.run("prune", ["--orphaned-attachments", "--apply"])
        #expect(run.status == .success, "\(run.errors)")
        #expect(attachments == ["AA", "BB"])
        #expect(try ids(MadeStore.alice)?.count == 4)
    }

    @Test("while a file cannot be read, no attachment goes")
    func uncertain() throws {
        var box = try store.conversation("c0", [message("C1", "c0", time: late, attachment: "AA")])
        box[60] ^= 1
        box[90] ^= 1
        store.folder.write(box, to: "phone/sophax_messages/c0.enc")
        let run = store.run("prune", ["--before", "2026-03-13", "--orphaned-attachments", "--apply"])
        #expect(run.status == .someDamaged)
        #expect(attachments == ["AA", "BB", "CC"])
        #expect(try ids(MadeStore.alice) == ["A3", "A4"])
        #expect(fileBytes(store.path + "/sophax_messages/c0.enc") == box)
    }

    @Test("a message keeps every byte when others go")
    func exactBytes() throws {
        let kept =
            "{\"id\":\"D2\" , \"peerID\":\"d0\",\"direction\":\"sent\",\"body\":\"\\u00e9\",\"timestamp\":1e9,"
            + "\"x\":[1, 2]}"
        try store.write("[\(message("D1", "d0", time: early)),\n \(kept)]", "d0")
        #expect(store.run("prune", ["--before", "2026-03-13", "--conversation", "d0", "--apply"]).status == .success)
        let box = try #require(fileBytes(store.path + "/sophax_messages/d0.enc"))
        #expect(String(decoding: try MadeStore.open(box), as: UTF8.self) == "[\(kept)]")
    }

    @Test("what was kept aside of a conversation goes with it")
    func aside() throws {
        let bad = message("E1", "e0", time: early).replacing("\"sent\"", with: "\"up\"")
        try store.conversation("e0", [bad, message("E2", "e0", time: late)])
        #expect(store.run("migrate").status == .someDamaged)
        let run = store.run("prune", ["--conversation", "e0", "--apply"])
        #expect(run.status == .success, "\(run.output)")
        #expect(fileBytes(store.path + "/sophax_messages/refused_messages.enc") == nil)
        #expect(run.output.contains("1 entry of refused_messages.enc go"))
    }

    @Test("a peer whose id some versions cut to 16 digits is one conversation, whichever of its ids is given")
    func idLengths() throws {
        let long = "3619e750a2dd52ba978807b2a00df56d"
        let short = String(long.prefix(16))
        for word in [long, short, "3619"] {
            try store.conversation(long, [message("L1", long, time: early)])
            try store.conversation(short, [message("S1", short, time: early)])
            let run = store.run("prune", ["--conversation", word, "--apply"])
            #expect(run.status == .success, "\(run.errors)")
            for stem in [long, short] { #expect(fileBytes(store.path + "/sophax_messages/\(stem).enc") == nil) }
        }
        // Two people begin alike: whose the short one is is not known.
        let other = short + String(repeating: "f", count: 16)
        for id in [long, short, other] { try store.conversation(id, [message("X1", id, time: early)]) }
        #expect(store.run("prune", ["--conversation", short, "--apply"]).status == .usage)
        #expect(store.run("prune", ["--conversation", other]).errors == "")
    }

    @Test("nothing said is a usage error")
    func usage() {
        #expect(store.run("prune").status == .usage)
        #expect(store.run("prune", ["--expired", "--apply", "--dry-run"]).status == .usage)
    }
}
