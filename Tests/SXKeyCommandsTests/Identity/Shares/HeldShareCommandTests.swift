import CryptoPrimitives
import Foundation
import Keyring
import SQLiteDatabase
import SophaxCore
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("shares for contacts")
struct HeldShareCommandTests {
    private let people: MadePeople

    init() throws {
        people = try MadePeople()
        for (name, first) in [("Alice", UInt8(0x00)), ("Bob", 0x80)] {
            let bundle = try people.writeBundle(first, name: name, to: name)
            precondition(people.run("contact", "add", bundle, "--name", name).status == .success)
        }
    }

    private func file(_ name: String) -> String { people.folder.file(name) }

    /// A keyring of a holder.
    private func keyring(_ first: UInt8, _ name: String) throws -> String {
        let key = [UInt8](repeating: 0x6b, count: 32)
        let keyring = try Keyring.make(
            at: FilePath(file(name)), slots: [NewSlot(.key(SecretBytes(copying: key.span)))])
        let identityName = try #require(IdentityName(trimming: name))
        _ = try keyring.addIdentity(MadePeople.identity(first), name: identityName, origin: "new", at: 1_700_000_000)
        return file(name)
    }

    private func run(_ words: String..., keyring: String) -> CommandRun {
        CommandRun.run(words + ["--keyring", keyring, "--keyring-key-file", file("key")])
    }

