import CryptoPrimitives
import Foundation
import JSONCoding
import TestSupport
import Testing

@testable import SophaxCore

/// Right values by Python's `cryptography`, from the document's check identities and the keys of `Parties`.
@Suite("X3DH")
struct X3DHTests {
    static let threeDH = "92b0493fde94a863d33188dd83c78f6ee4f288c9771504a4bf9798103b6d0f26"
    static let threeDHAndKEM = "a4678e65f1857da34f025898f8ac33019743e2b34f1cc8311ba0054ac8be5fad"
    static let fourDHAndKEM = "d9ac7fa59ff02676bc54d738c10b839f978fcf20a7c0a76a7d1e4c0eb48ba154"
    static let kemSecret: [UInt8] = Array(0xE0...0xFF)
    static let ephemeralPublic = "dc2cca31e8e43bbd91dff7e475cca3347eb478107d5bd765aba4ae4a30c35d44"

    private static let ephemeral = RandomSource(
        secret: { (_) throws(SecretMemoryError) in
            let key = Parties.ephemeralKey
            return try SecretBytes(copying: key.span)
        },
        bytes: { [UInt8](repeating: 0, count: $0) })

    private func signed() throws -> PreKeyPair { try PreKeyPair(id: 7, privateKey: secret(Parties.signedPreKey)) }
    private func oneTime() throws -> PreKeyPair { try PreKeyPair(id: 9, privateKey: secret(Parties.oneTimePreKey)) }

    private func bundle(
        of identity: borrowing Identity, hasOneTime: Bool, kemID: UInt32? = nil
    ) throws -> PreKeyBundle {
        var extras = PreKeyBundle.Extras()
        if let kemID {
            extras.postQuantumPreKey = [UInt8](repeating: 1, count: 1_184)
            extras.postQuantumPreKeyID = kemID
        }
        return try PreKeyBundle(
            signedBy: identity, signedPreKey: signed().publicPreKey,
            oneTimePreKey: hasOneTime ? oneTime().publicPreKey : nil, timestamp: 796_000_000, extras: extras)
    }

    static let ciphertext = [UInt8](repeating: 3, count: 1_088)

    private func initiate(
        _ bundle: PreKeyBundle, kem: consuming PostQuantumPart? = nil
    ) throws -> InitiatedSession {
        try X3DH.initiate(
            identity: try CheckIdentity.first.identity(), bundle: bundle, part: kem, random: Self.ephemeral)
    }

    @Test(
        "both roles find the secret of the other implementation, with and without one-time prekey and ML-KEM secret",
        arguments: [
            (true, false, Parties.sharedSecret), (false, false, threeDH), (false, true, threeDHAndKEM),
            (true, true, fourDHAndKEM),
        ])
    func secrets(hasOneTime: Bool, hasKEM: Bool, expected: String) throws {
        let alice = try CheckIdentity.first.identity()
        let bob = try CheckIdentity.second.identity()
        let kem =
            hasKEM
            ? PostQuantumPart(secret: try secret(Self.kemSecret), encapsulatedKey: Self.ciphertext, preKeyID: 5) : nil
        let initiated = try initiate(bundle(of: bob, hasOneTime: hasOneTime, kemID: hasKEM ? 5 : nil), kem: kem)
        #expect(initiated.sharedSecret.exposed == bytes(hex: expected))
        #expect(initiated.ephemeralPublicKey == bytes(hex: Self.ephemeralPublic))
        #expect(initiated.usedSignedPreKeyID == 7)
        #expect(initiated.usedOneTimePreKeyID == (hasOneTime ? 9 : nil))
        #expect(initiated.pqEncapsulatedKey == (hasKEM ? Self.ciphertext : nil))
        #expect(initiated.usedPQPreKeyID == (hasKEM ? 5 : nil))
        #expect(initiated.remoteKeys == bob.publicKeys)

        let request = initiated.request(senderBundle: try bundle(of: alice, hasOneTime: false))
        let accepted = try X3DH.respond(
            identity: bob, to: request, signedPreKey: signed(), oneTimePreKey: oneTime(),
            postQuantumSecret: hasKEM ? secret(Self.kemSecret) : nil)
        #expect(accepted.sharedSecret.exposed == bytes(hex: expected))
        #expect(accepted.remoteKeys == alice.publicKeys)
        #expect(accepted.usedOneTimePreKeyID == (hasOneTime ? 9 : nil))
    }

