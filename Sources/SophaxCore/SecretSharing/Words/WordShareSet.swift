import CryptoPrimitives

/// Shares of one master secret: made, and put together again. Format: SLIP-39.
package enum WordShareSet {
    /// The place of the secret, and of its digest, on the polynomials.
    private static let secretPlace: UInt8 = 255
    private static let digestPlace: UInt8 = 254
    private static let digestLength = 4

    /// `total` shares of a secret in one group, `threshold` of which are needed; extendable, 20,000 iterations.
    ///
    /// The passphrase is printable ASCII and mostly empty.
    package static func split(
        _ secret: borrowing SecretBytes, threshold: Int, total: Int, passphrase: borrowing SecretBytes,
        random: RandomSource
    ) throws(WordShareError) -> [WordShare] {
        guard total <= WordShare.maximumShares else {
            throw .numbers(.tooManyShares(found: total, limit: WordShare.maximumShares))
        }
        do throws(ShamirError) { try Shamir.check(threshold: threshold, total: total) } catch {
            throw WordShareError(error)
        }
        guard WordShare.secretLengths.contains(secret.count), secret.count.isMultiple(of: 2) else {
            throw .secretLength(found: secret.count)
        }
        let drawn = random.bytes(2)
        let parameters = WordShare.Parameters(
            identifier: UInt16(drawn[0] & 0x7F) << 8 | UInt16(drawn[1]), isExtendable: true, iterationExponent: 1,
            groupThreshold: 1, groupCount: 1)
        let cipher = try WordCipher(passphrase: passphrase, parameters, length: secret.count)
        let encrypted = try cipher.encrypt(secret)
        do throws(ShamirError) {
            let points = try points(of: encrypted, threshold: threshold, total: total, random)
            var shares: [WordShare] = []
            for number in 0..<total {
                let value = try points.row(number)
                shares.append(
                    WordShare(parameters, group: 0, member: number, memberThreshold: threshold, value: value))
            }
            return shares
        } catch {
            throw WordShareError(error)
        }
    }

    /// The secret behind shares, of which there may be more than are needed; `passphrase` decides which secret it is.
    package static func combine(
        _ shares: [WordShare], passphrase: borrowing SecretBytes
    ) throws(WordShareError) -> SecretBytes {
        guard let first = shares.first else { throw .noShares }
        for share in shares { try check(share, like: first) }
        let parameters = first.parameters
        let groups = Dictionary(grouping: shares, by: \.group)
        for (group, members) in groups.sorted(by: { $0.key < $1.key }) { try check(members, of: group) }
        var points: SharePoints
        do throws(ShamirError) {
            points = try SharePoints(capacity: groups.count, length: first.value.count)
        } catch {
            throw WordShareError(error)
        }
        var complete = 0
        for (group, members) in groups.sorted(by: { $0.key < $1.key }) {
            let needed = members[0].memberThreshold
            guard members.count >= needed else { continue }
            complete += 1
            let secret = try secret(ofGroup: members, needed)
            do throws(ShamirError) { try points.append(secret, at: UInt8(group)) } catch { throw WordShareError(error) }
        }
        guard complete >= parameters.groupThreshold else {
            throw tooFew(groups, complete, parameters.groupThreshold)
        }
        let encrypted = try secret(of: points, parameters.groupThreshold) { group in
            .groupDoesNotFit(group: Int(group))
        }
        let cipher = try WordCipher(passphrase: passphrase, parameters, length: encrypted.count)
        return try cipher.decrypt(encrypted)
    }

    // MARK: - What belongs together

    private static func check(_ share: WordShare, like first: WordShare) throws(WordShareError) {
        let (one, other) = (first.parameters, share.parameters)
        guard one.identifier == other.identifier else { throw .differentSets(.identifier) }
        guard one.isExtendable == other.isExtendable else { throw .differentSets(.extendable) }
        guard one.iterationExponent == other.iterationExponent else { throw .differentSets(.iterationExponent) }
        guard one.groupThreshold == other.groupThreshold else { throw .differentSets(.groupThreshold) }
        guard one.groupCount == other.groupCount else { throw .differentSets(.groupCount) }
        guard first.value.count == share.value.count else { throw .differentSets(.length) }
    }

    private static func check(_ members: [WordShare], of group: Int) throws(WordShareError) {
        var seen: Set<Int> = []
        for share in members {
            guard share.memberThreshold == members[0].memberThreshold else { throw .memberThresholds(group: group) }
            guard seen.insert(share.member).inserted else {
                throw .repeatedShare(group: group, member: share.member)
            }
        }
    }

    /// Of one group the shares are counted, of several the groups.
    private static func tooFew(
        _ groups: [Int: [WordShare]], _ complete: Int, _ needed: Int
    ) -> WordShareError {
        // With one more group the set would be complete: say what that group needs.
        let begun = groups.filter { $0.value.count < $0.value[0].memberThreshold }
        if groups.count >= needed, complete + begun.count >= needed,
            let (group, members) = begun.min(by: { $0.key < $1.key })
        {
            return .tooFewShares(group: group, found: members.count, needed: members[0].memberThreshold)
        }
        return .tooFewGroups(found: complete, needed: needed)
    }

    // MARK: - Polynomials

    private static func secret(ofGroup members: [WordShare], _ threshold: Int) throws(WordShareError) -> SecretBytes {
        let group = members[0].group
        let points: SharePoints
        do throws(ShamirError) {
            var all = try SharePoints(capacity: members.count, length: members[0].value.count)
            for share in members { try all.append(share.value, at: UInt8(share.member)) }
            points = all
        } catch {
            throw WordShareError(error)
        }
        return try secret(of: points, threshold) { .doesNotFit(group: group, member: Int($0)) }
    }

    /// So many choices of shares are tried to find one whose digest fits.
    private static let maximumChoices = 500

    /// The secret of `threshold` points whose digest fits, and whether all others lie on the same polynomials.
    ///
    /// A digest has 4 bytes: a wrong choice fits once in four thousand million.
    private static func secret(
        of points: borrowing SharePoints, _ threshold: Int, otherwise: (UInt8) -> WordShareError
    ) throws(WordShareError) -> SecretBytes {
        var choices = ShareChoices(of: points.count, count: threshold)
        var tries = 0
        var found: SecretBytes?
        var stray: UInt8?
        do throws(ShamirError) {
            while let choice = choices.next(), tries < maximumChoices {
                tries += 1
                let needed = try rows(choice, of: points)
                // A single share that is enough is the secret, and has no digest.
                let secret = threshold == 1 ? try needed.row(0) : try Shamir.value(at: secretPlace, of: needed)
                if threshold > 1 {
                    let digest = try Shamir.value(at: digestPlace, of: needed)
                    guard try isDigest(digest, of: secret) else { continue }
                }
                stray = try place(in: points, offThe: needed)
                found = .some(secret)
                break
            }
        } catch {
            throw WordShareError(error)
        }
        guard let secret = found.take() else { throw .digest }
        if let stray { throw otherwise(stray) }
        return secret
    }

    private static func rows(
        _ numbers: [Int], of points: borrowing SharePoints
    ) throws(ShamirError) -> SharePoints {
        var chosen = try SharePoints(capacity: numbers.count, length: points.length)
        for number in numbers { try chosen.append(points.row(number), at: points.places[number]) }
        return chosen
    }

    private static func place(
        in points: borrowing SharePoints, offThe needed: borrowing SharePoints
    ) throws(ShamirError) -> UInt8? {
        for number in 0..<points.count where !needed.places.contains(points.places[number]) {
            let place = points.places[number]
            let wanted = try Shamir.value(at: place, of: needed)
            let found = try points.row(number)
            guard wanted.isEqual(to: found) else { return place }
        }
        return nil
    }

    /// A digest is 4 bytes of HMAC-SHA256 with the random bytes behind them as the key.
    private static func isDigest(
        _ digest: borrowing SecretBytes, of secret: borrowing SecretBytes
    ) throws(ShamirError) -> Bool {
        do throws(SecretMemoryError) {
            let right = try makeDigest(of: secret, key: digest.slice(digestLength..<digest.count))
            return try right.isEqual(to: digest.prefix(digestLength))
        } catch {
            throw .memory(error)
        }
    }

    private static func makeDigest(
        of secret: borrowing SecretBytes, key: borrowing SecretBytes
    ) throws(SecretMemoryError) -> SecretBytes {
        let code = try secret.withSpan { secret throws(SecretMemoryError) in
            try HMAC.secretCode(for: secret, key: key, using: .sha256)
        }
        return try code.prefix(digestLength)
    }

    /// Random values at the first places, digest and secret at theirs, and what lies on the polynomials through them.
    private static func points(
        of secret: borrowing SecretBytes, threshold: Int, total: Int, _ random: RandomSource
    ) throws(ShamirError) -> SharePoints {
        var base = try SharePoints(capacity: threshold, length: secret.count)
        for number in 0..<threshold - 2 {
            try base.append(drawn(secret.count, random), at: UInt8(number))
        }
        let key = try drawn(secret.count - digestLength, random)
        let digest: SecretBytes
        do throws(SecretMemoryError) { digest = try makeDigest(of: secret, key: key).appending(key) } catch {
            throw .memory(error)
        }
        try base.append(digest, at: digestPlace)
        try base.append(secret, at: secretPlace)
        var shares = try SharePoints(capacity: total, length: secret.count)
        for number in 0..<total {
            try shares.append(Shamir.value(at: UInt8(number), of: base), at: UInt8(number))
        }
        return shares
    }

    private static func drawn(_ count: Int, _ random: RandomSource) throws(ShamirError) -> SecretBytes {
        do throws(SecretMemoryError) { return try random.secret(count) } catch { throw .memory(error) }
    }
}
