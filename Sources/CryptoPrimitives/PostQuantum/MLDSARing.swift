/// Arithmetic of ML-DSA in the ring of polynomials of 256 coefficients modulo q = 8,380,417 (FIPS 204, 7.5 and 7.6).
///
/// No operation branches on coefficients, looks anything up by them or divides them.
enum MLDSARing {
    static var q: Int32 { 8_380_417 }
    /// 2^64 / 256 mod q: what the inverse transform of a Montgomery product ends with.
    static var inverseCorrection: Int32 { 41_978 }

    /// product · 2^-32 mod q, between -q and q; |product| is below 2^31 · q.
    @inline(always)
    static func montgomery(_ product: Int64) -> Int32 {
        // 58,728,449 is the inverse of q modulo 2^32, so the lower halves cancel and the shift is exact.
        let multiple = Int32(truncatingIfNeeded: product) &* 58_728_449
        return Int32(truncatingIfNeeded: (product &- Int64(multiple) &* 8_380_417) &>> 32)
    }

    /// a · b · 2^-32 mod q, between -q and q.
    @inline(always)
    static func product(_ a: Int32, _ b: Int32) -> Int32 {
        montgomery(Int64(a) &* Int64(b))
    }

    /// The coefficient from 0 up to q that is congruent to `a`, which lies between -q and q.
    @inline(always)
    static func canonical(_ a: Int32) -> Int32 {
        a &+ (q & (a &>> 31))
    }

    /// The coefficient from 0 up to q that is congruent to any `a` between -2^31 + 2^23 and 2^31 - 2^23.
    @inline(always)
    static func reduced(_ a: Int32) -> Int32 {
        // q is a little less than 2^23, so what is left lies between -q and q.
        canonical(a &- ((a &+ (1 << 22)) &>> 23) &* q)
    }

    /// The number nearest to zero that is congruent to `a`, which is from 0 up to q.
    @inline(always)
    static func centred(_ a: Int32) -> Int32 {
        a &- (q & (((q - 1) / 2 &- a) &>> 31))
    }

    /// NTT (algorithm 41) in place: coefficients between -q and q become ones between -9q and 9q.
    static func transform(_ f: ScratchArea<Int32>) {
        var next = 1
        var length = 128
        while length >= 1 {
            var start = 0
            while start < 256 {
                let zeta = zetas[next]
                let low = f.part(start, length)
                let high = f.part(start &+ length, length)
                for j in 0..<length {
                    let t = product(zeta, high[j])
                    high[j] = low[j] &- t
                    low[j] = low[j] &+ t
                }
                next &+= 1
                start &+= 2 &* length
            }
            length &>>= 1
        }
    }

    /// The inverse NTT (algorithm 42) of 2^32 · f in place, from coefficients between -q and q, and to such: a sum of
    /// products as `innerProduct` gives it comes out right.
    static func inverseTransform(_ f: ScratchArea<Int32>) {
        var next = 255
        var length = 1
        while length <= 128 {
            var start = 0
            while start < 256 {
                let zeta = zetas[next]
                let low = f.part(start, length)
                let high = f.part(start &+ length, length)
                for j in 0..<length {
                    // The sums double in each of the eight layers: 256 q is still below 2^31.
                    let t = low[j]
                    low[j] = t &+ high[j]
                    high[j] = product(zeta, high[j] &- t)
                }
                next &-= 1
                start &+= 2 &* length
            }
            length &<<= 1
        }
        for i in 0..<256 { f[i] = product(inverseCorrection, f[i]) }
    }

    /// target = 2^-32 · a ∘ b in the transformed domain, from coefficients between -9q and 9q to ones between -q and q.
    static func multiply(_ a: ScratchArea<Int32>, _ b: ScratchArea<Int32>, into target: ScratchArea<Int32>) {
        for i in 0..<256 { target[i] = product(a[i], b[i]) }
    }

    /// target = 2^-32 · Σ a[j] ∘ b[j] over five pairs of polynomials in the transformed domain, which lie side by side.
    ///
    /// The coefficients of `a` are below q, those of `b` between -9q and 9q, so the sum needs one reduction.
    static func innerProduct(
        _ a: ScratchArea<Int32>, _ b: ScratchArea<Int32>, into target: ScratchArea<Int32>
    ) {
        for i in 0..<256 { target[i] = montgomery(sum(a, b, at: i)) }
    }

