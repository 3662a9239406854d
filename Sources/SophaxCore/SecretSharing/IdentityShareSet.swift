import CryptoPrimitives

/// An identity shared among friends, and put together again. Format: SophaxChat 4.7 and sxkey-formats(5).
package enum IdentityShareSet {
    /// So many choices of shares are tried to find those that do not fit.
    private static let maximumChoices = 500

    /// What shares gave.
    package struct Combined: ~Copyable, Sendable {
        /// Its user name is empty: see `owner`.
        package let identity: Identity
        /// The shares prove that this is what was shared; else only a comparison with the public keys does.
        package let isProven: Bool
        /// Places of shares that were given but do not fit: changed, not of this set, or said to be another identity's.
        package let strays: [Int]
        /// What the shares say whose they are.
        package let owner: IdentityShare.Owner?
    }

    /// Shares `identity`: any `threshold` of the `total` shares give its keys.
    ///
    /// - Parameter createdAt: seconds since 2001, whole ones.
    package static func split(
        _ identity: borrowing Identity, name: [UInt8], threshold: Int, total: Int, createdAt: Double,
        random: RandomSource
    ) throws(IdentityShareSetError) -> [IdentityShare] {
        do throws(ShamirError) { try Shamir.check(threshold: threshold, total: total) } catch {
            throw .numbers(error)
        }
        let (needed, count) = (UInt8(truncatingIfNeeded: threshold), UInt8(truncatingIfNeeded: total))
        let id = ShareSetID.newID(random)
        guard let set = ShareSetID(id: id, threshold: needed, total: count) else { throw .libraryFailure }
        let secret: SecretBytes
        do throws(SecretMemoryError) { secret = try IdentitySecret.of(identity) } catch { throw .memory(error) }
        let owner = IdentityShare.Owner(name: name, fingerprint: identity.fingerprint).shortened
        var made: SecretBytes?
        do throws(ShamirError) { made = try ShareCheck.coefficient(for: secret, set, random: random) } catch {
            throw IdentityShareSetError(error)
        }
        // A source of random bytes that always gives the same.
        guard let top = made.take() else { throw .libraryFailure }
        do throws(ShamirError) {
            let points = try Shamir.split(
                secret, threshold: threshold, total: total, topCoefficient: top, random: random)
            var shares: [IdentityShare] = []
            for number in 0..<total {
                shares.append(
                    IdentityShare(
                        id: id, index: points.places[number], threshold: needed, total: count,
                        data: try points.row(number), createdAt: createdAt, owner: owner))
            }
            return shares
        } catch {
            throw IdentityShareSetError(error)
        }
    }

    /// The secret behind shares, of which there may be more than are needed.
    ///
    /// What is proven is that the shares that were used are whole and of one set, and not whose set: whoever holds one share
    /// knows the id and the numbers, and can make enough others of his own. Where some do not fit, the search goes on to an
    /// identity that is `wanted`.
    /// - Throws: `.rivals` where several sets prove themselves and none of them is wanted.
    package static func combine(
        _ shares: [IdentityShare], wanted: (Fingerprint) -> Bool = { _ in true }
    ) throws(IdentityShareSetError) -> Combined {
        let members = try members(of: shares)
        let first = shares[members[0]]
        let needed = Int(first.threshold)
        let indices = Set(members.map { shares[$0].index })
        guard indices.count >= needed else { throw .tooFew(found: indices.count, needed: needed) }
        let set = ShareSetID(id: first.id, threshold: first.threshold, total: first.total)
        var seen: [Judged] = []
        while seen.count < maximumSets, let judged = try next(after: seen, among: shares, members, needed, set) {
            if judged.contradicted == nil, judged.strays.isEmpty || wanted(judged.fingerprint) {
                return try combined(points(judged.chosen.map { shares[$0] }), isProven: true, judged)
            }
            seen.append(judged)
        }
        let proven = seen.filter { $0.contradicted == nil }
        guard proven.count < 2 else {
            throw .rivals(proven.map { .init(fingerprint: $0.fingerprint, places: $0.fitting.sorted()) })
        }
        if let judged = proven.first {
            return try combined(points(judged.chosen.map { shares[$0] }), isProven: true, judged)
        }
        if let judged = seen.first, let stated = judged.contradicted {
            throw .otherOwner(stated: stated, found: judged.fingerprint)
        }
        // Where nothing of sxkey's is left in the shares, an app may have made them, and only their likeness is to be seen.
        guard members.count == shares.count, indices.count == shares.count, shares.allSatisfy({ $0.owner == nil })
        else { throw .wrong }
        let points = try points(Array(shares.prefix(needed)))
        let judged = try judge(points, Array(0..<needed), among: shares, members)
        guard judged.strays.isEmpty else { throw .wrong }
        return try combined(points, isProven: false, judged)
    }

    /// Shares of one set at most: all that there can be, and as many of some other sets as are told from it.
    static let maximumGiven = maximumSets * Shamir.maximumShares

    /// So many sets are told from each other.
    private static let maximumSets = 4

    /// The next choice that proves itself and is not of a set that was seen.
    ///
    /// What fits no such set is tried first, so that many shares of one set do not hide those of another; but a share may be of
    /// two, as the one that a holder has and puts among those that he makes.
    private static func next(
        after seen: [Judged], among shares: [IdentityShare], _ members: [Int], _ needed: Int, _ set: ShareSetID?
    ) throws(IdentityShareSetError) -> Judged? {
        let known = seen.reduce(into: Set<Int>()) { $0.formUnion($1.fitting) }
        let order = members.filter { !known.contains($0) } + members.filter { known.contains($0) }
        var choices = ShareChoices(of: order.count, count: needed)
        var tries = 0
        while let choice = choices.next(), tries < maximumChoices {
            tries += 1
            let chosen = choice.map { order[$0] }
            guard Set(chosen.map { shares[$0].index }).count == needed,
                !seen.contains(where: { $0.fitting.isSuperset(of: chosen) })
            else { continue }
            let points = try points(chosen.map { shares[$0] })
            if try isProven(points, set) { return try judge(points, chosen, among: shares, members) }
        }
        return nil
    }

    /// What can be said of the identity that some shares give.
    private struct Judged {
        /// Places of the shares that were used.
        let chosen: [Int]
        let fingerprint: Fingerprint
        /// Places of all that lie on the same polynomials.
        let fitting: Set<Int>
        let strays: [Int]
        let owner: IdentityShare.Owner?
        /// Whose they say they are, where all that fit and say it say something else.
        let contradicted: Fingerprint?
    }

    private static func combined(
        _ points: borrowing SharePoints, isProven: Bool, _ judged: Judged
    ) throws(IdentityShareSetError) -> Combined {
        Combined(
            identity: try identity(of: points), isProven: isProven, strays: judged.strays, owner: judged.owner)
    }

    private static func identity(of points: borrowing SharePoints) throws(IdentityShareSetError) -> Identity {
        let secret: SecretBytes
        do throws(ShamirError) { secret = try Shamir.secret(of: points) } catch { throw IdentityShareSetError(error) }
        do throws(IdentityError) { return try IdentitySecret.identity(secret, username: "") } catch {
            if case .memory(let memory) = error { throw .memory(memory) }
            throw .libraryFailure
        }
    }

    /// - Parameter members: places of the shares that agree on the numbers.
    private static func judge(
        _ points: borrowing SharePoints, _ chosen: [Int], among shares: [IdentityShare], _ members: [Int]
    ) throws(IdentityShareSetError) -> Judged {
        let fingerprint = try identity(of: points).fingerprint
        var fitting: Set<Int> = []
        for place in members where try fits(shares[place], points) { fitting.insert(place) }
        let owners = fitting.sorted().compactMap { shares[$0].owner }
        let own = owners.filter { $0.fingerprint == fingerprint }
        let right = fitting.filter { shares[$0].owner.map { $0.fingerprint == fingerprint } ?? true }
        return Judged(
            chosen: chosen, fingerprint: fingerprint, fitting: fitting,
            strays: shares.indices.filter { !right.contains($0) }, owner: mostNamed(own),
            contradicted: own.isEmpty ? owners.first?.fingerprint : nil)
    }

    /// The name that most of them say: one of them may say another.
    private static func mostNamed(_ owners: [IdentityShare.Owner]) -> IdentityShare.Owner? {
        let counts = Dictionary(grouping: owners, by: \.name).mapValues(\.count)
        return owners.max { (counts[$0.name] ?? 0) < (counts[$1.name] ?? 0) }
    }

    /// Whether the top coefficient is the one that sxkey made for the secret.
    private static func isProven(
        _ points: borrowing SharePoints, _ set: ShareSetID?
    ) throws(IdentityShareSetError) -> Bool {
        guard let set else { return false }
        let secret: SecretBytes
        do throws(ShamirError) { secret = try Shamir.secret(of: points) } catch { throw IdentityShareSetError(error) }
        let coefficient: SecretBytes
        do throws(ShamirError) { coefficient = try Shamir.topCoefficient(of: points) } catch {
            throw IdentityShareSetError(error)
        }
        do throws(SecretMemoryError) { return try ShareCheck.isCoefficient(coefficient, of: secret, set) } catch {
            throw .memory(error)
        }
    }

    /// The places of the shares of the set that agree on its numbers; one that says something else is none of them where the
    /// others are enough. UUIDs are written in either case.
    private static func members(of shares: [IdentityShare]) throws(IdentityShareSetError) -> [Int] {
        guard !shares.isEmpty else { throw .noShares }
        var (ids, known): ([[UInt8]], Set<[UInt8]>) = ([], [])
        for share in shares where known.insert(share.id.map(upper)).inserted { ids.append(share.id) }
        guard ids.count == 1 else { throw .severalSets(ids) }
        guard shares.count <= maximumGiven else { throw .tooMany(found: shares.count, limit: maximumGiven) }
        for (place, share) in shares.enumerated() {
            let isRepeated = shares[..<place].contains { $0.index == share.index && $0.data.isEqual(to: share.data) }
            if isRepeated { throw .repeated(index: share.index) }
        }
        let groups = Dictionary(grouping: shares.indices) { place in
            [Int(shares[place].threshold), Int(shares[place].total), shares[place].data.count]
        }
        let enough = groups.filter { numbers, places in Set(places.map { shares[$0].index }).count >= numbers[0] }
        guard groups.count == 1 || enough.count == 1,
            let members = groups.count == 1 ? groups.values.first : enough.values.first
        else { throw .contradictory }
        let length = shares[members[0]].data.count
        guard length == IdentitySecret.length else { throw .secretLength(found: length) }
        return members.sorted()
    }

    private static func upper(_ byte: UInt8) -> UInt8 { (0x61...0x7A).contains(byte) ? byte & ~0x20 : byte }

    private static func points(_ shares: [IdentityShare]) throws(IdentityShareSetError) -> SharePoints {
        do throws(ShamirError) {
            var points = try SharePoints(capacity: shares.count, length: IdentitySecret.length)
            for share in shares { try points.append(share.data, at: share.index) }
            return points
        } catch {
            throw IdentityShareSetError(error)
        }
    }

    /// Whether a share lies on the polynomials through the points.
    private static func fits(
        _ share: IdentityShare, _ points: borrowing SharePoints
    ) throws(IdentityShareSetError) -> Bool {
        do throws(ShamirError) {
            return try share.data.isEqual(to: Shamir.value(at: share.index, of: points))
        } catch {
            throw IdentityShareSetError(error)
        }
    }
}

/// All choices of some things among many, by the highest number in them: 012, then 013, 023, 123, then all others with 4.
///
/// So what comes first leaves out none of the first ones, then one of them, then two. With b bad ones among the first M + b a
/// choice without them comes after C(M + b, b) at the latest, however many there are behind.
struct ShareChoices {
    private let total: Int
    private var choice: [Int]
    private var isFirst = true

    init(of total: Int, count: Int) {
        self.total = total
        choice = Array(0..<count)
    }

    mutating func next() -> [Int]? {
        if isFirst {
            isFirst = false
            return choice
        }
        let movable = choice.indices.first { place in
            choice[place] + 1 < (place + 1 < choice.count ? choice[place + 1] : total)
        }
        guard let place = movable else { return nil }
        choice[place] += 1
        for earlier in 0..<place { choice[earlier] = earlier }
        return choice
    }
}
