import CommandKit
import CryptoPrimitives
import Foundation
import Keyring
import SophaxCore
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("What the group commands keep, and whom they believe")
struct GroupKeepingTests {
    private let specimen: GroupSpecimen
    private var folder: TemporaryFolder { specimen.folder }

    init() throws { specimen = try GroupSpecimen() }

    private func data(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    private let key = Data(repeating: 5, count: 32).base64EncodedString()

    /// Skipped keys as no app would load all of them: 30 days old, beyond the 200 of a member, of nobody, and damaged.
    private func skipped() -> String {
        let now = Int(GroupSpecimen.now)
        func entry(_ age: Int) -> String { #"{"keyData":"\#(key)","storedAt":\#(now - age)}"# }
        let old = (0..<5).map { #""\#($0)":\#(entry(30 * 86_400))"# }.joined(separator: ",")
        let many = (0..<300).map { #""\#($0)":\#(entry(60))"# }.joined(separator: ",")
        return #"{"OLD/peer":{\#(old)},"BIG/peer":{\#(many),"x":{"later":1}},"#
            + #""nobody":{"1":\#(entry(60))},"BAD/peer":7}"#
    }

    private func writeSkipped(_ name: String = "skipped.json") {
        folder.write(Array(#"{"skd.skipped.all":"\#(data(skipped()))"}"#.utf8), to: name)
    }

    private func exported() throws -> [String: Any] {
        _ = specimen.run("export", "--reveal", "--out", "@back.json", "--force")
        let items = try #require(
            try JSONSerialization.jsonObject(with: Data(fileBytes(folder.file("back.json")) ?? [])) as? [String: String]
        )
        let value = try #require(Data(base64Encoded: items["skd.skipped.all"] ?? ""))
        return try #require(try JSONSerialization.jsonObject(with: value) as? [String: Any])
    }

    private func count(_ object: [String: Any], _ scope: String) -> Int {
        (object[scope] as? [String: Any])?.count ?? 0
    }

    @Test("no change of one group drops skipped keys of another, and an export has all of them")
    func skippedKeysStay() throws {
        writeSkipped()
        let taken = GroupSpecimen.json(specimen.run("import", "@skipped.json", "--json"))
        #expect(taken["skippedTaken"] as? Int == 305 && taken["skippedExpired"] as? Int == 5)
        #expect(taken["skippedBeyondLimit"] as? Int == 100 && taken["skippedUnreadable"] as? Int == 3)
        #expect(taken["exit"] as? Int == 3)
        // As an identity's import brings them, with what no member has.
        let keyring = try specimen.keyring.open(.readWrite)
        let identity = try #require(try keyring.currentIdentity())
        let value = try GroupSpecimen.secret(Array(skipped().utf8))
        try keyring.setItem(.skippedGroupKeys, of: identity, to: value, at: GroupSpecimen.now)
        #expect(specimen.run("new", "OWN", "--out", "@a.json").status == .success)
        #expect(specimen.run("rotate", "OWN", "--out", "@b.json").status == .success)
        folder.write(try GroupSpecimen.distribution(GroupSpecimen.author()), to: "bob.json")
        let bob = try GroupSpecimen.bobID().text
        #expect(specimen.run("import", "@bob.json", "--from", bob).status == .success)
        // A change of the skipped keys themselves.
        try specimen.addBob()
        var author = try GroupSpecimen.author()
        _ = try GroupSpecimen.message(&author, "missing")
        specimen.write([try GroupSpecimen.message(&author, "x")], to: "x")
        #expect(specimen.run("open", "@x", "--advance").status == .success)
        let back = try exported()
        #expect(count(back, "OLD/peer") == 5 && count(back, "BIG/peer") == 301 && count(back, "nobody") == 1)
        #expect(back["BAD/peer"] as? Int == 7 && back.count == 5)
        let list = specimen.run("list", "--json")
        #expect(GroupSpecimen.json(list)["skippedExpired"] as? Int == 5 && list.status == .someDamaged)
        #expect(GroupSpecimen.json(list)["skippedWithoutOwner"] as? Int == 1)
        #expect(GroupSpecimen.json(list)["skippedUnreadable"] as? Int == 2)
        #expect(specimen.run("list").output.contains("OLD "))
        let one = specimen.run("export", "OLD", "--reveal", "--out", "@old.json", "--json")
        #expect(one.status == .success && GroupSpecimen.json(one)["skippedKeys"] as? Int == 5)
    }

    @Test("when one item of a change cannot be written, none is")
    func halfWritten() throws {
        try specimen.addBob()
        folder.write(try GroupSpecimen.distribution(GroupSpecimen.author()), to: "bob.json")
        _ = specimen.run("import", "@bob.json", "--from", try GroupSpecimen.bobID().text)
        let keyring = try specimen.keyring.open(.readWrite)
        try keyring.database.execute(
            """
            CREATE TRIGGER full BEFORE INSERT ON item WHEN NEW.account = 'skd.skipped.all'
            BEGIN SELECT RAISE(ABORT, 'full'); END
            """)
        var author = try GroupSpecimen.author()
        _ = try GroupSpecimen.message(&author, "missing")
        specimen.write([try GroupSpecimen.message(&author, "x")], to: "x")
        let run = specimen.run("open", "@x", "--advance")
        #expect(run.status == .failure && !run.output.contains("moved on"), "\(run.errors)")
        let shown = GroupSpecimen.json(specimen.run("show", "E8EE", "--json"))
        #expect((shown["members"] as? [[String: Any]])?.first?["iteration"] as? Int == 0)
        try keyring.database.execute("DROP TRIGGER full")
        #expect(specimen.run("open", "@x", "--advance").status == .success)
    }

    @Test("own keys are nobody else's: a file says whose they are, or the user does")
    func owner() throws {
        _ = specimen.run("new", "OWN", "--out", "@a.json")
        #expect(specimen.run("export", "--own", "--reveal", "--out", "@own.json").status == .success)
        let other = try GroupSpecimen(.bob)
        let text = fileBytes(folder.file("own.json")) ?? []
        other.folder.write(text, to: "own.json")
        let foreign = other.run("import", "@own.json", "--json")
        #expect(foreign.status == .someDamaged && foreign.output.contains(#""code":"other-identity""#))
        #expect(other.run("import", "@own.json", "--own").status == .someDamaged)
        var items = try #require(try JSONSerialization.jsonObject(with: Data(text)) as? [String: String])
        #expect(items.removeValue(forKey: "sxkey.groups.owner") != nil)
        other.folder.write(Array(try JSONSerialization.data(withJSONObject: items)), to: "old.json")
        let unnamed = other.run("import", "@old.json", "--json")
        #expect(unnamed.status == .someDamaged && unnamed.output.contains(#""code":"no-owner""#))
        #expect(other.run("import", "@old.json", "--own").status == .success)
        // One's own come back.
        #expect(specimen.run("import", "@own.json").status == .success)
    }

    @Test("an invitation is believed of nobody but whom --from names, by an id of any length")
    func invitations() throws {
        let bob = try GroupSpecimen.bobID()
        let author = try GroupSpecimen.author()
        let invite = try author.invite(
            to: GroupSpecimen.group, name: Array("G".utf8), memberIDs: [bob], creatorID: bob)
        folder.write(try invite.json().withSpan { span in span.indices.map { span[$0] } }, to: "i.json")
        #expect(specimen.run("import", "@i.json").status == .usage)
        let wrong = specimen.run("import", "@i.json", "--from", "ffffffffffffffff", "--json")
        #expect(wrong.status == .someDamaged && wrong.output.contains(#""code":"not-from-creator""#))
        #expect(specimen.run("import", "@i.json", "--from", String(bob.text.prefix(16))).status == .success)
        // To read with, the creator's own word does: nothing is kept.
        var writer = try GroupSpecimen.author()
        specimen.write([try GroupSpecimen.message(&writer, "x")], to: "x")
        #expect(specimen.run("open", "@x", "--keys", "@i.json").status == .success)
    }

    @Test("one's own id is no other member, and a key at the last number is refused")
    func refusedKeys() throws {
        folder.write(try GroupSpecimen.distribution(GroupSpecimen.author()), to: "d.json")
        let own = specimen.run("import", "@d.json", "--from", String(KeyringSpecimen.alice.prefix(32)), "--json")
        #expect(own.status == .someDamaged && own.output.contains(#""code":"own-id""#))
        folder.write(
            Array(#"{"groupID":"G","chainKey":"\#(key)","iteration":4294967295}"#.utf8), to: "last.json")
        let last = specimen.run("import", "@last.json", "--from", try GroupSpecimen.bobID().text, "--json")
        #expect(last.status == .someDamaged && last.output.contains(#""code":"exhausted""#))
        var author = try GroupSpecimen.author()
        folder.write(try GroupSpecimen.message(&author, "x").json, to: "wire.json")
        #expect(specimen.run("import", "@wire.json").errors.contains("is a message, and no keys of groups"))
    }

    @Test("a member who began anew is taken out and comes back, and only after a yes")
    func remove() throws {
        var author = try GroupSpecimen.author()
        folder.write(try GroupSpecimen.distribution(author), to: "0.json")
        for _ in 0..<5 { _ = try GroupSpecimen.message(&author, "x") }
        folder.write(try GroupSpecimen.distribution(author), to: "5.json")
        let bob = try GroupSpecimen.bobID().text
        _ = specimen.run("import", "@5.json", "--from", bob)
        #expect(specimen.run("import", "@0.json", "--from", bob).output.contains("sxkey group remove GROUP PEER"))
        #expect(specimen.run("remove", "E8EEABCD", bob).status != .success)
        #expect(specimen.run("remove", "E8E", bob, "--yes").status == .usage)
        #expect(specimen.run("remove", "E8EEABCD", "ffffffffffffffff", "--yes").status == .notFound)
        let before = specimen.keyring.bytes
        #expect(specimen.run("remove", "E8EEABCD", bob, "--dry-run").output.contains("Would remove"))
        #expect(specimen.keyring.bytes == before)
        let run = GroupSpecimen.json(specimen.run("remove", "E8EEABCD", String(bob.prefix(16)), "--yes", "--json"))
        #expect((run["members"] as? [[String: Any]])?.first?["iteration"] as? Int == 5)
        #expect(specimen.run("import", "@0.json", "--from", bob).status == .success)
    }

    @Test("an empty word names no group, and a letter does not replace a key")
    func words() throws {
        _ = specimen.run("new", "E8EEABCD-1", "--out", "@a.json")
        for word in ["", "E", "E8EEABC"] {
            #expect(specimen.run("rotate", word, "--out", "@b.json").status == .usage)
        }
        #expect(specimen.run("show", "").status == .usage)
        #expect(specimen.run("show", "E").status == .success)
        #expect(specimen.run("rotate", "e8eeabcd", "--out", "@b.json", "--dry-run").output.contains("it would be gone"))
        #expect(specimen.run("rotate", "e8eeabcd", "--out", "@b.json").status == .success)
    }

    @Test("an export counts the groups that it wrote something of")
    func exportCounts() throws {
        _ = specimen.run("new", "OWN1", "--out", "@a.json")
        _ = specimen.run("new", "OWN2", "--out", "@b.json")
        folder.write(try GroupSpecimen.distribution(GroupSpecimen.author()), to: "bob.json")
        _ = specimen.run("import", "@bob.json", "--from", try GroupSpecimen.bobID().text)
        let run = GroupSpecimen.json(specimen.run("export", "--reveal", "--out", "@e.json", "--json"))
        #expect(run["groups"] as? Int == 1 && run["ownKeysLeftOut"] as? Int == 2)
        #expect(run["identity"] as? String == KeyringSpecimen.alice)
    }

    @Test("an invitation has everybody once, and is none that the apps refuse")
    func members() throws {
        let (bob, alice) = (try GroupSpecimen.bobID().text, KeyringSpecimen.alice)
        let run = GroupSpecimen.json(
            specimen.run(
                "new", "G1", "--invite", "F", "--member", bob, "--member", String(bob.prefix(16)), "--member",
                String(alice.prefix(16)), "--out", "@i.json", "--json"))
        #expect(run["members"] as? [String] == [String(alice.prefix(32)), bob])
        for name in [String(repeating: "n", count: 65), "a\u{1B}b", "a\u{202E}b", " "] {
            #expect(specimen.run("new", "G2", "--invite", name, "--out", "@x.json").status == .usage)
        }
        #expect(specimen.run("new", "G2", "--invite", "👩‍👩‍👧", "--out", "@y.json").status == .success)
        var words = ["group", "new", "G3", "--invite", "F", "--out", folder.file("z.json")]
        for number in 0x100..<0x164 { words += ["--member", String(number, radix: 16) + "0000000000000"] }
        words += ["--keyring", specimen.keyring.path, "--keyring-key-file", folder.file("key")]
        let many = CommandRun.run(words)
        #expect(many.status == .usage && many.errors.contains("it has 101 members"), "\(many.errors)")
        #expect(fileBytes(folder.file("z.json")) == nil)
        #expect(specimen.run("show", "G3").status == .notFound)
        // A member who lost it gets it again.
        let again = specimen.run("export", "G1", "--invite", "F", "--member", bob, "--out", "@again.json")
        #expect(again.status == .success)
        #expect(fileBytes(folder.file("again.json")) == fileBytes(folder.file("i.json")))
    }

    @Test("a file that cannot be made after the key is in the keyring says how to write it again")
    func lateFailure() throws {
        let parsed = try ArgumentParser(Program.specification).parse(
            ["group", "new", "--out", folder.file("f.json")].map { Array($0.utf8) })
        guard case .command(let command) = parsed else {
            Issue.record("the words are no command")
            return
        }
        let file = try GroupKeyTarget(command).checked(notSameAs: [])
        try file.write(GroupSpecimen.secret([1]))
        folder.write([2], to: "f.json")
        do {
            try file.commit(afterChangeOf: GroupSpecimen.group, isInvite: true)
            Issue.record("it was written over another file")
        } catch {
            #expect(error.message.message.plain.contains("is in the keyring, and its file was not made"))
            #expect(error.message.hints.first?.plain.contains("group export") == true)
            #expect(error.message.exit == .wouldOverwrite)
        }
        #expect(fileBytes(folder.file("f.json")) == [2])
    }

    @Test("rotate writes the same members whether a key was due or not")
    func schema() throws {
        _ = specimen.run("new", "GROUP-01", "--out", "@a.json")
        let due = GroupSpecimen.json(specimen.run("rotate", "GROUP-01", "--out", "@b.json", "--json"))
        let not = GroupSpecimen.json(specimen.run("rotate", "GROUP-01", "--if-due", "--out", "@c.json", "--json"))
        #expect(Set(due.keys) == Set(not.keys) && not["replaced"] as? Bool == false && not["path"] is NSNull)
    }

    @Test("thousands of groups in one file take no longer than their number")
    func manyGroups() throws {
        let now = Int(GroupSpecimen.now)
        let all = (0..<5_000).map { #""G\#($0)/p":{"1":{"keyData":"\#(key)","storedAt":\#(now)}}"# }
            .joined(separator: ",")
        folder.write(Array(#"{"skd.skipped.all":"\#(data("{\(all)}"))"}"#.utf8), to: "many.json")
        let run = GroupSpecimen.json(specimen.run("import", "@many.json", "--json"))
        #expect(run["skippedTaken"] as? Int == 5_000)
        #expect((GroupSpecimen.json(specimen.run("list", "--json"))["groups"] as? [Any])?.count == 5_000)
    }
}
