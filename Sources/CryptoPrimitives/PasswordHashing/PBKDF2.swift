import CLibcrypto

/// PBKDF2 (RFC 8018, 5.2) with HMAC-SHA-256, through libcrypto.
package enum PBKDF2 {
    /// The most bytes that may be asked for; no format wants more than 64.
    package static let maximumOutputLength = 1 << 16

    /// `length` bytes from a passphrase, which may be empty.
    ///
    /// Time grows with `iterations` (0.3 to 0.6 µs each), so a format must have its own ceiling and check it before.
    package static func deriveSHA256(
        passphrase: borrowing SecretBytes,
        salt: Span<UInt8>,
        iterations: UInt32,
        length: Int
    ) throws(KeyDerivationError) -> SecretBytes {
        guard (1...maximumOutputLength).contains(length) else {
            throw .outputLength(allowed: 1...maximumOutputLength, found: length)
        }
        guard iterations >= 1, let rounds = Int32(exactly: iterations) else { throw .iterations(found: iterations) }
        guard let passphraseCount = Int32(exactly: passphrase.count) else {
            throw .inputLength(maximum: Int(Int32.max), found: passphrase.count)
        }
        guard let saltCount = Int32(exactly: salt.count) else {
            throw .inputLength(maximum: Int(Int32.max), found: salt.count)
        }
        var key: SecretBytes
        do { key = try SecretBytes(count: length) } catch { throw .memory(error) }
        let status = unsafe key.withUnsafeMutableBytes { target in
            unsafe passphrase.withUnsafeBytes { passphrase in
                unsafe salt.withCPointer { salt in
                    unsafe PKCS5_PBKDF2_HMAC(
                        UnsafeRawPointer(passphrase.cPointer).assumingMemoryBound(to: CChar.self), passphraseCount,
                        salt, saltCount, rounds, LibcryptoAlgorithm.sha256.handle, Int32(length), target.cPointer)
                }
            }
        }
        guard status == 1 else { throw .libraryFailure }
        return key
    }
}
