import CryptoPrimitives

/// Why words are not a share, or shares do not give a secret.
package enum WordShareError: Error, Equatable, Sendable {
    /// What all shares of a set have in common.
    package enum Common: Sendable {
        case identifier, extendable, iterationExponent, groupThreshold, groupCount, length
    }

    // One share.
    /// Fewer words than the shortest share has, or more than are taken.
    case wordCount(found: Int, allowed: ClosedRange<Int>)
    /// No secret of whole pairs of bytes has so many words.
    case noSuchLength(words: Int)
    /// The word at a place, counted from 1, is not in the list.
    case unknownWord(place: Int)
    /// The checksum does not fit; where one wrong word alone explains it, its place counted from 1.
    case checksum(likely: Int?)
    /// The bits that fill the first word of the value are not zero.
    case padding
    case groupThresholdAboveCount(threshold: Int, count: Int)
    /// More rounds than are taken: 10,000 · 2^exponent.
    case iterationExponent(found: Int, limit: Int)

    // Several shares.
    case noShares
    /// Shares of different sets.
    case differentSets(Common)
    /// Shares of one group that say different things of how many are needed.
    case memberThresholds(group: Int)
    /// Two shares with the same group and index.
    case repeatedShare(group: Int, member: Int)
    case tooFewShares(group: Int, found: Int, needed: Int)
    case tooFewGroups(found: Int, needed: Int)
    /// The digest in the shares is not that of the secret: a share is of another set, or was made wrong.
    case digest
    /// More shares than are needed, and this one does not go with the others.
    case doesNotFit(group: Int, member: Int)
    /// More groups than are needed, and what this one gives does not go with the others.
    case groupDoesNotFit(group: Int)

    // Making shares.
    case numbers(ShamirError)
    /// The secret is shorter than 16 bytes, longer than is taken, or of an odd length.
    case secretLength(found: Int)
    /// SLIP-39 knows passphrases of printable ASCII only.
    case passphrase
    case memory(SecretMemoryError)
    case libraryFailure

    init(_ error: ShamirError) {
        if case .memory(let memory) = error { self = .memory(memory) } else { self = .numbers(error) }
    }

    init(_ error: KeyDerivationError) {
        if case .memory(let memory) = error { self = .memory(memory) } else { self = .libraryFailure }
    }
}
