import CryptoPrimitives
import Foundation
import TestSupport
import Testing

@testable import SophaxCore

/// Messages that the app's own code has sealed, and states that it has written.
@Suite("The app's own ratchet messages", .enabled(if: SharedFolder.isThere, "../shared is not here"))
struct AppTranscriptTests {
    /// Bob after X3DH, before anything was opened.
    private func bobAtTheBeginning(_ first: MarchFixture.FirstMessage) throws -> RatchetSession {
        let keychain = try MarchFixture.Keychain("keychain-bob-before.json")
        let oneTimeID = try #require(first.request.usedOneTimePreKeyID)
        let accepted = try X3DH.respond(
            identity: keychain.identity(), to: first.request,
            signedPreKey: keychain.pair("spk", first.request.usedSignedPreKeyID),
            oneTimePreKey: keychain.pair("otpk", oneTimeID), requirements: .anyAge)
        return try RatchetSession(
            responder: accepted, signedPreKey: keychain.pair("spk", first.request.usedSignedPreKeyID))
    }

    private func key(inStateOf name: String) throws -> RandomSource {
        let key = try AppState(MarchFixture.bytes(name)).sendingRatchetPrivateKey
        return RandomSource(
            secret: { (_) throws(SecretMemoryError) in
                let bytes = Array(key)
                return try SecretBytes(copying: bytes.span)
            }, bytes: { [UInt8](repeating: 0, count: $0) })
    }

    @Test("the first message opens after X3DH and leaves the state that the app wrote, given the app's new key")
    func firstMessage() throws {
        let first = try MarchFixture.FirstMessage()
        var bob = try bobAtTheBeginning(first)
        let steps = try MarchFixture.Steps.read()
        let plaintext = try bob.decrypt(
            first.message, ad: [steps.ad], random: key(inStateOf: "session-bob-after-first.json"))
        #expect(try MarchFixture.body(plaintext) == "hello Bob")
        #expect(try AppState(bob.stateText()) == AppState(MarchFixture.bytes("session-bob-after-first.json")))
        #expect(bob.lastSeenHeaderForm == .unbound)
    }

    @Test("the first message opens with the associated data that the keys give, among others that do not fit")
    func associatedData() throws {
        let first = try MarchFixture.FirstMessage()
        var bob = try bobAtTheBeginning(first)
        let own = try MarchFixture.Keychain("keychain-bob-before.json").identity().fingerprint
        let candidates = AssociatedData.candidates(own, first.request.senderBundle.fingerprint)
        #expect(candidates[0] == (try MarchFixture.Steps.read().ad))
        let plaintext = try bob.decrypt(first.message, ad: Array(candidates.reversed()))
        #expect(try MarchFixture.body(plaintext) == "hello Bob")
        #expect(bob.fittedAssociatedData == 1)
    }

    @Test(
        "what Alice sent after the first message opens out of order, with one message lost: the app's state comes out")
    func burst() throws {
        var bob = try MarchFixture.session("session-bob-after-first.json")
        let steps = try MarchFixture.Steps.read()
        for step in steps.steps.prefix(3) {
            #expect(step.from == "alice")
            #expect(try MarchFixture.body(bob.decrypt(step.message.message, ad: [steps.ad])) == step.plaintextBody)
        }
        let text = Array("one".utf8)
        for _ in 0..<2 { _ = try bob.encrypt(text.span, ad: steps.ad) }
        // The app had sent its two replies when it wrote this state.
        #expect(try AppState(bob.stateText()) == AppState(MarchFixture.bytes("session-bob-mid.json")))
        #expect(bob.summary.skipped == [.init(messageNumbers: [1], isCurrent: true)])
    }

