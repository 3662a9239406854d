import CryptoPrimitives
import JSONCoding
import Testing

@testable import SophaxCore

/// Right values by Python's `kyber-py` (encapsulation with the same randomness) and `cryptography` (X25519, HKDF), from the
/// document's check identities and the keys of `Parties`.
@Suite("Hybrid agreements")
struct HybridAgreementTests {
    private static let threeDH = "2fbd3f10820dcb293a4a39ca803a00935923cd4c40c82e47f7fd551635f17fc2"
    private static let fourDH = "193ff5beaa21dfac283d41d5c6b2ba82639cd7c43d4b5e0e100dedc0274b569f"
    private static let ciphertextHash = "b4cfbd24cef67afd3764276c6980e0f88f8e9ca57f59b7f12fe1a9c1e72f4710"

    /// The randomness of the encapsulation, then the ephemeral key.
    private static func randomness() -> RandomSource {
        let order = Order([Array(0x40...0x5F), Parties.ephemeralKey])
        return RandomSource(
            secret: { (_) throws(SecretMemoryError) in
                let next = order.next()
                return try SecretBytes(copying: next.span)
            }, bytes: { [UInt8](repeating: 0, count: $0) })
    }

    private final class Order: @unchecked Sendable {
        private var values: [[UInt8]]
        init(_ values: [[UInt8]]) { self.values = values }
        func next() -> [UInt8] { values.removeFirst() }
    }

    private func signed() throws -> PreKeyPair { try PreKeyPair(id: 7, privateKey: secret(Parties.signedPreKey)) }
    private func oneTime() throws -> PreKeyPair { try PreKeyPair(id: 9, privateKey: secret(Parties.oneTimePreKey)) }
    private func key(_ id: UInt32?) throws -> PostQuantumPreKeyPair {
        try PostQuantumPreKeyPair(id: id, seed: secret(CheckedSeedTests.seed))
    }

    private func bobsBundle(_ id: UInt32?, hasOneTime: Bool = false) throws -> PreKeyBundle {
        var extras = PreKeyBundle.Extras()
        extras.offer(try key(id))
        return try PreKeyBundle(
            signedBy: CheckIdentity.second.identity(), signedPreKey: signed().publicPreKey,
            oneTimePreKey: hasOneTime ? oneTime().publicPreKey : nil, timestamp: 796_000_000, extras: extras)
    }

    private func alicesBundle() throws -> PreKeyBundle {
        try PreKeyBundle(
            signedBy: CheckIdentity.first.identity(), signedPreKey: signed().publicPreKey, oneTimePreKey: nil,
            timestamp: 796_000_000)
    }

    private func initiate(
        _ bundle: PreKeyBundle, _ choice: PostQuantumChoice = .whenOffered, random: RandomSource? = nil
    ) throws -> InitiatedSession {
        try X3DH.initiate(
            identity: CheckIdentity.first.identity(), bundle: bundle, requirements: .anyAge, expected: nil,
            postQuantum: choice, random: random)
    }

    @Test(
        "with the ML-KEM prekey and with the identity's own ML-KEM key both find the secret of the other implementation",
        arguments: [UInt32?(5), nil], [false, true])
    func secrets(id: UInt32?, hasOneTime: Bool) throws {
        let initiated = try initiate(bobsBundle(id, hasOneTime: hasOneTime), random: Self.randomness())
        #expect(initiated.sharedSecret.exposed == bytes(hex: hasOneTime ? Self.fourDH : Self.threeDH))
        let sent = initiated.pqEncapsulatedKey
        let ciphertext = try #require(sent)
        #expect(SHA3_256.hash(ciphertext.span) == bytes(hex: Self.ciphertextHash))
        #expect(initiated.usedPQPreKeyID == id)
        let isHybrid = initiated.isHybrid
        #expect(isHybrid)
        let accepted = try X3DH.respond(
            identity: CheckIdentity.second.identity(), to: initiated.request(senderBundle: alicesBundle()),
            signedPreKey: signed(), oneTimePreKey: oneTime(), requirements: .anyAge, postQuantumKey: key(id))
        let answersHybrid = accepted.isHybrid
        #expect(answersHybrid)
        #expect(accepted.sharedSecret.exposed == initiated.sharedSecret.exposed)
    }

