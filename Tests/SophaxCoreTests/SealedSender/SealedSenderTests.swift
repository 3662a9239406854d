import CryptoPrimitives
import Foundation
import JSONCoding
import TestSupport
import Testing

@testable import SophaxCore

/// The second check identity of the format document as recipient, and an ephemeral private key of 80…9f; everything
/// computed with Python's `cryptography`: `HKDF(SHA256, 32, salt=None, info).derive(ephemeral.exchange(recipient))`, then
/// `nonce + ChaCha20Poly1305(key).encrypt(nonce, inner, aad)` with nonce c0…cb.
enum SealedCheck {
    static let inner = Array(#"{"type":"hello"}"#.utf8)
    static let ephemeralPublic = bytes(hex: "493e82fc74464a59268817623d2053c5eb8e2cc4a988b4fee179ec6b010d531d")
    static let payloads: [SealedSender.Form: [UInt8]] = [
        .recipientKey: bytes(
            hex: "c0c1c2c3c4c5c6c7c8c9cacb2c593c97e7df40b6e0f72d9a932e53123bf4ed730a80752e98cb4bb52557fb35"),
        .plain: bytes(
            hex: "c0c1c2c3c4c5c6c7c8c9cacb2c593c97e7df40b6e0f72d9a932e531214f7ad4d288c79b9343140e27548a2a3"),
    ]

    static func message(_ form: SealedSender.Form) -> SealedMessage {
        SealedMessage(ephemeralPublicKey: ephemeralPublic, encryptedPayload: payloads[form] ?? [])
    }
}

/// A random source that gives these bytes for every secret.
func randomSource(giving bytes: [UInt8]) -> RandomSource {
    RandomSource(
        secret: { (_) throws(SecretMemoryError) in try SecretBytes(copying: bytes.span) }, bytes: { _ in bytes })
}

@Suite("Sealed sender")
struct SealedSenderTests {
    @Test(
        "both forms open to what another library sealed, and say which they are", arguments: SealedSender.Form.allCases)
    func checkValues(form: SealedSender.Form) throws {
        let recipient = try CheckIdentity.second.identity()
        let opened = try SealedSender.open(SealedCheck.message(form), for: recipient)
        #expect(opened.inner == SealedCheck.inner)
        #expect(opened.form == form)
        let again = try SealedSender.open(SealedCheck.message(form), with: recipient.dhPrivate)
        #expect(again == opened)
    }

    @Test("what is sealed opens again, under a new ephemeral key each time", arguments: SealedSender.Form.allCases)
    func roundTrip(form: SealedSender.Form) throws {
        let recipient = try CheckIdentity.first.identity()
        for length in [0, 1, 300, 65_536] {
            let inner = [UInt8](repeating: 0x61, count: length)
            let one = try SealedSender.seal(inner, to: recipient.publicKeys.dh, form: form)
            let two = try SealedSender.seal(inner, to: recipient.publicKeys.dh, form: form)
            #expect(one.ephemeralPublicKey != two.ephemeralPublicKey)
            #expect(one.encryptedPayload.count == length + 28)
            let opened = try SealedSender.open(one, for: recipient)
            #expect(opened.inner == inner && opened.form == form)
        }
    }

    @Test("the ephemeral key is the chosen one's public half")
    func ephemeral() throws {
        let recipient = try CheckIdentity.second.identity()
        let sealed = try SealedSender.seal(
            SealedCheck.inner, to: recipient.publicKeys.dh, form: .recipientKey,
            random: randomSource(giving: Array(0x80...0x9F)))
        #expect(sealed.ephemeralPublicKey == SealedCheck.ephemeralPublic)
    }