    /// Alice's end as it was before Bob's replies: the chain that she received them with is the one that Bob sent them with,
    /// and stands in his state from before.
    private func aliceBeforeTheReplies() throws -> RatchetSession {
        func members(_ name: String) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: MarchFixture.data(name)) as? [String: Any])
        }
        var alice = try members("session-alice-end.json")
        let bob = try members("session-bob-after-first.json")
        alice["receivingChainKey"] = bob["sendingChainKey"]
        alice["receiveMessageCount"] = 0
        return try RatchetSession(stateText: Array(JSONSerialization.data(withJSONObject: alice)))
    }

    @Test(
        "Bob's replies open, in any order, and leave Alice with the state that the app wrote", arguments: [false, true])
    func replies(isReversed: Bool) throws {
        let steps = try MarchFixture.Steps.read()
        let replies = steps.steps.filter { $0.from == "bob" }
        #expect(replies.map(\.plaintextBody) == ["reply 1", "reply 2"])
        var alice = try aliceBeforeTheReplies()
        for step in isReversed ? replies.reversed() : replies {
            #expect(try MarchFixture.body(alice.decrypt(step.message.message, ad: [steps.ad])) == step.plaintextBody)
        }
        #expect(try AppState(alice.stateText()) == AppState(MarchFixture.bytes("session-alice-end.json")))
    }

    @Test("what Alice sent after Bob's replies opens: a new chain, the lost message of the old one still awaited")
    func secondEpoch() throws {
        var bob = try MarchFixture.session("session-bob-mid.json")
        let steps = try MarchFixture.Steps.read()
        for step in steps.steps.suffix(2) {
            #expect(step.from == "alice")
            #expect(try MarchFixture.body(bob.decrypt(step.message.message, ad: [steps.ad])) == step.plaintextBody)
        }
        #expect(bob.summary.skipped == [.init(messageNumbers: [1], isCurrent: false)])
        #expect(bob.summary.previousSendingChainLength == 2)
    }

    @Test("Bob, who has only his prekeys, opens the whole transcript")
    func wholeTranscript() throws {
        let first = try MarchFixture.FirstMessage()
        var bob = try bobAtTheBeginning(first)
        let steps = try MarchFixture.Steps.read()
        let first3 = Array(steps.steps.prefix(3))
        _ = try bob.decrypt(first.message, ad: [steps.ad], random: key(inStateOf: "session-bob-after-first.json"))
        for step in first3 + Array(steps.steps.suffix(2)) {
            #expect(try MarchFixture.body(bob.decrypt(step.message.message, ad: [steps.ad])) == step.plaintextBody)
        }
        #expect(bob.summary.skippedKeyCount == 1)
        for step in first3 {
            let error = failure { () throws(RatchetError) in _ = try bob.decrypt(step.message.message, ad: [steps.ad]) }
            #expect(error.map { if case .alreadyReceived = $0 { true } else { false } } == true)
        }
    }

    @Test("Alice's and Bob's ends, read from the app's states, go on talking to each other in both header forms")
    func goingOn() throws {
        var alice = try MarchFixture.session("session-alice-end.json")
        var bob = try MarchFixture.session("session-bob-mid.json")
        let steps = try MarchFixture.Steps.read()
        for step in steps.steps.suffix(2) { _ = try bob.decrypt(step.message.message, ad: [steps.ad]) }
        let text = Array("and on".utf8)
        for form in [RatchetHeaderForm.bound, .unbound, .bound] {
            #expect(try bob.decrypt(alice.encrypt(text.span, ad: steps.ad, headerForm: form), ad: [steps.ad]) == text)
            #expect(bob.lastSeenHeaderForm == form)
            // Bob answers in the form that he saw last.
            #expect(try alice.decrypt(bob.encrypt(text.span, ad: steps.ad), ad: [steps.ad]) == text)
            #expect(alice.lastSeenHeaderForm == form)
        }
    }

    @Test(
        "every state of the app is read, written, and read again by the app's own declarations",
        arguments: ["session-alice-end.json", "session-bob-after-first.json", "session-bob-mid.json"])
    func states(name: String) throws {
        let app = try AppState(MarchFixture.bytes(name))
        let text = try MarchFixture.session(name).stateText()
        #expect(try AppState(text) == app)
        #expect(try RatchetSession(stateText: text).stateText() == text)
    }
}
