import TestSupport
import Testing

@testable import CryptoPrimitives

@Suite("X25519")
struct X25519Tests {
    @Test(
        "the two known answers of RFC 7748, 5.2",
        arguments: [
            [
                "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
                "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
                "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
            ],
            [
                "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
                "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
                "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
            ],
        ])
    func knownAnswers(vector: [String]) throws {
        let point = bytes(vector[1])
        let shared = try X25519.sharedSecret(privateKey: try secret(vector[0]), publicKey: point.span)
        #expect(shared.exposed == bytes(vector[2]))
    }

    @Test("a thousand rounds of RFC 7748, 5.2")
    func rounds() throws {
        var scalar = bytes("09") + [UInt8](repeating: 0, count: 31)
        var point = scalar
        for round in 1...1000 {
            let key = try SecretBytes(copying: scalar.span)
            let result = try X25519.sharedSecret(privateKey: key, publicKey: point.span)
            point = scalar
            scalar = result.exposed
            if round == 1 {
                #expect(scalar == bytes("422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"))
            }
        }
        #expect(scalar == bytes("684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"))
    }

    @Test("Alice and Bob of RFC 7748, 6.1 find the same secret")
    func diffieHellman() throws {
        let alice = try secret("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
        let bob = try secret("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
        let alicePublic = try X25519.publicKey(of: alice)
        let bobPublic = try X25519.publicKey(of: bob)
        #expect(alicePublic == bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"))
        #expect(bobPublic == bytes("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"))
        let expected = bytes("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
        let ofAlice = try X25519.sharedSecret(privateKey: alice, publicKey: bobPublic.span)
        let ofBob = try X25519.sharedSecret(privateKey: bob, publicKey: alicePublic.span)
        #expect(ofAlice.exposed == expected)
        #expect(ofBob.exposed == expected)
    }

    @Test(
        "a public key of small order is refused, as the secret would be all zero",
        arguments: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "0000000000000000000000000000000000000000000000000000000000000080",
        ])
    func smallOrder(point: String) throws {
        let point = bytes(point)
        let key = try secret("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4")
        #expect(throws: KeyAgreementError.allZero) {
            _ = try X25519.sharedSecret(privateKey: key, publicKey: point.span)
        }
    }

    @Test("keys of another length are refused", arguments: [0, 31, 33, 64])
    func wrongLengths(length: Int) throws {
        let wrong = [UInt8](repeating: 9, count: length)
        let right = [UInt8](repeating: 9, count: 32)
        let wrongKey = try SecretBytes(copying: wrong.span)
        let rightKey = try SecretBytes(copying: right.span)
        let refusal = KeyAgreementError.keyLength(expected: 32, found: length)
        #expect(throws: refusal) { _ = try X25519.publicKey(of: wrongKey) }
        #expect(throws: refusal) { _ = try X25519.sharedSecret(privateKey: wrongKey, publicKey: right.span) }
        #expect(throws: refusal) { _ = try X25519.sharedSecret(privateKey: rightKey, publicKey: wrong.span) }
    }

    @Test("fresh keys differ and agree with each other")
    func freshKeys() throws {
        let one = try X25519.makePrivateKey()
        let other = try X25519.makePrivateKey()
        let onePublic = try X25519.publicKey(of: one)
        let otherPublic = try X25519.publicKey(of: other)
        #expect(onePublic != otherPublic)
        let shared = try X25519.sharedSecret(privateKey: one, publicKey: otherPublic.span)
        let alsoShared = try X25519.sharedSecret(privateKey: other, publicKey: onePublic.span)
        #expect(shared.exposed == alsoShared.exposed)
    }

    private struct Group: Decodable {
        struct Case: Decodable {
            let tcId: Int
            let `public`: String
            let `private`: String
            let shared: String
        }
        let tests: [Case]
    }

    @Test(
        "Wycheproof: every secret agrees, every all-zero one is refused",
        .enabled(if: SharedFolder.isThere, "needs ../shared"))
    func wycheproof() throws {
        let file = try WycheproofFile<Group>.read("x25519")
        var computed = 0
        var refused = 0
        for test in file.testGroups.flatMap(\.tests) {
            let point = bytes(test.public)
            let key = try secret(test.private)
            let expected = bytes(test.shared)
            let isKey = X25519.isPublicKey(point.span)
            #expect(isKey == expected.contains { $0 != 0 }, "case \(test.tcId)")
            if expected.allSatisfy({ $0 == 0 }) {
                #expect(throws: KeyAgreementError.allZero, "case \(test.tcId)") {
                    _ = try X25519.sharedSecret(privateKey: key, publicKey: point.span)
                }
                refused += 1
            } else {
                let shared = try X25519.sharedSecret(privateKey: key, publicKey: point.span)
                #expect(shared.exposed == expected, "case \(test.tcId)")
                computed += 1
            }
        }
        #expect(computed == 487)
        #expect(refused == 31)
        #expect(computed + refused == file.numberOfTests)
    }

    @Test("a public key has 32 bytes")
    func publicKeyLength() {
        for length in [0, 31, 33] {
            let key = [UInt8](repeating: 9, count: length)
            let isKey = X25519.isPublicKey(key.span)
            #expect(!isKey)
        }
    }
}
