import TestSupport
import Testing

@testable import CryptoPrimitives

@Suite("Ed25519")
struct Ed25519Tests {
    struct Vector: Sendable {
        let seed: String
        let publicKey: String
        let message: String
        let signature: String
    }

    /// RFC 8032, 7.1, tests 1, 2, 3 and SHA(abc).
    static let vectors = [
        Vector(
            seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            message: "",
            signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
        Vector(
            seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            message: "72",
            signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
        Vector(
            seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            message: "af82",
            signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
                + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
        Vector(
            seed: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
            publicKey: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
            message: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
            signature: "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
                + "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"),
    ]

    @Test("the known answers of RFC 8032, 7.1", arguments: vectors)
    func knownAnswers(vector: Vector) throws {
        let seed = try secret(vector.seed)
        let message = bytes(vector.message)
        let publicKey = bytes(vector.publicKey)
        let signature = try Ed25519.sign(message.span, seed: seed)
        #expect(signature == bytes(vector.signature))
        #expect(try Ed25519.publicKey(ofSeed: seed) == publicKey)
        let isValid = Ed25519.isValid(signature: signature.span, for: message.span, publicKey: publicKey.span)
        #expect(isValid)
    }

    @Test("every single flipped bit of signature, message and public key is refused")
    func bitFlips() {
        let message = bytes(Self.vectors[2].message)
        let publicKey = bytes(Self.vectors[2].publicKey)
        let signature = bytes(Self.vectors[2].signature)
        forEachBitFlip(of: signature) { flipped, bit in
            let isValid = Ed25519.isValid(signature: flipped.span, for: message.span, publicKey: publicKey.span)
            #expect(!isValid, "bit \(bit) of the signature")
        }
        forEachBitFlip(of: message) { flipped, bit in
            let isValid = Ed25519.isValid(signature: signature.span, for: flipped.span, publicKey: publicKey.span)
            #expect(!isValid, "bit \(bit) of the message")
        }
        forEachBitFlip(of: publicKey) { flipped, bit in
            let isValid = Ed25519.isValid(signature: signature.span, for: message.span, publicKey: flipped.span)
            #expect(!isValid, "bit \(bit) of the public key")
        }
    }

    @Test("a signature whose S was raised by the order of the group is refused (RFC 8032, 5.1.7)")
    func malleability() {
        let message = bytes(Self.vectors[1].message)
        let publicKey = bytes(Self.vectors[1].publicKey)
        let raised = bytes(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "f52db7415978abc61b2c2eb6aeebfca0387b2eaeb4302aeeb00d291612bb0c10")
        let isValid = Ed25519.isValid(signature: raised.span, for: message.span, publicKey: publicKey.span)
        #expect(!isValid)
    }

    @Test("a public key of small order vouches for nothing")
    func smallOrder() {
        // With the neutral element as public key, R = neutral and S = 0 fit the equation for every message.
        let neutral = [1] + [UInt8](repeating: 0, count: 31)
        let signature = neutral + [UInt8](repeating: 0, count: 32)
        let message = bytes("616263")
        let isValid = Ed25519.isValid(signature: signature.span, for: message.span, publicKey: neutral.span)
        #expect(!isValid)
    }

    @Test("other lengths of signature and key are no signature, of the seed an error", arguments: [0, 31, 33, 63, 65])
    func wrongLengths(length: Int) throws {
        let vector = Self.vectors[1]
        let message = bytes(vector.message)
        let publicKey = bytes(vector.publicKey)
        let signature = bytes(vector.signature)
        let wrong = [UInt8](repeating: 1, count: length)
        let withWrongKey = Ed25519.isValid(signature: signature.span, for: message.span, publicKey: wrong.span)
        let withWrongSignature = Ed25519.isValid(signature: wrong.span, for: message.span, publicKey: publicKey.span)
        #expect(!withWrongKey && !withWrongSignature)
        let seed = try SecretBytes(copying: wrong.span)
        let refusal = SigningError.seedLength(expected: 32, found: length)
        #expect(throws: refusal) { _ = try Ed25519.publicKey(ofSeed: seed) }
        #expect(throws: refusal) { _ = try Ed25519.sign(message.span, seed: seed) }
    }

    private struct Group: Decodable {
        struct Key: Decodable { let pk: String }
        struct Case: Decodable {
            let tcId: Int
            let msg: String
            let sig: String
            let result: WycheproofResult
        }
        let publicKey: Key
        let tests: [Case]
    }

    @Test("Wycheproof: every verdict agrees", .enabled(if: SharedFolder.isThere, "needs ../shared"))
    func wycheproof() throws {
        let file = try WycheproofFile<Group>.read("ed25519")
        var valid = 0
        var invalid = 0
        for group in file.testGroups {
            let publicKey = bytes(group.publicKey.pk)
            for test in group.tests {
                let message = bytes(test.msg)
                let signature = bytes(test.sig)
                let isValid = Ed25519.isValid(
                    signature: signature.span, for: message.span, publicKey: publicKey.span)
                #expect(isValid == (test.result == .valid), "case \(test.tcId)")
                if test.result == .valid { valid += 1 } else { invalid += 1 }
            }
        }
        #expect(valid == 88)
        #expect(invalid == 63)
        #expect(valid + invalid == file.numberOfTests)
    }

    @Test("a public key is a point of the main subgroup in its one spelling")
    func publicKeys() {
        let good = bytes("03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8")
        let isGood = Ed25519.isPublicKey(good.span)
        #expect(isGood)
        // Not on the curve (y = 2, by Euler's criterion in Python), the neutral point, order 4, order 2, y = p + 1.
        let rest = String(repeating: "00", count: 31)
        for bad in [
            "02" + rest, "01" + rest, "00" + rest, "ec" + String(repeating: "ff", count: 30) + "7f",
            "ee" + String(repeating: "ff", count: 30) + "7f",
        ] {
            let key = bytes(bad)
            let isKey = Ed25519.isPublicKey(key.span)
            #expect(!isKey, "\(bad)")
        }
        for length in [0, 31, 33, 64] {
            let key = [UInt8](repeating: 3, count: length)
            let isKey = Ed25519.isPublicKey(key.span)
            #expect(!isKey)
        }
    }
}
