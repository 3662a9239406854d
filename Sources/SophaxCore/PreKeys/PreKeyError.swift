import CryptoPrimitives

/// Why a prekey or a bundle of them could not be taken or made.
public enum PreKeyError: Error, Equatable, Sendable {
    /// The value that was looked at.
    public enum Part: String, Hashable, Sendable {
        case signedPreKey = "signed prekey"
        case oneTimePreKey = "one-time prekey"
        case signature
    }

    /// `part` has `found` bytes where its format has exactly `expected`.
    case wrongLength(Part, expected: Int, found: Int)

    /// An id that its platform cannot hold.
    case idTooLarge(Part, found: UInt64)

    /// A time that is no number, or infinite.
    case timestampNotFinite

    /// The guarded memory for a private key could not be had.
    case memory(SecretMemoryError)

    /// The crypto library failed although its arguments were right.
    case libraryFailure
}
