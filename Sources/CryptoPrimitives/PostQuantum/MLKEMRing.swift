/// Arithmetic of ML-KEM in the ring of polynomials of 256 coefficients modulo 3,329 (FIPS 203, 4.3).
///
/// Coefficients are signed and lie between -q and q, or nearer to zero where it is said. No operation branches on them,
/// looks anything up by them or divides them.
enum MLKEMRing {
    static var q: Int16 { 3329 }
    /// 2^32 mod q: a Montgomery product with it undoes the 2^-16 of another one.
    static var correction: Int16 { 1353 }
    /// 2^32 / 128 mod q: the same together with the division at the end of the inverse transform.
    static var inverseCorrection: Int16 { 1441 }

    /// product · 2^-16 mod q, between -q and q; |product| is below 2^15 · q.
    @inline(always)
    static func montgomery(_ product: Int32) -> Int16 {
        // -3327 is the inverse of q modulo 2^16, so the lower halves cancel and the shift is exact.
        let multiple = Int16(truncatingIfNeeded: product) &* -3327
        return Int16(truncatingIfNeeded: (product &- Int32(multiple) &* 3329) &>> 16)
    }

    /// a · b · 2^-16 mod q, between -q and q.
    @inline(always)
    static func product(_ a: Int16, _ b: Int16) -> Int16 {
        montgomery(Int32(a) &* Int32(b))
    }

    /// The number nearest to zero that is congruent to any `a`: between -1,664 and 1,664.
    @inline(always)
    static func centred(_ a: Int16) -> Int16 {
        // 20,159 is 2^26 / q, rounded.
        let quotient = Int16(truncatingIfNeeded: (Int32(a) &* 20159 &+ (1 << 25)) &>> 26)
        return a &- quotient &* q
    }

    /// The coefficient from 0 up to q that is congruent to `a`, which lies between -q and q.
    @inline(always)
    static func canonical(_ a: Int16) -> Int16 {
        a &+ (q & (a &>> 15))
    }

    /// NTT (algorithm 9) in place, from coefficients between -q and q; centred afterwards.
    static func transform(_ f: ScratchArea<Int16>) {
        var next = 1
        var length = 128
        while length >= 2 {
            var start = 0
            while start < 256 {
                let zeta = zetas[next]
                let low = f.part(start, length)
                let high = f.part(start &+ length, length)
                for j in 0..<length {
                    // Each of the seven layers adds at most q, which 16 bits hold.
                    let t = product(zeta, high[j])
                    high[j] = low[j] &- t
                    low[j] = low[j] &+ t
                }
                next &+= 1
                start &+= 2 &* length
            }
            length &>>= 1
        }
        for i in 0..<256 { f[i] = centred(f[i]) }
    }

    /// The inverse NTT (algorithm 10) of 2^16 · f in place, from coefficients between -q and q, and to such: a sum of
    /// products as `innerProduct` gives it comes out right.
    static func inverseTransform(_ f: ScratchArea<Int16>) {
        var next = 127
        var length = 2
        while length <= 128 {
            var start = 0
            while start < 256 {
                let zeta = zetas[next]
                let low = f.part(start, length)
                let high = f.part(start &+ length, length)
                for j in 0..<length {
                    let t = low[j]
                    low[j] = centred(t &+ high[j])
                    high[j] = product(zeta, high[j] &- t)
                }
                next &-= 1
                start &+= 2 &* length
            }
            length &<<= 1
        }
        for i in 0..<256 { f[i] = product(inverseCorrection, f[i]) }
    }

    /// target = 2^-16 · Σ a[j] ∘ b[j] (algorithms 11 and 12), over three pairs of polynomials in the transformed domain,
    /// with coefficients between -q and q.
    ///
    /// The polynomials of `a` lie `stride` polynomials apart, those of `b` side by side.
    static func innerProduct(
        _ a: ScratchArea<Int16>, stride: Int, _ b: ScratchArea<Int16>, into target: ScratchArea<Int16>
    ) {
        let (a0, a1, a2) = (a.part(0, 256), a.part(stride &* 256, 256), a.part(stride &* 512, 256))
        let (b0, b1, b2) = (b.part(0, 256), b.part(256, 256), b.part(512, 256))
        for i in 0..<64 {
            let zeta = zetas[64 &+ i]
            let even = 4 &* i
            multiplyPair(a0, a1, a2, b0, b1, b2, at: even, zeta, into: target)
            multiplyPair(a0, a1, a2, b0, b1, b2, at: even &+ 2, 0 &- zeta, into: target)
        }
    }

    /// The coefficients `i` and `i` + 1 of an inner product, modulo X^2 - zeta.
    ///
    /// Six products of numbers below q are less than 2^15 · q together, so one reduction is enough.
    @inline(always)
    private static func multiplyPair(
        _ a0: ScratchArea<Int16>, _ a1: ScratchArea<Int16>, _ a2: ScratchArea<Int16>,
        _ b0: ScratchArea<Int16>, _ b1: ScratchArea<Int16>, _ b2: ScratchArea<Int16>,
        at i: Int, _ zeta: Int16, into target: ScratchArea<Int16>
    ) {
        let j = i &+ 1
        var low = Int32(a0[i]) &* Int32(b0[i]) &+ Int32(a0[j]) &* Int32(product(b0[j], zeta))
        var high = Int32(a0[i]) &* Int32(b0[j]) &+ Int32(a0[j]) &* Int32(b0[i])
        low = low &+ Int32(a1[i]) &* Int32(b1[i]) &+ Int32(a1[j]) &* Int32(product(b1[j], zeta))
        high = high &+ Int32(a1[i]) &* Int32(b1[j]) &+ Int32(a1[j]) &* Int32(b1[i])
        low = low &+ Int32(a2[i]) &* Int32(b2[i]) &+ Int32(a2[j]) &* Int32(product(b2[j], zeta))
        high = high &+ Int32(a2[i]) &* Int32(b2[j]) &+ Int32(a2[j]) &* Int32(b2[i])
        target[i] = montgomery(low)
        target[j] = montgomery(high)
    }

    /// 2^16 · 17^BitRev7(i) mod q, nearest to zero (FIPS 203, appendix A).
    static let zetas: InlineArray<128, Int16> = [
        -1044, -758, -359, -1517, 1493, 1422, 287, 202, -171, 622, 1577, 182, 962, -1202, -1474, 1468,
        573, -1325, 264, 383, -829, 1458, -1602, -130, -681, 1017, 732, 608, -1542, 411, -205, -1571,
        1223, 652, -552, 1015, -1293, 1491, -282, -1544, 516, -8, -320, -666, -1618, -1162, 126, 1469,
        -853, -90, -271, 830, 107, -1421, -247, -951, -398, 961, -1508, -725, 448, -1065, 677, -1275,
        -1103, 430, 555, 843, -1251, 871, 1550, 105, 422, 587, 177, -235, -291, -460, 1574, 1653,
        -246, 778, 1159, -147, -777, 1483, -602, 1119, -1590, 644, -872, 349, 418, 329, -156, -75,
        817, 1097, 603, 610, 1322, -1285, -1465, 384, -1215, -136, 1218, -1335, -874, 220, -1187, -1659,
        -1185, -1530, -1278, 794, -1510, -854, -870, 478, -108, -308, 996, 991, 958, -1460, 1522, 1628,
    ]
}
