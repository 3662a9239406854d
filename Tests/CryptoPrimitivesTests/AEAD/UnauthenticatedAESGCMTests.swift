import Testing

@testable import CryptoPrimitives

@Suite("AES-256-GCM without its tag")
struct UnauthenticatedAESGCMTests {
    /// Test case 15 of "The Galois/Counter Mode of Operation" (McGrew and Viega), appendix B.
    private static let key = bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
    private static let nonce = bytes("cafebabefacedbaddecaf888")
    private static let text = bytes(
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
            + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255")
    private static let ciphertext = bytes(
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
            + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad")

    private func opened(_ ciphertext: [UInt8]) throws -> [UInt8] {
        var cipher = try UnauthenticatedAESGCM(key: SecretBytes(copying: Self.key.span))
        var text = ciphertext
        var span = text.mutableSpan
        try cipher.decryptWithoutProof(&span, nonce: Self.nonce.span)
        return text
    }

    @Test("the published text comes out")
    func published() throws {
        #expect(try opened(Self.ciphertext) == Self.text)
    }

    @Test("a beginning of the ciphertext gives the beginning of the text", arguments: [0, 1, 15, 16, 17, 63])
    func beginnings(count: Int) throws {
        #expect(try opened(Array(Self.ciphertext.prefix(count))) == Array(Self.text.prefix(count)))
    }

    @Test("a changed bit changes that bit of the text and no other")
    func changedBit() throws {
        var changed = Self.ciphertext
        changed[20] ^= 4
        var expected = Self.text
        expected[20] ^= 4
        #expect(try opened(changed) == expected)
    }

    @Test("a nonce or key of another length is refused")
    func lengths() throws {
        #expect(throws: AEADError.keyLength(expected: 32, found: 16)) {
            _ = try UnauthenticatedAESGCM(key: SecretBytes(copying: Array(Self.key.prefix(16)).span))
        }
        var cipher = try UnauthenticatedAESGCM(key: SecretBytes(copying: Self.key.span))
        var text = Self.ciphertext
        let nonce = [UInt8](repeating: 0, count: 16)
        #expect(throws: AEADError.nonceLength(expected: 12, found: 16)) {
            var span = text.mutableSpan
            try cipher.decryptWithoutProof(&span, nonce: nonce.span)
        }
    }

    @Test("the hash subkey is the published one")
    func subkey() throws {
        var cipher = try UnauthenticatedAESGCM(key: SecretBytes(copying: Self.key.span))
        let subkey = try cipher.hashSubkey().exposed
        #expect(subkey == bytes("acbef20579b4b8ebce889bac8732dad7"))
    }
}
