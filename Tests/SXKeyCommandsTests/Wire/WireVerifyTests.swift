import CommandKit
import CryptoPrimitives
import Foundation
import SophaxCore
import SophaxFiles
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("wire inspect and verify")
struct WireVerifyTests {
    private let folder = TemporaryFolder()
    private let made: MadeConversation

    init() throws {
        made = try MadeConversation()
    }

    private func run(_ verb: String, _ bytes: [UInt8], _ arguments: String...) -> CommandRun {
        folder.write(bytes, to: "capture")
        let without = verb == "verify" ? ["--without-keys"] : []
        return CommandRun.run(["wire", verb, folder.file("capture")] + without + arguments)
    }

    private func senders(_ run: CommandRun) -> [String: Int] {
        let last = run.output.split(separator: "\n").last.map { Data($0.utf8) } ?? Data()
        let object = (try? JSONSerialization.jsonObject(with: last)) as? [String: Any]
        let summary = object?["summary"] as? [String: Any]
        return (summary?["senders"] as? [String: Int] ?? [:]).filter { $0.value > 0 }
    }

    private func summary(_ run: CommandRun) -> [String: Int] {
        let last = run.output.split(separator: "\n").last.map { Data($0.utf8) } ?? Data()
        let object = (try? JSONSerialization.jsonObject(with: last)) as? [String: Any]
        return (object?["summary"] as? [String: Any] ?? [:]).compactMapValues { $0 as? Int }
    }

    private func expectCounts(
        _ run: CommandRun, selfSigned: Int = 0, bad: Int = 0, unknown: Int = 0, unreadable: Int = 0,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let found = summary(run)
        let expected = ["self-signed": selfSigned, "bad": bad, "unknown": unknown].filter { $0.value > 0 }
        #expect(senders(run) == expected, "\(run.output)", sourceLocation: location)
        #expect(found["unreadable"] == unreadable, "\(run.output)", sourceLocation: location)
        #expect(found["read"] == selfSigned + bad + unknown + unreadable, sourceLocation: location)
        #expect(found["exit"].map { Int32($0) } == run.status.rawValue, sourceLocation: location)
    }

    @Test("a connection that is signed by the keys that came with it is not called good, and nothing of it bad")
    func good() {
        let json = run("verify", made.frames, "--json")
        #expect(json.status == .success)
        // The relay's inner message is judged too.
        expectCounts(json, selfSigned: 12)
        #expect(json.output.contains(#""signature":{"verdict":"self-signed","fingerprint":""#))
        #expect(json.output.contains(#""signer":"message","form":"ios","secondsLater":0}"#))
        let text = run("verify", made.frames)
        #expect(text.status == .success)
        #expect(text.output.contains("\nread 12 · self-signed 12 · unreadable 0\n"))
        #expect(text.output.contains("that one sender has them is proven, not who it is"))
        #expect(text.output.contains("  self-signed   frame 1 at byte 0  hello  from "))
        #expect(text.output.contains("signed by the keys that an earlier message of this file brought"))
        #expect(text.output.contains("Verdict: every signature fits; nothing says who sent 12 messages (exit 0)"))
    }

    @Test("a bad signature, an unknown sender and what cannot be read have their own counts and statuses")
    func counts() throws {
        let alice = try MadeConversation.alice()
        let stranger = try MadeConversation.stranger()
        let id = PeerID(alice.fingerprint, form: .hex32)
        let hello = made.message("hello")
        let forged = try MadeConversation.sign(made.message("ack").readPayload(), stranger, as: id)
        let unknown = try MadeConversation.sign(made.message("ack").readPayload(), stranger)

        let bad = run("verify", MadeConversation.frames([hello, forged]), "--json")
        #expect(bad.status == .finding)
        expectCounts(bad, selfSigned: 1, bad: 1)
        let without = run("verify", MadeConversation.lines([hello, unknown]), "--json")
        #expect(without.status == .someDamaged)
        expectCounts(without, selfSigned: 1, unknown: 1)
        let broken = run("verify", MadeConversation.lines([hello]) + Array("\n{\"x\":\n".utf8), "--json")
        #expect(broken.status == .someDamaged)
        expectCounts(broken, selfSigned: 1, unreadable: 1)
        let all = run(
            "verify", MadeConversation.lines([hello, forged, unknown]) + Array("\n{}\n".utf8), "--json")
        #expect(all.status == .someDamaged)
        expectCounts(all, selfSigned: 1, bad: 1, unknown: 1, unreadable: 1)
        let nothing = run("verify", Array("{}\n{\"a\":1}\n".utf8))
        #expect(nothing.status == .unreadable)
        let text = run("verify", MadeConversation.frames([hello, forged]))
        #expect(text.output.contains("NOT signed by the keys that an earlier message of this file brought"))
    }

