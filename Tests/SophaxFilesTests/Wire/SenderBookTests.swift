import CryptoPrimitives
import SophaxCore
import Testing

@testable import SophaxFiles

@Suite("who signed a message")
struct SenderBookTests {
    private func identity(_ start: UInt8, _ name: String) throws -> Identity {
        try Identity(
            signingSeed: SecretBytes(copying: [UInt8](repeating: start, count: 32).span),
            dhPrivate: SecretBytes(copying: [UInt8](repeating: start &+ 1, count: 32).span), username: name)
    }

    private func sign(
        _ payload: WirePayload, _ sender: borrowing Identity, as id: PeerID? = nil, form: PeerID.Form = .hex32
    ) throws -> WireMessage {
        try WireMessage.sign(
            payload, from: id ?? PeerID(sender.fingerprint, form: form),
            at: #require(WireDate(secondsSince2001: 800_000_000)), by: sender)
    }

    private func hello(_ sender: borrowing Identity) throws -> WirePayload {
        let bundle = try PreKeyBundle(
            signedBy: sender, signedPreKey: PublicPreKey(id: 1, key: sender.publicKeys.dh), oneTimePreKey: nil,
            timestamp: 800_000_000)
        return .hello(HelloPayload(bundle: CarriedBundle(bundle)))
    }

    private let typing = WirePayload.typing(TypingPayload(isTyping: true))

    @Test("a known sender's signature is good or bad, in every length of the id")
    func known() throws {
        let ana = try identity(1, "Ana")
        let eve = try identity(9, "Eve")
        let key = SenderKey(ana.publicKeys, .contact(Array("Ana".utf8), isVerified: true, isReplaced: false))
        var book = SenderBook([key])
        for form in [PeerID.Form.hex16, .hex32, .hex64] {
            let good = try sign(typing, ana, form: form)
            guard case .good(key, _) = book.judge(good, typing) else {
                Issue.record("not good: \(form)")
                continue
            }
            let forged = try sign(typing, eve, as: PeerID(ana.fingerprint, form: form))
            #expect(book.judge(forged, typing) == .bad(.notBySender, key))
        }
        #expect(book.judge(try sign(typing, eve), typing) == .unknownSender)
        #expect(book.judge(try sign(typing, eve, as: PeerID("Ana")), typing) == .unknownSender)
    }

    @Test("keys that a message brings prove possession, and are known from then on")
    func possession() throws {
        let ana = try identity(1, "Ana")
        let eve = try identity(9, "Eve")
        var book = SenderBook()
        let message = try sign(typing, ana)
        #expect(book.judge(message, typing) == .unknownSender)
        let payload = try hello(ana)
        guard case .possession(let key, let form) = book.judge(try sign(payload, ana), payload) else {
            Issue.record("no possession")
            return
        }
        #expect(key == SenderKey(ana.publicKeys, .message))
        #expect(form.suffix == .ios)
        // Not good: nobody vouches for keys that a message brought.
        #expect(book.judge(message, typing) == .learned(key, form))
        // The same again is possession again, and somebody else is bad.
        #expect(book.judge(try sign(payload, ana), payload) == .possession(key, form))
        #expect(
            book.judge(try sign(typing, eve, as: PeerID(ana.fingerprint, form: .hex16)), typing)
                == .bad(.notBySender, key))
    }

    @Test("a hello that is not signed by its own key, or says another sender, is bad and teaches nothing")
    func forgedHello() throws {
        let ana = try identity(1, "Ana")
        let eve = try identity(9, "Eve")
        var book = SenderBook()
        let payload = try hello(ana)
        let key = SenderKey(ana.publicKeys, .message)
        let byEve = try sign(payload, eve, as: PeerID(ana.fingerprint, form: .hex32))
        #expect(book.judge(byEve, payload) == .bad(.notByOwnKey, key))
        #expect(book.judge(try sign(payload, ana, as: PeerID("0123456789abcdef")), payload) == .bad(.otherSender, key))
        #expect(book.judge(try sign(typing, ana), typing) == .unknownSender)
    }

    @Test("one's own and contacts' keys count before those that messages brought")
    func order() throws {
        let ana = try identity(1, "Ana")
        var book = SenderBook()
        let payload = try hello(ana)
        _ = book.judge(try sign(payload, ana), payload)
        #expect(book.keys(of: PeerID(ana.fingerprint, form: .hex16)).map(\.owner) == [.message])
        let own = SenderKey(ana.publicKeys, .own(Array("me".utf8)))
        var known = SenderBook([own])
        guard case .good(own, _) = known.judge(try sign(payload, ana), payload) else {
            Issue.record("not good")
            return
        }
    }
}
