import CommandKit
import CryptoPrimitives
import Foundation
import SophaxCore
import SophaxFiles
import TestSupport
import Testing

@testable import SXKeyCommands

/// What is said of the sender, and what a message that nobody is proven to have sent may do.
@Suite("wire: how strongly a sender is proven")
struct WireProofTests {
    private let folder = TemporaryFolder()
    private let made: MadeConversation
    private let aliceID: PeerID

    init() throws {
        made = try MadeConversation()
        aliceID = PeerID(try MadeConversation.alice().fingerprint, form: .hex32)
        folder.write(made.keychain, to: "keychain.json")
    }

    private func open(_ messages: [WireMessage], _ arguments: String...) -> CommandRun {
        folder.write(MadeConversation.lines(messages), to: "capture")
        return CommandRun.run(
            ["wire", "open", folder.file("capture"), "--keychain", folder.file("keychain.json")] + arguments)
    }

    private func lines(_ run: CommandRun) -> [[String: Any]] {
        run.output.split(separator: "\n").compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
        }
    }

    private func outcomes(_ run: CommandRun) -> [String] {
        lines(run).dropLast().compactMap { $0["outcome"] as? String }
    }

    private func verdicts(_ run: CommandRun) -> [String] {
        lines(run).dropLast().compactMap { ($0["signature"] as? [String: Any])?["verdict"] as? String }
    }

    /// A keyring of Bob's with Alice among the contacts.
    private func keyring() throws -> KeyringSpecimen {
        let keyring = try KeyringSpecimen()
        keyring.folder.write(made.keychain, to: "keychain.json")
        try #require(keyring.run("identity", "import", "@keychain.json", "--name", "Bob").status == .success)
        let alice = try MadeConversation.alice()
        let bundle = try MadeConversation.bundle(
            alice, signed: PublicPreKey(id: 1, key: alice.publicKeys.dh), oneTime: nil)
        keyring.folder.write(PreKeyBundleText.json(bundle), to: "alice.json")
        try #require(keyring.run("contact", "add", "@alice.json", "--name", "Alice W").status == .success)
        return keyring
    }

    // MARK: - What is said

    @Test("what is opened or in clear is not called well where nothing says who sent it")
    func nothing() throws {
        let stranger = try MadeConversation.stranger()
        let ack = try MadeConversation.sign(made.message("ack").readPayload(), stranger)
        let run = open([ack])
        #expect(run.status == .success)
        #expect(run.output.contains("no key of this sender is known"))
        #expect(run.output.contains("\n  senders: unknown 1\n"))
        #expect(
            run.output.contains("Verdict: everything was opened or in clear; nothing says who sent 1 message (exit 0)"))
        #expect(!run.output.contains("all is well"))
        let json = open([ack], "--json")
        #expect(verdicts(json) == ["unknown"])
        let senders = (lines(json).last?["summary"] as? [String: Any])?["senders"] as? [String: Int]
        #expect(senders?.filter { $0.value > 0 } == ["unknown": 1])
        #expect(
            Set(senders?.keys.map { $0 } ?? [])
                == ["own", "verified-contact", "contact", "replaced-key", "self-signed", "bad", "unknown"])
        let own = open([made.message("hello")])
        #expect(
            own.output.contains("signed by the keys that it brings itself: the sender has them, and may be anybody"))
        #expect(own.output.contains("nothing says who sent 1 message"))
        let looked = CommandRun.run(["wire", "inspect", folder.file("capture")])
        #expect(looked.output.contains("\n  senders: self-signed 1\n") && looked.status == .success)
    }

    @Test("all commands say and exit the same of a forged message")
    func forged() throws {
        let keyring = try keyring()
        let forged = try MadeConversation.sign(
            made.message("ack").readPayload(), MadeConversation.stranger(), as: aliceID)
        keyring.folder.write(forged.json, to: "capture")
        for verb in ["inspect", "verify", "open"] {
            let run = keyring.run("wire", verb, "@capture")
            #expect(run.status == .finding, "\(run.output)")
            #expect(run.output.contains("NOT signed by \"Alice W\": it was changed, or somebody else made it"))
            #expect(run.output.contains("BAD 1"))
            #expect(run.output.contains("Verdict: a message is not what it says (exit 8)"))
        }
    }

    @Test("a contact's messages are well, verified or not; by a key that was replaced they are a finding")
    func replaced() throws {
        let keyring = try keyring()
        keyring.folder.write(MadeConversation.lines(made.messages.map(\.message)), to: "capture")
        let contact = keyring.run("wire", "open", "@capture")
        #expect(contact.status == .success, "\(contact.output)")
        #expect(contact.output.contains("Verdict: all is well (exit 0)"))
        #expect(!contact.output.contains("signed by"))
        try #require(keyring.run("safety", "mark", "Alice W", "--form", "ios-v0").status == .success)
        let verified = keyring.run("wire", "verify", "@capture")
        #expect(verified.output.contains("\nread 12 · verified 12 · unreadable 0\nVerdict: all is well (exit 0)\n"))
        let stranger = try MadeConversation.stranger()
        let other = try MadeConversation.bundle(
            stranger, signed: PublicPreKey(id: 1, key: stranger.publicKeys.dh), oneTime: nil)
        keyring.folder.write(PreKeyBundleText.json(other), to: "other.json")
        try #require(keyring.run("contact", "replace-key", "Alice W", "@other.json", "--yes").status == .success)
        for verb in ["inspect", "verify", "open"] {
            let run = keyring.run("wire", verb, "@capture")
            #expect(run.status == .finding, "\(run.output)")
            #expect(run.output.contains("signed by an earlier key of \"Alice W\", which was replaced"))
            #expect(run.output.contains("Verdict: a message is signed by a key that was replaced (exit 8)"))
        }
        #expect(verdicts(keyring.run("wire", "verify", "@capture", "--json")).allSatisfy { $0 == "replaced-key" })
    }

    @Test("a message of an unknown type is not counted as one in clear")
    func unknownType() throws {
        let message = try MadeConversation.sign(
            .unknown(type: Array("newer".utf8), payload: Array(#"{"box":"AAAA"}"#.utf8)), MadeConversation.alice())
        let run = open([made.message("hello"), message])
        #expect(run.status == .someDamaged)
        #expect(run.output.contains("read 2 · opened 0 · in clear 1 · unknown type 1 · not opened 0 · unreadable 0"))
        folder.write(message.json, to: "capture")
        #expect(CommandRun.run(["wire", "inspect", folder.file("capture")]).status == .success)
    }

    @Test("keys are only called wrong where nothing else came out of them")
    func wrongKeys() throws {
        let stranger = try MadeConversation.stranger()
        let sealed = try SealedSender.seal(made.message("ack").json, to: stranger.publicKeys.dh)
        let elsewhere = try MadeConversation.sign(.sealed(sealed), MadeConversation.alice())
        #expect(open([elsewhere]).status == .wrongSecret)
        let beside = open([made.message("ack"), elsewhere])
        #expect(beside.status == .someDamaged, "\(beside.output)")
    }

    @Test("an empty queue holds no message, which is not that all is well")
    func empty() {
        folder.write("{}", to: "capture")
        for verb in ["verify", "open"] {
            let run = CommandRun.run(
                ["wire", verb, folder.file("capture"), "--keychain", folder.file("keychain.json")])
            #expect(run.status == .success && run.output.contains("Verdict: there is no message (exit 0)"))
        }
    }

    // MARK: - What a message may do

    /// Begins a session with Bob in Alice's name, with the stranger's own keys, and hands out a key "of Alice's".
    private func poison() throws -> WireMessage {
        let stranger = try MadeConversation.stranger()
        let bob = try MadeConversation.bob()
        let own = try MadeConversation.bundle(
            stranger, signed: MadeConversation.preKey(31, 0x31).publicPreKey, oneTime: nil)
        let bundle = try MadeConversation.bundle(
            bob, signed: MadeConversation.preKey(11, 0x11).publicPreKey, oneTime: nil)
        let agreed = try X3DH.initiate(identity: stranger, bundle: bundle, requirements: .anyAge)
        let request = agreed.request(senderBundle: own)
        var session = try RatchetSession(initiator: agreed)
        var cipher = try GroupCipher()
        try cipher.makeOwn(in: MadeConversation.group, at: MadeConversation.time)
        let sender = GroupSender(group: MadeConversation.group, peer: aliceID)
        for _ in 0..<5 { _ = try cipher.seal(Array("x".utf8), as: sender) }
        let time = try #require(WireDate(secondsSince2001: MadeConversation.time))
        var content = MessageContent(body: [], kind: .senderKeyDistribution, timestamp: time)
        content.senderKeyData = HandedOutKey(try cipher.distribution(of: MadeConversation.group).json())
        let first = try session.encrypt(
            content.json(), ad: AssociatedData.candidates(stranger.fingerprint, bob.fingerprint)[0])
        return try MadeConversation.sign(
            .initiateSession(InitiateSessionPayload(request, initialMessage: first)), stranger, as: aliceID)
    }

    @Test("a session and a group key in somebody else's name are not taken: the genuine messages open as without them")
    func poisoned() throws {
        let messages = made.messages.map(\.message)
        let genuine = open(messages, "--json")
        let run = open([try poison()] + messages, "--json")
        #expect(run.status == .finding)
        #expect(verdicts(run).first == "bad")
        #expect(Array(outcomes(run).dropFirst()) == outcomes(genuine))
        #expect(!outcomes(genuine).contains("not-opened"))
        // Where Alice is known, too.
        let keyring = try keyring()
        keyring.folder.write(MadeConversation.lines([try poison()] + messages), to: "capture")
        let known = keyring.run("wire", "open", "@capture", "--json")
        #expect(verdicts(known).first == "bad")
        #expect(Array(outcomes(known).dropFirst()) == outcomes(genuine))
    }

    @Test("a message that another member made in somebody's name opens, and uses up no key of the genuine ones")
    func otherMember() throws {
        let messages = made.messages.map(\.message)
        let stranger = try MadeConversation.stranger()
        let place = try #require(made.messages.firstIndex { $0.name == "group" })
        let payload = try made.message("group").readPayload()
        for id in [aliceID, PeerID(stranger.fingerprint, form: .hex32)] {
            let copy = try MadeConversation.sign(payload, stranger, as: id)
            let run = open(messages.prefix(place) + [copy] + messages.suffix(from: place), "--json")
            #expect(run.status == .finding)
            #expect(outcomes(run)[place...(place + 1)] == ["opened", "opened"], "\(run.output)")
            let bodies = lines(run)[place...(place + 1)].map { ($0["plaintext"] as? [String: Any])?["body"] as? String }
            #expect(bodies == ["hello all", "hello all"])
        }
    }

    @Test("a dump without the identity's keys still opens group messages, and says what it has not")
    func withoutIdentity() throws {
        let identity = open(made.messages.map(\.message))
        try #require(identity.status == .success)
        var items = try #require(JSONSerialization.jsonObject(with: Data(made.keychain)) as? [String: String])
        items["identity.signing"] = nil
        items["identity.dh"] = nil
        var own = try GroupCipher()
        let sender = GroupSender(group: MadeConversation.group, peer: aliceID)
        try own.makeOwn(in: MadeConversation.group, at: MadeConversation.time)
        var members = try GroupCipher()
        _ = try members.receive(own.distribution(of: MadeConversation.group), from: aliceID, at: MadeConversation.time)
        switch try members.peers(of: MadeConversation.group) {
        case .some(let peers):
            items["skd.peers.\(MadeConversation.group.text)"] = peers.withSpan { Base64.encode($0) }
        case .none: Issue.record("no keys")
        }
        folder.write(Array(try JSONSerialization.data(withJSONObject: items)), to: "keychain.json")
        let box = try own.seal(Array("to all".utf8), as: sender)
        let time = try #require(WireDate(secondsSince2001: MadeConversation.time))
        let group = try MadeConversation.sign(
            .groupMessage(
                GroupMessagePayload(
                    groupID: MadeConversation.group.bytes, messageID: Array("M".utf8), senderPeerID: aliceID,
                    senderUsername: Array("Alice".utf8), timestamp: time, ciphertext: box.body,
                    senderKeyIteration: box.iteration)), MadeConversation.alice())
        let run = open([made.message("hello"), group, made.message("sealed"), made.message("picture")])
        #expect(run.status == .someDamaged)
        #expect(run.output.contains("│ to all"), "\(run.output)")
        #expect(run.output.contains("the dump has not the two private keys of the identity"))
        #expect(!run.output.contains("no keys were given"))
        #expect(run.output.contains("read 4 · opened 1 · in clear 1 · not opened 2 · unreadable 0"))
    }

    @Test(
        "the forged message of the app's fixtures is not well, whoever opens it",
        .enabled(if: SharedFolder.isThere, "the shared folder is not here"))
    func march() {
        let march = SharedFolder.file("fixtures/march/")
        let run = CommandRun.run(
            ["wire", "open", march + "wire-6-forged.json", "--keychain", march + "keychain-bob.json"])
        #expect(!run.output.contains("all is well"), "\(run.output)")
        #expect(run.output.contains("nothing says who sent 1 message") || run.status == .finding, "\(run.output)")
    }
}
