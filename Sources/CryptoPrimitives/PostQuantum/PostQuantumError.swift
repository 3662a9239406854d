/// Why a post-quantum key, ciphertext or signature could not be made or used.
package enum PostQuantumError: Error, Equatable, Sendable {
    /// The seed of a private key has a wrong length.
    case seedLength(expected: Int, found: Int)
    /// A public key has a wrong length.
    case publicKeyLength(expected: Int, found: Int)
    /// A ciphertext has a wrong length.
    case ciphertextLength(expected: Int, found: Int)
    /// The randomness for one encapsulation or signature has a wrong length.
    case randomnessLength(expected: Int, found: Int)
    /// A public key has a coefficient that is not below the modulus (FIPS 203, 7.2).
    case publicKeyNotReduced
    /// The context of a signature is longer than `maximum` bytes.
    case contextLength(maximum: Int, found: Int)
    /// What stands for a message to be signed was made with another public key.
    case otherPublicKey
    /// The X25519 part of a key or ciphertext has a small order, so that its secret would be all zero.
    case smallOrder
    /// The guarded memory could not be had.
    case memory(SecretMemoryError)
    /// The C library failed, or its hashes are wrong, although its arguments were right.
    case libraryFailure
}
