import Testing

@testable import CryptoPrimitives

@Suite("AES-256-GCM in whole pages")
struct PageCipherTests {
    @Test("it is the same cipher as for boxes, known answers included", arguments: AESGCMTests.vectors)
    func knownAnswers(vector: AEADVector) throws {
        let cipher = try AESGCM(key: secret(vector.key))
        let nonce = bytes(vector.nonce), data = bytes(vector.data)
        var text = bytes(vector.plaintext), tag = [UInt8](repeating: 0, count: 16)
        // Page and data are never empty in a file; here they may be.
        let isSealed = text.withUnsafeMutableBytes { text in
            cipher.sealPage(
                text.baseAddress ?? scratch, count: text.count, into: text.baseAddress ?? scratch, nonce: nonce,
                authenticating: data, dataCount: data.count, tag: &tag)
        }
        #expect(isSealed)
        #expect(text == bytes(vector.ciphertext))
        #expect(tag == bytes(vector.tag))
        let isOpened = text.withUnsafeMutableBytes { text in
            cipher.openPage(
                text.baseAddress ?? scratch, count: text.count, into: text.baseAddress ?? scratch, nonce: nonce,
                authenticating: data, dataCount: data.count, tag: tag)
        }
        #expect(isOpened)
        #expect(text == bytes(vector.plaintext))
    }

    @Test("one changed bit anywhere is refused, and leaves zeros")
    func changedBits() throws {
        let cipher = try AESGCM(key: SecretBytes(randomCount: 32))
        let nonce = Random.bytes(12), data = Random.bytes(8)
        let plain = Random.bytes(4064)
        var box = plain, tag = [UInt8](repeating: 0, count: 16)
        let isSealed = cipher.sealPage(
            plain, count: 4064, into: &box, nonce: nonce, authenticating: data, dataCount: 8, tag: &tag)
        #expect(isSealed)
        func opens(_ box: [UInt8], _ nonce: [UInt8], _ data: [UInt8], _ tag: [UInt8]) -> Bool {
            var result = box
            let isOpened = cipher.openPage(
                box, count: 4064, into: &result, nonce: nonce, authenticating: data, dataCount: 8, tag: tag)
            #expect(result == (isOpened ? plain : [UInt8](repeating: 0, count: 4064)))
            return isOpened
        }
        #expect(opens(box, nonce, data, tag))
        for place in stride(from: 0, to: 4064, by: 61) { #expect(!opens(flipped(box, place), nonce, data, tag)) }
        for place in 0..<12 { #expect(!opens(box, flipped(nonce, place), data, tag)) }
        for place in 0..<8 { #expect(!opens(box, nonce, flipped(data, place), tag)) }
        for place in 0..<16 { #expect(!opens(box, nonce, data, flipped(tag, place))) }
        #expect(opens(box, nonce, data, tag))
    }

    @Test("the keystream behind a text is what GCM itself would encrypt the next bytes with")
    func keystream() throws {
        let key = try SecretBytes(randomCount: 32)
        var cipher = try AESGCM(key: key)
        let block = try AESBlock(key: key)
        let nonce = Random.bytes(12)
        // Text of zeros is the keystream; its first block has the counter 2.
        let box = try cipher.sealCombined([UInt8](repeating: 0, count: 16 * 300).span, nonce: nonce.span)
        for counter in [2, 3, 255, 256, 301] {
            let place = 12 + 16 * (counter - 2)
            let expected = box[place..<(place + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            #expect(block.keystream(nonce: nonce, counter: UInt32(counter)) == expected)
        }
    }

    private let scratch = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)

    private func flipped(_ bytes: [UInt8], _ place: Int) -> [UInt8] {
        var bytes = bytes
        bytes[place] ^= 1 << UInt8(place % 8)
        return bytes
    }
}
