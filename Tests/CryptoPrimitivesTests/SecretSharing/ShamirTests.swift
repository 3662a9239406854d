import Synchronization
import Testing

@testable import CryptoPrimitives

@Suite("Shamir's secret sharing")
struct ShamirTests {
    /// A random source that gives what the test has put into it, piece by piece.
    private static func random(_ pieces: [[UInt8]]) -> RandomSource {
        let next = Counter()
        return RandomSource(
            secret: { (count) throws(SecretMemoryError) in
                let piece = pieces[next.next()]
                precondition(piece.count == count, "another length was asked for")
                return try SecretBytes(copying: piece.span)
            }, bytes: { Random.bytes($0) })
    }

    private static func points(_ shares: [(UInt8, [UInt8])]) throws -> SharePoints {
        var points = try SharePoints(capacity: max(shares.count, 1), length: shares.first?.1.count ?? 1)
        for (place, row) in shares { try points.append(row.span, at: place) }
        return points
    }

    private static func rows(_ points: borrowing SharePoints) throws -> [[UInt8]] {
        var rows: [[UInt8]] = []
        for number in 0..<points.count { rows.append(try points.row(number).exposed) }
        return rows
    }

    @Test("the shares of the formats document")
    func checkValue() throws {
        let shares = try Shamir.split(
            secret("42"), threshold: 2, total: 3, topCoefficient: secret("1d"), random: Self.random([[]]))
        #expect(shares.places == [1, 2, 3])
        #expect(try Self.rows(shares) == [[0x5F], [0x78], [0x65]])
    }

    /// Shares 1 to 5 of the bytes 00 to 3f, three of which are needed, made in Python with logarithm tables.
    private static let independent = IndependentShares.self

    @Test("shares that another implementation made: split the same, and any three give the secret and the coefficient")
    func independentShares() throws {
        let own = try Shamir.split(
            SecretBytes(copying: Self.independent.secret.span), threshold: 3, total: 5,
            topCoefficient: secret(Self.independent.second), random: Self.random([bytes(Self.independent.first)]))
        #expect(try Self.rows(own) == Self.independent.shares)
        for chosen in Self.subsets(of: 5, count: 3) {
            let points = try Self.points(chosen.map { (UInt8($0 + 1), Self.independent.shares[$0]) })
            #expect(try Shamir.secret(of: points).exposed == Self.independent.secret)
            #expect(try Shamir.topCoefficient(of: points).exposed == bytes(Self.independent.second))
        }
    }

    @Test("no two of three needed shares give the secret")
    func tooFew() throws {
        for chosen in Self.subsets(of: 5, count: 2) {
            let points = try Self.points(chosen.map { (UInt8($0 + 1), Self.independent.shares[$0]) })
            let found = try Shamir.secret(of: points).exposed
            // The top coefficient is nowhere zero, so each byte is another one.
            #expect(zip(found, Self.independent.secret).allSatisfy { $0 != $1 })
        }
    }

    @Test("the points at given places come back as they are")
    func ownPlaces() throws {
        let points = try Self.points((0..<3).map { (UInt8($0 + 1), Self.independent.shares[$0]) })
        for place in 1...5 {
            #expect(try Shamir.value(at: UInt8(place), of: points).exposed == Self.independent.shares[place - 1])
        }
    }

    @Test("at the ends of the limits shares are made and give the secret", arguments: [(2, 2), (2, 255), (255, 255)])
    func limits(threshold: Int, total: Int) throws {
        let wanted: [UInt8] = [0x00, 0xFF, 0x42]
        let shares = try Shamir.split(
            SecretBytes(copying: wanted.span), threshold: threshold, total: total, random: .system)
        #expect(shares.places == (1...total).map { UInt8($0) })
        var last = try SharePoints(capacity: threshold, length: 3)
        for number in (total - threshold)..<total { try last.append(shares.row(number), at: shares.places[number]) }
        #expect(try Shamir.secret(of: last).exposed == wanted)
    }

