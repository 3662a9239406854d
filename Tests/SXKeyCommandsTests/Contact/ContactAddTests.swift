import Foundation
import SophaxFiles
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("contact add")
struct ContactAddTests {
    private let people: MadePeople

    init() throws { people = try MadePeople() }

    private func names() -> [String] {
        (people.json("contact", "list")["contacts"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }

    private func first(_ json: [String: Any]) -> [String: Any] {
        (json["contacts"] as? [[String: Any]])?.first ?? [:]
    }

    private func code(_ json: [String: Any]) -> String? { (json["error"] as? [String: Any])?["code"] as? String }

    @Test("the same person from a bundle, a link, a card and a backup is one contact")
    func onePerson() throws {
        let bundle = try people.writeBundle(0, name: "Alice", to: "alice.json")
        let added = people.run("contact", "add", bundle)
        #expect(added.status == .success && added.errors == "")
        #expect(
            added.output == """
                Added Alice (3619e750a2dd52ba)   NOT VERIFIED
                  Fingerprint  \(MadePeople.aliceFingerprint)
                  → sxkey safety show 3619e750a2dd52ba

                """)
        for source in [
            MadePeople.aliceInvite, MadePeople.aliceCard, people.write(MadePeople.aliceInvite + "\r\n", to: "a.txt"),
        ] {
            let again = people.json("contact", "add", source)
            #expect(first(again)["outcome"] as? String == "known", "\(source)")
            #expect(first(again)["fingerprint"] as? String == MadePeople.aliceFingerprint)
        }
        #expect(names() == ["Alice"])
        let shown = people.json("contact", "show", "Alice")
        #expect(shown["onion"] as? String == MadePeople.aliceOnion && shown["port"] as? Int == 25_519)
        let keys = shown["keys"] as? [[String: Any]]
        #expect(keys?.count == 1 && keys?.first?["peerIDs"] as? [String] == [MadePeople.aliceID])
    }

    @Test("a bundle that is not signed by its key is refused with status 8")
    func badSignature() throws {
        let bundle = try people.writeBundle(0, name: "Alice", to: "alice.json", damaged: true)
        let run = people.run("contact", "add", bundle)
        #expect(run.status == .finding && run.output.isEmpty)
        #expect(
            run.error(in: people.folder.path)
                == "the bundle in \"alice.json\" is not signed by its own key; nothing was taken from it")
        #expect(names() == [])
    }

