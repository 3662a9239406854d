import CommandKit
import Foundation
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

/// After a migration the newest apps read everything, and everything says what it said.
@Suite("store migrate")
struct StoreMigrateTests {
    private let store = MadeStore()
    private static let group = "E8EEABCD-D69B-4E6D-999A-612230CBB467"

    /// A message as the first apps wrote it.
    private func old(_ id: String, peer: String, body: String = "hi", time: Int = 795_000_001) -> String {
        MadeStore.message(id, peer: peer, body: body, time: time).replacing(",\"isEdited\":false", with: "")
    }

    private func verify() -> CommandRun { store.run("verify") }

    private func text(_ stem: String) throws -> String? {
        guard let box = fileBytes(store.path + "/sophax_messages/\(stem).enc") else { return nil }
        return String(decoding: try MadeStore.open(box), as: UTF8.self)
    }

    private func migrate(_ options: [String] = []) -> CommandRun { store.run("migrate", options) }

    private var kept: String { store.path + "/sophax_messages.before-migrate-2026-05-28" }

    @Test("isEdited is added, not another byte is changed, and the folder as it was stays")
    func isEdited() throws {
        let messages = [old("A1", peer: MadeStore.alice), old("A2", peer: MadeStore.alice, body: "é \\u0001 \\/")]
        let before = try store.conversation(MadeStore.alice, messages)
        let bob = try store.conversation(MadeStore.bob, [MadeStore.message("B1", peer: MadeStore.bob)])
        #expect(verify().status == .finding)
        let run = migrate()
        #expect(run.status == .success, "\(run.errors)")
        let expected = "[" + messages.map { $0.dropLast() + ",\"isEdited\":false}" }.joined(separator: ",") + "]"
        #expect(try text(MadeStore.alice) == expected)
        #expect(fileBytes(store.path + "/sophax_messages/\(MadeStore.bob).enc") == bob)
        #expect(fileBytes(kept + "/\(MadeStore.alice).enc") == before)
        #expect(verify().status == .success, "\(verify().output)")
        #expect(run.output.contains("added to 2 messages"))
        #expect(migrate().output.contains("the newest apps read all of it already"))
    }

    @Test("a dry run writes nothing and says what would be done")
    func dryRun() throws {
        try store.conversation(MadeStore.alice, [old("A1", peer: MadeStore.alice)])
        let before = FolderListing(store.folder.path)
        let run = migrate(["--dry-run"])
        #expect(run.status == .success)
        #expect(run.output.contains("added to 1 message"))
        #expect(FolderListing(store.folder.path) == before)
    }

    @Test("an older group file is merged into the newer one by id")
    func orphans() throws {
        let id = "group." + Self.group
        try store.conversation(Self.group, [old("G1", peer: id, time: 1), old("G2", peer: id, body: "both", time: 2)])
        try store.conversation(
            id, [MadeStore.message("G2", peer: id, body: "both", time: 2), MadeStore.message("G3", peer: id, time: 3)])
        let run = migrate()
        #expect(run.status == .success, "\(run.errors)")
        #expect(try text(Self.group) == nil)
        let ids = try #require(try text(id)).split(separator: "\"id\":\"").dropFirst().map { $0.prefix(2) }
        #expect(ids == ["G1", "G2", "G3"])
        #expect(verify().status == .success)
    }

    @Test("notes under the older rule get their name")
    func notes() throws {
        try store.conversation("eef", [old("N1", peer: "__note_to_self__")])
        #expect(migrate().status == .success)
        #expect(try text("notetoself")?.contains("N1") == true)
        #expect(try text("eef") == nil)
        #expect(verify().status == .success)
    }

    @Test("two ids that share a file name keep all their messages")
    func collision() throws {
        try store.conversation("a", [old("X", peer: "a"), old("X", peer: "__a__", body: "another")])
        let run = migrate()
        #expect(run.status == .success, "\(run.output)")
        let text = try #require(try text("a"))
        #expect(text.contains("another") && text.contains("\"hi\""))
    }