    @Test("the derivation's check value of the format document, 12")
    func checkValue() throws {
        var keys = try KeySlots(count: 5)
        for index in 0..<3 {
            let part = (0..<32).map { UInt8(index * 32 + $0) }
            keys.set(index + 1, to: part.span)
        }
        let ones = [UInt8](repeating: 0xFF, count: 32)
        keys.set(0, to: ones.span)
        let info = Array("SophaxChat_X3DH_v1".utf8)
        keys.derive(4..<5, inputKey: 0..<4, salt: nil, info: info.span)
        let derived = try keys.copy(of: 4)
        #expect(derived.exposed == bytes(hex: "7f695515ba7c3f116f8c9d18b6d849db2314e9a1016f05670a4fb79e08cfbf77"))
    }

    @Test("each session gets another ephemeral key")
    func freshKeys() throws {
        let bundle = try bundle(of: CheckIdentity.second.identity(), hasOneTime: true)
        let first = try X3DH.initiate(
            identity: try CheckIdentity.first.identity(), bundle: bundle, requirements: .anyAge)
        let second = try X3DH.initiate(
            identity: try CheckIdentity.first.identity(), bundle: bundle, requirements: .anyAge)
        #expect(first.ephemeralPublicKey != second.ephemeralPublicKey)
        #expect(first.sharedSecret.exposed != second.sharedSecret.exposed)
    }

    @Test("the app's first message: the responder finds the app's secret", .enabled(if: SharedFolder.isThere))
    func appSecret() throws {
        let keychain = try MarchFixture.Keychain("keychain-bob-before.json")
        let first = try MarchFixture.FirstMessage()
        let expected = try JSONDecoder().decode(MarchFixture.Expected.self, from: MarchFixture.data("expected.json"))
        let oneTimeID = try #require(first.request.usedOneTimePreKeyID)
        let accepted = try X3DH.respond(
            identity: keychain.identity(), to: first.request,
            signedPreKey: keychain.pair("spk", first.request.usedSignedPreKeyID),
            oneTimePreKey: keychain.pair("otpk", oneTimeID), requirements: .anyAge)
        #expect(accepted.sharedSecret.exposed == Array(expected.x3dhSharedSecret))
    }
}

@Suite("X3DH refuses")
struct X3DHRefusalTests {
    private func pair(_ id: UInt32, _ key: [UInt8]) throws -> PreKeyPair {
        try PreKeyPair(id: id, privateKey: secret(key))
    }

    private func bobsBundle(form: PreKeySignatureForm = .keysAndTime, timestamp: Double = 796_000_000) throws
        -> PreKeyBundle
    {
        try PreKeyBundle(
            signedBy: try CheckIdentity.second.identity(), signedPreKey: pair(7, Parties.signedPreKey).publicPreKey,
            oneTimePreKey: pair(9, Parties.oneTimePreKey).publicPreKey, timestamp: timestamp, form: form)
    }

    private func refusal(_ bundle: PreKeyBundle, _ requirements: BundleRequirements = .anyAge) throws -> X3DHError? {
        let identity = try CheckIdentity.first.identity()
        return failure { () throws(X3DHError) in
            _ = try X3DH.initiate(identity: identity, bundle: bundle, requirements: requirements)
        }
    }

    /// `bundle` with some parts changed.
    private func changed(
        _ bundle: PreKeyBundle, dh: [UInt8]? = nil, signed: PublicPreKey? = nil, oneTime: [UInt8]? = nil,
        signature: [UInt8]? = nil, platform: PreKeyBundle.Platform = .ios
    ) throws -> PreKeyBundle {
        try PreKeyBundle(
            platform: platform,
            identityKeys: IdentityPublicKeys(
                signing: bundle.identityKeys.signing, dh: dh ?? bundle.identityKeys.dh),
            signedPreKey: signed ?? bundle.signedPreKey, signature: signature ?? bundle.signature,
            oneTimePreKey: oneTime.map { try PublicPreKey(id: 9, key: $0) } ?? bundle.oneTimePreKey,
            username: bundle.username, timestamp: bundle.timestamp)
    }

    @Test("a signature that is none, and a form that the caller does not take")
    func signatures() throws {
        let good = try bobsBundle()
        #expect(try refusal(good) == nil)
        for bit in [0, 100, 511] {
            var signature = good.signature
            signature[bit / 8] ^= 1 << (bit % 8)
            #expect(try refusal(changed(good, signature: signature)) == .badSignature)
        }
        let old = try bobsBundle(form: .keyOnly)
        #expect(try refusal(old) == nil)
        let newest = BundleRequirements.newest(now: 796_000_000 + PreKeyBundle.epoch2001)
        #expect(try refusal(good, newest) == nil)
        #expect(try refusal(old, newest) == .signatureFormRefused(.keyOnly))
        let oldOnly = BundleRequirements(signatureForms: [.keyOnly], age: nil)
        #expect(try refusal(good, oldOnly) == .signatureFormRefused(.keysAndTime))
    }

