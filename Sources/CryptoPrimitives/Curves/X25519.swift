import CSodium

/// Why a key agreement gave no secret.
package enum KeyAgreementError: Error, Equatable, Sendable {
    /// A key has a wrong length.
    case keyLength(expected: Int, found: Int)
    /// The peer's key has a small order, so that the shared secret would be all zero whatever our key is.
    case allZero
    /// The guarded memory could not be had.
    case memory(SecretMemoryError)
    /// The C library failed although its arguments were right.
    case libraryFailure
}

/// X25519 (RFC 7748) through libsodium; all keys and secrets are 32 bytes.
package enum X25519 {
    package static let keyLength = 32

    /// A fresh private key; it is clamped where it is used, not here.
    package static func makePrivateKey() throws(KeyAgreementError) -> SecretBytes {
        do { return try SecretBytes(randomCount: keyLength) } catch { throw .memory(error) }
    }

    /// The public key of `privateKey`.
    package static func publicKey(of privateKey: borrowing SecretBytes) throws(KeyAgreementError) -> [UInt8] {
        guard privateKey.count == keyLength else { throw .keyLength(expected: keyLength, found: privateKey.count) }
        SodiumLibrary.start()
        var result = [UInt8](repeating: 0, count: keyLength)
        var span = result.mutableSpan
        let status = unsafe span.withCPointer { target in
            unsafe privateKey.withUnsafeBytes { scalar in
                unsafe crypto_scalarmult_base(target, scalar.cPointer)
            }
        }
        guard status == 0 else { throw .libraryFailure }
        return result
    }

    /// The secret that `privateKey` shares with the owner of `publicKey`.
    ///
    /// An all-zero result is refused (RFC 7748, 6.1).
    package static func sharedSecret(
        privateKey: borrowing SecretBytes,
        publicKey: Span<UInt8>
    ) throws(KeyAgreementError) -> SecretBytes {
        guard privateKey.count == keyLength else { throw .keyLength(expected: keyLength, found: privateKey.count) }
        guard publicKey.count == keyLength else { throw .keyLength(expected: keyLength, found: publicKey.count) }
        var secret: SecretBytes
        do { secret = try SecretBytes(count: keyLength) } catch { throw .memory(error) }
        let status = unsafe secret.withUnsafeMutableBytes { target in
            unsafe privateKey.withUnsafeBytes { scalar in
                unsafe publicKey.withCPointer { point in
                    unsafe crypto_scalarmult(
                        target.cPointer,
                        scalar.cPointer,
                        point)
                }
            }
        }
        guard status == 0 else { throw .allZero }
        return secret
    }

    /// Whether a secret can be shared with the owner of `bytes`: 32 bytes, and not of small order, whose shared secrets
    /// are all zero whatever our key is.
    package static func isPublicKey(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count == keyLength else { return false }
        do {
            // Any clamped scalar is a multiple of the cofactor, so one is as good as another.
            let scalar = [UInt8](repeating: 0, count: keyLength)
            _ = try sharedSecret(privateKey: SecretBytes(copying: scalar.span), publicKey: bytes)
            return true
        } catch {
            return false
        }
    }
}
