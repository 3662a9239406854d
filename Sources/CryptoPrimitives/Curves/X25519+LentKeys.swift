import CSodium

/// X25519 between keys that lie in lent memory.
extension X25519 {
    /// Writes the public key of `privateKey` into `target`; both have 32 bytes.
    package static func publicKey(
        of privateKey: Span<UInt8>, into target: inout MutableSpan<UInt8>
    ) throws(KeyAgreementError) {
        guard privateKey.count == keyLength else { throw .keyLength(expected: keyLength, found: privateKey.count) }
        guard target.count == keyLength else { throw .keyLength(expected: keyLength, found: target.count) }
        SodiumLibrary.start()
        let status = unsafe privateKey.withCPointer { scalar in
            unsafe target.withCPointer { target in unsafe crypto_scalarmult_base(target, scalar) }
        }
        guard status == 0 else { throw .libraryFailure }
    }

    /// Writes the secret that `privateKey` shares with the owner of `publicKey` into `target`; all have 32 bytes.
    ///
    /// An all-zero result is refused (RFC 7748, 6.1); `target` is zero then.
    package static func sharedSecret(
        privateKey: Span<UInt8>, publicKey: Span<UInt8>, into target: inout MutableSpan<UInt8>
    ) throws(KeyAgreementError) {
        guard privateKey.count == keyLength else { throw .keyLength(expected: keyLength, found: privateKey.count) }
        guard publicKey.count == keyLength else { throw .keyLength(expected: keyLength, found: publicKey.count) }
        guard target.count == keyLength else { throw .keyLength(expected: keyLength, found: target.count) }
        SodiumLibrary.start()
        let status = unsafe privateKey.withCPointer { scalar in
            unsafe publicKey.withCPointer { point in
                unsafe target.withCPointer { target in unsafe crypto_scalarmult(target, scalar, point) }
            }
        }
        guard status == 0 else {
            unsafe target.withCPointer { target in unsafe sodium_memzero(target, keyLength) }
            throw .allZero
        }
    }
}
