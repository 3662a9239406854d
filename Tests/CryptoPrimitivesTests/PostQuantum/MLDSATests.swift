import TestSupport
import Testing

@testable import CryptoPrimitives

@Suite("ML-DSA-65")
struct MLDSATests {
    private static let text = Array("a message to be signed".utf8)

    private func isValid(
        _ signature: [UInt8], _ key: [UInt8], of text: [UInt8] = text, context: [UInt8] = [],
        _ provider: PostQuantumProvider = .current
    ) throws -> Bool {
        try MLDSA65.isValid(
            signature: signature.span, for: text.span, publicKey: key.span, context: context.span, provider: provider)
    }

    @Test("what is signed is verified, hedged or not, with and without a context", arguments: providers)
    func signatures(engine: NamedProvider) throws {
        let seed = try MLDSA65.makeSeed()
        let key = try MLDSA65.publicKey(ofSeed: seed, provider: engine.provider)
        #expect(key.count == 1952)
        let longest = [UInt8](repeating: 9, count: 255)
        for context in [[], [1], longest] {
            let one = try MLDSA65.sign(Self.text.span, seed: seed, context: context.span, provider: engine.provider)
            let other = try MLDSA65.sign(Self.text.span, seed: seed, context: context.span, provider: engine.provider)
            #expect(one != other && one.count == 3309)
            let fixed = try MLDSA65.sign(
                Self.text.span, seed: seed, context: context.span, hedge: .deterministic, provider: engine.provider)
            let again = try MLDSA65.sign(
                Self.text.span, seed: seed, context: context.span, hedge: .deterministic, provider: engine.provider)
            #expect(fixed == again)
            for signature in [one, other, fixed] {
                #expect(try isValid(signature, key, context: context, engine.provider))
                #expect(try !isValid(signature, key, context: context + [0], engine.provider))
            }
        }
    }

    @Test("a message in pieces is the message", arguments: providers)
    func pieces(engine: NamedProvider) throws {
        let seed = try MLDSA65.makeSeed()
        let key = try MLDSA65.publicKey(ofSeed: seed, provider: engine.provider)
        let context: [UInt8] = [7, 8]
        var message = try MLDSA65.Message(publicKey: key.span, context: context.span)
        message.update(Self.text.span.extracting(first: 5))
        message.update(Self.text.span.extracting(droppingFirst: 5))
        let representative = message.representative()
        let signature = try MLDSA65.sign(
            representative, seed: seed, hedge: .deterministic, provider: engine.provider)
        let whole = try MLDSA65.sign(
            Self.text.span, seed: seed, context: context.span, hedge: .deterministic, provider: engine.provider)
        #expect(signature == whole)
        let verdict = try MLDSA65.isValid(
            signature: signature.span, for: representative, publicKey: key.span, provider: engine.provider)
        #expect(verdict)
    }

