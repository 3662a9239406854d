import CSodium

/// Why a signing key could not be used.
package enum SigningError: Error, Equatable, Sendable {
    /// The seed has a wrong length.
    case seedLength(expected: Int, found: Int)
    /// The guarded memory could not be had.
    case memory(SecretMemoryError)
    /// The C library failed although its arguments were right.
    case libraryFailure
}

/// Ed25519 (RFC 8032) through libsodium: seed and public key of 32 bytes, signatures of 64.
package enum Ed25519 {
    package static let seedLength = 32
    package static let publicKeyLength = 32
    package static let signatureLength = 64
    /// libsodium's secret key: seed ‖ public key.
    private static let secretKeyLength = 64

    /// The public key of `seed`.
    package static func publicKey(ofSeed seed: borrowing SecretBytes) throws(SigningError) -> [UInt8] {
        var publicKey = [UInt8](repeating: 0, count: publicKeyLength)
        _ = try secretKey(ofSeed: seed, publicKey: &publicKey)
        return publicKey
    }

    /// Signs `message` with the key of `seed`; the same message always gets the same signature.
    package static func sign(_ message: Span<UInt8>, seed: borrowing SecretBytes) throws(SigningError) -> [UInt8] {
        var publicKey = [UInt8](repeating: 0, count: publicKeyLength)
        let secretKey = try secretKey(ofSeed: seed, publicKey: &publicKey)
        var signature = [UInt8](repeating: 0, count: signatureLength)
        var span = signature.mutableSpan
        let status = unsafe span.withCPointer { target in
            unsafe message.withCPointer { text in
                unsafe secretKey.withUnsafeBytes { key in
                    unsafe crypto_sign_detached(
                        target, nil, text, UInt64(message.count),
                        key.cPointer)
                }
            }
        }
        guard status == 0 else { throw .libraryFailure }
        return signature
    }

    /// Whether `signature` is one of `message` by the owner of `publicKey`.
    ///
    /// Strict as libsodium is: S must be reduced, and public keys that are not canonical or of small order are refused.
    /// A wrong length is simply not a signature.
    package static func isValid(
        signature: Span<UInt8>,
        for message: Span<UInt8>,
        publicKey: Span<UInt8>
    ) -> Bool {
        guard signature.count == signatureLength, publicKey.count == publicKeyLength else { return false }
        SodiumLibrary.start()
        let status = unsafe signature.withCPointer { signature in
            unsafe message.withCPointer { text in
                unsafe publicKey.withCPointer { key in
                    unsafe crypto_sign_verify_detached(
                        signature, text, UInt64(message.count), key)
                }
            }
        }
        return status == 0
    }

    /// Whether `bytes` are a key that a seed can have: canonical, on the curve, in the main subgroup, not of small order.
    package static func isPublicKey(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count == publicKeyLength else { return false }
        SodiumLibrary.start()
        return unsafe bytes.withCPointer { point in unsafe crypto_core_ed25519_is_valid_point(point) } == 1
    }

    /// libsodium's form of the key of `seed`; the public key is also written into `publicKey`, 32 bytes.
    private static func secretKey(
        ofSeed seed: borrowing SecretBytes,
        publicKey: inout [UInt8]
    ) throws(SigningError) -> SecretBytes {
        guard seed.count == seedLength else { throw .seedLength(expected: seedLength, found: seed.count) }
        var secretKey: SecretBytes
        do { secretKey = try SecretBytes(count: secretKeyLength) } catch { throw .memory(error) }
        var publicSpan = publicKey.mutableSpan
        let status = unsafe publicSpan.withCPointer { publicTarget in
            unsafe secretKey.withUnsafeMutableBytes { target in
                unsafe seed.withUnsafeBytes { seed in
                    unsafe crypto_sign_seed_keypair(
                        publicTarget,
                        target.cPointer,
                        seed.cPointer)
                }
            }
        }
        guard status == 0 else { throw .libraryFailure }
        return secretKey
    }
}