    @Test(
        "a first message goes over the wire as the format has it, opens, and the session goes on",
        arguments: [UInt32?(5), nil])
    func session(id: UInt32?) throws {
        let agreed = try initiate(bobsBundle(id))
        let request = agreed.request(senderBundle: try alicesBundle())
        var alice = try RatchetSession(initiator: agreed)
        let text = Array("hybrid".utf8)
        let first = try alice.encrypt(text.span, ad: Parties.ad)
        let json = InitiateSessionPayload(request, initialMessage: first).json
        let object = try JSONObject(json, ceiling: 1 << 20)
        #expect(try object.data("pqEncapsulatedKey", length: 1_088) == request.pqEncapsulatedKey)
        let number = try object.uint32("usedPQPreKeyId")
        #expect(number == id)
        #expect(object.has("usedPQPreKeyId") == (id != nil))

        let payload = try InitiateSessionPayload(object)
        let accepted = try X3DH.respond(
            identity: CheckIdentity.second.identity(), to: SessionRequest(payload), signedPreKey: signed(),
            requirements: .anyAge, postQuantumKey: key(id), requiresPostQuantum: true)
        var bob = try RatchetSession(responder: accepted, signedPreKey: signed())
        #expect(try bob.decrypt(payload.initialMessage, ad: [Parties.ad]) == text)
        let reply = try bob.encrypt(text.span, ad: Parties.ad)
        #expect(try alice.decrypt(reply, ad: [Parties.ad]) == text)
    }

    @Test("the classical secret is another: a receiver without the key is told so, and never finds that one")
    func missingKey() throws {
        let bob = try CheckIdentity.second.identity()
        for id in [UInt32?(5), nil] {
            let agreed = try initiate(bobsBundle(id))
            let request = agreed.request(senderBundle: try alicesBundle())
            func answered(_ given: consuming PostQuantumPreKeyPair?) throws -> X3DHError? {
                let signed = try signed()
                do throws(X3DHError) {
                    _ = try X3DH.respond(
                        identity: bob, to: request, signedPreKey: signed, requirements: .anyAge, postQuantumKey: given)
                    return nil
                } catch {
                    return error
                }
            }
            #expect(try answered(nil) == .postQuantumKeyMissing(id: id))
            #expect(try answered(key(6)) == .postQuantumKeyMissing(id: id))
            #expect(try answered(key(id == nil ? 5 : nil)) == .postQuantumKeyMissing(id: id))
            #expect(try answered(key(id)) == nil)
        }
        let hybrid = try initiate(bobsBundle(5), random: Self.randomness()).sharedSecret.exposed
        let first = RandomSource(
            secret: { (_) throws(SecretMemoryError) in
                let key = Parties.ephemeralKey
                return try SecretBytes(copying: key.span)
            }, bytes: { [UInt8](repeating: 0, count: $0) })
        let classical = try initiate(bobsBundle(5), .never, random: first)
        #expect(classical.sharedSecret.exposed == bytes(hex: X3DHTests.threeDH))
        #expect(classical.sharedSecret.exposed != hybrid)
        let (isHybrid, used) = (classical.isHybrid, classical.usedPQPreKeyID)
        #expect(!isHybrid && used == nil)
    }

