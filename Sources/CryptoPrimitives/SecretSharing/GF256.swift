/// The field GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (0x11B), in which both the apps and SLIP-39 share secrets.
///
/// No table, no branch and no memory index depends on a value: each product takes the same eight steps, each inverse the
/// same thirteen products. Adding and subtracting are `^`.
package enum GF256 {
    /// What x^8 is, without the x^8: the polynomial 0x11B.
    private static let reduction: UInt8 = 0x1B

    /// The product of two elements.
    package static func multiply(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var product: UInt8 = 0
        var shifted = left
        var rest = right
        for _ in 0..<8 {
            product ^= shifted & mask(rest & 1)
            shifted = shifted << 1 ^ reduction & mask(shifted >> 7)
            rest >>= 1
        }
        return product
    }

    /// The element whose product with `value` is 1; 0 has none, and gives 0.
    package static func inverse(_ value: UInt8) -> UInt8 {
        // The group has 255 elements, so value^254 is the inverse: 254 = 2 + 4 + 8 + 16 + 32 + 64 + 128.
        var power = multiply(value, value)
        var result = power
        for _ in 0..<6 {
            power = multiply(power, power)
            result = multiply(result, power)
        }
        return result
    }

    /// All ones for 1, all zeros for 0.
    private static func mask(_ bit: UInt8) -> UInt8 {
        UInt8(truncatingIfNeeded: OptimiserBarrier.mask(UInt64(bit)))
    }
}
