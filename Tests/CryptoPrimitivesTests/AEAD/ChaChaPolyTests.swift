import Testing

@testable import CryptoPrimitives

@Suite("ChaCha20-Poly1305")
struct ChaChaPolyTests {
    /// RFC 8439, 2.8.2.
    static let vector = AEADVector(
        testDescription: "RFC 8439, 2.8.2",
        key: "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
        nonce: "070000004041424344454647",
        plaintext: "4c616469657320616e642047656e746c656d656e206f662074686520636c617373206f66202739393a204966204920"
            + "636f756c64206f6666657220796f75206f6e6c79206f6e652074697020666f7220746865206675747572652c2073756e7363"
            + "7265656e20776f756c642062652069742e",
        data: "50515253c0c1c2c3c4c5c6c7",
        ciphertext: "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da9272"
            + "8b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3f"
            + "f4def08e4b7a9de576d26586cec64b6116",
        tag: "1ae10b594f09e26a7e902ecbd0600691")

    @Test("the known answer of RFC 8439, sealed and opened")
    func knownAnswer() throws {
        var cipher = try ChaChaPoly(key: try secret(Self.vector.key))
        try expectKnownAnswer(Self.vector, &cipher)
    }

    @Test("every single flipped bit of nonce, ciphertext, tag and data is refused, and nothing is given out")
    func bitFlips() throws {
        var cipher = try ChaChaPoly(key: try secret(Self.vector.key))
        try expectBitFlipsRefused(Self.vector, &cipher)
    }

    @Test("boxes of 0 to 27 bytes are refused untouched, 28 bytes are an empty text")
    func shortBoxes() throws {
        var cipher = try ChaChaPoly(key: try secret(Self.vector.key))
        try expectShortBoxesRefused(&cipher)
    }

    @Test("every truncation of a box is refused")
    func truncations() throws {
        var cipher = try ChaChaPoly(key: try secret(Self.vector.key))
        try expectTruncationsRefused(Self.vector, &cipher)
    }

    @Test("wrong lengths of key, nonce and tag are refused by name", arguments: [0, 11, 13, 15, 17, 24, 31, 33])
    func wrongLengths(length: Int) throws {
        let wrong = [UInt8](repeating: 0, count: length)
        let nonce = [UInt8](repeating: 0, count: 12)
        let tag = [UInt8](repeating: 0, count: 16)
        let key = try SecretBytes(copying: wrong.span)
        #expect(throws: AEADError.keyLength(expected: 32, found: length)) { _ = try ChaChaPoly(key: key) }
        var cipher = try ChaChaPoly(key: try SecretBytes(count: 32))
        #expect(throws: AEADError.nonceLength(expected: 12, found: length)) {
            _ = try cipher.open(tag.span, nonce: wrong.span, tag: tag.span)
        }
        #expect(throws: AEADError.tagLength(expected: 16, found: length)) {
            _ = try cipher.open(tag.span, nonce: nonce.span, tag: wrong.span)
        }
    }
}
