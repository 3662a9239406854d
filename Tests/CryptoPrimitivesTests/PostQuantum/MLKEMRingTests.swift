import Testing

@testable import CryptoPrimitives

@Suite("ML-KEM-768: arithmetic")
struct MLKEMRingTests {
    private static let q = 3329

    @Test("a Montgomery product is a · b · 2^-16 modulo q and below q, at the bounds and for random products")
    func montgomery() {
        // 169 · 2^16 = 1 modulo q.
        func check(_ product: Int32) -> Bool {
            let found = Int(MLKEMRing.montgomery(product))
            return (found - Int(product) % Self.q * 169) % Self.q == 0 && abs(found) < Self.q
        }
        let bound = Int32(32768 * Self.q - 1)
        #expect(check(bound) && check(-bound) && check(0))
        var failures = 0
        for offset in Int32(0)..<20_000 {
            for product in [bound - offset, -bound + offset, offset, -offset] where !check(product) { failures += 1 }
        }
        for _ in 0..<100_000 where !check(Int32.random(in: -bound...bound)) { failures += 1 }
        #expect(failures == 0)
    }

    @Test("every number of 16 bits is centred to the nearest congruent one")
    func centred() {
        var failures = 0
        for value in Int16.min...Int16.max {
            let found = Int(MLKEMRing.centred(value))
            if (found - Int(value)) % Self.q != 0 || abs(found) > 1664 { failures += 1 }
        }
        #expect(failures == 0)
    }

    @Test("every coefficient between -q and q has its canonical form")
    func canonical() {
        for value in Int16(-3328)...3328 {
            #expect(Int(MLKEMRing.canonical(value)) == (Int(value) + Self.q) % Self.q)
        }
    }

    @Test("compression is the nearest step, ties upwards, for every coefficient", arguments: [UInt32(1), 4, 10])
    func compression(bits: UInt32) {
        for x in 0..<Self.q {
            // round(2^d / q · x) as a fraction: floor((2 · 2^d · x + q) / 2q).
            let expected = ((x << (Int(bits) + 1)) + Self.q) / (2 * Self.q) % (1 << Int(bits))
            #expect(Int(MLKEMCoding.compress(Int16(x), bits: bits)) == expected)
        }
    }

    @Test("decompression is the nearest coefficient, ties upwards, for every step", arguments: [UInt32(1), 4, 10])
    func decompression(bits: UInt32) {
        for y in 0..<(1 << Int(bits)) {
            let expected = (2 * Self.q * y + (1 << Int(bits))) >> (Int(bits) + 1)
            let found = MLKEMCoding.decompress(UInt32(y), bits: bits)
            #expect(Int(found) == expected)
            #expect(Int(MLKEMCoding.compress(found, bits: bits)) == y)
        }
    }

    @Test("the roots are the powers of 17 in reversed order")
    func roots() {
        for i in 0..<128 {
            let exponent = (0..<7).reduce(0) { $0 | (i >> $1 & 1) << (6 - $1) }
            let power = (0..<exponent).reduce(1) { value, _ in value * 17 % Self.q }
            let root = Int(MLKEMRing.zetas[i])
            #expect((root - power * 65536) % Self.q == 0 && abs(root) <= 1664)
        }
    }

    @Test("the inverse transform undoes the transform, at the bounds and for random polynomials")
    func inverse() {
        for round in 0..<20 {
            let f: [Int16] = (0..<256).map { i in
                switch round {
                case 0: 3328
                case 1: -3328
                case 2: i.isMultiple(of: 2) ? 3328 : -3328
                default: Int16.random(in: -3328...3328)
                }
            }
            withArea(f) { area in
                MLKEMRing.transform(area)
                #expect(area.values.allSatisfy { abs($0) <= 1664 })
                // The inverse takes out 2^-16 of a product.
                for i in 0..<256 { area[i] = MLKEMRing.montgomery(Int32(area[i])) }
                MLKEMRing.inverseTransform(area)
                #expect(area.values.map(modulo) == f.map(modulo))
            }
        }
    }

