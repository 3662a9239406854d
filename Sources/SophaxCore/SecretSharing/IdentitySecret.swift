import CryptoPrimitives

/// What is shared of an identity: Ed25519 seed ‖ X25519 private key, 64 bytes. Format: SophaxChat 4.7.
package enum IdentitySecret {
    package static let length = 2 * Identity.keyLength

    package static func of(_ identity: borrowing Identity) throws(SecretMemoryError) -> SecretBytes {
        try identity.signingSeed.appending(identity.dhPrivate)
    }

    /// The identity with these keys.
    package static func identity(
        _ secret: borrowing SecretBytes, username: String
    ) throws(IdentityError) -> Identity {
        guard secret.count == length else {
            throw .wrongLength(.signingSeed, expected: length, found: secret.count)
        }
        return try Identity(
            signingSeed: part(secret, 0..<Identity.keyLength), dhPrivate: part(secret, Identity.keyLength..<length),
            username: username)
    }

    private static func part(
        _ secret: borrowing SecretBytes, _ range: Range<Int>
    ) throws(IdentityError) -> SecretBytes {
        do throws(SecretMemoryError) { return try secret.slice(range) } catch { throw .memory(error) }
    }
}