    @Test(
        "another recipient, and every changed bit of key or payload, is refused", arguments: SealedSender.Form.allCases)
    func changes(form: SealedSender.Form) throws {
        let recipient = try CheckIdentity.second.identity()
        let message = SealedCheck.message(form)
        #expect(throws: SealedSenderError.notAuthentic) {
            try SealedSender.open(message, for: CheckIdentity.first.identity())
        }
        for bit in 0..<message.encryptedPayload.count * 8 {
            var payload = message.encryptedPayload
            payload[bit / 8] ^= 1 << (bit % 8)
            let changed = SealedMessage(ephemeralPublicKey: message.ephemeralPublicKey, encryptedPayload: payload)
            #expect(throws: SealedSenderError.notAuthentic) { try SealedSender.open(changed, for: recipient) }
        }
        // The highest bit of a u-coordinate is masked (RFC 7748, 5), as CryptoKit does too.
        for bit in 0..<255 {
            var key = message.ephemeralPublicKey
            key[bit / 8] ^= 1 << (bit % 8)
            let changed = SealedMessage(ephemeralPublicKey: key, encryptedPayload: message.encryptedPayload)
            #expect(throws: SealedSenderError.notAuthentic) { try SealedSender.open(changed, for: recipient) }
        }
    }

    @Test("keys of small order are refused on both sides", arguments: [0, 1])
    func smallOrder(first: UInt8) throws {
        let recipient = try CheckIdentity.second.identity()
        let key = [first] + [UInt8](repeating: 0, count: 31)
        #expect(throws: SealedSenderError.smallOrder(.recipientKey)) { try SealedSender.seal([1], to: key) }
        let message = SealedMessage(
            ephemeralPublicKey: key, encryptedPayload: SealedCheck.payloads[.plain] ?? [])
        #expect(throws: SealedSenderError.smallOrder(.ephemeralKey)) { try SealedSender.open(message, for: recipient) }
    }