    /// The same less c ∘ t, both between -9q and 9q.
    static func innerProduct(
        _ a: ScratchArea<Int32>, _ b: ScratchArea<Int32>, minus c: ScratchArea<Int32>, _ t: ScratchArea<Int32>,
        into target: ScratchArea<Int32>
    ) {
        for i in 0..<256 { target[i] = montgomery(sum(a, b, at: i) &- Int64(c[i]) &* Int64(t[i])) }
    }

    @inline(always)
    private static func sum(_ a: ScratchArea<Int32>, _ b: ScratchArea<Int32>, at i: Int) -> Int64 {
        var sum = Int64(a[i]) &* Int64(b[i])
        sum = sum &+ Int64(a[i &+ 256]) &* Int64(b[i &+ 256])
        sum = sum &+ Int64(a[i &+ 512]) &* Int64(b[i &+ 512])
        sum = sum &+ Int64(a[i &+ 768]) &* Int64(b[i &+ 768])
        return sum &+ Int64(a[i &+ 1024]) &* Int64(b[i &+ 1024])
    }

    /// 2^32 · 1753^BitRev8(i) mod q, nearest to zero (FIPS 204, appendix B).
    static let zetas: InlineArray<256, Int32> = [
        -4186625, 25847, -2608894, -518909, 237124, -777960, -876248, 466468,
        1826347, 2353451, -359251, -2091905, 3119733, -2884855, 3111497, 2680103,
        2725464, 1024112, -1079900, 3585928, -549488, -1119584, 2619752, -2108549,
        -2118186, -3859737, -1399561, -3277672, 1757237, -19422, 4010497, 280005,
        2706023, 95776, 3077325, 3530437, -1661693, -3592148, -2537516, 3915439,
        -3861115, -3043716, 3574422, -2867647, 3539968, -300467, 2348700, -539299,
        -1699267, -1643818, 3505694, -3821735, 3507263, -2140649, -1600420, 3699596,
        811944, 531354, 954230, 3881043, 3900724, -2556880, 2071892, -2797779,
        -3930395, -1528703, -3677745, -3041255, -1452451, 3475950, 2176455, -1585221,
        -1257611, 1939314, -4083598, -1000202, -3190144, -3157330, -3632928, 126922,
        3412210, -983419, 2147896, 2715295, -2967645, -3693493, -411027, -2477047,
        -671102, -1228525, -22981, -1308169, -381987, 1349076, 1852771, -1430430,
        -3343383, 264944, 508951, 3097992, 44288, -1100098, 904516, 3958618,
        -3724342, -8578, 1653064, -3249728, 2389356, -210977, 759969, -1316856,
        189548, -3553272, 3159746, -1851402, -2409325, -177440, 1315589, 1341330,
        1285669, -1584928, -812732, -1439742, -3019102, -3881060, -3628969, 3839961,
        2091667, 3407706, 2316500, 3817976, -3342478, 2244091, -2446433, -3562462,
        266997, 2434439, -1235728, 3513181, -3520352, -3759364, -1197226, -3193378,
        900702, 1859098, 909542, 819034, 495491, -1613174, -43260, -522500,
        -655327, -3122442, 2031748, 3207046, -3556995, -525098, -768622, -3595838,
        342297, 286988, -2437823, 4108315, 3437287, -3342277, 1735879, 203044,
        2842341, 2691481, -2590150, 1265009, 4055324, 1247620, 2486353, 1595974,
        -3767016, 1250494, 2635921, -3548272, -2994039, 1869119, 1903435, -1050970,
        -1333058, 1237275, -3318210, -1430225, -451100, 1312455, 3306115, -1962642,
        -1279661, 1917081, -2546312, -1374803, 1500165, 777191, 2235880, 3406031,
        -542412, -2831860, -1671176, -1846953, -2584293, -3724270, 594136, -3776993,
        -2013608, 2432395, 2454455, -164721, 1957272, 3369112, 185531, -1207385,
        -3183426, 162844, 1616392, 3014001, 810149, 1652634, -3694233, -1799107,
        -3038916, 3523897, 3866901, 269760, 2213111, -975884, 1717735, 472078,
        -426683, 1723600, -1803090, 1910376, -1667432, -1104333, -260646, -3833893,
        -2939036, -2235985, -420899, -2286327, 183443, -976891, 1612842, -3545687,
        -554416, 3919660, -48306, -1362209, 3937738, 1400424, -846154, 1976782,
    ]
}
