/// Finds the one byte of an AES-256-GCM box that was changed, with the key and nothing else.
///
/// The tag is linear in the ciphertext: with `S` the difference between the tag that the ciphertext has and the one that is
/// stored, and `D` what was changed in block i of m, `S = D · H^(m + 2 - i)` (NIST SP 800-38D, 6.4). `D` is computed for every
/// block; where it is a single byte, that byte is it. That another byte fits by chance has a probability of at most
/// bytes · 255 / 2^128. Whoever wants to forge a box gains no more than as many tries.
package struct GCMErrorLocator: ~Copyable {
    /// What was changed.
    package struct ChangedByte: Equatable, Sendable {
        /// In the box: nonce (12) ‖ ciphertext ‖ tag (16).
        package let offset: Int
        /// What to XOR it with.
        package let mask: UInt8
    }

    private var sealing: AESGCM
    private var decrypting: UnauthenticatedAESGCM
    /// The inverse of `H` times x^0…x^127, 16 bytes each: a multiplication by it is 128 selections.
    private let inverse: SecretBytes

    package init(key: borrowing SecretBytes) throws(AEADError) {
        let sealing = try AESGCM(key: key)
        var decrypting = try UnauthenticatedAESGCM(key: key)
        let subkey = try decrypting.hashSubkey()
        let table = try Self.table(subkey)
        self.sealing = sealing
        self.decrypting = decrypting
        inverse = table
    }

    /// The byte that makes the box authentic when it is changed back; nil when there is none, or more than one. The nonce is
    /// taken as it stands.
    package mutating func changedByte(of box: [UInt8]) throws(AEADError) -> ChangedByte? {
        guard box.count > AEADSize.overhead else { return nil }
        let textEnd = box.count - AEADSize.tag
        let nonce = Array(box[..<AEADSize.nonce])
        var text = Array(box[AEADSize.nonce..<textEnd])
        var span = text.mutableSpan
        try decrypting.decryptWithoutProof(&span, nonce: nonce.span)
        let tag = try sealing.seal(inPlace: &span, nonce: nonce.span)
        let difference = GCMElement(zip(tag, box[textEnd...]).map { $0 ^ $1 })
        var found: [ChangedByte] = []
        if let byte = difference.onlyByte {
            found.append(ChangedByte(offset: textEnd + byte.place, mask: byte.value))
        }
        guard !difference.isZero else { return nil }
        let blocks = (text.count + 15) / 16
        unsafe inverse.withUnsafeBytes { table in
            // The length block stands behind the last one of the text: two steps from the tag.
            var change = unsafe difference.times(table).times(table)
            for block in stride(from: blocks - 1, through: 0, by: -1) {
                if let byte = change.onlyByte, block * 16 + byte.place < text.count {
                    found.append(ChangedByte(offset: AEADSize.nonce + block * 16 + byte.place, mask: byte.value))
                }
                if block > 0 { change = unsafe change.times(table) }
            }
        }
        return found.count == 1 ? found[0] : nil
    }

    private static func table(_ subkey: borrowing SecretBytes) throws(AEADError) -> SecretBytes {
        var shifted = subkey.withSpan { span in GCMElement(span.indices.map { span[$0] }).inverse }
        do throws(SecretMemoryError) {
            var table = try SecretBytes(count: 128 * 16)
            unsafe table.withUnsafeMutableBytes { bytes in
                for index in 0..<128 {
                    unsafe bytes.storeBytes(of: shifted.high, toByteOffset: index * 16, as: UInt64.self)
                    unsafe bytes.storeBytes(of: shifted.low, toByteOffset: index * 16 + 8, as: UInt64.self)
                    shifted.multiplyByX()
                }
            }
            return table
        } catch {
            throw .memory(error)
        }
    }
}

/// An element of GF(2^128) as GCM writes it: the first bit of the first byte is the coefficient of x^0 (SP 800-38D, 6.3).
struct GCMElement: Equatable {
    /// Bytes 0…7 and 8…15, big-endian.
    var high: UInt64
    var low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// 16 bytes.
    init(_ bytes: [UInt8]) {
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    var isZero: Bool { high | low == 0 }

    /// The byte that is not zero, if it is only one.
    var onlyByte: (place: Int, value: UInt8)? {
        guard (high == 0) != (low == 0) else { return nil }
        let half = high | low
        let place = half.leadingZeroBitCount / 8
        let shift = UInt64(56 - place * 8)
        guard half & ~(0xFF << shift) == 0 else { return nil }
        return (place + (high == 0 ? 8 : 0), UInt8(truncatingIfNeeded: half >> shift))
    }

    /// Without a branch on the bits.
    mutating func multiplyByX() {
        let carry = 0 &- (low & 1)
        low = low >> 1 | high << 63
        high = high >> 1 ^ (carry & 0xE100_0000_0000_0000)
    }

    func times(_ other: GCMElement) -> GCMElement {
        var product = GCMElement(high: 0, low: 0)
        var shifted = other
        for half in [high, low] {
            for bit in 0..<64 {
                let mask = 0 &- (half >> UInt64(63 - bit) & 1)
                product.high ^= shifted.high & mask
                product.low ^= shifted.low & mask
                shifted.multiplyByX()
            }
        }
        return product
    }

    /// Times the element that `table` was made of: it times x^0…x^127, 16 bytes each.
    func times(_ table: UnsafeRawBufferPointer) -> GCMElement {
        var product = GCMElement(high: 0, low: 0)
        var offset = 0
        var half = high
        for _ in 0..<2 {
            for bit in 0..<64 {
                let mask = 0 &- (half >> UInt64(63 &- bit) & 1)
                unsafe product.high ^= table.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & mask
                unsafe product.low ^= table.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self) & mask
                offset &+= 16
            }
            half = low
        }
        return product
    }

    /// a^(2^128 - 2), which is the inverse of any a but zero.
    var inverse: GCMElement {
        var power = times(self)
        var result = power
        for _ in 0..<126 {
            power = power.times(power)
            result = result.times(power)
        }
        return result
    }
}
