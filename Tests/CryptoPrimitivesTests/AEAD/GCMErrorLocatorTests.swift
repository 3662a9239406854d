import Testing

@testable import CryptoPrimitives

@Suite("the changed byte of a GCM box")
struct GCMErrorLocatorTests {
    private let key = [UInt8](40..<72)

    private func box(_ count: Int) throws -> [UInt8] {
        var cipher = try AESGCM(key: SecretBytes(copying: key.span))
        let text = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        return try cipher.sealCombined(text.span)
    }

    /// McGrew and Viega, appendix B, test case 2: the hash of one block and the length block.
    @Test("a multiplication is that of the published hash")
    func multiplication() {
        let subkey = GCMElement(bytes("66e94bd4ef8a2c3b884cfa59ca342b2e"))
        let first = GCMElement(bytes("0388dace60b6a392f328c2b971b2fe78")).times(subkey)
        #expect(first == GCMElement(bytes("5e2ec746917062882c85b0685353deb7")))
        let length = GCMElement(bytes("00000000000000000000000000000080"))
        let second = GCMElement(high: first.high ^ length.high, low: first.low ^ length.low).times(subkey)
        #expect(second == GCMElement(bytes("f38cbb1ad69223dcc3457ae5b6b0f885")))
        #expect(subkey.times(subkey.inverse) == GCMElement(high: 1 << 63, low: 0))
    }

    @Test("every changed byte of ciphertext and tag is found", arguments: [1, 15, 16, 17, 33, 100])
    func everyByte(count: Int) throws {
        let whole = try box(count)
        var locator = try GCMErrorLocator(key: SecretBytes(copying: key.span))
        for offset in 12..<whole.count {
            let mask = UInt8(truncatingIfNeeded: 1 &+ offset &* 37) | 1
            var changed = whole
            changed[offset] ^= mask
            #expect(try locator.changedByte(of: changed) == .init(offset: offset, mask: mask), "byte \(offset)")
        }
    }

    @Test("a box that is whole, one with two changed bytes, and one with another nonce have none")
    func none() throws {
        let whole = try box(100)
        var locator = try GCMErrorLocator(key: SecretBytes(copying: key.span))
        #expect(try locator.changedByte(of: whole) == nil)
        for (one, other) in [(20, 21), (20, 90), (30, 120), (115, 125), (0, 1), (3, 40)] {
            var changed = whole
            changed[one] ^= 0x10
            changed[other] ^= 0x01
            #expect(try locator.changedByte(of: changed) == nil, "\(one) and \(other)")
        }
        for length in 0...28 { #expect(try locator.changedByte(of: Array(whole.prefix(length))) == nil) }
    }
}
