import CSodium

/// ChaCha20-Poly1305 (RFC 8439) through libsodium: 32-byte key, 12-byte nonce, 16-byte tag.
package struct ChaChaPoly: ~Copyable, Sendable {
    /// The most one nonce may encrypt: 2^32 - 1 blocks of 64 bytes (RFC 8439, 2.8); libsodium aborts above it.
    package static let maximumTextLength = 64 * ((1 << 32) - 1)

    private let key: SecretBytes

    /// Keeps a copy of the key, 32 bytes; it may both seal and open.
    package init(key: borrowing SecretBytes) throws(AEADError) {
        guard key.count == AEADSize.key else { throw .keyLength(expected: AEADSize.key, found: key.count) }
        do { self.key = try key.copy() } catch { throw .memory(error) }
    }
}

extension ChaChaPoly: AEADCipher {
    package mutating func decrypt(
        _ source: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer,
        nonce: Span<UInt8>,
        tag: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(AEADError) {
        try AEADSize.check(
            nonce: nonce, tagCount: tag.count, textCount: source.count, maximum: Self.maximumTextLength)
        guard source.count == target.count else { throw .libraryFailure }
        // libsodium checks the tag first and decrypts only what is authentic.
        let status = unsafe nonce.withCPointer { nonce in
            unsafe tag.withCPointer { tag in
                unsafe data.withCPointer { start in
                    unsafe key.withUnsafeBytes { key in
                        unsafe crypto_aead_chacha20poly1305_ietf_decrypt_detached(
                            target.cPointer, nil, source.cPointer, UInt64(source.count), tag,
                            start, UInt64(data.count), nonce, key.cPointer)
                    }
                }
            }
        }
        guard status == 0 else {
            if let start = target.baseAddress { unsafe sodium_memzero(start, target.count) }
            throw .notAuthentic
        }
    }

    package mutating func encrypt(
        _ source: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer,
        nonce: Span<UInt8>,
        authenticating data: Span<UInt8>,
        tag: inout MutableSpan<UInt8>
    ) throws(AEADError) {
        try AEADSize.check(
            nonce: nonce, tagCount: tag.count, textCount: source.count, maximum: Self.maximumTextLength)
        guard source.count == target.count else { throw .libraryFailure }
        let status = unsafe nonce.withCPointer { nonce in
            unsafe tag.withCPointer { tag in
                unsafe data.withCPointer { start in
                    unsafe key.withUnsafeBytes { key in
                        unsafe crypto_aead_chacha20poly1305_ietf_encrypt_detached(
                            target.cPointer, tag, nil, source.cPointer, UInt64(source.count),
                            start, UInt64(data.count), nil, nonce, key.cPointer)
                    }
                }
            }
        }
        guard status == 0 else { throw .libraryFailure }
    }
}
