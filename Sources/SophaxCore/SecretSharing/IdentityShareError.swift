import CryptoPrimitives
import JSONCoding

/// Why a text is no share of an identity.
package enum IdentityShareError: Error, Equatable, Sendable {
    case format(FormatError)
    /// What sxkey added is of a later version.
    case newerVersion(found: UInt64)
    /// Numbers that no share has: a threshold of 1, an index 0, an index beyond the total.
    case numbers(threshold: UInt8, total: UInt8, index: UInt8)
    /// The share is not what its check value was made of: it was changed or is damaged.
    case changed
    case memory(SecretMemoryError)
}

/// Why shares do not give an identity.
package enum IdentityShareSetError: Error, Equatable, Sendable {
    case noShares
    /// Shares of several sets: their ids, in the order in which they came.
    case severalSets([[UInt8]])
    /// Shares of one set that say different things of its numbers, its owner or its length.
    case contradictory
    /// The same index twice.
    case repeated(index: UInt8)
    case tooFew(found: Int, needed: Int)
    /// More shares with one id than are looked at, each number several times with other values.
    case tooMany(found: Int, limit: Int)
    /// The secret of an identity has 64 bytes.
    case secretLength(found: Int)
    /// What the shares give is not what was shared: one of them at least was changed, or is of another set.
    case wrong
    /// The keys came out whole, but are another identity's than the shares say.
    case otherOwner(stated: Fingerprint, found: Fingerprint)
    /// Several sets with one id, each of which proves itself: one holder can make such a set.
    case rivals([Rival])
    case numbers(ShamirError)
    case memory(SecretMemoryError)
    case libraryFailure

    /// An identity that some of the shares give, and the places of these.
    package struct Rival: Equatable, Sendable {
        package let fingerprint: Fingerprint
        package let places: [Int]
    }

    init(_ error: ShamirError) {
        if case .memory(let memory) = error { self = .memory(memory) } else { self = .numbers(error) }
    }
}

/// Why a share for a holder was not sealed or opened.
package enum HeldShareError: Error, Equatable, Sendable {
    case format(FormatError)
    case newerVersion(found: UInt64)
    /// What is around the box is not what its check value was made of, or not what is in the box.
    case changed
    /// What is in the box is no share.
    case share(IdentityShareError)
    /// The holder's or the ephemeral key is not one that a secret can be shared with.
    case publicKey
    /// The box does not open: it is for another holder, or was changed.
    case notAuthentic
    case memory(SecretMemoryError)
    case libraryFailure
}