    @Test("one beyond the limits is refused")
    func beyondLimits() throws {
        let text = try secret("00")
        #expect(throws: ShamirError.thresholdTooSmall(found: 1)) {
            _ = try Shamir.split(text, threshold: 1, total: 3, random: .system)
        }
        #expect(throws: ShamirError.thresholdTooSmall(found: Int.min)) {
            try Shamir.check(threshold: Int.min, total: 0)
        }
        #expect(throws: ShamirError.thresholdAboveTotal(threshold: 4, total: 3)) {
            _ = try Shamir.split(text, threshold: 4, total: 3, random: .system)
        }
        #expect(throws: ShamirError.tooManyShares(found: 256, limit: 255)) {
            _ = try Shamir.split(text, threshold: 2, total: 256, random: .system)
        }
        #expect(throws: ShamirError.empty) {
            _ = try Shamir.split(secret(""), threshold: 2, total: 3, random: .system)
        }
        #expect(throws: ShamirError.wrongLength(expected: 1, found: 2)) {
            _ = try Shamir.split(
                text, threshold: 2, total: 3, topCoefficient: secret("0101"), random: .system)
        }
    }

    @Test("a share at 0, a doubled index, another length and one too many are refused")
    func refusedPoints() throws {
        #expect(throws: ShamirError.indexZero) {
            _ = try Shamir.secret(of: Self.points([(1, [1]), (0, [2])]))
        }
        #expect(throws: ShamirError.repeatedIndex(7)) { _ = try Self.points([(7, [1]), (7, [1])]) }
        #expect(throws: ShamirError.wrongLength(expected: 1, found: 2)) {
            _ = try Self.points([(7, [1]), (8, [1, 2])])
        }
        #expect(throws: ShamirError.empty) {
            let none = try SharePoints(capacity: 1, length: 1)
            _ = try Shamir.secret(of: none)
        }
        #expect(throws: ShamirError.tooManyShares(found: 2, limit: 1)) {
            var one = try SharePoints(capacity: 1, length: 1)
            let row: [UInt8] = [1]
            try one.append(row.span, at: 1)
            try one.append(row.span, at: 2)
        }
    }

    @Test("only rows that were added can be taken out")
    func rows() throws {
        var points = try SharePoints(capacity: 3, length: 2)
        let row: [UInt8] = [7, 8]
        try points.append(row.span, at: 1)
        let taken = try points.row(0)
        let bytes = taken.withSpan { [$0[0], $0[1]] }
        #expect(bytes == row)
        // There is room for these, and nothing in it.
        for number in [-1, 1, 2, 3, Int.max] {
            var failure: ShamirError?
            do throws(ShamirError) { _ = try points.row(number) } catch { failure = error }
            #expect(failure == .tooManyShares(found: number, limit: 1))
        }
    }

    @Test("the top coefficient has no zero byte, and the ends of the random numbers give the ends of its values")
    func withoutZeros() throws {
        let ends = [[UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8)]
        #expect(try Shamir.withoutZeros(count: 2, random: Self.random(ends)).exposed == [1, 255])
        // 20,000 bytes miss one of 255 values once in 10^31 runs.
        let many = try Shamir.withoutZeros(count: 20_000, random: .system).exposed
        #expect(Set(many) == Set(1...255))
    }

    private static func subsets(of count: Int, count size: Int) -> [[Int]] {
        (0..<1 << count).filter { $0.nonzeroBitCount == size }.map { bits in
            (0..<count).filter { bits >> $0 & 1 == 1 }
        }
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)
        func next() -> Int {
            value.withLock { value in
                value += 1
                return value - 1
            }
        }
    }
}

/// A sharing of the bytes 00 to 3f that was made in Python with logarithm tables: three of five.
enum IndependentShares {
    static let secret = Array(UInt8(0)...63)
    static let first =
        "a54dca182530bb1d6d132cded6237b2ed91e3f721fcb1971174494d6493c9d5c"
        + "3460be31201e69fedaa0eee8b9997f5c7c2999fdafe593253cd654af4dfad714"
    static let second =
        "f7ac14c48f93cbe1d25158b25a998095cd7512d818f2467ab3ab1110bcb450a6"
        + "94ffafd37349b863e4ac5906f1775b2c9d1e7f1038c54a22be406665ebe08015"
    static let shares = [
        "52e0dcdfaea676fbb74b7e6780b7f5b4047a3fb9132c491cbcf69fdde995d3e5"
            + "80be33c17772f7ba16259dc564c30a5fd106d4dea315ef30baaf08f19a27693e",
        "a01ddd0e441f6a94b7702952c819ce31a0e224ba4a7d2706cc0b6dec48836409"
            + "2e30cf20b32622573af492f8acc3a7278a1bfc9291dd38f58e9511f1277fbd43",
        "f2fc03d2eebc1a6808325d3e44a3358ab48909104d44780d68e4e82abd0ba9f3"
            + "8eafdec2e071f3ca04f82516e42d83576b2c1a7f06fde1f20c03233b8165ea42",
        "4b005c97b836d8e128224d8baed221243d78d5eff3ad7e29814c777516582bfa"
            + "73d3f278d5a1ec98afb158c6774e0eb2c86ed1f1136880b5dd204bbb217a9724",
        "19e1824b1295a81d976039e72268da9f2913f845f494212225a3f2b3e3d0e600"
            + "d34ce39a86f63d0591bdef283fa02ac22959371c844859b25fb679718760c025",
    ].map { bytes($0) }
}