    @Test("what stands for a message to another key is not signed", arguments: providers)
    func otherKey(engine: NamedProvider) throws {
        let seed = try MLDSA65.makeSeed()
        let other = try MLDSA65.makeSeed()
        let key = try MLDSA65.publicKey(ofSeed: seed, provider: engine.provider)
        let representative = try MLDSA65.Message(publicKey: key.span).representative()
        #expect(throws: PostQuantumError.otherPublicKey) {
            _ = try MLDSA65.sign(representative, seed: other, provider: engine.provider)
        }
        let signature = try MLDSA65.sign(representative, seed: seed, provider: engine.provider)
        #expect(try isValid(signature, key, of: [], engine.provider))
    }

    @Test("a changed bit of signature, message or key is refused", arguments: providers)
    func changedBits(engine: NamedProvider) throws {
        let seed = try MLDSA65.makeSeed()
        let key = try MLDSA65.publicKey(ofSeed: seed, provider: engine.provider)
        let signature = try MLDSA65.sign(Self.text.span, seed: seed, provider: engine.provider)
        // c̃, each polynomial of z, hints, their counts.
        for place in [0, 47, 48, 687, 688, 1400, 2000, 2700, 3247, 3248, 3302, 3303, 3308] {
            var changed = signature
            changed[place] ^= 1 << UInt8(place % 8)
            #expect(try !isValid(changed, key, engine.provider), "byte \(place)")
        }
        for place in [0, 31, 32, 400, 1951] {
            var changed = key
            changed[place] ^= 1 << UInt8(place % 8)
            #expect(try !isValid(signature, changed, engine.provider), "byte \(place)")
        }
        for place in Self.text.indices {
            var changed = Self.text
            changed[place] ^= 1
            #expect(try !isValid(signature, key, of: changed, engine.provider))
        }
    }

    @Test(
        "every changed bit of a signature is refused", .enabled(if: LongTests.areWanted, "26,000 verifications"),
        arguments: providers)
    func everyBit(engine: NamedProvider) throws {
        let seed = try MLDSA65.makeSeed()
        let key = try MLDSA65.publicKey(ofSeed: seed, provider: engine.provider)
        let signature = try MLDSA65.sign(Self.text.span, seed: seed, provider: engine.provider)
        try forEachBitFlip(of: signature) { changed, bit in
            let verdict = try isValid(changed, key, engine.provider)
            #expect(!verdict, "bit \(bit)")
        }
    }

    @Test("wrong lengths are refused, one below and above", arguments: providers)
    func lengths(engine: NamedProvider) throws {
        let seed = try MLDSA65.makeSeed()
        let provider = engine.provider
        let key = try MLDSA65.publicKey(ofSeed: seed, provider: provider)
        let signature = try MLDSA65.sign(Self.text.span, seed: seed, provider: provider)
        #expect(try !isValid(Array(signature.dropLast()), key, provider))
        #expect(try !isValid(signature + [0], key, provider))
        #expect(try !isValid(signature, Array(key.dropLast()), provider))
        #expect(try !isValid(signature, key + [0], provider))
        for length in [1951, 1953] {
            let wrong = [UInt8](repeating: 1, count: length)
            let isKey = MLDSA65.isPublicKey(wrong.span)
            #expect(!isKey)
            #expect(throws: PostQuantumError.publicKeyLength(expected: 1952, found: length)) {
                _ = try MLDSA65.Message(publicKey: wrong.span)
            }
        }
        for length in [0, 31, 33, 64] {
            let wrong = try SecretBytes(count: length)
            let refusal = PostQuantumError.seedLength(expected: 32, found: length)
            #expect(throws: refusal) { _ = try MLDSA65.publicKey(ofSeed: wrong, provider: provider) }
            #expect(throws: refusal) { _ = try MLDSA65.sign(Self.text.span, seed: wrong, provider: provider) }
        }
        for length in [31, 33] {
            let random = fixedRandom([UInt8](repeating: 9, count: length))
            #expect(throws: PostQuantumError.randomnessLength(expected: 32, found: length)) {
                _ = try MLDSA65.sign(Self.text.span, seed: seed, hedge: .random(random), provider: provider)
            }
        }
        let context = [UInt8](repeating: 9, count: 256)
        #expect(throws: PostQuantumError.contextLength(maximum: 255, found: 256)) {
            _ = try MLDSA65.sign(Self.text.span, seed: seed, context: context.span, provider: provider)
        }
        #expect(try !isValid(signature, key, context: context, provider))
    }

    @Test(
        "the two providers give the same", .enabled(if: PostQuantumProvider.isLibcryptoAble, "libcrypto has no ML-DSA"))
    func sameProviders() throws {
        for round in 0..<20 {
            let seed = try MLDSA65.makeSeed()
            let key = try MLDSA65.publicKey(ofSeed: seed, provider: .own())
            let same = try MLDSA65.publicKey(ofSeed: seed, provider: .libcrypto)
            #expect(same == key)
            let context = [UInt8](repeating: 3, count: round)
            let hedge = MLDSA65.Hedge.random(fixedRandom(Random.bytes(32)))
            let one = try MLDSA65.sign(
                Self.text.span, seed: seed, context: context.span, hedge: hedge, provider: .own())
            let other = try MLDSA65.sign(
                Self.text.span, seed: seed, context: context.span, hedge: hedge, provider: .libcrypto)
            #expect(one == other)
            #expect(try isValid(one, key, context: context, .own()))
            #expect(try isValid(one, key, context: context, .libcrypto))
        }
    }
}
