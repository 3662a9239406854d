import CryptoPrimitives
import Foundation
import Keyring
import SophaxCore
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("group list, show, new, rotate, import and export")
struct GroupCommandTests {
    private let specimen: GroupSpecimen
    private var folder: TemporaryFolder { specimen.folder }

    init() throws { specimen = try GroupSpecimen() }

    private func position(_ group: String) -> [String: Any] {
        let shown = GroupSpecimen.json(specimen.run("show", group, "--json"))
        return (shown["members"] as? [[String: Any]])?.first ?? [:]
    }

    @Test("new makes a key, writes it for its owner only, and a second one is refused")
    func new() throws {
        let dry = specimen.run("new", "--out", "@a.json", "--dry-run", "--json")
        #expect(dry.status == .success && fileBytes(folder.file("a.json")) == nil)
        #expect(GroupSpecimen.json(specimen.run("list", "--json"))["groups"] as? [String] == [])
        let run = specimen.run("new", "--out", "@a.json", "--json")
        #expect(run.status == .success && run.errors.isEmpty)
        let id = try #require(GroupSpecimen.json(run)["group"] as? String)
        #expect(UUID(uuidString: id)?.uuidString == id)
        let bytes = try #require(fileBytes(folder.file("a.json")))
        let written = try SenderKeyDistribution(json: GroupSpecimen.secret(bytes))
        #expect(written.groupID.text == id && written.iteration == 0)
        #expect(FolderListing(folder.path).entries["a.json"]?.hasPrefix("file 600") == true)
        let again = specimen.run("new", id.lowercased(), "--out", "@b.json")
        #expect(again.status == .wouldOverwrite && again.errors.contains("you have a sender key for group"))
        #expect(fileBytes(folder.file("b.json")) == nil)
        #expect(specimen.run("new", "--out", "@a.json").errors.contains("it exists already"))
        #expect(specimen.run("new", "--out", "-").status == .usage)
    }

