import TestSupport
import Testing

@testable import CryptoPrimitives

@Suite("Argon2id")
struct Argon2idTests {
    @Test("the known answer of RFC 9106, 5.3, with secret and associated data")
    func knownAnswer() throws {
        let salt = [UInt8](repeating: 2, count: 16)
        let data = [UInt8](repeating: 4, count: 12)
        let tag = try Argon2id.derive(
            passphrase: try secret(String(repeating: "01", count: 32)), salt: salt.span,
            secret: try secret(String(repeating: "03", count: 8)), data: data.span,
            parameters: Argon2id.Parameters(uncheckedMemoryKiB: 32, passes: 3, lanes: 4), length: 32)
        #expect(tag.exposed == bytes("0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"))
    }

    @Test("the vector file's inputs give its tag", .enabled(if: SharedFolder.isThere, "needs ../shared"))
    func vectorFile() throws {
        let text = String(decoding: try sharedBytes("vectors/argon2/argon2id.txt"), as: UTF8.self)
        var fields: [String: [UInt8]] = [:]
        for line in text.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":"), !line.hasPrefix("Block") else { continue }
            let value = line[line.index(after: colon)...].filter { !$0.isWhitespace }
            guard value.utf8.count.isMultiple(of: 2), value.allSatisfy(\.isHexDigit) else { continue }
            fields[String(line[..<colon])] = bytes(value)
        }
        #expect(text.contains("Memory: 32 KiB, Iterations: 3, Parallelism: 4 lanes, Tag length: 32 bytes"))
        let passphrase = try #require(fields["Password[32]"])
        let salt = try #require(fields["Salt[16]"])
        let secretInput = try #require(fields["Secret[8]"])
        let data = try #require(fields["Associated data[12]"])
        let tag = try Argon2id.derive(
            passphrase: try SecretBytes(copying: passphrase.span), salt: salt.span,
            secret: try SecretBytes(copying: secretInput.span), data: data.span,
            parameters: Argon2id.Parameters(uncheckedMemoryKiB: 32, passes: 3, lanes: 4), length: 32)
        #expect(tag.exposed == fields["Tag"])
    }

    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let passphrase: String
        let memoryKiB: UInt32
        let passes: UInt32
        let lanes: UInt32
        let key: String
    }

    /// Computed with Python's `cryptography` 48 (OpenSSL's Argon2, another implementation); salt = bytes a0 … af.
    static let vectors: [Vector] = [
        Vector(
            testDescription: "the floor", passphrase: "correct horse battery staple",
            memoryKiB: 19_456, passes: 1, lanes: 1,
            key: "a04f8d55fc024491a0cd62bb885becec3db5fd615a052c410755913609affdc1"),
        Vector(
            testDescription: "several lanes and passes", passphrase: "correct horse battery staple",
            memoryKiB: 65_536, passes: 3, lanes: 4,
            key: "0af562fc757afb4fe36f32aa3b81309da58403613723b139d22905c9dce3ea1f"
                + "11cc8a77826ba1e4edd29b9e49dbf54f5c0472d12653c6991138bc96bad9c1fc"),
        Vector(
            testDescription: "an empty passphrase", passphrase: "",
            memoryKiB: 19_456, passes: 2, lanes: 2,
            key: "42b6a90223d7aa02059c2922faa4bd07"),
        Vector(
            testDescription: "memory that is no multiple of the lanes", passphrase: "pass\u{301}phrase",
            memoryKiB: 20_001, passes: 1, lanes: 3,
            key: "befcdfe15bbae084e42dbeba41b6be94c5a52891eebe261b87a58be697b31fc8"),
    ]

    @Test("keys of another implementation, also of an empty passphrase", arguments: vectors)
    func keys(vector: Vector) throws {
        let salt = (0xA0...0xAF).map { UInt8($0) }
        let parameters = try Argon2id.Parameters(
            memoryKiB: vector.memoryKiB, passes: vector.passes, lanes: vector.lanes)
        let expected = bytes(vector.key)
        let key = try Argon2id.derive(
            passphrase: try secret(text: vector.passphrase), salt: salt.span, parameters: parameters,
            length: expected.count)
        #expect(key.exposed == expected)
    }

    @Test("the ends of each bound are allowed, one beyond is refused by name")
    func parameterBounds() throws {
        let memory: ClosedRange<UInt32> = 19_456...2_097_152
        for found in [0, 19_455, 2_097_153, UInt32.max] {
            #expect(throws: Argon2Error.memoryKiB(allowed: memory, found: found)) {
                _ = try Argon2id.Parameters(memoryKiB: found, passes: 1, lanes: 1)
            }
        }
        for found in [0, 17, UInt32.max] {
            #expect(throws: Argon2Error.passes(allowed: 1...16, found: found)) {
                _ = try Argon2id.Parameters(memoryKiB: 19_456, passes: found, lanes: 1)
            }
            #expect(throws: Argon2Error.lanes(allowed: 1...16, found: found)) {
                _ = try Argon2id.Parameters(memoryKiB: 19_456, passes: 1, lanes: found)
            }
        }
        _ = try Argon2id.Parameters(memoryKiB: 19_456, passes: 16, lanes: 16)
        let heaviest = try Argon2id.Parameters(memoryKiB: 2_097_152, passes: 8, lanes: 1)
        #expect(heaviest.workKiB == 16_777_216)
        #expect(throws: Argon2Error.work(maximumKiB: 16_777_216, found: 18_874_368)) {
            _ = try Argon2id.Parameters(memoryKiB: 2_097_152, passes: 9, lanes: 1)
        }
        #expect(throws: Argon2Error.work(maximumKiB: 16_777_216, found: 16_777_232)) {
            _ = try Argon2id.Parameters(memoryKiB: 1_048_577, passes: 16, lanes: 1)
        }
    }

    @Test("salts and outputs of other lengths and huge passphrases are refused")
    func lengthBounds() throws {
        let parameters = try Argon2id.Parameters(memoryKiB: 19_456, passes: 1, lanes: 1)
        let passphrase = try secret(text: "x")
        let salt = [UInt8](repeating: 1, count: 16)
        for count in [0, 8, 15, 65] {
            let wrong = [UInt8](repeating: 1, count: count)
            #expect(throws: Argon2Error.saltLength(allowed: 16...64, found: count)) {
                _ = try Argon2id.derive(
                    passphrase: passphrase, salt: wrong.span, parameters: parameters, length: 32)
            }
        }
        for length in [-1, 0, 15, 1025, Int.max] {
            #expect(throws: Argon2Error.outputLength(allowed: 16...1024, found: length)) {
                _ = try Argon2id.derive(
                    passphrase: passphrase, salt: salt.span, parameters: parameters, length: length)
            }
        }
        let huge = try SecretBytes(count: (1 << 20) + 1)
        #expect(throws: Argon2Error.passphraseLength(maximum: 1 << 20, found: (1 << 20) + 1)) {
            _ = try Argon2id.derive(passphrase: huge, salt: salt.span, parameters: parameters, length: 32)
        }
    }
}
