/// How ML-DSA-65 cuts coefficients into high and low parts (FIPS 204, 7.4), with d = 13 and γ2 = (q - 1) / 32.
///
/// Coefficients are from 0 up to q; nothing branches on them or divides them.
enum MLDSARounding {
    static var gamma2: Int32 { 261_888 }

    /// Power2Round (algorithm 35): r = high · 2^13 + low, low above -2^12 and at most 2^12.
    @inline(always)
    static func powerOfTwo(_ r: Int32) -> (high: Int32, low: Int32) {
        let high = (r &+ 4095) &>> 13
        return (high, r &- high &<< 13)
    }

    /// Decompose (algorithm 36): r = high · 2γ2 + low modulo q, high from 0 to 15.
    @inline(always)
    static func decompose(_ r: Int32) -> (high: Int32, low: Int32) {
        // 33,587,233 is 2^44 / 2γ2, rounded up: right for every r, as the tests see.
        let scaled = UInt64(UInt32(bitPattern: r &+ gamma2 &- 1)) &* 33_587_233
        let quotient = Int32(truncatingIfNeeded: scaled &>> 44)
        // The sixteenth step is the zeroth, one lower.
        return (quotient & 15, r &- quotient &* (2 &* gamma2) &- quotient &>> 4)
    }

    /// 1 where the high parts differ (MakeHint, algorithm 39), else 0.
    @inline(always)
    static func hint(_ a: Int32, _ b: Int32) -> Int32 {
        let difference = decompose(a).high ^ decompose(b).high
        return Int32(bitPattern: UInt32(bitPattern: 0 &- difference) &>> 31)
    }

    /// UseHint (algorithm 40), for public values.
    static func usingHint(_ hint: Bool, _ r: Int32) -> Int32 {
        let (high, low) = decompose(r)
        guard hint else { return high }
        return (low > 0 ? high &+ 1 : high &- 1) & 15
    }

    /// All ones when |a| is `bound` or more, else zero.
    @inline(always)
    static func exceeds(_ a: Int32, _ bound: Int32) -> Int32 {
        let sign = a &>> 31
        return (bound &- 1 &- ((a ^ sign) &- sign)) &>> 31
    }
}
