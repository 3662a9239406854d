import Testing

@testable import CryptoPrimitives

@Suite("ML-KEM-768")
struct MLKEMTests {
    @Test("fresh keys agree, and two encapsulations are two secrets", arguments: providers)
    func freshKeys(engine: NamedProvider) throws {
        let seed = try MLKEM768.makeSeed()
        let key = try MLKEM768.publicKey(ofSeed: seed, provider: engine.provider)
        let one = try MLKEM768.encapsulate(to: key.span, provider: engine.provider)
        let other = try MLKEM768.encapsulate(to: key.span, provider: engine.provider)
        let opened = try MLKEM768.decapsulate(one.ciphertext.span, seed: seed, provider: engine.provider)
        #expect(opened.exposed == one.secret.exposed)
        #expect(one.secret.exposed != other.secret.exposed)
        #expect(isMLKEMKey(key))
    }

    @Test("a changed bit of the ciphertext gives the secret that z and the ciphertext have", arguments: providers)
    func implicitRejection(engine: NamedProvider) throws {
        let seed = try MLKEM768.makeSeed()
        let key = try MLKEM768.publicKey(ofSeed: seed, provider: engine.provider)
        let made = try MLKEM768.encapsulate(to: key.span, provider: engine.provider)
        // All bits of some bytes: the first and last of the three polynomials of u, and v.
        for place in [0, 319, 320, 639, 640, 959, 960, 1087] {
            for bit in 0..<8 {
                var changed = made.ciphertext
                changed[place] ^= 1 << UInt8(bit)
                let opened = try MLKEM768.decapsulate(changed.span, seed: seed, provider: engine.provider)
                let hashed = Array(seed.exposed[32...]) + changed
                let expected = SHAKE256.hash(hashed.span, length: 32)
                #expect(opened.exposed == expected)
            }
        }
    }

    @Test("every changed bit of a ciphertext is rejected", .enabled(if: isLongRun))
    func everyBit() throws {
        let seed = try MLKEM768.makeSeed()
        let key = try MLKEM768.publicKey(ofSeed: seed)
        let made = try MLKEM768.encapsulate(to: key.span)
        try forEachBitFlip(of: made.ciphertext) { changed, bit in
            let opened = try MLKEM768.decapsulate(changed.span, seed: seed)
            let hashed = Array(seed.exposed[32...]) + changed
            let expected = SHAKE256.hash(hashed.span, length: 32)
            #expect(opened.exposed == expected, "bit \(bit)")
        }
    }

    @Test("a changed bit of the seed or of the public key gives another secret")
    func changedKeys() throws {
        let seed = try MLKEM768.makeSeed()
        let key = try MLKEM768.publicKey(ofSeed: seed)
        let made = try MLKEM768.encapsulate(to: key.span)
        var other = seed.exposed
        other[5] ^= 1
        let otherSeed = try SecretBytes(copying: other.span)
        let otherKey = try MLKEM768.publicKey(ofSeed: otherSeed)
        #expect(otherKey != key)
        let withOtherSeed = try opened(made.ciphertext, otherSeed)
        #expect(withOtherSeed != made.secret.exposed)
        var changed = key
        changed[1183] ^= 1
        let wrong = try MLKEM768.encapsulate(to: changed.span)
        let forOtherKey = try opened(wrong.ciphertext, seed)
        #expect(forOtherKey != wrong.secret.exposed)
    }

    @Test("lengths one below and above are refused", arguments: providers)
    func lengths(engine: NamedProvider) throws {
        let seed = try MLKEM768.makeSeed()
        let key = try MLKEM768.publicKey(ofSeed: seed)
        for length in [0, 1183, 1185] {
            let wrong = Array((key + [0]).prefix(length))
            #expect(!isMLKEMKey(wrong))
            #expect(throws: PostQuantumError.publicKeyLength(expected: 1184, found: length)) {
                _ = try MLKEM768.encapsulate(to: wrong.span, provider: engine.provider)
            }
        }
        for length in [0, 1087, 1089] {
            let wrong = [UInt8](repeating: 7, count: length)
            #expect(throws: PostQuantumError.ciphertextLength(expected: 1088, found: length)) {
                _ = try MLKEM768.decapsulate(wrong.span, seed: seed, provider: engine.provider)
            }
        }
        let ciphertext = [UInt8](repeating: 7, count: 1088)
        for length in [0, 32, 63, 65] {
            let wrong = try SecretBytes(count: length)
            let refusal = PostQuantumError.seedLength(expected: 64, found: length)
            #expect(throws: refusal) { _ = try MLKEM768.publicKey(ofSeed: wrong, provider: engine.provider) }
            #expect(throws: refusal) {
                _ = try MLKEM768.decapsulate(ciphertext.span, seed: wrong, provider: engine.provider)
            }
        }
        for length in [31, 33] {
            let random = fixedRandom([UInt8](repeating: 9, count: length))
            #expect(throws: PostQuantumError.randomnessLength(expected: 32, found: length)) {
                _ = try MLKEM768.encapsulate(to: key.span, random: random, provider: engine.provider)
            }
        }
    }

    @Test(
        "the two providers give the same", .enabled(if: PostQuantumProvider.isLibcryptoAble, "libcrypto has no ML-KEM"))
    func sameProviders() throws {
        for _ in 0..<50 {
            let seed = try MLKEM768.makeSeed()
            let key = try MLKEM768.publicKey(ofSeed: seed, provider: .own())
            let same = try MLKEM768.publicKey(ofSeed: seed, provider: .libcrypto)
            #expect(same == key)
            let random = fixedRandom(Random.bytes(32))
            let one = try MLKEM768.encapsulate(to: key.span, random: random, provider: .own())
            let other = try MLKEM768.encapsulate(to: key.span, random: random, provider: .libcrypto)
            #expect(one.ciphertext == other.ciphertext)
            #expect(one.secret.exposed == other.secret.exposed)
            var changed = one.ciphertext
            changed[7] ^= 1
            let opened = try MLKEM768.decapsulate(changed.span, seed: seed, provider: .own())
            let alsoOpened = try MLKEM768.decapsulate(changed.span, seed: seed, provider: .libcrypto)
            #expect(opened.exposed == alsoOpened.exposed)
        }
    }
}
