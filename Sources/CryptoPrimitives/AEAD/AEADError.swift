/// Why sealing or opening failed.
package enum AEADError: Error, Equatable, Sendable {
    /// The box is shorter than nonce and tag together.
    case tooShort(minimum: Int, found: Int)
    /// The text is longer than one nonce may encrypt.
    case tooLong(maximum: Int, found: Int)
    /// The key has a wrong length.
    case keyLength(expected: Int, found: Int)
    /// The nonce has a wrong length.
    case nonceLength(expected: Int, found: Int)
    /// The tag has a wrong length.
    case tagLength(expected: Int, found: Int)
    /// The tag does not fit: wrong key, wrong nonce, or changed bytes. Which of these cannot be known.
    case notAuthentic
    /// The guarded memory for the result could not be had.
    case memory(SecretMemoryError)
    /// The C library failed although its arguments were right (no memory).
    case libraryFailure
}

/// Sizes that both ciphers share.
package enum AEADSize {
    package static let key = 32
    package static let nonce = 12
    package static let tag = 16
    /// Nonce and tag around a box: nonce ‖ ciphertext ‖ tag.
    package static let overhead = nonce + tag
}
