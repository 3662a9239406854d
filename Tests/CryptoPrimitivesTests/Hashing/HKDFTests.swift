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

    /// The key of the first backups: HKDF with SHA-256, info `sophax-backup-v1`.
    ///
    /// The right value was computed with Python's `cryptography`, like the others of the formats document, section 12.
    @Test("the key of the oldest backups")
    func backupKey() throws {
        let passphrase = try secret(text: "correct horse battery staple")
        let salt = (0xA0...0xBF).map { UInt8($0) }
        let info = Array("sophax-backup-v1".utf8)
        let key = try HKDF.derive(
            inputKey: passphrase, salt: salt.span, info: info.span, length: 32, using: .sha256)
        #expect(key.exposed == bytes("2ee8ffc167ec7d14c5da17ea6a5c7fb0e7695de8024929e1c61ca9dcf348693e"))
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
        .enabled(if: SharedFolder.isPresent, "needs ../shared"),
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
