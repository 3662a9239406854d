import Glibc

@testable import CryptoPrimitives

/// The bytes of hexadecimal digits; spaces are skipped. Written apart from the code under test.
func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.utf8.filter { $0 != UInt8(ascii: " ") }.map { UInt8(String(UnicodeScalar($0)), radix: 16) ?? 255 }
    precondition(digits.count.isMultiple(of: 2) && !digits.contains(255), "not hexadecimal: \(hex)")
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// A secret with the bytes of hexadecimal digits.
func secret(_ hex: String) throws -> SecretBytes {
    let plain = bytes(hex)
    return try SecretBytes(copying: plain.span)
}

/// A secret with the bytes of a text.
func secret(text: String) throws -> SecretBytes {
    let plain = Array(text.utf8)
    return try SecretBytes(copying: plain.span)
}

extension SecretBytes {
    /// A plain copy, so that `#expect` can compare and print it.
    var exposed: [UInt8] {
        withSpan { span in span.indices.map { span[$0] } }
    }
}

/// Calls `body` with each variant of `original` in which one bit is flipped.
func forEachBitFlip(of original: [UInt8], _ body: (_ flipped: [UInt8], _ bit: Int) throws -> Void) rethrows {
    var flipped = original
    for bit in 0..<(original.count * 8) {
        flipped[bit / 8] ^= 1 << (bit % 8)
        try body(flipped, bit)
        flipped[bit / 8] ^= 1 << (bit % 8)
    }
}

/// Whether tests that need gigabytes or minutes are asked for.
let isLongRun = unsafe getenv("SXKEY_LONG") != nil