    @Test("contacts of the keyring are known, verified or not, and by other keys of theirs")
    func contacts() throws {
        let keyring = try KeyringSpecimen()
        try keyring.addAlice()
        let aliceBundle = try MadeConversation.bundle(
            MadeConversation.alice(), signed: PublicPreKey(id: 1, key: MadeConversation.alice().publicKeys.dh),
            oneTime: nil)
        keyring.folder.write(PreKeyBundleText.json(aliceBundle), to: "a.json")
        let added = keyring.run("contact", "add", "@a.json", "--name", "Alice W")
        #expect(added.status == .success, "\(added.errors)")
        keyring.folder.write(MadeConversation.lines(made.messages.map(\.message)), to: "capture")
        let run = keyring.run("wire", "verify", "@capture")
        #expect(run.status == .success, "\(run.output)")
        #expect(run.output.contains("from Alice W ("))
        #expect(run.output.contains("signed by \"Alice W\", whose safety number was not compared"))
        #expect(run.output.contains("\nread 12 · contact 12 · unreadable 0\nVerdict: all is well (exit 0)\n"))
        let forged = try MadeConversation.sign(
            made.message("ack").readPayload(), MadeConversation.stranger(),
            as: PeerID(MadeConversation.alice().fingerprint, form: .hex16))
        keyring.folder.write(forged.json, to: "capture")
        let bad = keyring.run("wire", "verify", "@capture")
        #expect(bad.status == .finding)
        #expect(bad.output.contains("NOT signed by \"Alice W\": it was changed, or somebody else made it"))
        #expect(keyring.run("wire", "inspect", "@capture").output.contains("from Alice W ("))
    }

    @Test("keys that one file brings make nothing of another good, nor anything beside keys of a contact")
    func otherFile() throws {
        let stranger = try MadeConversation.stranger()
        let bundle = try MadeConversation.bundle(
            stranger, signed: PublicPreKey(id: 1, key: stranger.publicKeys.dh), oneTime: nil)
        let hello = try MadeConversation.sign(.hello(HelloPayload(bundle: CarriedBundle(bundle))), stranger)
        let ack = try MadeConversation.sign(made.message("ack").readPayload(), stranger)
        folder.write(hello.json, to: "first")
        folder.write(ack.json, to: "second")
        let apart = CommandRun.run(
            ["wire", "verify", "--without-keys", "--json", folder.file("first"), folder.file("second")])
        #expect(apart.status == .someDamaged)
        expectCounts(apart, selfSigned: 1, unknown: 1)
        let together = run("verify", MadeConversation.lines([hello, ack]), "--json")
        expectCounts(together, selfSigned: 2)
        #expect(together.output.contains(#""signer":"message""#))
    }

    @Test("somebody whom only the app has a name for is called by it")
    func appNames() throws {
        let id = PeerID(try MadeConversation.alice().fingerprint, form: .hex32).text
        var items = try #require(JSONSerialization.jsonObject(with: Data(made.keychain)) as? [String: String])
        items["peer.aliases"] = try JSONSerialization.data(withJSONObject: [id: "Al from work"]).base64EncodedString()
        folder.write(Array(try JSONSerialization.data(withJSONObject: items)), to: "keychain.json")
        let keys = ["--keychain", folder.file("keychain.json")]
        let text = run("inspect", made.frames, keys[0], keys[1])
        #expect(text.output.contains("ack  from Al from work ("))
        let json = run("inspect", made.frames, keys[0], keys[1], "--json")
        #expect(json.output.contains(#""senderName":"Al from work""#))
    }

