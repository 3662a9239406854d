import Testing

@testable import CryptoPrimitives

@Suite("HMAC and HKDF in lent memory")
struct ShortHMACTests {
    @Test("the known answers of RFC 4231", arguments: HMACTests.vectors)
    func knownAnswers(vector: HMACTests.Vector) {
        let (key, message, expected) = (bytes(vector.key), bytes(vector.message), bytes(vector.sha256))
        var code = [UInt8](repeating: 0xEE, count: 32)
        var target = code.mutableSpan
        ShortHMAC.code(for: message.span, key: key.span, into: &target)
        #expect(Array(code.prefix(expected.count)) == expected)
    }

    @Test("keys and messages of every length to 200 have the codes of the other implementation")
    func lengths() throws {
        for length in 0...200 {
            let key = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let message = (0..<200 - length).map { UInt8(truncatingIfNeeded: $0 &* 13) }
            var code = [UInt8](repeating: 0, count: 32)
            var target = code.mutableSpan
            ShortHMAC.code(for: message.span, key: key.span, into: &target)
            let secret = try SecretBytes(copying: key.span)
            #expect(code == HMAC.code(for: message.span, key: secret, using: .sha256), "\(length)")
        }
    }

    @Test("the known answers of RFC 5869", arguments: HKDFTests.vectors)
    func derivations(vector: HKDFTests.Vector) throws {
        let (inputKey, salt, info) = (bytes(vector.inputKey), bytes(vector.salt), bytes(vector.info))
        var output = [UInt8](repeating: 0xEE, count: bytes(vector.output).count)
        var target = output.mutableSpan
        try ShortHKDF.derive(inputKey: inputKey.span, salt: salt.span, info: info.span, into: &target)
        #expect(output == bytes(vector.output))
    }

    @Test("1 to 8,160 bytes are derived, 0 and 8,161 refused")
    func outputLengths() throws {
        let key = bytes("0102")
        let secretKey = try secret("0102")
        for length in [1, 32, 33, 255 * 32] {
            var output = [UInt8](repeating: 0, count: length)
            var target = output.mutableSpan
            try ShortHKDF.derive(inputKey: key.span, into: &target)
            #expect(try HKDF.derive(inputKey: secretKey, length: length, using: .sha256).exposed == output)
        }
        for length in [0, 255 * 32 + 1] {
            var output = [UInt8](repeating: 0, count: length)
            #expect(throws: KeyDerivationError.outputLength(allowed: 1...8_160, found: length)) {
                var target = output.mutableSpan
                try ShortHKDF.derive(inputKey: key.span, into: &target)
            }
        }
    }
}
