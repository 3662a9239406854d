import Testing

@testable import CryptoPrimitives

/// The right values were computed in Python with logarithm tables, which is another way than the code under test goes.
@Suite("GF(2^8)")
struct GF256Tests {
    @Test("the product of the formats document")
    func checkValue() {
        #expect(GF256.multiply(0x57, 0x83) == 0xC1)
    }

    @Test("all 65,536 products are those of logarithm tables")
    func products() {
        var products: [UInt8] = []
        for left in 0...255 {
            for right in 0...255 { products.append(GF256.multiply(UInt8(left), UInt8(right))) }
        }
        #expect(
            SHA256.hash(products.span) == bytes("14a1e7e77ca8a30b5bb53e6310748ce0498eb9e04ab78a44dbefb6ebfac8a84b"))
    }

    @Test("all inverses are those of logarithm tables, and 0 gives 0")
    func inverses() {
        let inverses = (0...255).map { GF256.inverse(UInt8($0)) }
        #expect(
            SHA256.hash(inverses.span) == bytes("a0b6126fef317bb998059c2fca3dddb40f2422e049866c3df87f1fde4e70a132"))
    }
}
