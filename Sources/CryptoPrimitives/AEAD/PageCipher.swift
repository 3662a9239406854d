import CLibcrypto
import CSodium

// What an encrypting file layer needs: the forms of AES-256-GCM and of its block cipher that allocate nothing, throw
// nothing, and take plain addresses. The caller answers for the lengths; a text is at most 2^31 - 1 bytes.

extension AESGCM {
    /// Encrypts `count` bytes of `text` into `target`, which may be the same memory, and writes 16 bytes to `tag`.
    ///
    /// `nonce` has 12 bytes and must never come twice under one key. False when libcrypto has no memory.
    package func sealPage(
        _ text: UnsafeRawPointer, count: Int, into target: UnsafeMutableRawPointer, nonce: UnsafeRawPointer,
        authenticating data: UnsafeRawPointer, dataCount: Int, tag: UnsafeMutableRawPointer
    ) -> Bool {
        unsafe begin(1, nonce: nonce, data: data, dataCount: dataCount)
            && update(text, count: count, into: target)
            && finish(takingTagInto: tag)
    }

    /// Decrypts `count` bytes of `text` into `target`, which may be the same memory.
    ///
    /// False, and `target` wiped, when the 16 bytes at `tag` are not theirs.
    package func openPage(
        _ text: UnsafeRawPointer, count: Int, into target: UnsafeMutableRawPointer, nonce: UnsafeRawPointer,
        authenticating data: UnsafeRawPointer, dataCount: Int, tag: UnsafeRawPointer
    ) -> Bool {
        let isAuthentic =
            unsafe begin(0, nonce: nonce, data: data, dataCount: dataCount)
            && update(text, count: count, into: target)
            // libcrypto takes the tag as not const but only copies it.
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, UnsafeMutableRawPointer(mutating: tag)) == 1
            && finish()
        if !isAuthentic { unsafe sodium_memzero(target, count) }
        return isAuthentic
    }

    @inline(__always)
    private func begin(
        _ direction: Int32, nonce: UnsafeRawPointer, data: UnsafeRawPointer, dataCount: Int
    ) -> Bool {
        var written: Int32 = 0
        return unsafe EVP_CipherInit_ex2(
            context, nil, nil, nonce.assumingMemoryBound(to: UInt8.self), direction, nil) == 1
            && EVP_CipherUpdate(
                context, nil, &written, data.assumingMemoryBound(to: UInt8.self), Int32(truncatingIfNeeded: dataCount))
                == 1
    }

    @inline(__always)
    private func update(_ text: UnsafeRawPointer, count: Int, into target: UnsafeMutableRawPointer) -> Bool {
        guard count > 0 else { return true }
        var written: Int32 = 0
        return unsafe EVP_CipherUpdate(
            context, target.assumingMemoryBound(to: UInt8.self), &written,
            text.assumingMemoryBound(to: UInt8.self), Int32(truncatingIfNeeded: count)) == 1
    }

    @inline(__always)
    private func finish() -> Bool {
        // GCM writes nothing here, but EVP wants to be shown a place for one block.
        var rest: (UInt64, UInt64) = (0, 0)
        var written: Int32 = 0
        return unsafe withUnsafeMutableBytes(of: &rest) { place in
            unsafe EVP_CipherFinal_ex(context, place.bindMemory(to: UInt8.self).baseAddress, &written) == 1
        }
    }

    @inline(__always)
    private func finish(takingTagInto tag: UnsafeMutableRawPointer) -> Bool {
        unsafe finish() && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) == 1
    }
}

/// AES-256 of single blocks (FIPS 197), for keystream that goes on where GCM's own ends; nothing is encrypted with it.
@safe
package struct AESBlock: ~Copyable, @unchecked Sendable {
    private let context: OpaquePointer

    /// Sets the key, 32 bytes.
    package init(key: borrowing SecretBytes) throws(AEADError) {
        guard key.count == AEADSize.key else { throw .keyLength(expected: AEADSize.key, found: key.count) }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .libraryFailure }
        let status = unsafe key.withUnsafeBytes { bytes in
            unsafe EVP_CipherInit_ex2(
                context, LibcryptoAlgorithm.aes256ECB.handle, bytes.bindMemory(to: UInt8.self).baseAddress, nil, 1, nil)
        }
        guard status == 1, unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1 else {
            unsafe EVP_CIPHER_CTX_free(context)
            throw .libraryFailure
        }
        unsafe self.context = context
    }

    /// Frees the context, which also wipes the key schedule.
    deinit {
        unsafe EVP_CIPHER_CTX_free(context)
    }

    /// The first four bytes of the block `nonce` (12 bytes) ‖ `counter`, as one big-endian number; nil when libcrypto
    /// has no memory.
    package func keystream(nonce: UnsafeRawPointer, counter: UInt32) -> UInt32? {
        var input: (UInt64, UInt64) = (0, 0)
        var output: (UInt64, UInt64) = (0, 0)
        var written: Int32 = 0
        return unsafe withUnsafeMutableBytes(of: &input) { input in
            unsafe withUnsafeMutableBytes(of: &output) { output in
                unsafe input.copyMemory(from: UnsafeRawBufferPointer(start: nonce, count: AEADSize.nonce))
                unsafe input.storeBytes(of: counter.bigEndian, toByteOffset: AEADSize.nonce, as: UInt32.self)
                let status = unsafe EVP_CipherUpdate(
                    context, output.bindMemory(to: UInt8.self).baseAddress, &written,
                    input.bindMemory(to: UInt8.self).baseAddress, 16)
                guard status == 1, written == 16 else { return nil }
                return unsafe UInt32(bigEndian: output.load(as: UInt32.self))
            }
        }
    }
}