    @Test("keys of another length are refused", arguments: [0, 31, 33])
    func keyLengths(count: Int) throws {
        let recipient = try CheckIdentity.second.identity()
        let key = [UInt8](repeating: 9, count: count)
        #expect(throws: SealedSenderError.wrongLength(.recipientKey, expected: 32, found: count)) {
            try SealedSender.seal([1], to: key)
        }
        let message = SealedMessage(
            ephemeralPublicKey: key, encryptedPayload: SealedCheck.payloads[.plain] ?? [])
        #expect(throws: SealedSenderError.wrongLength(.ephemeralKey, expected: 32, found: count)) {
            try SealedSender.open(message, for: recipient)
        }
        #expect(throws: SealedSenderError.wrongLength(.privateKey, expected: 32, found: count)) {
            try SealedSender.open(SealedCheck.message(.plain), with: SecretBytes(count: count))
        }
    }

    @Test("every length below nonce and tag is too short, and the ceiling holds at its edge")
    func lengths() throws {
        let recipient = try CheckIdentity.second.identity()
        for count in 0..<28 {
            let message = SealedMessage(
                ephemeralPublicKey: SealedCheck.ephemeralPublic, encryptedPayload: [UInt8](repeating: 1, count: count))
            #expect(throws: SealedSenderError.tooShort(found: count)) {
                try SealedSender.open(message, for: recipient)
            }
        }
        let most = SealedMessage.maximumPayload - 28
        let largest = try SealedSender.seal([UInt8](repeating: 0, count: most), to: recipient.publicKeys.dh)
        #expect(try SealedSender.open(largest, for: recipient).inner.count == most)
        #expect(throws: SealedSenderError.tooLarge(found: most + 1, ceiling: most)) {
            try SealedSender.seal([UInt8](repeating: 0, count: most + 1), to: recipient.publicKeys.dh)
        }
        let above = SealedMessage(
            ephemeralPublicKey: largest.ephemeralPublicKey, encryptedPayload: largest.encryptedPayload + [0])
        #expect(throws: SealedSenderError.tooLarge(found: most + 29, ceiling: most + 28)) {
            try SealedSender.open(above, for: recipient)
        }
    }

    @Test("JSON keeps what it does not know, and the app's decoder reads it")
    func json() throws {
        struct AppSealedMessage: Decodable {
            let ephemeralPublicKey: Data
            let encryptedPayload: Data
        }
        let text =
            #"{"ephemeralPublicKey":"\#(Data(SealedCheck.ephemeralPublic).base64EncodedString())","#
            + #""encryptedPayload":"AAEC\/w==","next":{"a":[1]}}"#
        let message = try SealedMessage(JSONObject(Array(text.utf8), ceiling: 4096))
        #expect(message.encryptedPayload == [0, 1, 2, 0xFF])
        #expect(message.unknown == [JSONField(key: Array("next".utf8), value: Array(#"{"a":[1]}"#.utf8))])
        let again = try SealedMessage(JSONObject(message.json, ceiling: 4096))
        #expect(again == message)
        let app = try JSONDecoder().decode(AppSealedMessage.self, from: Data(message.json))
        #expect(Array(app.ephemeralPublicKey) == SealedCheck.ephemeralPublic)
        #expect(Array(app.encryptedPayload) == message.encryptedPayload)
    }

    @Test(
        "the app's own sealed messages open to a signed message of Alice", .enabled(if: SharedFolder.isThere),
        arguments: [("wire-2-sealed-noaad", SealedSender.Form.plain), ("wire-3-sealed-aad", .recipientKey)])
    func fixtures(name: String, form: SealedSender.Form) throws {
        let outer = try WireMessage(JSONObject(MarchFixtures.bytes("\(name).json"), ceiling: 1 << 20))
        let sealed = try SealedMessage(JSONObject(outer.payload, ceiling: 1 << 20))
        let opened = try SealedSender.open(sealed, for: MarchFixtures.identity("keychain-bob"))
        #expect(opened.form == form)
        let inner = try WireMessage(JSONObject(opened.inner, ceiling: 1 << 20))
        let alice = try #require(try MarchFixtures.expected()["alice"] as? [String: Any])
        let signingKey = try #require((alice["signingKeyPublic"] as? String).flatMap { Data(base64Encoded: $0) })
        #expect(inner.senderID.text == alice["peerID16"] as? String)
        #expect(inner.isSigned(by: Array(signingKey)))
        #expect(outer.isSigned(by: Array(signingKey)))
        #expect(throws: SealedSenderError.notAuthentic) {
            try SealedSender.open(sealed, for: MarchFixtures.identity("keychain-alice"))
        }
    }

    @Test("a sealed message is proven by the keys of the sender inside, whatever the envelope outside says")
    func verified() throws {
        let ana = try CheckIdentity.first.identity()
        let bob = try CheckIdentity.second.identity()
        let time = try #require(WireDate(secondsSince2001: 817_695_221))
        let typing = WirePayload.typing(TypingPayload(isTyping: true))
        let anasID = PeerID(ana.fingerprint, form: .hex32)
        let people = [anasID: ana.publicKeys]
        func seal(_ inner: WireMessage) throws -> SealedMessage {
            try SealedSender.seal(inner.json, to: bob.publicKeys.dh)
        }
        let good = try WireMessage.sign(typing, from: anasID, at: time, by: ana)
        var asked: [PeerID] = []
        let opened = try SealedSender.openAndVerify(seal(good), for: bob) { id in
            asked.append(id)
            return people[id]
        }
        #expect(opened.message == good && opened.sender == ana.publicKeys && opened.form == .recipientKey)
        #expect(asked == [anasID])
        // Bob cannot make one of Ana's, nor give Ana's keys to another id.
        let forged = try WireMessage.sign(typing, from: anasID, at: time, by: bob)
        #expect(throws: SealedSender.VerificationError.notBySender(forged)) {
            try SealedSender.openAndVerify(seal(forged), for: bob) { people[$0] }
        }
        let renamed = try WireMessage.sign(typing, from: PeerID("0123456789abcdef"), at: time, by: ana)
        #expect(throws: SealedSender.VerificationError.notBySender(renamed)) {
            try SealedSender.openAndVerify(seal(renamed), for: bob) { _ in ana.publicKeys }
        }
        #expect(throws: SealedSender.VerificationError.unknownSender(renamed)) {
            try SealedSender.openAndVerify(seal(renamed), for: bob) { people[$0] }
        }
        #expect(throws: SealedSender.VerificationError.sealed(.notAuthentic)) {
            try SealedSender.openAndVerify(seal(good), for: ana) { people[$0] }
        }
        #expect(throws: SealedSender.VerificationError.format(.notJSON(offset: 0))) {
            try SealedSender.openAndVerify(SealedSender.seal([1], to: bob.publicKeys.dh), for: bob) { people[$0] }
        }
    }
}