    @Test("what the apps refuse and nothing can be made of is kept aside, byte for byte")
    func refused() throws {
        let bad = old("A2", peer: MadeStore.alice).replacing("\"sent\"", with: "\"up\"")
        try store.conversation(MadeStore.alice, [old("A1", peer: MadeStore.alice), bad])
        let run = migrate(["--json"])
        #expect(run.status == .someDamaged)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
        let aside = try #require(json["aside"] as? [[String: Any]])
        #expect(aside.map { $0["reason"] as? String } == ["unusable-direction"])
        let entries = try JSONSerialization.jsonObject(with: Data(try #require(try text("refused_messages")).utf8))
        let entry = try #require((entries as? [[String: Any]])?.first)
        #expect((entry["source"] as? [String: Any])?["direction"] as? String == "up")
        #expect(try text("refused_messages")?.contains(bad) == true)
        #expect(try text(MadeStore.alice)?.contains("A2") == false)
        #expect(verify().status == .success, "\(verify().output)")
        #expect(verify().output.contains("1 file with what no app can read, kept by sxkey"))
        // An export has it too.
        let export = store.run("export", ["--out", "-"]).output
        let lines = export.split(separator: "\n").filter { $0.contains("\"aside\"") }
        #expect(lines.count == 1 && lines[0].contains("\"source\":\(bad)"))
        // Again: there is nothing to do, and nothing is lost of what was kept.
        #expect(migrate().status == .success)
        #expect(try text("refused_messages")?.contains(bad) == true)
    }

    @Test("a list that is no strict JSON decodes afterwards, and what is no message is kept")
    func brokenText() throws {
        let messages = [old("A1", peer: MadeStore.alice), old("A2", peer: MadeStore.alice, body: "a\u{1}b")]
        try store.write("[" + messages.joined(separator: ",") + ",{\"id\":\"A3\",\"peer", MadeStore.alice)
        let run = migrate()
        #expect(run.status == .someDamaged, "\(run.output)")
        let text = try #require(try text(MadeStore.alice))
        let list = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
        #expect(list?.compactMap { $0["id"] as? String } == ["A1", "A2"])
        #expect(list?.last?["body"] as? String == "a\u{1}b")
        #expect(try self.text("refused_messages")?.contains("fragment") == true)
        #expect(verify().status == .success)
    }

    @Test("a message that stands twice becomes one; two with one id and other content are both kept")
    func duplicates() throws {
        try store.conversation(
            MadeStore.alice,
            [
                MadeStore.message("A1", peer: MadeStore.alice), MadeStore.message("A1", peer: MadeStore.alice),
                MadeStore.message("A2", peer: MadeStore.alice),
                MadeStore.message("A2", peer: MadeStore.alice, body: "another"),
            ])
        let run = migrate()
        #expect(run.status == .someDamaged)
        #expect(run.output.contains("1 message stood twice with the same content"))
        #expect(try text("refused_messages")?.contains("another") == true)
        #expect(verify().status == .success)
    }

    @Test("peer ids become 16 digits everywhere, and two files of one person one")
    func shortIDs() throws {
        let short = String(MadeStore.alice.prefix(16))
        try store.conversation(MadeStore.alice, [MadeStore.message("A1", peer: MadeStore.alice, time: 5)])
        try store.conversation(short, [MadeStore.message("A2", peer: short, time: 9)])
        try store.conversation(
            "group.G",
            [
                MadeStore.message(
                    "G1", peer: "group.G",
                    extra: ",\"senderID\":\"\(MadeStore.bob)\",\"readBy\":[\"\(MadeStore.alice)\"]")
            ])
        let run = migrate(["--peer-ids", "16"])
        #expect(run.status == .success, "\(run.errors) \(run.output)")
        #expect(try text(MadeStore.alice) == nil)
        #expect(try text(short)?.contains("A1") == true && text(short)?.contains("A2") == true)
        #expect(try text(short)?.contains(MadeStore.alice) == false)
        #expect(try text("group.G")?.contains("\"senderID\":\"\(MadeStore.bob.prefix(16))\"") == true)
        #expect(verify().status == .success)
    }

    @Test("16 digits do not make one person of two whose ids begin alike")
    func alikeIDs() throws {
        let other = MadeStore.alice.prefix(16) + String(repeating: "f", count: 16)
        try store.conversation(MadeStore.alice, [MadeStore.message("A1", peer: MadeStore.alice)])
        try store.conversation(
            "group.G", [MadeStore.message("G1", peer: "group.G", extra: ",\"senderID\":\"\(other)\"")])
        let before = FolderListing(store.folder.path)
        let refused = migrate(["--peer-ids", "16"])
        #expect(refused.status == .failure)
        #expect(refused.errors.contains("begin alike"))
        for id in [MadeStore.alice, String(other)] { #expect(refused.errors.contains(id)) }
        #expect(FolderListing(store.folder.path) == before)
        #expect(migrate(["--peer-ids", "32"]).status == .success)
    }

    @Test("32 digits only where the store says how an id goes on")
    func longIDs() throws {
        let short = String(MadeStore.alice.prefix(16))
        try store.conversation(short, [MadeStore.message("A1", peer: short)])
        let before = FolderListing(store.folder.path)
        let refused = migrate(["--peer-ids", "32"])
        #expect(refused.status == .failure)
        #expect(refused.errors.contains(short))
        #expect(FolderListing(store.folder.path) == before)
        try store.conversation(
            "group.G", [MadeStore.message("G1", peer: "group.G", extra: ",\"senderID\":\"\(MadeStore.alice)\"")])
        let run = migrate(["--peer-ids", "32"])
        #expect(run.status == .success, "\(run.errors)")
        #expect(try text(MadeStore.alice)?.contains("\"peerID\":\"\(MadeStore.alice)\"") == true)
        #expect(try text(short) == nil)
    }

    @Test("what does not authenticate comes along byte for byte, is listed, and keeps the old folder")
    func damaged() throws {
        try store.conversation(MadeStore.alice, [old("A1", peer: MadeStore.alice)])
        var box = try store.conversation(MadeStore.bob, [MadeStore.message("B1", peer: MadeStore.bob)])
        box[40] ^= 1
        store.folder.write(box, to: "phone/sophax_messages/\(MadeStore.bob).enc")
        store.folder.write("note", to: "phone/sophax_messages/readme.txt")
        let refused = migrate(["--no-keep"])
        #expect(refused.status == .someDamaged)
        #expect(try text(MadeStore.alice)?.contains("isEdited") == false)
        let run = migrate()
        #expect(run.status == .someDamaged)
        #expect(run.output.contains("\(MadeStore.bob).enc"))
        #expect(fileBytes(store.path + "/sophax_messages/\(MadeStore.bob).enc") == box)
        #expect(fileBytes(store.path + "/sophax_messages/readme.txt") == Array("note".utf8))
        #expect(try text(MadeStore.alice)?.contains("isEdited") == true)
    }

    @Test("an older group file stays where the newer one is damaged")
    func blocked() throws {
        let id = "group." + Self.group
        let orphan = try store.conversation(Self.group, [MadeStore.message("G1", peer: id)])
        var box = try store.conversation(id, [MadeStore.message("G2", peer: id)])
        box[60] ^= 1
        store.folder.write(box, to: "phone/sophax_messages/\(id).enc")
        let run = migrate()
        #expect(run.status == .someDamaged)
        #expect(fileBytes(store.path + "/sophax_messages/\(Self.group).enc") == orphan)
        #expect(fileBytes(store.path + "/sophax_messages/\(id).enc") == box)
    }

    @Test("a wrong key writes nothing")
    func wrongKey() throws {
        try store.conversation(MadeStore.alice, [old("A1", peer: MadeStore.alice)])
        store.folder.write([UInt8](repeating: 9, count: 32), to: "other.key")
        let before = FolderListing(store.folder.path)
        let run = CommandRun.run(["store", "migrate", store.path, "--key-file", store.folder.file("other.key")])
        #expect(run.status == .wrongSecret)
        #expect(FolderListing(store.folder.path) == before)
    }
}
