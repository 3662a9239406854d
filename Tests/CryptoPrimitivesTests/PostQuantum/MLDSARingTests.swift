import TestSupport
import Testing

@testable import CryptoPrimitives

@Suite("ML-DSA-65: arithmetic")
struct MLDSARingTests {
    private static let q = 8_380_417

    @Test("a Montgomery product is a · b · 2^-32 modulo q and below q, at the bounds and for random products")
    func montgomery() {
        // 8,265,825 · 2^32 = 1 modulo q.
        func check(_ product: Int64) -> Bool {
            let found = Int(MLDSARing.montgomery(product))
            return (found - Int(product) % Self.q * 8_265_825) % Self.q == 0 && abs(found) < Self.q
        }
        let bound = Int64(Self.q) << 31 - 1
        var failures = 0
        for offset in Int64(0)..<20_000 {
            for product in [bound - offset, -bound + offset, offset, -offset] where !check(product) { failures += 1 }
        }
        for _ in 0..<100_000 where !check(Int64.random(in: -bound...bound)) { failures += 1 }
        #expect(failures == 0)
    }

    @Test("a coefficient is reduced, canonical or centred, at the bounds and for random ones")
    func reductions() {
        let q = Self.q
        let bound = 1 << 31 - 1 << 23
        var values = [Int]()
        for base in [0, q, -q, q / 2, -q / 2, bound, -bound] {
            for offset in -500...500 { values.append(base + offset) }
        }
        for _ in 0..<50_000 { values.append(Int.random(in: -bound...bound)) }
        var failures = 0
        for value in values where abs(value) <= bound {
            let expected = (value % q + q) % q
            if Int(MLDSARing.reduced(Int32(value))) != expected { failures += 1 }
            if abs(value) < q, Int(MLDSARing.canonical(Int32(value))) != expected { failures += 1 }
            let centred = Int(MLDSARing.centred(Int32(expected)))
            if (centred - expected) % q != 0 || abs(centred) > q / 2 { failures += 1 }
        }
        #expect(failures == 0)
    }

    @Test("coefficients are cut into high and low parts as FIPS 204 says, around every step")
    func rounding() {
        let samples = (0...32).flatMap { step in (-300...300).map { step * 261_888 + $0 } }
        let steps = (0...1023).flatMap { step in (-3...3).map { step * 4096 * 2 + 4096 + $0 } }
        let random = (0..<20_000).map { _ in Int.random(in: 0..<Self.q) }
        checkRounding((samples + steps + random).filter { $0 >= 0 && $0 < Self.q })
    }

    @Test("every coefficient is cut as FIPS 204 says", .enabled(if: LongTests.areWanted, "eight million coefficients"))
    func allRounding() {
        for start in stride(from: 0, to: Self.q, by: 100_000) {
            checkRounding(Array(start..<min(start + 100_000, Self.q)))
        }
    }

    private func checkRounding(_ values: [Int]) {
        var failures = 0
        for value in values {
            let (high, low) = MLDSARounding.decompose(Int32(value))
            // Algorithm 36 with its division.
            var expectedLow = value % 523_776
            if expectedLow > 261_888 { expectedLow -= 523_776 }
            var expectedHigh = (value - expectedLow) / 523_776
            if value - expectedLow == Self.q - 1 {
                expectedHigh = 0
                expectedLow -= 1
            }
            if Int(high) != expectedHigh || Int(low) != expectedLow { failures += 1 }
            // Algorithm 35.
            var expectedRest = value % 8192
            if expectedRest > 4096 { expectedRest -= 8192 }
            let (top, rest) = MLDSARounding.powerOfTwo(Int32(value))
            if Int(rest) != expectedRest || Int(top) != (value - expectedRest) / 8192 { failures += 1 }
        }
        #expect(failures == 0)
    }

    @Test("a hint brings back the high part that the change took away")
    func hints() {
        for _ in 0..<20_000 {
            let r = Int32.random(in: 0..<MLDSARing.q)
            let change = Int32.random(in: -MLDSARounding.gamma2...MLDSARounding.gamma2)
            let changed = MLDSARing.reduced(r &+ change)
            let hint = MLDSARounding.hint(r, changed)
            #expect(MLDSARounding.usingHint(hint == 1, r) == MLDSARounding.decompose(changed).high)
        }
    }

