import CryptoPrimitives
import Testing

@testable import SophaxCore

@Suite("the seal of a message store")
struct StoreSealTests {
    private static let key: [UInt8] = Array(0...31)
    /// `[]` under the key 00…1f with the nonce c0…cb, by Python's `cryptography`.
    private static let file = bytes(hex: "c0c1c2c3c4c5c6c7c8c9cacb5b15ea272cdfa5e56e1a7d8785f4aab5c7eb")

    private func secret(_ bytes: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: bytes.span) }

    @Test("a file that another library has sealed opens, and each one that is sealed here")
    func opens() throws {
        #expect(try StoreSeal.open(Self.file, key: secret(Self.key)) == Array("[]".utf8))
        let text = Array(#"[{"id":"a"}]"#.utf8)
        let first = try StoreSeal.seal(text.span, key: secret(Self.key))
        let second = try StoreSeal.seal(text.span, key: secret(Self.key))
        #expect(first.count == text.count + 28 && first.prefix(12) != second.prefix(12))
        #expect(try StoreSeal.open(first, key: secret(Self.key)) == text)
    }

    @Test("a flipped bit anywhere, another key, and every shorter file are refused")
    func refused() throws {
        for bit in 0..<Self.file.count * 8 {
            var changed = Self.file
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: StoreSeal.Failure.notAuthentic) { try StoreSeal.open(changed, key: secret(Self.key)) }
        }
        for count in 0..<Self.file.count {
            let expected: StoreSeal.Failure = count < 28 ? .tooShort(found: count) : .notAuthentic
            #expect(throws: expected) { try StoreSeal.open(Array(Self.file.prefix(count)), key: secret(Self.key)) }
        }
        #expect(throws: StoreSeal.Failure.keyLength(found: 31)) {
            try StoreSeal.open(Self.file, key: secret(Array(0...30)))
        }
        #expect(throws: StoreSeal.Failure.keyLength(found: 33)) {
            try StoreSeal.seal(Self.file.span, key: secret(Array(0...32)))
        }
    }
}
