import CryptoPrimitives

/// Somebody who shall be able to open a bundle.
package enum SXBRecipient: Sendable {
    /// Who knows the passphrase; deriving the key from it costs so much.
    case passphrase(SXBSecret, cost: Argon2id.Parameters)
    /// Who owns the private key of this X25519 public key, 32 bytes.
    case publicKey([UInt8])
    /// Who owns the private key of this X-Wing public key, 1,216 bytes.
    case xWing([UInt8])
    /// The recipient of this number, from 0, of the bundle that is changed, as it is; only for `SXBRewrap`.
    case kept(Int)
}

/// How a recipient of a bundle opens it, as its header says.
package enum SXBRecipientForm: Hashable, Sendable {
    case passphrase(Argon2id.Parameters)
    /// An X25519 key; whose it is, the file does not say.
    case x25519
    /// An X-Wing key: X25519 and ML-KEM-768 together.
    case xWing
    /// Made by a later version; this one passes it by.
    case unknown(type: String)
}