    @Test("a number exceeds its bound when it is as large")
    func exceeds() {
        for (value, bound, expected) in [
            (4, 5, 0), (5, 5, -1), (-5, 5, -1), (-4, 5, 0), (0, 1, 0), (524_092, 524_092, -1), (-524_091, 524_092, 0),
        ] {
            #expect(MLDSARounding.exceeds(Int32(value), Int32(bound)) == Int32(expected))
        }
    }

    @Test("the roots are the powers of 1753 in reversed order")
    func roots() {
        for i in 0..<256 {
            let exponent = (0..<8).reduce(0) { $0 | (i >> $1 & 1) << (7 - $1) }
            let power = (0..<exponent).reduce(1) { value, _ in value * 1753 % Self.q }
            let root = Int(MLDSARing.zetas[i])
            #expect((root - power * (1 << 32 % Self.q)) % Self.q == 0 && abs(root) <= Self.q / 2)
        }
    }

    @Test("the inverse transform undoes the transform, at the bounds and for random polynomials")
    func inverse() {
        let most = MLDSARing.q - 1
        for round in 0..<20 {
            let f: [Int32] = (0..<256).map { i in
                switch round {
                case 0: most
                case 1: -most
                case 2: i.isMultiple(of: 2) ? most : -most
                default: Int32.random(in: -most...most)
                }
            }
            withArea(f) { area in
                MLDSARing.transform(area)
                #expect(area.values.allSatisfy { abs($0) < 9 * MLDSARing.q })
                for i in 0..<256 { area[i] = MLDSARing.montgomery(Int64(area[i])) }
                MLDSARing.inverseTransform(area)
                #expect(area.values.map(MLDSARing.canonical) == f.map(MLDSARing.canonical))
            }
        }
    }

    @Test("the inverse transform of the largest coefficients does not overflow")
    func largestInverse() {
        let most = MLDSARing.q - 1
        for sign in [Int32(1), -1] {
            withArea([Int32](repeating: sign * most, count: 256)) { area in
                MLDSARing.inverseTransform(area)
                // -1 in each place is the transform of the constant -1; 2^32 · that comes out.
                #expect((Int(area[0]) + Int(sign) * (1 << 32 % Self.q)) % Self.q == 0)
                #expect((1..<256).allSatisfy { Int(area[$0]) % Self.q == 0 })
            }
        }
    }

    @Test("an inner product is the sum of the products of polynomials modulo X^256 + 1")
    func innerProduct() {
        let a = (0..<1280).map { _ in Int32.random(in: 0..<MLDSARing.q) }
        let b = (0..<1280).map { _ in Int32.random(in: -(1 << 19)...(1 << 19)) }
        var expected = [Int](repeating: 0, count: 256)
        for k in 0..<5 {
            for i in 0..<256 {
                for j in 0..<256 {
                    let product = Int(a[k * 256 + i]) * Int(b[k * 256 + j]) % Self.q
                    expected[(i + j) % 256] += i + j < 256 ? product : -product
                }
            }
        }
        withArea(a) { a in
            withArea(b) { b in
                withArea([Int32](repeating: 0, count: 256)) { target in
                    for k in 0..<5 {
                        MLDSARing.transform(a.part(k * 256, 256))
                        MLDSARing.transform(b.part(k * 256, 256))
                        for i in (k * 256)..<((k + 1) * 256) { a[i] = MLDSARing.reduced(a[i]) }
                    }
                    MLDSARing.innerProduct(a, b, into: target)
                    MLDSARing.inverseTransform(target)
                    #expect((0..<256).allSatisfy { (Int(target[$0]) - expected[$0]) % Self.q == 0 })
                }
            }
        }
    }

