import TestSupport
import Testing

@testable import CryptoPrimitives

@Suite("PBKDF2-HMAC-SHA256")
struct PBKDF2Tests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let passphrase: String
        let salt: [UInt8]
        let iterations: UInt32
        let key: String
    }

    /// RFC 7914, 11; keys of the apps' formats as in the formats document, section 12 (computed with Python's
    /// `cryptography`); the last two computed with Python's `hashlib`.
    static let vectors = [
        Vector(
            testDescription: "RFC 7914, one round", passphrase: "passwd", salt: Array("salt".utf8), iterations: 1,
            key: "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"),
        Vector(
            testDescription: "RFC 7914, 80,000 rounds", passphrase: "Password", salt: Array("NaCl".utf8),
            iterations: 80_000,
            key: "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
                + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"),
        Vector(
            testDescription: "export, 600,000 rounds", passphrase: "correct horse battery staple",
            salt: (0xA0...0xBF).map { UInt8($0) }, iterations: 600_000,
            key: "7558addf56bbf5fee7c47e881561068b3a3f60125f55ae084aab324aed7c31e9"),
        Vector(
            testDescription: "export, 720,000 rounds", passphrase: "correct horse battery staple",
            salt: (0xA0...0xBF).map { UInt8($0) }, iterations: 720_000,
            key: "bb510626488764fc181f751195c2815d6cbbe82d632f9029b63d3323138a14fe"),
        Vector(
            testDescription: "PIN, 100,000 rounds", passphrase: "1234", salt: (0xA0...0xBF).map { UInt8($0) },
            iterations: 100_000, key: "51fda84ff799473c3091b9be67fe481af9482ae00f7ccf982e2774d5aab31f3c"),
        Vector(
            testDescription: "PIN, 720,000 rounds", passphrase: "1234", salt: (0xA0...0xBF).map { UInt8($0) },
            iterations: 720_000, key: "7211d8c2f17e0babf793c6eac86df62540399d359b223f548aac82557cff7b0c"),
        Vector(
            testDescription: "an empty passphrase and an empty salt", passphrase: "", salt: [], iterations: 2,
            key: "97398411d6aea43a77acef92226ab8278d4db0668bd1d7a76a725f7680ac45c5"),
        Vector(
            testDescription: "a passphrase longer than the block",
            passphrase: String(repeating: "long ", count: 40), salt: Array("salt".utf8), iterations: 3,
            key: "44a335d5ae95998c2cbf7a91731089a746eb6451e2e0ddf8aaca24f81ebf4b94"),
    ]

    @Test("known answers", arguments: vectors)
    func knownAnswers(vector: Vector) throws {
        let expected = bytes(vector.key)
        let key = try PBKDF2.deriveSHA256(
            passphrase: try secret(text: vector.passphrase), salt: vector.salt.span, iterations: vector.iterations,
            length: expected.count)
        #expect(key.exposed == expected)
    }

    @Test("the ends of the allowed numbers work, one beyond is refused")
    func bounds() throws {
        let passphrase = try secret(text: "passwd")
        let salt = Array("salt".utf8)
        for iterations in [0, UInt32(Int32.max) + 1, UInt32.max] {
            #expect(throws: KeyDerivationError.iterations(found: iterations)) {
                _ = try PBKDF2.deriveSHA256(
                    passphrase: passphrase, salt: salt.span, iterations: iterations, length: 32)
            }
        }
        let maximum = PBKDF2.maximumOutputLength
        for length in [-1, 0, maximum + 1, Int.max] {
            #expect(throws: KeyDerivationError.outputLength(allowed: 1...maximum, found: length)) {
                _ = try PBKDF2.deriveSHA256(passphrase: passphrase, salt: salt.span, iterations: 1, length: length)
            }
        }
        let longest = try PBKDF2.deriveSHA256(
            passphrase: passphrase, salt: salt.span, iterations: 1, length: maximum)
        #expect(Array(longest.exposed.prefix(64)) == bytes(Self.vectors[0].key))
        let shortest = try PBKDF2.deriveSHA256(passphrase: passphrase, salt: salt.span, iterations: 1, length: 1)
        #expect(shortest.exposed == [0x55])
    }

    private struct Group: Decodable {
        struct Case: Decodable {
            let tcId: Int
            let password: String
            let salt: String
            let iterationCount: UInt32
            let dkLen: Int
            let dk: String
            let result: WycheproofResult
        }
        let tests: [Case]
    }

    @Test("Wycheproof: every key agrees", .enabled(if: SharedFolder.isThere, "needs ../shared"))
    func wycheproof() throws {
        let file = try WycheproofFile<Group>.read("pbkdf2_hmacsha256")
        var count = 0
        for test in file.testGroups.flatMap(\.tests) {
            #expect(test.result == .valid)
            let salt = bytes(test.salt)
            let key = try PBKDF2.deriveSHA256(
                passphrase: try secret(test.password), salt: salt.span, iterations: test.iterationCount,
                length: test.dkLen)
            #expect(key.exposed == bytes(test.dk), "case \(test.tcId)")
            count += 1
        }
        #expect(count == 60)
        #expect(count == file.numberOfTests)
    }
}