    @Test("an invitation names oneself first, and the members with their ids in the digits that were asked for")
    func invite() throws {
        let bob = try GroupSpecimen.bobID().text
        let run = specimen.run("new", "G1", "--invite", "Fam", "--member", bob, "--peer-ids", "16", "--out", "@i.json")
        #expect(run.status == .success)
        let invite = try GroupInvite(json: GroupSpecimen.secret(try #require(fileBytes(folder.file("i.json")))))
        #expect(invite.memberIDs.map(\.text) == ["3619e750a2dd52ba", String(bob.prefix(16))])
        #expect(invite.creatorID.text == "3619e750a2dd52ba" && invite.name == Array("Fam".utf8))
        #expect(specimen.run("new", "G2", "--member", bob, "--out", "@x").status == .usage)
        #expect(specimen.run("new", "a/b", "--out", "@x").status == .usage)
        #expect(specimen.run("new", "G2", "--invite", "F", "--member", "nobody", "--out", "@x").status == .notFound)
    }

    @Test("rotate makes another key whose numbers go on, and only when it is due if asked so")
    func rotate() throws {
        _ = specimen.run("new", "G1", "--out", "@a.json")
        let notDue = specimen.run("rotate", "G1", "--if-due", "--out", "@r.json")
        #expect(notDue.status == .success && notDue.output.contains("is not due"))
        #expect(fileBytes(folder.file("r.json")) == nil)
        let run = specimen.run("rotate", "G1", "--out", "@r.json", "--json")
        #expect(GroupSpecimen.json(run)["replaced"] as? Bool == true)
        #expect(fileBytes(folder.file("r.json")) != fileBytes(folder.file("a.json")))
        let exported = specimen.run("export", "G1", "--as", "distribution", "--out", "@e.json")
        #expect(exported.status == .success)
        #expect(fileBytes(folder.file("e.json")) == fileBytes(folder.file("r.json")))
        #expect(specimen.run("rotate", "other", "--out", "@y.json").status == .notFound)
    }

    @Test("an output that cannot be written leaves the keyring as it was")
    func failedOutput() throws {
        _ = specimen.run("new", "G1", "--out", "@a.json")
        let before = specimen.keyring.bytes
        #expect(specimen.run("rotate", "G1", "--out", "/nonexistent/x").status != .success)
        #expect(specimen.keyring.bytes == before)
        #expect(specimen.run("rotate", "G1", "--out", "@b.json", "--dry-run").status == .success)
        #expect(specimen.keyring.bytes == before)
    }

    @Test("a distribution needs a name, and is never gone back behind")
    func distributions() throws {
        var author = try GroupSpecimen.author()
        folder.write(try GroupSpecimen.distribution(author), to: "0.json")
        for _ in 0..<5 { _ = try GroupSpecimen.message(&author, "x") }
        folder.write(try GroupSpecimen.distribution(author), to: "5.json")
        #expect(specimen.run("import", "@5.json").errors.contains("does not prove whose sender key it is"))
        let bob = try GroupSpecimen.bobID().text
        #expect(specimen.run("import", "@5.json", "--from", bob, "--dry-run").status == .success)
        #expect(specimen.run("show", "E8EE").status == .notFound)
        let added = GroupSpecimen.json(specimen.run("import", "@5.json", "--from", bob, "--json"))
        #expect(added["added"] as? Int == 1 && added["read"] as? Int == 1)
        let refused = specimen.run("import", "@0.json", "--from", bob)
        #expect(refused.status == .someDamaged)
        #expect(refused.output.contains("it begins at 0, and the same key stands at 5 here"))
        #expect(refused.output.contains("sxkey group open --keys FILE"))
        #expect(position("E8EE")["iteration"] as? Int == 5)
        #expect(position("E8EE")["ageSeconds"] as? Double == 0)
        _ = try author.rotateOwn(in: GroupSpecimen.group, at: 0)
        folder.write(try GroupSpecimen.distribution(author), to: "new.json")
        let replaced = GroupSpecimen.json(specimen.run("import", "@new.json", "--from", bob, "--json"))
        #expect(replaced["replaced"] as? Int == 1)
    }

    @Test("of one chain at several places the earliest is taken, whatever the order of the files")
    func earliest() throws {
        var author = try GroupSpecimen.author()
        folder.write(try GroupSpecimen.distribution(author), to: "0.json")
        _ = try GroupSpecimen.message(&author, "x")
        folder.write(try GroupSpecimen.distribution(author), to: "1.json")
        let run = specimen.run("import", "@1.json", "@0.json", "--from", try GroupSpecimen.bobID().text, "--json")
        let result = GroupSpecimen.json(run)
        #expect(run.status == .success && result["added"] as? Int == 1 && result["unchanged"] as? Int == 1)
        #expect(position("E8EE")["iteration"] as? Int == 0)
    }

    @Test("export and import bring all keys to another keyring, own keys only where asked for")
    func toAnother() throws {
        var author = try GroupSpecimen.author()
        folder.write(try GroupSpecimen.distribution(author), to: "0.json")
        _ = specimen.run("import", "@0.json", "--from", try GroupSpecimen.bobID().text)
        specimen.write([try GroupSpecimen.message(&author, "a"), try GroupSpecimen.message(&author, "b")], to: "two")
        _ = specimen.run("new", "G1", "--out", "@own.json")
        #expect(specimen.run("export", "--out", "@e.json").status == .usage)
        let export = GroupSpecimen.json(specimen.run("export", "--reveal", "--out", "@e.json", "--json"))
        #expect(export["ownKeysLeftOut"] as? Int == 1)
        #expect(FolderListing(folder.path).entries["e.json"]?.hasPrefix("file 600") == true)
        _ = specimen.run("export", "--reveal", "--own", "--out", "@all.json")
        let other = try GroupSpecimen()
        for name in ["e.json", "all.json"] { other.folder.write(fileBytes(folder.file(name)) ?? [], to: name) }
        #expect(GroupSpecimen.json(other.run("import", "@e.json", "--json"))["added"] as? Int == 1)
        let all = GroupSpecimen.json(other.run("import", "@all.json", "--json"))
        #expect(all["added"] as? Int == 1 && all["unchanged"] as? Int == 1)
        #expect(other.run("list").output.contains("G1"))
    }

    @Test("keys of a dump are shown and opened without a keyring, and what is not of groups is refused")
    func files() throws {
        folder.write(Array(#"{"a":"AAAA"}"#.utf8), to: "other.json")
        #expect(specimen.run("import", "@other.json").status == .unreadable)
        folder.write(Array("[]".utf8), to: "list.json")
        #expect(specimen.run("import", "@list.json").status == .unreadable)
        folder.write(Array(#"{"mls.state.M1":"AAAA","skd.peers.D1":"AAAA"}"#.utf8), to: "mls.json")
        let list = CommandRun.run(["group", "list", "--keychain", folder.file("mls.json")])
        #expect(list.status == .someDamaged)
        #expect(list.output.contains("1 of MLS, which is not opened") && list.output.contains("damaged"))
        let show = CommandRun.run(["group", "show", "M1", "--keychain", folder.file("mls.json")])
        #expect(show.output.contains("not opened: its state is that of the library mls-rs"))
        #expect(specimen.run("show", "nothing").status == .notFound)
    }

    @Test("due and stale keys are told at their ages")
    func ages() throws {
        let now = Int(GroupSpecimen.now)
        let key = Data(repeating: 1, count: 32).base64EncodedString()
        func state(_ members: String) -> String { #"{"chainKey":"\#(key)","iteration":3,\#(members)}"# }
        func item(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
        let peers =
            #"{"a":\#(state(#""receivedAt":\#(now - 14 * 86_400 - 1)"#)),"#
            + #""b":\#(state(#""receivedAt":\#(now - 30 * 86_400 - 1)"#)),"c":\#(state(#""receivedAt":\#(now - 14 * 86_400)"#))}"#
        folder.write(
            Array(
                #"{"skd.peers.G":"\#(item(peers))","skd.mine.G":"\#(item(state(#""createdAt":\#(now - 7 * 86_400)"#)))"}"#
                    .utf8),
            to: "ages.json")
        let run = CommandRun.run(["group", "show", "G", "--keychain", folder.file("ages.json"), "--json"])
        let shown = GroupSpecimen.json(run)
        let members = try #require(shown["members"] as? [[String: Any]])
        #expect(members.map { $0["stale"] as? Bool } == [true, true, false])
        #expect(members.map { $0["staleForEarlierApps"] as? Bool } == [false, true, false])
        #expect((shown["own"] as? [String: Any])?["rotationDue"] as? Bool == true)
        #expect(!run.output.contains(key))
    }
}