    @Test("packed coefficients come back as they were", arguments: [(4, 4), (10, 0), (13, 4096), (20, 524_288)])
    func packing(bits: Int, high: Int32) {
        let reflection: Int32? = high == 0 ? nil : high
        let range = high == 0 ? 0...Int32(1 << bits - 1) : (high - Int32(1 << bits - 1))...high
        let f = (0..<256).map { i in i == 0 ? range.lowerBound : i == 1 ? range.upperBound : Int32.random(in: range) }
        withArea(f) { f in
            withArea([UInt8](repeating: 0, count: 32 * bits)) { bytes in
                withArea([Int32](repeating: 0, count: 256)) { back in
                    MLDSACoding.pack(f, bits: bits, reflectedAt: reflection, into: bytes)
                    MLDSACoding.unpack(bytes, bits: bits, reflectedAt: reflection, into: back)
                    #expect(back.values == f.values)
                    // The first coefficient is in the lowest bits.
                    let first = Int32(bytes[0]) & Int32(min(255, 1 << bits - 1))
                    #expect(first == (reflection.map { $0 - f[0] } ?? f[0]) & Int32(min(255, 1 << bits - 1)))
                    if bits == 20 {
                        MLDSACoding.unpackMask(bytes, into: back)
                        #expect(back.values == f.values)
                    }
                }
            }
        }
    }

    @Test("hints that nobody packs are refused: too many, unordered, twice, behind the end")
    func hintEncoding() {
        func isTaken(_ change: (inout [UInt8]) -> Void) -> Bool {
            var packed = [UInt8](repeating: 0, count: 61)
            (packed[0], packed[1], packed[2]) = (3, 200, 7)
            for polynomial in 0..<6 { packed[55 + polynomial] = polynomial == 0 ? 2 : 3 }
            change(&packed)
            return withArea(packed) { bytes in
                withArea([UInt8](repeating: 9, count: 1536)) { hints in
                    guard MLDSACoding.unpackHints(bytes, into: hints) else { return false }
                    withArea([UInt8](repeating: 9, count: 61)) { again in
                        MLDSACoding.packHints(hints, into: again)
                        #expect(again.values == packed)
                    }
                    return true
                }
            }
        }
        #expect(isTaken { _ in })
        #expect(!isTaken { ($0[0], $0[1]) = (200, 3) })
        #expect(!isTaken { ($0[0], $0[1]) = (200, 200) })
        #expect(!isTaken { $0[54] = 1 })
        #expect(!isTaken { $0[60] = 56 })
        #expect(!isTaken { $0[57] = 2 })
        #expect(!isTaken { $0[60] = 2 })
    }

    @Test("bytes that do not suffice for a polynomial are told, which no published vector reaches")
    func tooFewBytes() {
        withArea([Int32](repeating: 1, count: 256)) { target in
            func uniform(_ bytes: [UInt8]) -> Bool { MLDSACoding.sampleUniform(bytes.span, into: target) }
            #expect(uniform([UInt8](repeating: 0, count: 768)) && target.values == [Int32](repeating: 0, count: 256))
            #expect(!uniform([UInt8](repeating: 0, count: 767)))
            // 23 bits of ones are above q, q itself is not below it, q - 1 is.
            #expect(!uniform([UInt8](repeating: 0xff, count: 840)))
            #expect(!uniform((0..<256).flatMap { _ in [0x01, 0xe0, 0x7f] as [UInt8] }))
            #expect(uniform((0..<256).flatMap { _ in [0x00, 0xe0, 0xff] as [UInt8] }))

            func challenge(_ bytes: [UInt8]) -> Bool {
                withArea(bytes) { MLDSACoding.sampleChallenge($0, into: target) }
            }
            let signs = [UInt8](repeating: 0, count: 8)
            #expect(!challenge(signs + [UInt8](repeating: 0xff, count: 48)))
            #expect(challenge(signs + [UInt8](repeating: 0, count: 49)))
            #expect(!challenge(signs + [UInt8](repeating: 0, count: 48)))

            func bounded(_ bytes: [UInt8]) -> Bool {
                withArea(bytes) { bytes in
                    withArea([UInt8](repeating: 7, count: 2 * bytes.count)) { verdicts in
                        MLDSACoding.judge(bytes, into: verdicts)
                        return MLDSACoding.sampleBounded(bytes, verdicts, into: target)
                    }
                }
            }
            #expect(bounded([UInt8](repeating: 0x80, count: 128)))
            #expect(target.values == (0..<256).map { $0 % 2 == 0 ? 4 : -4 })
            #expect(!bounded([UInt8](repeating: 0x80, count: 127)))
            #expect(!bounded([UInt8](repeating: 0x99, count: 272)))
        }
    }
}
