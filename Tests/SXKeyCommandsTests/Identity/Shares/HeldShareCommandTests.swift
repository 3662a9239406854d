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
        #expect(run("identity", "share", "--out", file("one"), keyring: bobs).status == .usage)
        let set = try #require(shares[1]["set"] as? String)
        let written = run(
            "identity", "share", "--share", set.prefix(8).lowercased(), "--out", file("one"), keyring: bobs)
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
