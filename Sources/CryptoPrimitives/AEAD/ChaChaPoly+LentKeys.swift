import CSodium

/// ChaCha20-Poly1305 in one call under a key that lies in lent memory: no copy of it is made.
extension ChaChaPoly {
    /// Opens the combined box `box` into `target`, which has the length of the text: that of the box less 28 bytes.
    ///
    /// The tag is checked before anything is decrypted. After `.notAuthentic`, `target` is wiped.
    package static func open(
        _ box: Span<UInt8>, key: Span<UInt8>, authenticating data: Span<UInt8> = Span(),
        into target: inout MutableSpan<UInt8>
    ) throws(AEADError) {
        guard key.count == AEADSize.key else { throw .keyLength(expected: AEADSize.key, found: key.count) }
        guard box.count >= AEADSize.overhead else { throw .tooShort(minimum: AEADSize.overhead, found: box.count) }
        let textLength = box.count - AEADSize.overhead
        guard textLength <= maximumTextLength else { throw .tooLong(maximum: maximumTextLength, found: textLength) }
        guard target.count == textLength else { throw .libraryFailure }
        let status = unsafe box.withCPointer { box in
            unsafe key.withCPointer { key in
                unsafe data.withCPointer { start in
                    unsafe target.withCPointer { target in
                        unsafe crypto_aead_chacha20poly1305_ietf_decrypt_detached(
                            target, nil, box + AEADSize.nonce, UInt64(textLength),
                            box + AEADSize.nonce + textLength, start, UInt64(data.count), box, key)
                    }
                }
            }
        }
        guard status == 0 else {
            unsafe target.withCPointer { target in unsafe sodium_memzero(target, textLength) }
            throw .notAuthentic
        }
    }

    /// Seals `plaintext` under `nonce`, which must never come twice under one key, into the combined box `target`, which
    /// has 28 bytes more than the text.
    package static func seal(
        _ plaintext: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>, authenticating data: Span<UInt8> = Span(),
        into target: inout MutableSpan<UInt8>
    ) throws(AEADError) {
        guard key.count == AEADSize.key else { throw .keyLength(expected: AEADSize.key, found: key.count) }
        try AEADSize.check(
            nonce: nonce, tagCount: AEADSize.tag, textCount: plaintext.count, maximum: maximumTextLength)
        guard target.count == plaintext.count + AEADSize.overhead else { throw .libraryFailure }
        for index in 0..<AEADSize.nonce { target[index] = nonce[index] }
        let status = unsafe plaintext.withCPointer { text in
            unsafe key.withCPointer { key in
                unsafe data.withCPointer { start in
                    unsafe nonce.withCPointer { nonce in
                        unsafe target.withCPointer { box in
                            unsafe crypto_aead_chacha20poly1305_ietf_encrypt_detached(
                                box + AEADSize.nonce, box + AEADSize.nonce + plaintext.count, nil, text,
                                UInt64(plaintext.count), start, UInt64(data.count), nil, nonce, key)
                        }
                    }
                }
            }
        }
        guard status == 0 else { throw .libraryFailure }
    }
}