    @Test("a queue with a damaged recipient shows the messages of the others, and an edit in clear is no riddle")
    func damagedQueue() throws {
        let edit = try MadeConversation.sign(
            .editMessage(
                .clear(
                    MessageContent.Edit(
                        messageID: Array("M".utf8), newBody: Array("new words".utf8),
                        editedAt: #require(WireDate(secondsSince2001: 1))))), MadeConversation.alice())
        let queue =
            Array("{\"x\":{},\"p\":[{\"messageID\":\"m\",\"wire\":".utf8) + edit.json + Array("}]}".utf8)
        let run = run("inspect", queue)
        #expect(run.status == .someDamaged)
        #expect(run.output.contains("for p, number 1  editMessage  from "))
        #expect(run.output.contains("new words"))
        #expect(run.output.contains("unreadable  for x"))
        folder.write(made.keychain, to: "keychain.json")
        let open = self.run("open", edit.json, "--keychain", folder.file("keychain.json"))
        #expect(open.status == .success && open.output.contains("new words"))
    }

    @Test("a bundle of another person, or with a prekey that is not signed, is a finding")
    func findings() throws {
        let alice = try MadeConversation.alice()
        let key = try PublicPreKey(id: 1, key: alice.publicKeys.dh)
        let good = try MadeConversation.bundle(alice, signed: key, oneTime: nil)
        let unsigned = try PreKeyBundle(
            identityKeys: good.identityKeys, signedPreKey: key, signature: [UInt8](repeating: 0, count: 64),
            username: good.username, timestamp: good.timestamp)
        let hello = try MadeConversation.sign(.hello(HelloPayload(bundle: CarriedBundle(unsigned))), alice)
        let run = run("verify", hello.json, "--json")
        #expect(run.status == .finding)
        #expect(run.output.contains(#""findings":["bundle-signature"]"#))
        let stranger = try MadeConversation.stranger()
        let other = try MadeConversation.sign(.hello(HelloPayload(bundle: CarriedBundle(good))), stranger)
        let foreign = self.run("verify", other.json, "--json")
        #expect(foreign.status == .finding)
        #expect(foreign.output.contains(#""reason":"other-sender""#))
        let group = try MadeConversation.sign(made.message("group").readPayload(), stranger)
        #expect(self.run("verify", group.json, "--json").output.contains("other-payload-sender"))
    }

    @Test("inspect needs no keys, and shows what is in clear")
    func inspect() throws {
        let run = run("inspect", made.frames)
        #expect(run.status == .success)
        for word in ["hello", "initiateSession", "sealed", "groupMessage", "relay", "storeAndForwardDelivery", "ack"] {
            #expect(run.output.contains("  \(word)  from "), "\(word)")
        }
        #expect(run.output.contains("relayed:  sealed  from "))
        #expect(run.output.contains("1 h 0 min ago"))
        #expect(run.output.contains("read 11 · unreadable 0"))
        let json = self.run("inspect", made.message("ack").json, "--json")
        let line = try #require(json.output.split(separator: "\n").first)
        let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["type"] as? String == "ack")
        #expect(object["timestamp"] as? Double == MadeConversation.time)
        #expect(object["ageSeconds"] as? Double == 3_600)
        #expect(object["size"] as? Int == made.message("ack").json.count)
        #expect((object["payload"] as? [String: String])?["messageID"] == "M-0")
        #expect((object["signature"] as? [String: String])?["verdict"] == "unknown")
    }

    @Test("a type and members that are not known are shown, hostile text escaped")
    func hostile() throws {
        let alice = try MadeConversation.alice()
        let payload = Array(#"{"new\u001b[2J":"\u202e\u009b31m","n":1}"#.utf8)
        let message = try MadeConversation.sign(
            .unknown(type: Array("fu\u{1b}ture".utf8), payload: payload), alice)
        let run = run("inspect", message.json)
        #expect(run.status == .success)
        for character in ["\u{1b}", "\u{202e}", "\u{9b}"] { #expect(!run.output.contains(character)) }
        #expect(run.output.contains("fu\\"))
        let bytes = try MadeConversation.sign(.unknown(type: Array("x".utf8), payload: [0xFF, 0x00]), alice)
        let json = self.run("inspect", bytes.json, "--json")
        #expect(json.output.contains(#""payload":"/wA=""#))
        #expect(json.output.contains(#""knownType":false"#))
    }

    @Test("an encrypted queue opens with the key of its store, from a file or from the keychain")
    func queue() throws {
        let queue = Array("{\"p\":[{\"messageID\":\"m\",\"wire\":".utf8) + made.message("ack").json + Array("}]}".utf8)
        let box = try made.encrypted(queue)
        folder.write([UInt8](repeating: 0x5A, count: 32), to: "store.key")
        folder.write([UInt8](repeating: 0x5B, count: 32), to: "other.key")
        folder.write(made.keychain, to: "keychain.json")
        let good = run("inspect", box, "--key-file", folder.file("store.key"))
        #expect(good.status == .success)
        #expect(good.output.contains("for p, number 1  ack  from "))
        #expect(run("inspect", box, "--keychain", folder.file("keychain.json")).status == .success)
        let other = run("inspect", box, "--key-file", folder.file("other.key"))
        #expect(other.status == .wrongSecret)
        #expect(other.output.isEmpty)
        let none = run("inspect", box)
        #expect(none.status == .unreadable)
        #expect(none.errors.contains("it is neither JSON nor frames of a connection"))
        #expect(none.errors.contains("--key-file"))
    }

    @Test("several files are read one after the other, and one that cannot be is told")
    func several() {
        folder.write(made.message("hello").json, to: "a")
        folder.write("SXFE\u{1}", to: "b")
        folder.write(made.message("ack").json, to: "c")
        let run = CommandRun.run(
            ["wire", "inspect", folder.file("a"), folder.file("b"), folder.file("none"), folder.file("c")])
        #expect(run.status == .someDamaged)
        #expect(run.errors.contains("it is an encrypted export of an app"))
        #expect(run.output.contains("read 2 · unreadable 0\n  senders: self-signed 1 · unknown 1\n"))
        #expect(run.output.contains("\n  2 files could not be read\n"))
        #expect(CommandRun.run(["wire", "inspect", folder.file("b")]).status == .unreadable)
        #expect(CommandRun.run(["wire", "inspect", folder.file("none")]).status == .notFound)
        #expect(CommandRun.run(["wire", "inspect"]).status == .usage)
        #expect(CommandRun.run(["wire", "inspect", "-", "-"]).status == .usage)
        #expect(
            CommandRun.run(["wire", "verify", folder.file("a"), "--without-keys", "--identity", "x"]).status == .usage)
    }

    @Test(
        "what is no message is named, with what to do",
        arguments: [
            (#"{"signingKeyPublic":"x"}"#, "it is a bundle of prekeys", "sxkey prekey verify"),
            (#"{"identity.dh":"x","storage.master":"y"}"#, "it is a dump of a keychain", "--keychain"),
            (#"{"streamKey":"x"}"#, "it is a file with keys of a related app", "sxkey related show"),
            ("", "it is empty", ""), ("[1", "it is not JSON", "known are"),
        ])
    func foreign(text: String, reason: String, hint: String) {
        let run = run("inspect", Array(text.utf8))
        #expect(run.status == .unreadable)
        #expect(run.errors.contains(reason), "\(run.errors)")
        #expect(hint.isEmpty || run.errors.contains(hint), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test("of related apps nothing is signed, which is said where signatures are judged")
    func related() {
        let text = #"{"id":"1","type":3,"senderID":"a","recipientID":"*","ttl":1,"timestamp":1.5,"payload":"bQ=="}"#
        let run = run("verify", Array(text.utf8))
        #expect(run.status == .unreadable)
        #expect(run.errors.contains("it is of btmessage, which is another app, and signs nothing"))
        #expect(run.errors.contains("sxkey wire inspect"))
    }

    @Test("damage within frames is told with its number and place")
    func damage() {
        let frames = MadeConversation.frames([made.message("hello"), made.message("ack")])
        let cut = run("inspect", Array(frames.dropLast(7)))
        #expect(cut.status == .someDamaged)
        let offset = made.message("hello").json.count + 4
        #expect(cut.output.contains("unreadable  frame 2 at byte \(offset)  it is cut off: 7 bytes are missing"))
        #expect(cut.output.contains("read 2 · unreadable 1"))
        let part = run("inspect", MadeConversation.frames([made.message("ack")]))
        #expect(part.output.contains("it does not begin with a hello"))
    }
}
