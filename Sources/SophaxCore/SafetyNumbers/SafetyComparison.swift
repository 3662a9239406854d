/// What came out when a typed number was compared with all that the apps show.
public enum SafetyComparison: Equatable, Sendable {
    /// It is this number of the contact.
    case same(SafetyNumberPair.Proof)
    /// It is one's own number, which proves nothing about the contact.
    case own(SafetyNumberPair.Own)
    /// It is the number of another contact: his place in the list that was given.
    case otherContact(Int, SafetyNumberPair.Own)
    case different(Difference)

    /// How a number differs from the one that it is most like.
    public enum Difference: Equatable, Sendable {
        /// Fewer or more digits than any number has; 30 or 60 is the nearest. `near` is known when only that differs.
        case count(found: Int, expected: Int, near: Miscount?)
        /// The two halves stand in the wrong order.
        case halvesSwapped(SafetyNumberPair.Proof)
        /// Right but for these groups, less than half of them. Counted from 0.
        case groups([Group], of: SafetyNumberPair.Proof)
        /// Not like any of them.
        case everything
    }

    /// One group that is not the same.
    public struct Group: Equatable, Sendable {
        public let index: Int
        /// Five ASCII digits each.
        public let expected: String
        public let found: String
    }

    /// All digits right, except that one was left out or typed twice in this group, counted from 0.
    public struct Miscount: Equatable, Sendable {
        public let group: Int
        public let proof: SafetyNumberPair.Proof
    }

    /// Compares `typed` with the numbers of a pair, then, to say what it is instead, with those of other people.
    ///
    /// Every number is looked at to its last digit, whatever was found before.
    public init(_ typed: TypedSafetyNumber, with pair: SafetyNumberPair, others: [IdentityPublicKeys] = []) {
        var result: SafetyComparison?
        for (index, keys) in others.enumerated().reversed() {
            for own in SafetyNumberPair.Own.allCases.reversed()
            where Self.isEqual(typed.digits, SafetyNumberPair.number(own, of: keys).digits) {
                result = .otherContact(index, own)
            }
        }
        for own in SafetyNumberPair.Own.allCases.reversed()
        where Self.isEqual(typed.digits, pair.number(own).digits) {
            result = .own(own)
        }
        for proof in SafetyNumberPair.Proof.allCases.reversed()
        where Self.isEqual(typed.digits, pair.number(proof).digits) {
            result = .same(proof)
        }
        self = result ?? .different(Self.difference(typed, pair))
    }

    /// Without a branch that depends on the digits; the lengths are no secret.
    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }

    // MARK: - How they differ

    private static func difference(_ typed: TypedSafetyNumber, _ pair: SafetyNumberPair) -> Difference {
        let candidates = SafetyNumberPair.Proof.allCases.map { (proof: $0, digits: pair.number($0).digits) }
        let sizes = Set(candidates.map(\.digits.count)).sorted()
        guard sizes.contains(typed.digits.count) else {
            let nearest = sizes.min { abs($0 - typed.digits.count) < abs($1 - typed.digits.count) } ?? 0
            var near: Miscount?
            for (proof, digits) in candidates where near == nil {
                near = place(where: typed.digits, and: digits).map { Miscount(group: $0, proof: proof) }
            }
            return .count(found: typed.digits.count, expected: nearest, near: near)
        }
        let half = typed.digits.count / 2
        let swapped = Array(typed.digits[half...] + typed.digits[..<half])
        if let candidate = candidates.first(where: { isEqual($0.digits, swapped) }) {
            return .halvesSwapped(candidate.proof)
        }
        var best: (groups: [Group], proof: SafetyNumberPair.Proof)?
        for (proof, digits) in candidates where digits.count == typed.digits.count {
            let groups = groups(typed, digits)
            if groups.count * 2 < typed.groups.count, groups.count < best?.groups.count ?? .max {
                best = (groups, proof)
            }
        }
        return best.map { .groups($0.groups, of: $0.proof) } ?? .everything
    }

    private static func groups(_ typed: TypedSafetyNumber, _ digits: [UInt8]) -> [Group] {
        typed.groups.enumerated().compactMap { index, found in
            let start = index * TypedSafetyNumber.digitsOfGroup
            let expected = Array(digits[start..<start + TypedSafetyNumber.digitsOfGroup])
            guard found != expected else { return nil }
            return Group(
                index: index, expected: String(decoding: expected, as: UTF8.self),
                found: String(decoding: found, as: UTF8.self))
        }
    }

    /// The group in which one digit is missing or too many; nil when that is not all.
    private static func place(where typed: [UInt8], and digits: [UInt8]) -> Int? {
        guard abs(typed.count - digits.count) == 1 else { return nil }
        let (long, short) = typed.count > digits.count ? (typed, digits) : (digits, typed)
        let same = zip(long, short).prefix { $0 == $1 }.count
        guard long[(same + 1)...].elementsEqual(short[same...]) else { return nil }
        // A digit that was typed twice at the end of a group belongs to that group.
        var place = same
        if typed.count > digits.count {
            while place > 0, typed[place - 1] == typed[place] { place -= 1 }
        }
        return min(place, digits.count - 1) / TypedSafetyNumber.digitsOfGroup
    }
}

extension SafetyNumber {
    /// The digits without spaces, ASCII.
    var digits: [UInt8] {
        text.utf8.filter { $0 != UInt8(ascii: " ") }
    }
}