    @Test("an age at or beyond the limit, by the rule and the clock of the caller")
    func ages() throws {
        let made = 796_000_000 + PreKeyBundle.epoch2001
        let bundle = try bobsBundle()
        func refusal(_ age: Double, _ limit: PreKeyBundleAge.Limit, _ rule: PreKeyBundleAge.Rule) throws -> X3DHError? {
            try self.refusal(
                bundle,
                BundleRequirements(
                    signatureForms: [.keysAndTime], age: .init(limit: limit, rule: rule, now: made + age)))
        }
        #expect(try refusal(3_599, .hour, .pastOnly) == nil)
        #expect(try refusal(3_600, .hour, .pastOnly) == .bundleAge(seconds: 3_600))
        #expect(try refusal(3_601, .hour, .pastOnly) == .bundleAge(seconds: 3_601))
        #expect(try refusal(-1, .hour, .pastOnly) == .bundleAge(seconds: -1))
        #expect(try refusal(-1, .hour, .eitherDirection) == nil)
        #expect(try refusal(86_399, .day, .eitherDirection) == nil)
        #expect(try refusal(86_400, .day, .eitherDirection) == .bundleAge(seconds: 86_400))
    }

    @Test("keys of small order, by name, and ids that no iOS message holds")
    func weakKeys() throws {
        let weak = [UInt8](repeating: 0, count: 32)
        let good = try bobsBundle()
        #expect(try refusal(changed(good, dh: weak)) == .weakKey(.identity))
        #expect(try refusal(changed(good, oneTime: weak)) == .weakKey(.oneTimePreKey))
        let signedPreKey = try PublicPreKey(id: 7, key: weak)
        let signature = try Ed25519.sign(weak.span, seed: secret(CheckIdentity.second.signingSeed))
        #expect(try refusal(changed(good, signed: signedPreKey, signature: signature)) == .weakKey(.signedPreKey))
        let tooLarge = try PublicPreKey(id: 1 << 32, key: good.signedPreKey.key)
        let signedKey = good.signedPreKey.key
        let keyOnly = try Ed25519.sign(signedKey.span, seed: secret(CheckIdentity.second.signingSeed))
        let android = try changed(good, signed: tooLarge, signature: keyOnly, platform: .android)
        #expect(try refusal(android) == .preKeyIDTooLarge(1 << 32))
    }