    @Test("each holder opens his own share and nobody else's, and the owner puts them together")
    func holders() throws {
        let made = people.run(
            "identity", "split", "-m", "2", "--for", "Alice", "--for", "Bob", "--out", file("out"))
        #expect(made.status == .success, "\(made.errors)")
        #expect(made.errors.contains("is not verified"))
        let (alice, bob) = (file("out/share-1-of-2.json"), file("out/share-2-of-2.json"))
        let shown = people.run("identity", "share", alice)
        #expect(shown.status == .success && shown.output.contains("Encrypted    for Alice"), "\(shown.errors)")
        let closed = people.run("identity", "combine", alice, bob, "--dry-run")
        #expect(closed.status == .wrongSecret && closed.errors.contains("sealed for Alice"), "\(closed.errors)")
        let alices = try keyring(0x00, "alices")
        let bobs = try keyring(0x80, "bobs")
        #expect(run("identity", "share", alice, "--out", file("a.json"), keyring: bobs).status == .wrongSecret)
        #expect(fileBytes(file("a.json")) == nil)
        #expect(run("identity", "share", alice, "--out", file("a.json"), keyring: alices).status == .success)
        // The page has the texts of its QR codes for those who have lost the file.
        #expect(
            run("identity", "share", file("out/share-2-of-2.txt"), "--out", file("b.json"), keyring: bobs).status
                == .success)
        let back = people.run("identity", "combine", file("a.json"), file("b.json"), "--dry-run")
        #expect(back.status == .success && back.output.contains("2 shares give me"), "\(back.errors)")
        let manifest = try ShareManifest((fileBytes(file("out/manifest.json")) ?? []))
        #expect(manifest.threshold == 2 && manifest.holders.count == 2)
        #expect(manifest.holders[0].text == MadePeople.aliceID)
    }

    @Test("a share that an app sealed is opened by its holder, in each form that it comes in")
    func appForms() throws {
        #expect(
            people.run("identity", "split", "-m", "2", "--for", "Alice", "--for", "Bob", "--out", file("out")).status
                == .success)
        let alices = try keyring(0x00, "alices")
        let text = try #require(fileBytes(file("out/share-1-of-2.json")))
        var payload = try #require(JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
        payload["sxkey"] = nil
        people.folder.write(Array(try JSONSerialization.data(withJSONObject: payload)), to: "delivery.json")
        for key in ["senderPeerID", "threshold", "total"] { payload[key] = nil }
        people.folder.write(Array(try JSONSerialization.data(withJSONObject: payload)), to: "response.json")
        for name in ["delivery.json", "response.json"] {
            // Beside one that is somebody else's.
            let opened = run(
                "identity", "share", file(name), file("out/share-2-of-2.json"), "--share",
                payload["shareID"] as? String ?? "", "--out", file("\(name).a"),
                keyring: alices)
            #expect(opened.status == .usage, "\(opened.errors)")
            let alone = run("identity", "share", file(name), "--out", file("\(name).a"), keyring: alices)
            #expect(alone.status == .success, "\(alone.errors)")
            let bobs = try keyring(0x80, "bobs-\(name)")
            #expect(
                run("identity", "share", file("out/share-2-of-2.json"), "--out", file("\(name).b"), keyring: bobs)
                    .status == .success)
            let back = people.run("identity", "combine", file("\(name).a"), file("\(name).b"), "--dry-run")
            #expect(back.status == .success, "\(back.errors)")
        }
    }

    @Test("a share that is still sealed for somebody else hinders nobody, as long as the others are enough")
    func closed() throws {
        let bundle = try people.writeBundle(0xC0, name: "Carol", to: "Carol")
        #expect(people.run("contact", "add", bundle, "--name", "Carol").status == .success)
        #expect(
            people.run(
                "identity", "split", "-m", "2", "--for", "Alice", "--for", "Bob", "--for", "Carol", "--out",
                file("out")
            ).status == .success)
        let (alices, bobs) = (try keyring(0x00, "alices"), try keyring(0x80, "bobs"))
        func written(_ number: Int, _ keyring: String) -> CommandStatus {
            run(
                "identity", "share", file("out/share-\(number)-of-3.json"), "--out", file("\(number)"),
                keyring: keyring
            ).status
        }
        #expect(written(1, alices) == .success && written(2, bobs) == .success)
        let sealed = file("out/share-3-of-3.json")
        let enough = people.run("identity", "combine", file("1"), sealed, file("2"), "--dry-run")
        #expect(enough.status == .success, "\(enough.errors)")
        #expect(enough.output.contains("1 sealed share for others stayed closed"), "\(enough.output)")
        let few = people.run("identity", "combine", file("1"), sealed, "--dry-run")
        #expect(few.status == .wrongSecret && few.errors.contains("sealed for Carol"), "\(few.errors)")
    }

    @Test("a contact is named once, and must have keys")
    func names() throws {
        let twice = people.run("identity", "split", "-m", "2", "--for", "Bob", "--for", "Bob", "--out", file("out"))
        #expect(twice.status == .usage && twice.errors.contains("named twice"))
        #expect(people.run("contact", "add", MadePeople.aliceCard, "--name", "Card").status != .usage)
        #expect(fileBytes(file("out")) == nil)
    }

    @Test("shares that an app keeps for others are shown, written, and combined with the owner's")
    func heldShares() throws {
        #expect(
            people.run("identity", "split", "-m", "2", "-n", "3", "--format", "app", "--out", file("own")).status
                == .success)
        #expect(
            people.run("identity", "split", "-m", "2", "-n", "3", "--format", "app", "--out", file("alien")).status
                == .success)
        func text(_ name: String) -> String {
            String(decoding: fileBytes(file(name)) ?? [], as: UTF8.self).replacing("\n", with: "")
        }
        let list = Array("[\(text("alien/share-1-of-3.json")),\(text("own/share-2-of-3.json"))]".utf8)
        let items = ["identity.signing": [UInt8](0x80...0x9F), "identity.dh": [UInt8](0xA0...0xBF), "sss.shares": list]
        let dump = items.map { "\"\($0.key)\":\"\(Base64.encode($0.value.span))\"" }.joined(separator: ",")
        people.write("{\(dump)}", to: "dump.json")
        // Of the friend's list only the share of the owner's set counts.
        let combined = people.run("identity", "combine", file("own/share-1-of-3.json"), file("dump.json"), "--dry-run")
        #expect(combined.status == .success && combined.output.contains("2 shares give"), "\(combined.errors)")
        let bobs = try keyring(0x80, "bobs")
        let none = run("identity", "share", keyring: bobs)
        #expect(none.status == .notFound && none.errors.contains("holds no share"), "\(none.errors)")
        #expect(run("identity", "import", file("dump.json"), "--name", "Bob", keyring: bobs).status == .success)
        let held = run("identity", "share", "--json", keyring: bobs)
        let json = try JSONSerialization.jsonObject(with: Data(held.outputBytes)) as? [String: Any]
        let shares = json?["shares"] as? [[String: Any]] ?? []
        #expect(shares.count == 2 && shares.allSatisfy { $0["form"] as? String == "app" })
        let several = run("identity", "share", "--out", file("one"), keyring: bobs)
        #expect(several.status == .usage && several.errors.contains("/2"), "\(several.errors)")
        let set = try #require(shares[1]["set"] as? String)
        let written = run(
            "identity", "share", "--share", set.prefix(8).lowercased() + "/2", "--out", file("one"), keyring: bobs)
        #expect(written.status == .success, "\(written.errors)")
        #expect(
            people.run("identity", "combine", file("own/share-3-of-3.json"), file("one"), "--dry-run").status
                == .success)
        #expect(run("identity", "share", "--share", "00", keyring: bobs).status == .notFound)
        #expect(json?["manifest"] == nil)
    }

    @Test("who holds the shares that the app made of one's own identity is told")
    func manifest() throws {
        let manifest = ShareManifest(
            shareID: Array("6F9619FF".utf8), threshold: 2, holders: [PeerID("aa"), PeerID("bb"), PeerID("cc")],
            createdAt: 796_000_000)
        let items = [
            "identity.signing": [UInt8](0x80...0x9F), "identity.dh": [UInt8](0xA0...0xBF),
            "sss.manifest": manifest.text,
        ]
        let dump = items.map { "\"\($0.key)\":\"\(Base64.encode($0.value.span))\"" }.joined(separator: ",")
        people.write("{\(dump)}", to: "dump.json")
        let bobs = try keyring(0x80, "bobs")
        #expect(run("identity", "import", file("dump.json"), "--name", "Bob", keyring: bobs).status == .success)
        let shown = run("identity", "share", keyring: bobs)
        #expect(shown.status == .success, "\(shown.errors)")
        #expect(shown.output.contains("2 of 3 shares give it back") && shown.output.contains("Share 3      held by cc"))
        #expect(run("identity", "share", "--out", file("x"), keyring: bobs).status == .usage)
    }
}
