import TestSupport
import Testing

@testable import CryptoPrimitives

@Suite("HKDF")
struct HKDFTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let inputKey: String
        let salt: String
        let info: String
        let pseudorandomKey: String
        let output: String
    }

    /// RFC 5869, appendix A.1 to A.3 (SHA-256).
    static let vectors = [
        Vector(
            testDescription: "A.1", inputKey: String(repeating: "0b", count: 22), salt: "000102030405060708090a0b0c",
            info: "f0f1f2f3f4f5f6f7f8f9",
            pseudorandomKey: "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
            output: "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"),
        Vector(
            testDescription: "A.2", inputKey: hexRange(0x00, 0x4F), salt: hexRange(0x60, 0xAF),
            info: hexRange(0xB0, 0xFF),
            pseudorandomKey: "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
            output: "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
                + "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"),
        Vector(
            testDescription: "A.3", inputKey: String(repeating: "0b", count: 22), salt: "", info: "",
            pseudorandomKey: "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
            output: "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"),
    ]

    private static func hexRange(_ first: Int, _ last: Int) -> String {
        (first...last).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test("the known answers of RFC 5869", arguments: vectors)
    func knownAnswers(vector: Vector) throws {
        let inputKey = try secret(vector.inputKey)
        let salt = bytes(vector.salt)
        let info = bytes(vector.info)
        let output = bytes(vector.output)
        let extracted = try HKDF.extract(inputKey: inputKey, salt: salt.span, using: .sha256)
        #expect(extracted.exposed == bytes(vector.pseudorandomKey))
        let expanded = try HKDF.expand(
            pseudorandomKey: extracted, info: info.span, length: output.count, using: .sha256)
        #expect(expanded.exposed == output)
        let derived = try HKDF.derive(
            inputKey: inputKey, salt: salt.span, info: info.span, length: output.count, using: .sha256)
        #expect(derived.exposed == output)
    }

    @Test("the ends of the allowed lengths work, one beyond is refused", arguments: [HMAC.Hash.sha256, .sha512])
    func lengths(hash: HMAC.Hash) throws {
        let key = try secret("0102")
        let nothing: [UInt8] = []
        let maximum = 255 * hash.digestLength
        let longest = try HKDF.derive(inputKey: key, length: maximum, using: hash)
        #expect(longest.count == maximum)
        let shortest = try HKDF.derive(inputKey: key, length: 1, using: hash)
        #expect(shortest.exposed == Array(longest.exposed.prefix(1)))
        for length in [-1, 0, maximum + 1, Int.max] {
            let refusal = KeyDerivationError.outputLength(allowed: 1...maximum, found: length)
            #expect(throws: refusal) { _ = try HKDF.derive(inputKey: key, length: length, using: hash) }
            #expect(throws: refusal) {
                _ = try HKDF.expand(pseudorandomKey: key, info: nothing.span, length: length, using: hash)
            }
        }
    }

    // The right values below are those of the formats document, section 12, computed with Python's `cryptography`.

    @Test("the key of the oldest backups")
    func backupKey() throws {
        let passphrase = try secret(text: "correct horse battery staple")
        let salt = (0xA0...0xBF).map { UInt8($0) }
        let key = try derive(passphrase, salt: salt, info: "sophax-backup-v1", length: 32)
        #expect(key.exposed == bytes("2ee8ffc167ec7d14c5da17ea6a5c7fb0e7695de8024929e1c61ca9dcf348693e"))
    }

    @Test("the chain of the apps' sessions, from agreed secrets to the first message key")
    func sessionChain() throws {
        let agreed = try secret(String(repeating: "ff", count: 32)).appending(try secret(Self.hexRange(0x00, 0x5F)))
        let zeros = [UInt8](repeating: 0, count: 32)
        let shared = try derive(agreed, salt: zeros, info: "SophaxChat_X3DH_v1", length: 32)
        #expect(shared.exposed == bytes("7f695515ba7c3f116f8c9d18b6d849db2314e9a1016f05670a4fb79e08cfbf77"))
        let ofAlice = try derive(shared, salt: [], info: "SophaxChat_HKAlice_v1", length: 32)
        #expect(ofAlice.exposed == bytes("50bbdadbe265f9d401922f0ff6418525a12535606a61b7709adb88addb9e5d13"))
        let ofBob = try derive(shared, salt: [], info: "SophaxChat_NHKBob_v1", length: 32)
        #expect(ofBob.exposed == bytes("d3f98ac14dc2ca7a6a239d038c5972e4aac6eca466ecf7df90035ff44552c42e"))

        let root = try derive(
            try secret(Self.hexRange(0x00, 0x1F)), salt: shared.exposed, info: "SophaxChat_RootKey_v1", length: 96)
        #expect(
            root.exposed
                == bytes(
                    "f7c39c33f67a34bac6528026ace41ac73a41155a531b91419a7b16649daa4792"
                        + "dd2e093318854e6f247085d7cdbdca18a2e3fb43149666ce58266bfefe13cc8d"
                        + "bf3602d2e718a86413dc5b4af9808816982af0a4f7e6c4a85fc81da733c73f7e"))
        let chainKey = try root.slice(32..<64)
        let one: [UInt8] = [1]
        let two: [UInt8] = [2]
        let messageKey = try HMAC.secretCode(for: one.span, key: chainKey, using: .sha256)
        #expect(messageKey.exposed == bytes("e9596a3511e1dfb729f73e5723eb44344b4547fa036e5e01f503731a47a5aedc"))
        let nextChainKey = try HMAC.secretCode(for: two.span, key: chainKey, using: .sha256)
        #expect(nextChainKey.exposed == bytes("9bd07566e2d7f0b581d8bc89928b3196029fe06a1bbdf15364666aa11051dada"))
    }

    private func derive(
        _ inputKey: borrowing SecretBytes, salt: [UInt8], info: String, length: Int
    ) throws -> SecretBytes {
        let info = Array(info.utf8)
        return try HKDF.derive(
            inputKey: inputKey, salt: salt.span, info: info.span, length: length, using: .sha256)
    }

    private struct Group: Decodable {
        struct Case: Decodable {
            let tcId: Int
            let ikm: String
            let salt: String
            let info: String
            let size: Int
            let okm: String
            let result: WycheproofResult
        }
        let tests: [Case]
    }

    @Test(
        "Wycheproof: every output agrees, every length too great is refused",
        .enabled(if: SharedFolder.isThere, "needs ../shared"),
        arguments: [(HMAC.Hash.sha256, "hkdf_sha256", 83), (.sha512, "hkdf_sha512", 80)])
    func wycheproof(hash: HMAC.Hash, name: String, expectedValid: Int) throws {
        let file = try WycheproofFile<Group>.read(name)
        var valid = 0
        var invalid = 0
        for test in file.testGroups.flatMap(\.tests) {
            let key = try secret(test.ikm)
            let salt = bytes(test.salt)
            let info = bytes(test.info)
            switch test.result {
            case .valid, .acceptable:
                let output = try HKDF.derive(
                    inputKey: key, salt: salt.span, info: info.span, length: test.size, using: hash)
                #expect(output.exposed == bytes(test.okm), "case \(test.tcId)")
                valid += 1
            case .invalid:
                let allowed = 1...(255 * hash.digestLength)
                #expect(throws: KeyDerivationError.outputLength(allowed: allowed, found: test.size)) {
                    _ = try HKDF.derive(
                        inputKey: key, salt: salt.span, info: info.span, length: test.size, using: hash)
                }
                invalid += 1
            }
        }
        #expect(valid == expectedValid)
        #expect(invalid == 3)
        #expect(valid + invalid == file.numberOfTests)
    }
}