    @Test("a request whose prekeys or ephemeral key are missing, others, or weak")
    func requests() throws {
        let identity = try CheckIdentity.second.identity()
        let sender = try PreKeyBundle(
            signedBy: try CheckIdentity.first.identity(), signedPreKey: pair(1, Array(1...32)).publicPreKey,
            oneTimePreKey: nil, timestamp: 796_000_000)
        let ephemeral = bytes(hex: X3DHTests.ephemeralPublic)
        func request(_ key: [UInt8], oneTime: UInt32? = 9) -> SessionRequest {
            SessionRequest(
                senderBundle: sender, ephemeralPublicKey: key, usedSignedPreKeyID: 7, usedOneTimePreKeyID: oneTime)
        }
        func refusal(
            _ request: SessionRequest, signed: consuming PreKeyPair?, oneTime: consuming PreKeyPair?,
            requirements: BundleRequirements = .anyAge
        ) -> X3DHError? {
            do throws(X3DHError) {
                _ = try X3DH.respond(
                    identity: identity, to: request, signedPreKey: signed, oneTimePreKey: oneTime,
                    requirements: requirements)
                return nil
            } catch {
                return error
            }
        }
        let (spk, opk) = (Parties.signedPreKey, Parties.oneTimePreKey)
        #expect(try refusal(request(ephemeral), signed: pair(7, spk), oneTime: pair(9, opk)) == nil)
        #expect(try refusal(request(ephemeral), signed: nil, oneTime: pair(9, opk)) == .signedPreKeyMissing(id: 7))
        #expect(
            try refusal(request(ephemeral), signed: pair(8, spk), oneTime: pair(9, opk)) == .signedPreKeyMissing(id: 7))
        #expect(try refusal(request(ephemeral), signed: pair(7, spk), oneTime: nil) == .oneTimePreKeyMissing(id: 9))
        #expect(
            try refusal(request(ephemeral), signed: pair(7, spk), oneTime: pair(8, opk)) == .oneTimePreKeyMissing(id: 9)
        )
        #expect(try refusal(request(ephemeral, oneTime: nil), signed: pair(7, spk), oneTime: nil) == nil)
        #expect(
            try refusal(request([1, 2]), signed: pair(7, spk), oneTime: pair(9, opk))
                == .keyLength(.ephemeral, found: 2))
        let weak = [UInt8](repeating: 0, count: 32)
        #expect(try refusal(request(weak), signed: pair(7, spk), oneTime: pair(9, opk)) == .weakKey(.ephemeral))
        let oldOnly = BundleRequirements(signatureForms: [.keyOnly], age: nil)
        #expect(
            try refusal(request(ephemeral), signed: pair(7, spk), oneTime: pair(9, opk), requirements: oldOnly)
                == .signatureFormRefused(.keysAndTime))
    }

    @Test("a bundle or sender of other identity keys than were expected, although its signature is good")
    func otherIdentity() throws {
        let alice = try CheckIdentity.first.identity()
        let bob = try CheckIdentity.second.identity()
        let good = try bobsBundle()
        // Somebody's own DH key beside Bob's signing key, prekey and signature.
        let mixed = try changed(good, dh: alice.publicKeys.dh)
        func initiated(_ bundle: PreKeyBundle, _ expected: Fingerprint?) -> X3DHError? {
            failure { () throws(X3DHError) in
                _ = try X3DH.initiate(identity: alice, bundle: bundle, requirements: .anyAge, expected: expected)
            }
        }
        #expect(initiated(good, bob.fingerprint) == nil)
        #expect(initiated(mixed, nil) == nil)
        #expect(initiated(mixed, bob.fingerprint) == .otherIdentity(found: mixed.fingerprint))
        #expect(initiated(good, alice.fingerprint) == .otherIdentity(found: bob.fingerprint))

        let own = try PreKeyBundle(
            signedBy: alice, signedPreKey: pair(1, Array(1...32)).publicPreKey, oneTimePreKey: nil,
            timestamp: 796_000_000)
        let request = try X3DH.initiate(identity: alice, bundle: good, requirements: .anyAge).request(
            senderBundle: own)
        let signed = try pair(7, Parties.signedPreKey)
        let oneTime = try pair(9, Parties.oneTimePreKey)
        func answered(_ expected: Fingerprint?) -> X3DHError? {
            failure { () throws(X3DHError) in
                _ = try X3DH.respond(
                    identity: bob, to: request, signedPreKey: signed, oneTimePreKey: oneTime, requirements: .anyAge,
                    expected: expected)
            }
        }
        #expect(answered(nil) == nil)
        #expect(answered(alice.fingerprint) == nil)
        #expect(answered(bob.fingerprint) == .otherIdentity(found: alice.fingerprint))
    }

    @Test("an ML-DSA key without a signature, or a signature without a key")
    func halfSignature() throws {
        for (key, signature) in [([UInt8(1)], nil), (nil, [UInt8(1)])] {
            var bundle = try bobsBundle()
            bundle.extras.mldsaPublicKey = key
            bundle.extras.mldsaSignature = signature
            #expect(try refusal(bundle) == .halfPostQuantumSignature)
        }
    }

    @Test("a ratchet whose signed prekey is not that of the agreement")
    func otherSignedPreKey() throws {
        let bob = try CheckIdentity.second.identity()
        let alice = try CheckIdentity.first.identity()
        let own = try PreKeyBundle(
            signedBy: alice, signedPreKey: pair(1, Array(1...32)).publicPreKey, oneTimePreKey: nil,
            timestamp: 796_000_000)
        let request = try X3DH.initiate(identity: alice, bundle: bobsBundle(), requirements: .anyAge).request(
            senderBundle: own)
        let accepted = try X3DH.respond(
            identity: bob, to: request, signedPreKey: pair(7, Parties.signedPreKey),
            oneTimePreKey: pair(9, Parties.oneTimePreKey), requirements: .anyAge)
        #expect(accepted.usedSignedPreKeyID == 7)
        let other = try pair(8, Parties.signedPreKey)
        var error: RatchetError?
        do throws(RatchetError) {
            _ = try RatchetSession(responder: accepted, signedPreKey: other)
        } catch let found {
            error = found
        }
        #expect(error == .otherSignedPreKey(used: 7))
    }

    @Test("what a first message says of the agreement is the same as a payload of the wire and back")
    func payload() throws {
        let alice = try CheckIdentity.first.identity()
        let own = try PreKeyBundle(
            signedBy: alice, signedPreKey: pair(1, Array(1...32)).publicPreKey, oneTimePreKey: nil,
            timestamp: 796_000_000)
        let request = SessionRequest(
            senderBundle: own, ephemeralPublicKey: [UInt8](repeating: 2, count: 32), usedSignedPreKeyID: 3,
            usedOneTimePreKeyID: 4, pqEncapsulatedKey: [5], usedPQPreKeyID: 6)
        let first = RatchetMessage(encryptedHeader: [7], ciphertext: [8])
        let payload = InitiateSessionPayload(request, initialMessage: first)
        #expect(SessionRequest(payload) == request)
        #expect(payload.initialMessage == first)
        let read = try InitiateSessionPayload(JSONObject(payload.json, ceiling: 100_000))
        #expect(SessionRequest(read) == request)
    }
}