    @Test("a changed ciphertext gives another secret, with which the first message does not open")
    func changedCiphertext() throws {
        let bob = try CheckIdentity.second.identity()
        let agreed = try initiate(bobsBundle(5))
        let request = agreed.request(senderBundle: try alicesBundle())
        var alice = try RatchetSession(initiator: agreed)
        let text = Array("hybrid".utf8)
        let first = try alice.encrypt(text.span, ad: Parties.ad)
        func opened(_ ciphertext: [UInt8]) throws -> RatchetError? {
            let changed = SessionRequest(
                senderBundle: request.senderBundle, ephemeralPublicKey: request.ephemeralPublicKey,
                usedSignedPreKeyID: 7, pqEncapsulatedKey: ciphertext, usedPQPreKeyID: 5)
            let accepted = try X3DH.respond(
                identity: bob, to: changed, signedPreKey: signed(), requirements: .anyAge, postQuantumKey: key(5))
            var session = try RatchetSession(responder: accepted, signedPreKey: signed())
            return failure { () throws(RatchetError) in _ = try session.decrypt(first, ad: [Parties.ad]) }
        }
        let good = try #require(request.pqEncapsulatedKey)
        for place in [0, 500, 1_087] {
            var bad = good
            bad[place] ^= 1
            #expect(try opened(bad) == .noHeaderKeyFits)
        }
        #expect(try opened(good) == nil)
    }

    @Test("what is offered is used by choice; what is required and not there, or no key, is an error")
    func choices() throws {
        func refusal(_ choice: PostQuantumChoice, _ change: (inout PreKeyBundle.Extras) -> Void) throws -> X3DHError? {
            var bundle = try bobsBundle(5)
            change(&bundle.extras)
            let identity = try CheckIdentity.first.identity()
            return failure { () throws(X3DHError) in
                _ = try X3DH.initiate(
                    identity: identity, bundle: bundle, requirements: .anyAge, postQuantum: choice)
            }
        }
        let none: (inout PreKeyBundle.Extras) -> Void = { extras in
            extras.postQuantumPreKey = nil
            extras.postQuantumPreKeyID = nil
        }
        #expect(try refusal(.required, none) == .postQuantumNotOffered)
        #expect(try refusal(.whenOffered, none) == nil)
        for bad in [
            { $0.postQuantumPreKey = nil }, { $0.postQuantumPreKey?.removeLast() },
            { $0.postQuantumPreKey?.append(0) }, { $0.postQuantumPreKey = [UInt8](repeating: 0xFF, count: 1_184) },
        ] as [(inout PreKeyBundle.Extras) -> Void] {
            #expect(try refusal(.whenOffered, bad) == .badPostQuantumKey)
            #expect(try refusal(.required, bad) == .badPostQuantumKey)
            #expect(try refusal(.never, bad) == nil)
        }
    }

    @Test("a ciphertext of another length, a number without one, and a classical message where a hybrid one is wanted")
    func requests() throws {
        let bob = try CheckIdentity.second.identity()
        let ephemeral = bytes(hex: X3DHTests.ephemeralPublic)
        func refusal(_ ciphertext: [UInt8]?, _ id: UInt32?, required: Bool = false) throws -> X3DHError? {
            let request = SessionRequest(
                senderBundle: try alicesBundle(), ephemeralPublicKey: ephemeral, usedSignedPreKeyID: 7,
                pqEncapsulatedKey: ciphertext, usedPQPreKeyID: id)
            let signed = try signed()
            let own: PostQuantumPreKeyPair? = try key(5)
            do throws(X3DHError) {
                _ = try X3DH.respond(
                    identity: bob, to: request, signedPreKey: signed, requirements: .anyAge, postQuantumKey: own,
                    requiresPostQuantum: required)
                return nil
            } catch {
                return error
            }
        }
        for length in [0, 1_087, 1_089] {
            #expect(
                try refusal([UInt8](repeating: 1, count: length), 5) == .postQuantumCiphertextLength(found: length))
        }
        #expect(try refusal(nil, 5) == .postQuantumCiphertextLength(found: 0))
        #expect(try refusal(nil, nil) == nil)
        #expect(try refusal(nil, nil, required: true) == .postQuantumNotOffered)
        #expect(try refusal([UInt8](repeating: 1, count: 1_088), 5, required: true) == nil)
    }
}
