/// Shamir's secret sharing over GF(2^8), byte by byte: any `threshold` shares give the secret, fewer give nothing.
///
/// Each byte of the secret is f(0) of a polynomial of degree `threshold` - 1 whose other coefficients are random; the share
/// with index i has f(i). All that is computed with secrets takes the same steps whatever they are. Indices, thresholds and
/// lengths are no secrets. Format: SophaxChat 4.7; SLIP-39 uses `value(at:of:)` in its own way.
package enum Shamir {
    /// One share would be the secret itself.
    package static let minimumThreshold = 2
    /// Indices 1 to 255; 0 is the secret's place.
    package static let maximumShares = 255

    /// Refuses numbers that the format does not know.
    package static func check(threshold: Int, total: Int) throws(ShamirError) {
        guard threshold >= minimumThreshold else { throw .thresholdTooSmall(found: threshold) }
        guard total <= maximumShares else { throw .tooManyShares(found: total, limit: maximumShares) }
        guard threshold <= total else { throw .thresholdAboveTotal(threshold: threshold, total: total) }
    }

    /// Shares `secret` among the indices 1 to `total`, with a top coefficient that has no zero byte, as the apps do it.
    ///
    /// What that costs: `threshold` - 1 shares fix all of a byte's polynomial but the top coefficient, and each of its 255
    /// values goes with another secret byte. So the holders can strike out one value of 256 for each byte of the secret, 0.36
    /// of 512 bits in all; fewer holders learn nothing at all. In return every share is needed: with a zero on top, one share
    /// less than `threshold` would have given that byte.
    package static func split(
        _ secret: borrowing SecretBytes, threshold: Int, total: Int, random: RandomSource
    ) throws(ShamirError) -> SharePoints {
        try check(threshold: threshold, total: total)
        guard secret.count > 0 else { throw .empty }
        let top = try withoutZeros(count: secret.count, random: random)
        return try split(secret, threshold: threshold, total: total, topCoefficient: top, random: random)
    }

    /// Shares `secret` with a top coefficient that the caller has chosen: as long as the secret, no byte of it zero.
    package static func split(
        _ secret: borrowing SecretBytes, threshold: Int, total: Int, topCoefficient: borrowing SecretBytes,
        random: RandomSource
    ) throws(ShamirError) -> SharePoints {
        try check(threshold: threshold, total: total)
        guard secret.count > 0 else { throw .empty }
        guard topCoefficient.count == secret.count else {
            throw .wrongLength(expected: secret.count, found: topCoefficient.count)
        }
        let length = secret.count
        let middle = try drawn((threshold - 2) * length, random)
        var shares = try SharePoints(capacity: total, length: length)
        var value = try zeros(length)
        for index in 1...total {
            let place = UInt8(truncatingIfNeeded: index)
            // Horner's rule, from the top coefficient down to the secret.
            value.withMutableSpan { value in
                topCoefficient.withSpan { top in
                    for byte in 0..<length { value[byte] = top[byte] }
                }
                middle.withSpan { middle in
                    for row in 0..<threshold - 2 {
                        for byte in 0..<length {
                            value[byte] = GF256.multiply(value[byte], place) ^ middle[row * length + byte]
                        }
                    }
                }
                secret.withSpan { secret in
                    for byte in 0..<length { value[byte] = GF256.multiply(value[byte], place) ^ secret[byte] }
                }
            }
            try shares.append(value, at: place)
        }
        return shares
    }

    /// The value at `place` of the polynomials of the lowest degree through all `points` (Lagrange).
    package static func value(at place: UInt8, of points: borrowing SharePoints) throws(ShamirError) -> SecretBytes {
        try combination(of: points) { number, places in
            var (above, below): (UInt8, UInt8) = (1, 1)
            for (other, otherPlace) in places.enumerated() where other != number {
                above = GF256.multiply(above, place ^ otherPlace)
                below = GF256.multiply(below, places[number] ^ otherPlace)
            }
            return GF256.multiply(above, GF256.inverse(below))
        }
    }

    /// The secret behind shares: the value at 0. A share with index 0 is refused.
    package static func secret(of points: borrowing SharePoints) throws(ShamirError) -> SecretBytes {
        guard !points.places.contains(0) else { throw .indexZero }
        return try value(at: 0, of: points)
    }

    /// The coefficient of x^(count - 1) of the polynomials through all `points`.
    package static func topCoefficient(of points: borrowing SharePoints) throws(ShamirError) -> SecretBytes {
        try combination(of: points) { number, places in
            var below: UInt8 = 1
            for (other, otherPlace) in places.enumerated() where other != number {
                below = GF256.multiply(below, places[number] ^ otherPlace)
            }
            return GF256.inverse(below)
        }
    }

    /// `count` random bytes, none of them zero.
    ///
    /// Not by drawing again where there is a zero, which would be a branch on a secret: each byte is 1 + ⌊255 · r / 2^64⌋ of
    /// its own 64 random bits r. No value is more likely than another by more than 2^-56.
    package static func withoutZeros(count: Int, random: RandomSource) throws(ShamirError) -> SecretBytes {
        let source = try drawn(count * 8, random)
        var result = try zeros(count)
        result.withMutableSpan { result in
            source.withSpan { source in
                for index in 0..<count {
                    var bits: UInt64 = 0
                    for byte in 0..<8 { bits = bits << 8 | UInt64(source[index * 8 + byte]) }
                    result[index] = UInt8(truncatingIfNeeded: bits.multipliedFullWidth(by: 255).high) &+ 1
                }
            }
        }
        return result
    }

    /// The sum of the rows, each times its factor; factors come from places alone and are no secrets.
    private static func combination(
        of points: borrowing SharePoints, factor: (_ number: Int, _ places: [UInt8]) -> UInt8
    ) throws(ShamirError) -> SecretBytes {
        guard points.count > 0 else { throw .empty }
        let (places, length) = (points.places, points.length)
        var sum = try zeros(length)
        sum.withMutableSpan { sum in
            points.withRows { rows in
                for number in places.indices {
                    let factor = factor(number, places)
                    for byte in 0..<length {
                        sum[byte] ^= GF256.multiply(rows[number * length + byte], factor)
                    }
                }
            }
        }
        return sum
    }

    private static func drawn(_ count: Int, _ random: RandomSource) throws(ShamirError) -> SecretBytes {
        do throws(SecretMemoryError) { return try random.secret(count) } catch { throw .memory(error) }
    }

    private static func zeros(_ count: Int) throws(ShamirError) -> SecretBytes {
        do throws(SecretMemoryError) { return try SecretBytes(count: count) } catch { throw .memory(error) }
    }
}
