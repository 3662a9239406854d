import Foundation
import TestSupport
import Testing

@testable import CryptoPrimitives

@Suite("X-Wing")
struct XWingTests {
    private struct Vector: Decodable {
        let seed: String
        let eseed: String
        let sk: String
        let pk: String
        let ct: String
        let ss: String
    }

    @Test(
        "the three vectors of the draft", .enabled(if: SharedFolder.isThere, "needs ../shared"), arguments: providers)
    func vectors(engine: NamedProvider) throws {
        let data = Data(try sharedBytes("vectors/xwing/test-vectors.json"))
        let vectors = try JSONDecoder().decode([Vector].self, from: data)
        #expect(vectors.count == 3)
        for vector in vectors {
            let seed = try secret(vector.sk)
            let publicKey = try XWing.publicKey(ofSeed: seed, provider: engine.provider)
            #expect(publicKey == bytes(vector.pk))
            #expect(isXWingKey(publicKey))
            let made = try XWing.encapsulate(
                to: publicKey.span, random: fixedRandom(bytes(vector.eseed)), provider: engine.provider)
            #expect(made.ciphertext == bytes(vector.ct))
            #expect(made.secret.exposed == bytes(vector.ss))
            let opened = try XWing.decapsulate(made.ciphertext.span, seed: seed, provider: engine.provider)
            #expect(opened.exposed == bytes(vector.ss))
        }
    }

    @Test("fresh keys agree, and two encapsulations are two secrets", arguments: providers)
    func freshKeys(engine: NamedProvider) throws {
        let seed = try XWing.makeSeed()
        let key = try XWing.publicKey(ofSeed: seed, provider: engine.provider)
        let one = try XWing.encapsulate(to: key.span, provider: engine.provider)
        let other = try XWing.encapsulate(to: key.span, provider: engine.provider)
        let opened = try XWing.decapsulate(one.ciphertext.span, seed: seed, provider: engine.provider)
        #expect(opened.exposed == one.secret.exposed)
        #expect(one.secret.exposed != other.secret.exposed)
        #expect(one.ciphertext.count == 1120 && key.count == 1216)
    }

    @Test("a changed bit of the ciphertext gives another secret, in both parts")
    func changedCiphertext() throws {
        let seed = try XWing.makeSeed()
        let key = try XWing.publicKey(ofSeed: seed)
        let made = try XWing.encapsulate(to: key.span)
        for place in [0, 1, 700, 1087, 1088, 1100] {
            var changed = made.ciphertext
            changed[place] ^= 2
            let opened = try XWing.decapsulate(changed.span, seed: seed)
            #expect(opened.exposed != made.secret.exposed)
        }
    }

    @Test("lengths one below and above are refused")
    func lengths() throws {
        let seed = try XWing.makeSeed()
        let key = try XWing.publicKey(ofSeed: seed)
        for length in [0, 1184, 1215, 1217] {
            let wrong = Array((key + [0]).prefix(length))
            #expect(!isXWingKey(wrong))
            #expect(throws: PostQuantumError.publicKeyLength(expected: 1216, found: length)) {
                _ = try XWing.encapsulate(to: wrong.span)
            }
        }
        for length in [0, 1088, 1119, 1121] {
            let wrong = [UInt8](repeating: 7, count: length)
            #expect(throws: PostQuantumError.ciphertextLength(expected: 1120, found: length)) {
                _ = try XWing.decapsulate(wrong.span, seed: seed)
            }
        }
        for length in [0, 31, 33, 64] {
            let wrong = try SecretBytes(count: length)
            let refusal = PostQuantumError.seedLength(expected: 32, found: length)
            #expect(throws: refusal) { _ = try XWing.publicKey(ofSeed: wrong) }
            let ciphertext = [UInt8](repeating: 7, count: 1120)
            #expect(throws: refusal) { _ = try XWing.decapsulate(ciphertext.span, seed: wrong) }
            let random = fixedRandom([UInt8](repeating: 9, count: length == 64 ? 65 : length))
            #expect(throws: PostQuantumError.randomnessLength(expected: 64, found: length == 64 ? 65 : length)) {
                _ = try XWing.encapsulate(to: key.span, random: random)
            }
        }
    }

    @Test("an X25519 part of small order is refused, and a coefficient that is not reduced")
    func badParts() throws {
        let seed = try XWing.makeSeed()
        let key = try XWing.publicKey(ofSeed: seed)
        let small = Array(key[..<1184]) + [UInt8](repeating: 0, count: 32)
        #expect(!isXWingKey(small))
        #expect(throws: PostQuantumError.smallOrder) { _ = try XWing.encapsulate(to: small.span) }
        let made = try XWing.encapsulate(to: key.span)
        let ciphertext = Array(made.ciphertext[..<1088]) + [UInt8](repeating: 0, count: 32)
        #expect(throws: PostQuantumError.smallOrder) { _ = try XWing.decapsulate(ciphertext.span, seed: seed) }
        let unreduced = [0xFF, 0xFF] + Array(key[2...])
        #expect(!isXWingKey(unreduced))
        #expect(throws: PostQuantumError.publicKeyNotReduced) { _ = try XWing.encapsulate(to: unreduced.span) }
    }
}
