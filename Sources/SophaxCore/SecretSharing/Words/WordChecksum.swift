import CryptoPrimitives

/// RS1024, the Reed-Solomon code that ends the words of a share: three words of ten bits. Format: SLIP-39.
///
/// It tells every error of up to three words, and with probability 1 - 10^-9 every other. No branch depends on a word.
package enum WordChecksum {
    static let words = 3

    /// The words that go before the share's own, for the checksum alone.
    static func customization(isExtendable: Bool) -> [UInt8] {
        Array((isExtendable ? "shamir_extendable" : "shamir").utf8)
    }

    /// The generator's multiples of x^0 to x^9.
    private static let generator: [UInt64] = [
        0x00E0_E040, 0x01C1_C080, 0x0383_8100, 0x0707_0200, 0x0E0E_0009, 0x1C0C_2412, 0x3808_6C24, 0x3090_FC48,
        0x21B1_F890, 0x03F3_F120,
    ]

    /// One more word of ten bits.
    package static func step(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let high = sum >> 20
        var next = (sum & 0xFFFFF) << 10 ^ word
        for (bit, multiple) in generator.enumerated() {
            next ^= multiple & OptimiserBarrier.mask(high >> UInt64(bit) & 1)
        }
        return next
    }

    /// The sum after the customization.
    package static func start(isExtendable: Bool) -> UInt64 {
        customization(isExtendable: isExtendable).reduce(1) { step($0, UInt64($1)) }
    }

    /// What the sum of all words is when the checksum fits.
    static let right: UInt64 = 1

    /// The place, counted from 1, of the one word of `count` that is wrong when its sum is `sum`; nil where no single word
    /// explains it. What the right word would be is not said: it would be taken without looking at the paper again.
    static func likelyPlace(sum: UInt64, count: Int) -> Int? {
        let wanted = sum ^ right
        // What each bit of the last word makes of the sum; the code is linear.
        var effects = (0..<10).map { UInt64(1) << UInt64($0) }
        for behind in 0..<count {
            if isSum(of: effects, wanted) { return count - behind }
            effects = effects.map { step($0, 0) }
        }
        return nil
    }

    /// Whether some of the numbers add up to `wanted` without carry (Gauss).
    private static func isSum(of numbers: [UInt64], _ wanted: UInt64) -> Bool {
        var basis: [UInt64] = []
        func reduced(_ number: UInt64) -> UInt64 { basis.reduce(number) { min($0, $0 ^ $1) } }
        for number in numbers {
            let rest = reduced(number)
            if rest != 0 {
                basis.append(rest)
                basis.sort(by: >)
            }
        }
        return reduced(wanted) == 0
    }
}
