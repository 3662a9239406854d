import Foundation
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("contact commands")
struct ContactCommandTests {
    private let people: MadePeople

    init() throws {
        people = try MadePeople()
        #expect(people.run("contact", "add", MadePeople.aliceInvite).status == .success)
    }

    @Test("replacing a key shows both fingerprints, clears the mark and keeps the history")
    func replaceKey() throws {
        #expect(people.run("safety", "mark", "Alice", MadePeople.aliceNumber).status == .success)
        let bundle = try people.writeBundle(0x60, name: "Alice", to: "new.json")
        let new = try MadePeople.identity(0x60).fingerprint.hex
        let unasked = people.run("contact", "replace-key", "Alice", bundle)
        #expect(unasked.status == .usage && unasked.errors.contains("error: no terminal to ask on\n"))
        #expect(unasked.errors.contains(MadePeople.aliceFingerprint) && unasked.errors.contains(new))
        #expect(people.json("contact", "show", "Alice")["verified"] as? Bool == true)
        let run = people.run("contact", "replace-key", "Alice", bundle, "--yes")
        #expect(
            run.output == """
                Replaced the key of Alice   NOT VERIFIED
                  Key until now  \(MadePeople.aliceFingerprint)
                  New key        \(new)
                  The verified mark was the earlier key's, and is gone
                  → sxkey safety show \(new.prefix(16))

                """)
        let shown = people.json("contact", "show", "Alice")
        #expect(shown["verified"] as? Bool == false && shown["fingerprint"] as? String == new)
        let keys = shown["keys"] as? [[String: Any]]
        #expect(keys?.map { $0["fingerprint"] as? String } == [new, MadePeople.aliceFingerprint])
        let events = people.json("contact", "history", "Alice")["events"] as? [[String: Any]]
        #expect(events?.map { $0["what"] as? String } == ["added", "marked", "unmarked", "key-replaced"])
        #expect(
            events?.last?["from"] as? String == MadePeople.aliceFingerprint && events?.last?["to"] as? String == new)
        #expect(people.run("contact", "history", "Alice").output.contains("key replaced (a bundle of prekeys)\n"))
        #expect(people.run("contact", "replace-key", "Alice", bundle, "--yes").status == .failure)
        // The earlier key does not come back by itself.
        let earlier = people.run("contact", "add", MadePeople.aliceInvite)
        #expect(earlier.status == .finding && earlier.errors.contains("this is an earlier key of Alice"))
        #expect(people.run("contact", "replace-key", "Alice", MadePeople.aliceCard, "--yes").status == .unreadable)
        let mine = try people.writeBundle(0x40, name: "me", to: "me.json")
        #expect(people.run("contact", "replace-key", "Alice", mine, "--yes").status == .finding)
    }

    @Test("contacts are renamed, blocked and removed under any of their names")
    func changes() {
        #expect(people.run("contact", "rename", "3619E750", "Ali").output == "Renamed to Ali (3619e750a2dd52ba)\n")
        #expect(people.run("contact", "rename", "Ali", "x\ny").status == .usage)
        #expect(people.json("contact", "block", MadePeople.aliceID)["blocked"] as? Bool == true)
        #expect(people.run("contact", "list").output.contains("blocked"))
        #expect(people.json("contact", "unblock", MadePeople.aliceFingerprint)["blocked"] as? Bool == false)
        let unasked = people.run("contact", "remove", "Ali")
        #expect(unasked.status == .usage && unasked.errors.contains("hint: say --yes\n"))
        #expect(people.run("contact", "remove", "Ali", "--yes").output == "Removed Ali (3619e750a2dd52ba)\n")
        #expect(people.run("contact", "list").output == "No contacts. \"sxkey contact add\" adds one.\n")
        #expect(people.run("contact", "show", "Ali").status == .notFound)
    }

    @Test("a name of two contacts is ambiguous, and the error says which there are")
    func ambiguous() throws {
        let other = try people.writeBundle(0x60, name: "Alice", to: "b.json")
        #expect(people.run("contact", "add", other).status == .success)
        let run = people.run("contact", "show", "Alice")
        let id = try MadePeople.identity(0x60).fingerprint.hex.prefix(16)
        #expect(run.status == .usage)
        #expect(run.errors.contains("hint: one of Alice (3619e750a2dd52ba), Alice (\(id)): name it by its digits\n"))
        #expect(people.run("contact", "show", String(id)).status == .success)
        let none = people.run("contact", "show", "Bob")
        #expect(none.status == .notFound && none.errors.contains("error: there is no contact \"Bob\"\n"))
    }

    @Test("one's own card is written as the app writes it, and a friend's keyring reads it back")
    func card() throws {
        let id = "ce04d757588b607db7dd1e31c428b180"
        let onion = "evb3sl7rbfkrcr3k3sbwtw3n3sjtmznbdf4n3ikaj3qqm3fjkwoqp3ad.onion"
        let link = people.run("contact", "card")
        #expect(link.output == "sophaxchat://add?id=\(id)&onion=\(onion)&port=25519\n")
        let short = people.run("contact", "card", "--digits", "16", "--port", "4000")
        #expect(short.output == "sophaxchat://add?id=ce04d757588b607d&onion=\(onion)&port=4000\n")
        // Base64 of the check keys and of "me" by Python.
        let meet = people.run("contact", "card", "--format", "meet")
        #expect(
            meet.output
                == "sophaxchat://meet?pid=\(id)&name=bWU%3D&sk=JUO5L/EJVRFHatyDadtt3JM2ZaEZeN2hQE7hBmypVZ0%3D"
                + "&dk=Z13VdO13iTELPS52gfN5C0ZsdzsVIf7PNld5WDcepS8%3D\n")
        let json = people.json("contact", "card", "--format", "meet")
        #expect(json["link"] as? String == String(meet.output.dropLast()) && json["peerID"] as? String == id)
        let code = people.run("contact", "card", "--format", "terminal").output
        #expect(code.contains("█") && code.hasSuffix(link.output))
        let svg = people.run("contact", "card", "--format", "svg", "--code", "meet").output
        #expect(svg.hasPrefix("<svg ") && svg.contains("<title>Contact card of me</title>"))
        #expect(people.run("contact", "card", "--format", "png").status == .usage)
        #expect(people.run("contact", "card", "--format", "link", "--code", "meet").status == .usage)
        #expect(people.run("contact", "card", "--out", "x").status == .usage)
        #expect(people.run("contact", "card", "--identity", "nobody").status == .notFound)
        let file = people.folder.file("card.svg")
        #expect(people.run("contact", "card", "--format", "svg", "--out", file).output.hasSuffix(link.output))
        #expect(fileBytes(file) == Array(people.run("contact", "card", "--format", "svg").output.utf8))
        #expect(people.run("contact", "card", "--format", "svg", "--out", file).status == .wouldOverwrite)
    }
}
