import CryptoPrimitives

/// Why key material or an identifier could not be taken.
public enum IdentityError: Error, Equatable, Sendable {
    /// The value that was looked at.
    public enum Part: String, Hashable, Sendable {
        case signingSeed = "signing key"
        case dhPrivate = "DH key"
        case signingPublic = "public signing key"
        case dhPublic = "public DH key"
        case fingerprint
    }

    /// `part` has `found` bytes where its format has exactly `expected`.
    case wrongLength(Part, expected: Int, found: Int)

    /// A fingerprint's text is not made of lower-case hex digits.
    case notHexadecimal(Part)

    /// The guarded memory for a private key could not be had.
    case memory(SecretMemoryError)

    /// The crypto library failed although its arguments were right.
    case libraryFailure
}