    @Test("one's own keys are refused, as bundle and as card")
    func own() throws {
        let bundle = try people.writeBundle(0x40, name: "me", to: "me.json")
        let run = people.run("contact", "add", bundle)
        #expect(run.status == .finding)
        #expect(
            run.errors.hasPrefix("sxkey: error: these are your own keys, the identity \"me\"; nothing was changed\n"))
        let card = people.run("contact", "card").output
        #expect(people.run("contact", "add", String(card.dropLast())).status == .finding)
        #expect(names() == [])
    }

    @Test("an invite link with the id of somebody known and other keys is an alarm with both fingerprints")
    func impersonation() throws {
        #expect(people.run("contact", "add", MadePeople.aliceInvite).status == .success)
        let bob = try MadePeople.identity(0x60).fingerprint.hex
        let other = people.run("contact", "add", try people.writeBundle(0x60, name: "Alice", to: "b.json"))
        #expect(other.status == .success)
        #expect(other.errors.contains("has the same name and other keys; the two are not linked"))
        #expect(names() == ["Alice", "Alice"])
        // Also when it is the user who says the name.
        let third = people.run(
            "contact", "add", try people.writeBundle(0x80, name: "Eve", to: "e.json"), "--name", "Alice")
        #expect(third.errors.contains("has the same name and other keys; the two are not linked"))
        // Bob's keys under Alice's id.
        let keys = people.json("contact", "show", bob)["keys"] as? [[String: Any]]
        func base64(_ name: String) -> String {
            let hex = Array((keys?.first?[name] as? String ?? "").utf8)
            let bytes = stride(from: 0, to: hex.count - 1, by: 2).compactMap {
                UInt8(String(decoding: hex[$0..<$0 + 2], as: UTF8.self), radix: 16)
            }
            return Data(bytes).base64EncodedString()
        }
        for id in [MadePeople.aliceID, String(MadePeople.aliceID.prefix(16))] {
            let link =
                "sophaxchat://meet?pid=\(id)&name=QWxpY2U=&sk=\(base64("signingPublic"))&dk=\(base64("dhPublic"))"
            let run = people.run("contact", "add", link)
            #expect(run.status == .finding && run.output.isEmpty)
            #expect(
                run.errors.hasPrefix(
                    "sxkey: error: IMPERSONATION: somebody uses the peer id \(id) of the contact Alice (3619e750a2dd52ba) "
                        + "with other keys; nothing was changed\n"))
            #expect(run.errors.contains("known fingerprint   \(MadePeople.aliceFingerprint)\n"))
            #expect(run.errors.contains("these keys have     \(bob)\n"))
        }
        #expect(names().count == 3)
    }

    @Test("a card waits for its keys; they complete it and keep a name that the user gave")
    func card() throws {
        let added = people.run("contact", "add", MadePeople.aliceCard, "--name", "Ali")
        #expect(added.output == "Added Ali (3619e750a2dd52ba)   waits for its keys\n")
        #expect(people.run("safety", "show", "Ali").status == .notFound)
        let bundle = try people.writeBundle(0, name: "Alice", to: "alice.json")
        #expect(people.run("contact", "add", bundle).output.hasPrefix("Keys learned of Ali (3619e750a2dd52ba)"))
        #expect(names() == ["Ali"])
        let other = MadePeople.aliceCard.replacing(
            MadePeople.aliceOnion, with: "evb3sl7rbfkrcr3k3sbwtw3n3sjtmznbdf4n3ikaj3qqm3fjkwoqp3ad.onion")
        #expect(code(people.json("contact", "add", other)) == "foreign-address")
    }

    @Test("what is odd about a link is said, and the rest taken")
    func oddLinks() throws {
        let android = "sophaxchat://add?id=3619e750a2dd52ba&onion=\(MadePeople.aliceOnion):25519&port=25519"
        let run = people.run("contact", "add", android)
        #expect(run.status == .success)
        #expect(run.errors.contains("the address has the port inside, as the Android app writes it"))
        let warnings = first(people.json("contact", "add", android))["warnings"] as? [[String: Any]]
        #expect(warnings?.map { $0["code"] as? String } == ["port-inside-onion"])
        let broken = people.run("contact", "add", MadePeople.aliceInvite.replacing("A6EH", with: "A6 H"))
        #expect(broken.status == .unreadable)
        #expect(broken.errors.contains("hint: a program on the way may have changed \"+\" into a space"))
        let invite = people.run("contact", "add", "SXPH-AB12-CD34")
        #expect(invite.status == .unreadable && invite.errors.contains("is not known"))
        let cut = people.run("contact", "add", "sophaxchat://add?id=\(MadePeople.aliceID)")
        #expect(cut.status == .unreadable && cut.errors.contains("put it between quotes"))
    }

    @Test("hostile names are kept without control characters, and never reach a terminal as they are")
    func hostileNames() throws {
        for (index, name) in ["\u{1b}]0;x\u{7}\u{1b}[2JEve", "\u{9b}31mEve", "\u{202e}evE", "E\u{0}ve", "Eve\r\nroot"]
            .enumerated()
        {
            let first = UInt8(index * 16 + 0x80)
            let run = people.run("contact", "add", try people.writeBundle(first, name: name, to: "e.json"))
            #expect(run.status == .success)
            for text in [run.output, run.errors, people.run("contact", "list").output] {
                let bad = text.unicodeScalars.filter {
                    $0 != "\n" && ($0.properties.generalCategory == .control || $0.value == 0x202e)
                }
                #expect(bad.isEmpty, "\(text.debugDescription)")
            }
        }
        #expect(!names().joined().unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(people.run("contact", "add", MadePeople.aliceCard, "--name", "a\u{7}").status == .usage)
        #expect(people.run("contact", "add", MadePeople.aliceCard, "--name", " ").status == .usage)
    }

    @Test("files that hold nobody are refused for what they are")
    func noSources() throws {
        for (text, code) in [
            ("hello", "not-a-contact"), ("", "empty"), ("{\"a\":1}", "not-a-bundle"), ("{", "not-json"),
            (String(repeating: "x", count: 100_000), "not-a-contact"), ("sophaxchat://x?a=b", "bad-link"),
            ("SXFE\u{1}", "truncated"),
        ] {
            #expect(self.code(people.json("contact", "add", people.write(text, to: "x"))) == code, "\(text.prefix(20))")
        }
        #expect(people.run("contact", "add", people.folder.file("nothing")).status == .notFound)
    }

    @Test("contacts of a backup are chosen, and counted")
    func backup() throws {
        func peer(_ first: UInt8, _ name: String, id: String? = nil, key: String? = nil) throws -> String {
            let keys = try MadePeople.identity(first).publicKeys
            let id = id ?? String(keys.fingerprint.hex.prefix(32))
            let signing = key ?? Data(keys.signing).base64EncodedString()
            return #"{"id":"\#(id)","username":"\#(name)","signingKeyPublic":"\#(signing)","#
                + #""dhKeyPublic":"\#(Data(keys.dh).base64EncodedString())","safetyNumber":"x","isOnline":false,"#
                + #""isDirectlyConnected":false}"#
        }
        let good = BundleSpecimen.hkdfBackup
        let peers = [
            try peer(0, "Alice"), try peer(0x60, "Bob"), try peer(0x40, "me again"),
            try peer(0x20, "Eve", id: MadePeople.aliceID),
            try peer(0x10, "Broken", key: "AAAA"),
        ]
        let text = good.text.replacing("\"peers\":[]", with: "\"peers\":[\(peers.joined(separator: ","))]")
        try #require(text != good.text)
        let specimen = BundleSpecimen(
            description: "", fileName: good.fileName, recipe: good.recipe, title: "", text: text, newestVersion: nil,
            headerLength: good.headerLength, hasIterations: false)
        people.folder.write(try specimen.bytes(), to: "b.sophaxbackup")
        people.folder.write(BundleSpecimen.passphrase, to: "pw")
        let file = people.folder.file("b.sophaxbackup")
        let pw = people.folder.file("pw")
        let choose = people.run("contact", "add", file, "-p", pw)
        #expect(choose.status == .usage && choose.errors.contains("hint: there is Alice, Bob, me again, Eve, Broken"))
        #expect(people.run("contact", "add", file, "-p", pw, "--peer", "Zoe").status == .notFound)
        #expect(names() == [])
        let one = people.json("contact", "add", file, "-p", pw, "--peer", "Alice")
        #expect(one["counts"] as? [String: Int] == Self.counts(read: 1, added: 1))
        #expect((first(one)["warnings"] as? [[String: Any]])?.first?["code"] as? String == "safety-number-mismatch")
        let all = people.json("contact", "add", file, "-p", pw, "--all")
        #expect(
            all["counts"] as? [String: Int]
                == Self.counts(read: 5, added: 1, known: 1, skipped: 1, refused: 1, failed: 1))
        // Damage goes before a finding.
        #expect(all["exit"] as? Int == 3)
        let reasons = (all["contacts"] as? [[String: Any]])?.compactMap { $0["reason"] as? String }
        #expect(reasons == ["own-identity", "impersonation"])
        #expect(names() == ["Alice", "Bob"])
    }

    private static func counts(
        read: Int, added: Int = 0, known: Int = 0, skipped: Int = 0, refused: Int = 0, failed: Int = 0
    ) -> [String: Int] {
        [
            "read": read, "added": added, "completed": 0, "known": known, "skipped": skipped, "refused": refused,
            "failed": failed,
        ]
    }
}
