import CryptoPrimitives
import Testing

@testable import SophaxCore

@Suite("Bundles with post-quantum keys")
struct PostQuantumBundleTests {
    private func bundle(_ form: PreKeySignatureForm = .keysAndTime, timestamp: Double = 796_000_000.25) throws
        -> PreKeyBundle
    {
        var extras = PreKeyBundle.Extras()
        extras.offer(try PostQuantumPreKeyPair(id: 0xFFFF_FFFF, seed: secret(CheckedSeedTests.seed)))
        var bundle = try PreKeyBundle(
            signedBy: CheckIdentity.second.identity(),
            signedPreKey: PreKeyPair(id: 7, privateKey: secret(Parties.signedPreKey)).publicPreKey,
            oneTimePreKey: nil, timestamp: timestamp, extras: extras, form: form)
        try bundle.addSignature(by: PostQuantumSigningKey(seed: secret(Array(1...32))), form: form)
        return bundle
    }

    @Test(
        "the ML-DSA signature is over the bytes of the Ed25519 signature, in both forms",
        arguments: PreKeySignatureForm.allCases)
    func signed(form: PreKeySignatureForm) throws {
        let bundle = try bundle(form)
        #expect(bundle.postQuantumSignature == .valid)
        let key = try #require(bundle.extras.mldsaPublicKey)
        let signature = try #require(bundle.extras.mldsaSignature)
        #expect(key.count == 1_952 && signature.count == 3_309)
        var message = bundle.signedPreKey.key
        if form == .keysAndTime {
            message = bundle.identityKeys.signing + message + withUnsafeBytes(of: bundle.timestamp) { Array($0) }
        }
        let isValid = try MLDSA65.isValid(signature: signature.span, for: message.span, publicKey: key.span)
        #expect(isValid)
    }

    @Test("all four members are written as the app has them, and read back as they were")
    func json() throws {
        let bundle = try bundle()
        let read = try PreKeyBundle(json: bundle.json)
        #expect(read == bundle)
        #expect(read.postQuantumSignature == .valid)
        let text = String(decoding: bundle.json, as: UTF8.self)
        for name in ["pqPreKeyPublic", "mldsaPublicKey", "mldsaSPKSignature"] {
            #expect(text.contains("\"\(name)\":\""))
        }
        #expect(text.contains("\"pqPreKeyId\":4294967295"))
    }

    @Test("a changed signature, key, time or length is invalid, half of it is half, none is none")
    func invalid() throws {
        func state(_ change: (inout PreKeyBundle.Extras) -> Void) throws -> PostQuantumSignatureState {
            var bundle = try bundle()
            change(&bundle.extras)
            return bundle.postQuantumSignature
        }
        #expect(try state { $0.mldsaSignature?[100] ^= 1 } == .invalid)
        #expect(try state { $0.mldsaPublicKey?[100] ^= 1 } == .invalid)
        #expect(try state { $0.mldsaSignature?.removeLast() } == .invalid)
        #expect(try state { $0.mldsaPublicKey?.append(0) } == .invalid)
        #expect(try state { $0.mldsaSignature = nil } == .half)
        #expect(try state { $0.mldsaPublicKey = nil } == .half)
        #expect(
            try state { extras in
                extras.mldsaPublicKey = nil
                extras.mldsaSignature = nil
            } == .none)
        // The signature of another time, beside a good Ed25519 signature.
        var other = try bundle(timestamp: 796_000_001)
        other.extras = try bundle().extras
        #expect(other.signatureForm == .keysAndTime && other.postQuantumSignature == .invalid)
    }

    @Test("who begins a session says what is asked of it")
    func requirements() throws {
        let alice = try CheckIdentity.first.identity()
        func refusal(
            _ rule: BundleRequirements.PostQuantumSignatureRule, _ change: (inout PreKeyBundle.Extras) -> Void
        ) throws -> X3DHError? {
            var bundle = try bundle()
            change(&bundle.extras)
            let requirements = BundleRequirements(
                signatureForms: [.keysAndTime], age: nil, postQuantumSignature: rule)
            return failure { () throws(X3DHError) in
                _ = try X3DH.initiate(identity: alice, bundle: bundle, requirements: requirements)
            }
        }
        let forged: (inout PreKeyBundle.Extras) -> Void = { $0.mldsaSignature?[0] ^= 1 }
        let none: (inout PreKeyBundle.Extras) -> Void = { extras in
            extras.mldsaPublicKey = nil
            extras.mldsaSignature = nil
        }
        for (rule, ofForged, ofNone) in [
            (BundleRequirements.PostQuantumSignatureRule.bothOrNeither, nil, nil),
            (.whenPresent, .badPostQuantumSignature, nil),
            (.required, X3DHError.badPostQuantumSignature, X3DHError.postQuantumSignatureMissing),
        ] {
            #expect(try refusal(rule) { _ in } == nil)
            #expect(try refusal(rule, forged) == ofForged)
            #expect(try refusal(rule, none) == ofNone)
            #expect(try refusal(rule) { $0.mldsaPublicKey = nil } == .halfPostQuantumSignature)
        }
    }
}