    @Test("an inner product is the sum of the products of polynomials modulo X^256 + 1")
    func innerProduct() {
        for round in 0..<4 {
            let extreme: Int16? = round == 0 ? 3328 : round == 1 ? -3328 : nil
            let a = (0..<768).map { _ in extreme ?? Int16.random(in: -3328...3328) }
            let b = (0..<768).map { _ in extreme ?? Int16.random(in: -1664...1664) }
            var expected = [Int](repeating: 0, count: 256)
            for k in 0..<3 {
                for i in 0..<256 {
                    for j in 0..<256 {
                        let product = Int(a[k * 256 + i]) * Int(b[k * 256 + j])
                        expected[(i + j) % 256] += i + j < 256 ? product : -product
                    }
                }
            }
            withArea(a) { a in
                withArea(b) { b in
                    withArea([Int16](repeating: 0, count: 256)) { target in
                        for k in 0..<3 {
                            MLKEMRing.transform(a.part(k * 256, 256))
                            MLKEMRing.transform(b.part(k * 256, 256))
                        }
                        MLKEMRing.innerProduct(a, stride: 1, b, into: target)
                        MLKEMRing.inverseTransform(target)
                        let found = target.values.map { (Int($0) + Self.q) % Self.q }
                        #expect(found == expected.map { ($0 % Self.q + Self.q) % Self.q })
                    }
                }
            }
        }
    }

    @Test("an inner product of the largest coefficients does not overflow")
    func largestProduct() {
        withArea([Int16](repeating: 3328, count: 768)) { a in
            withArea([Int16](repeating: -3328, count: 768)) { b in
                withArea([Int16](repeating: 0, count: 256)) { target in
                    MLKEMRing.innerProduct(a, stride: 1, b, into: target)
                    for i in 0..<128 {
                        let power = (0..<7).reduce(1) { $0 + (i >> $1 & 1) << (7 - $1) }
                        let zeta = (0..<power).reduce(1) { value, _ in value * 17 % Self.q }
                        // 3328 · -3328 = -1 modulo q, 169 = 2^-16.
                        let low = -3 * (1 + zeta) * 169
                        #expect((Int(target[2 * i]) - low) % Self.q == 0)
                        #expect((Int(target[2 * i + 1]) + 3 * 2 * 169) % Self.q == 0)
                    }
                }
            }
        }
    }

    @Test("bytes of twelve bits come back as they were, and a message as well")
    func coding() {
        for _ in 0..<20 {
            let f = (0..<256).map { _ in Int16.random(in: -3328...3328) }
            withArea(f) { area in
                withArea([UInt8](repeating: 0, count: 384)) { bytes in
                    MLKEMCoding.encode12(area, into: bytes)
                    let values = bytes.values
                    let isReduced = MLKEMCoding.isReduced(values.span)
                    #expect(isReduced)
                    MLKEMCoding.decode12(bytes, into: area)
                    #expect(area.values.map(modulo) == f.map(modulo))
                }
            }
            let message = (0..<32).map { _ in UInt8.random(in: 0...255) }
            withArea([Int16](repeating: 0, count: 256)) { f in
                withArea(message) { bytes in
                    MLKEMCoding.addMessage(bytes, to: f)
                    #expect(f.values.allSatisfy { $0 == 0 || $0 == 1665 })
                    MLKEMCoding.decodeMessage(f, into: bytes)
                    #expect(bytes.values == message)
                }
            }
        }
    }

    @Test("small coefficients are the difference of two counts of bits")
    func sampleSmall() {
        let noise = (0..<128).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
        let bits = noise.flatMap { byte in (0..<8).map { Int16(byte >> UInt8($0) & 1) } }
        withArea([Int16](repeating: 9, count: 256)) { f in
            withArea(noise) { MLKEMCoding.sampleSmall($0, into: f) }
            for i in 0..<256 {
                #expect(f[i] == bits[4 * i] + bits[4 * i + 1] - bits[4 * i + 2] - bits[4 * i + 3])
            }
        }
    }
}
