import CryptoPrimitives
import JSONCoding

/// Why a group message could not be made or opened, or keys of a group not be taken. Nothing has changed then.
public enum GroupKeyError: Error, Equatable, Sendable {
    /// There is no sender key of this member, or no shared key of this group.
    case noKey

    /// The message is behind the sender's chain, which stands at `next`, and its key is not kept: it was used, or dropped.
    case keyGone(iteration: UInt32, next: UInt32)

    /// More messages are missing than may be skipped.
    case tooFarAhead(skipped: UInt32, limit: Int)

    /// No form of the format fits: another key, or changed bytes. Which of these cannot be known.
    case notAuthentic

    /// Shorter than nonce and tag.
    case tooShort(found: Int)

    /// Longer than the format allows.
    case tooLarge(found: Int, ceiling: Int)

    /// An earlier position than the known one, which is never gone back to; whether it is of the same chain.
    case backwards(known: UInt32, offered: UInt32, sameChain: Bool)

    /// The chain is at its end: 2³² - 1 messages.
    case chainExhausted

    /// An own chain is there already.
    case ownKeyExists

    /// A key that is not 32 bytes.
    case keyLength(found: Int)

    /// More keys or groups than any app has.
    case tooMany(limit: Int)

    /// A stored state or a distribution that is not what the format says.
    case format(FormatError)

    /// The guarded memory for a key could not be had.
    case memory(SecretMemoryError)

    /// The crypto library failed although its arguments were right.
    case libraryFailure
}

extension GroupKeyError {
    init(_ error: SecretSlabError) {
        switch error {
        case .full(let capacity): self = .tooMany(limit: capacity)
        case .keyLength(_, let found): self = .keyLength(found: found)
        case .memory(let memory): self = .memory(memory)
        }
    }

    init(_ error: AEADError) {
        switch error {
        case .notAuthentic: self = .notAuthentic
        case .memory(let memory): self = .memory(memory)
        case .tooShort(_, let found): self = .tooShort(found: found)
        case .tooLong(let maximum, let found): self = .tooLarge(found: found, ceiling: maximum)
        case .keyLength, .nonceLength, .tagLength, .libraryFailure: self = .libraryFailure
        }
    }
}
