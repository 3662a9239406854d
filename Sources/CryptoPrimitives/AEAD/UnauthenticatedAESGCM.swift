import CLibcrypto

/// The counter mode inside AES-256-GCM, without its tag. **Nothing that comes out of it is proven.**
///
/// Whoever can write the ciphertext can turn any bit of the text, and a wrong key gives noise without a word. Only for
/// files whose tag is lost, whose text is then shown as not authenticated and goes into no store.
///
/// GCM with a 12-byte nonce counts from nonce ‖ 00000001; that block masks the tag, and the text begins with the next one
/// (NIST SP 800-38D, 7.1).
@safe
package struct UnauthenticatedAESGCM: ~Copyable {
    private let context: OpaquePointer
    /// EVP takes lengths as C `int`.
    private static let pieceLength = 1 << 30

    /// Sets the key, 32 bytes.
    package init(key: borrowing SecretBytes) throws(AEADError) {
        guard key.count == AEADSize.key else { throw .keyLength(expected: AEADSize.key, found: key.count) }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .libraryFailure }
        let status = unsafe key.withUnsafeBytes { bytes in
            unsafe EVP_CipherInit_ex2(
                context, LibcryptoAlgorithm.aes256CTR.handle, bytes.bindMemory(to: UInt8.self).baseAddress, nil, 1, nil)
        }
        guard status == 1 else {
            unsafe EVP_CIPHER_CTX_free(context)
            throw .libraryFailure
        }
        unsafe self.context = context
    }

    /// Frees the context, which also wipes the key schedule.
    deinit {
        unsafe EVP_CIPHER_CTX_free(context)
    }

    /// Decrypts ciphertext where it is, from its beginning; whatever stood behind it, such as a tag, becomes noise.
    ///
    /// Errors: `.nonceLength`, `.textTooLong`, `.libraryFailure`.
    package mutating func decryptWithoutProof(_ text: inout MutableSpan<UInt8>, nonce: Span<UInt8>) throws(AEADError) {
        try AEADSize.check(
            nonce: nonce, tagCount: AEADSize.tag, textCount: text.count, maximum: AESGCM.maximumTextLength)
        let counter = (0..<AEADSize.nonce).map { nonce[$0] } + [0, 0, 0, 2]
        try apply(counter, to: &text)
    }

    /// The block that the tag is made with: what the cipher makes of 16 zero bytes (SP 800-38D, 7.1, `H`). Whoever has it
    /// can make tags.
    mutating func hashSubkey() throws(AEADError) -> SecretBytes {
        var block: SecretBytes
        do throws(SecretMemoryError) { block = try SecretBytes(count: 16) } catch { throw .memory(error) }
        try block.withMutableSpan { (span) throws(AEADError) in
            for index in span.indices { span[index] = 0 }
            try apply([UInt8](repeating: 0, count: 16), to: &span)
        }
        return block
    }

    private func apply(_ counter: [UInt8], to text: inout MutableSpan<UInt8>) throws(AEADError) {
        let status = unsafe counter.withUnsafeBufferPointer { bytes in
            unsafe EVP_CipherInit_ex2(context, nil, nil, bytes.baseAddress, 1, nil)
        }
        guard status == 1 else { throw .libraryFailure }
        try unsafe text.withUnsafeMutableBytes { (bytes) throws(AEADError) in
            guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            var done = 0
            while done < bytes.count {
                let piece = min(bytes.count - done, Self.pieceLength)
                var written: Int32 = 0
                let status = unsafe EVP_CipherUpdate(
                    context, start + done, &written, start + done, Int32(piece))
                guard status == 1, Int(written) == piece else { throw .libraryFailure }
                done += piece
            }
        }
    }
}
