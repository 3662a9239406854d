import CryptoPrimitives

/// Why a sealed message could not be made or opened.
public enum SealedSenderError: Error, Equatable, Sendable {
    /// The value that was looked at.
    public enum Part: String, Hashable, Sendable {
        case recipientKey = "recipient's DH key"
        case ephemeralKey = "ephemeral key"
        case privateKey = "private DH key"
    }

    /// `part` has `found` bytes where it has exactly `expected`.
    case wrongLength(Part, expected: Int, found: Int)

    /// The payload is longer than any app takes.
    case tooLarge(found: Int, ceiling: Int)

    /// The payload is shorter than nonce and tag.
    case tooShort(found: Int)

    /// The public key has a small order: everybody would know the shared secret.
    case smallOrder(Part)

    /// Sealed for another key, or changed: which of these cannot be known.
    case notAuthentic

    /// The guarded memory for a key could not be had.
    case memory(SecretMemoryError)

    /// The crypto library failed although its arguments were right.
    case libraryFailure
}
