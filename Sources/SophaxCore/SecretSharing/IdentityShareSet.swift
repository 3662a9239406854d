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
        /// Shares that were given but do not fit, each named by its index: changed, or not of this set.
        package let strays: [UInt8]
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
    package static func combine(_ shares: [IdentityShare]) throws(IdentityShareSetError) -> Combined {
        let first = try checkedFirst(of: shares)
        let needed = Int(first.threshold)
        guard shares.count >= needed else { throw .tooFew(found: shares.count, needed: needed) }
        let set = ShareSetID(id: first.id, threshold: first.threshold, total: first.total)
        var choices = ShareChoices(of: shares.count, count: needed)
        var tries = 0
        while let choice = choices.next(), tries < maximumChoices {
            tries += 1
            let points = try points(choice.map { shares[$0] })
            guard try isProven(points, set) else { continue }
            let strays = try strays(among: shares, off: points)
            return try combined(points, isProven: true, strays: strays, owner(of: shares))
        }
        // Where nothing of sxkey's is left in the shares, an app may have made them, and only their likeness is to be seen.
        guard owner(of: shares) == nil else { throw .wrong }
        let points = try points(Array(shares.prefix(needed)))
        guard try strays(among: shares, off: points).isEmpty else { throw .wrong }
        return try combined(points, isProven: false, strays: [], nil)
    }

    private static func owner(of shares: [IdentityShare]) -> IdentityShare.Owner? {
        shares.lazy.compactMap(\.owner).first
    }

    private static func combined(
        _ points: borrowing SharePoints, isProven: Bool, strays: [UInt8], _ owner: IdentityShare.Owner?
    ) throws(IdentityShareSetError) -> Combined {
        let secret: SecretBytes
        do throws(ShamirError) { secret = try Shamir.secret(of: points) } catch { throw IdentityShareSetError(error) }
        let identity: Identity
        do throws(IdentityError) { identity = try IdentitySecret.identity(secret, username: "") } catch {
            if case .memory(let memory) = error { throw .memory(memory) }
            throw .libraryFailure
        }
        if let owner, owner.fingerprint != identity.fingerprint {
            throw .otherOwner(stated: owner.fingerprint, found: identity.fingerprint)
        }
        return Combined(identity: identity, isProven: isProven, strays: strays, owner: owner)
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

    /// The first share, when all others belong to it.
    private static func checkedFirst(of shares: [IdentityShare]) throws(IdentityShareSetError) -> IdentityShare {
        guard let first = shares.first else { throw .noShares }
        var (ids, known): ([[UInt8]], Set<[UInt8]>) = ([], [])
        for share in shares where known.insert(share.id).inserted { ids.append(share.id) }
        guard ids.count == 1 else { throw .severalSets(ids) }
        var indices: Set<UInt8> = []
        let owner = shares.lazy.compactMap(\.owner).first
        for share in shares {
            guard share.threshold == first.threshold, share.total == first.total,
                share.data.count == first.data.count, share.owner == nil || share.owner == owner
            else { throw .contradictory }
            guard indices.insert(share.index).inserted else { throw .repeated(index: share.index) }
        }
        guard first.data.count == IdentitySecret.length else { throw .secretLength(found: first.data.count) }
        return first
    }

    private static func points(_ shares: [IdentityShare]) throws(IdentityShareSetError) -> SharePoints {
        do throws(ShamirError) {
            var points = try SharePoints(capacity: shares.count, length: IdentitySecret.length)
            for share in shares { try points.append(share.data, at: share.index) }
            return points
        } catch {
            throw IdentityShareSetError(error)
        }
    }

    private static func strays(
        among shares: [IdentityShare], off points: borrowing SharePoints
    ) throws(IdentityShareSetError) -> [UInt8] {
        var strays: [UInt8] = []
        do throws(ShamirError) {
            for share in shares where !points.places.contains(share.index) {
                let wanted = try Shamir.value(at: share.index, of: points)
                if !share.data.isEqual(to: wanted) { strays.append(share.index) }
            }
        } catch {
            throw IdentityShareSetError(error)
        }
        return strays
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
