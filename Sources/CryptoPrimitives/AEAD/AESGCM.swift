import CLibcrypto
import CSodium

/// AES-256-GCM (FIPS 197, NIST SP 800-38D) through libcrypto: 32-byte key, 12-byte nonce, 16-byte tag.
///
/// One cipher context is made and the key set once; every box after that only sets a nonce. For messages of a few
/// hundred bytes that is three to five times faster than a context each.
@safe
package struct AESGCM: ~Copyable, @unchecked Sendable {
    /// The most one nonce may encrypt: 2^39 - 256 bits (SP 800-38D, 5.2.1.1).
    package static let maximumTextLength = (1 << 36) - 32

    let context: OpaquePointer
    /// EVP takes lengths as C `int`: longer texts are fed in pieces of this size, a multiple of the block.
    private let pieceLength: Int

    /// Sets the key, 32 bytes; it may both seal and open.
    package init(key: borrowing SecretBytes) throws(AEADError) {
        try self.init(key: key, pieceLength: 1 << 30)
    }

    /// Sets the key as `init(key:)` does, with another length of the pieces, for tests.
    init(key: borrowing SecretBytes, pieceLength: Int) throws(AEADError) {
        guard key.count == AEADSize.key else { throw .keyLength(expected: AEADSize.key, found: key.count) }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .libraryFailure }
        let status = unsafe key.withUnsafeBytes { bytes in
            unsafe EVP_CipherInit_ex2(
                context, LibcryptoAlgorithm.aes256GCM.handle, bytes.bindMemory(to: UInt8.self).baseAddress, nil,
                Direction.opening.rawValue, nil)
        }
        guard status == 1 else {
            unsafe EVP_CIPHER_CTX_free(context)
            throw .libraryFailure
        }
        unsafe self.context = context
        self.pieceLength = pieceLength
    }

    /// Frees the context, which also wipes the key schedule.
    deinit {
        unsafe EVP_CIPHER_CTX_free(context)
    }

    private enum Direction: Int32 {
        case opening = 0
        case sealing = 1
    }
}

extension AESGCM: AEADCipher {
    package mutating func decrypt(
        _ source: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer,
        nonce: Span<UInt8>,
        tag: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(AEADError) {
        try AEADSize.check(
            nonce: nonce, tagCount: tag.count, textCount: source.count, maximum: Self.maximumTextLength)
        do {
            try begin(.opening, nonce: nonce, authenticating: data)
            try unsafe transform(source, into: target)
            try expect(tag)
            try finish(orThrow: .notAuthentic)
        } catch {
            // GCM decrypts before it can judge: what is not authentic is not given out.
            if let start = target.baseAddress { unsafe sodium_memzero(start, target.count) }
            throw error
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
        try begin(.sealing, nonce: nonce, authenticating: data)
        try unsafe transform(source, into: target)
        try finish(orThrow: .libraryFailure)
        try takeTag(into: &tag)
    }
}

// MARK: - Opening while reading

/// One box in pieces, for a file that is decrypted as it comes from the disk, while it is still in the processor's cache.
///
/// GCM decrypts before it can judge: nothing of the text may be used before `endOpening` returned, and the caller wipes it
/// when that throws.
extension AESGCM {
    /// Begins a box without associated data; one that was begun before is given up.
    package mutating func beginOpening(nonce: Span<UInt8>) throws(AEADError) {
        guard nonce.count == AEADSize.nonce else {
            throw .nonceLength(expected: AEADSize.nonce, found: nonce.count)
        }
        try begin(.opening, nonce: nonce, authenticating: Span())
    }

    /// Decrypts the next piece where it is. Pieces of a multiple of 16 bytes are fastest.
    package mutating func continueOpening(inPlace piece: UnsafeMutableRawBufferPointer) throws(AEADError) {
        try unsafe update(UnsafeRawBufferPointer(piece), into: piece.baseAddress)
    }

    /// Judges the text of all pieces. Throws `.notAuthentic` when `tag` is not theirs.
    package mutating func endOpening(tag: Span<UInt8>) throws(AEADError) {
        guard tag.count == AEADSize.tag else { throw .tagLength(expected: AEADSize.tag, found: tag.count) }
        try expect(tag)
        try finish(orThrow: .notAuthentic)
    }
}

// MARK: - Sealing while writing

/// One box in pieces, for a text that is encrypted as it comes.
extension AESGCM {
    /// Begins a box without associated data under `nonce`, which must never come twice under one key.
    package mutating func beginSealing(nonce: Span<UInt8>) throws(AEADError) {
        guard nonce.count == AEADSize.nonce else {
            throw .nonceLength(expected: AEADSize.nonce, found: nonce.count)
        }
        try begin(.sealing, nonce: nonce, authenticating: Span())
    }

    /// Encrypts the next piece into memory of the same length, which may be the same memory. Pieces of a multiple of 16
    /// bytes are fastest.
    package mutating func continueSealing(
        _ piece: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) throws(AEADError) {
        try unsafe transform(piece, into: target)
    }

    /// Ends the text and gives its tag.
    package mutating func endSealing() throws(AEADError) -> [UInt8] {
        try finish(orThrow: .libraryFailure)
        var tag = [UInt8](repeating: 0, count: AEADSize.tag)
        var span = tag.mutableSpan
        try takeTag(into: &span)
        return tag
    }
}

// MARK: - One C call each

extension AESGCM {
    /// Sets nonce and direction, keeping the key, and feeds the data that is only authenticated.
    private func begin(_ direction: Direction, nonce: Span<UInt8>, authenticating data: Span<UInt8>) throws(AEADError) {
        let status = unsafe nonce.withUnsafeBufferPointer { bytes in
            unsafe EVP_CipherInit_ex2(context, nil, nil, bytes.baseAddress, direction.rawValue, nil)
        }
        guard status == 1 else { throw .libraryFailure }
        try unsafe data.withUnsafeBytes { bytes throws(AEADError) in
            try unsafe update(bytes, into: nil)
        }
    }

    /// Encrypts or decrypts `source` into memory of the same length.
    private func transform(
        _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) throws(AEADError) {
        guard source.count == target.count else { throw .libraryFailure }
        try unsafe update(source, into: target.baseAddress)
    }

    /// Feeds `source` piece by piece; without `target` as data that is only authenticated.
    private func update(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawPointer?) throws(AEADError) {
        guard let start = source.baseAddress else { return }
        var done = 0
        while done < source.count {
            let piece = min(source.count - done, pieceLength)
            let input = unsafe start.advanced(by: done).assumingMemoryBound(to: UInt8.self)
            let output = unsafe target?.advanced(by: done).assumingMemoryBound(to: UInt8.self)
            var written: Int32 = 0
            let status = unsafe EVP_CipherUpdate(context, output, &written, input, Int32(piece))
            guard status == 1, Int(written) == piece else { throw .libraryFailure }
            done += piece
        }
    }

    /// Tells the context which tag the text must have.
    private func expect(_ tag: Span<UInt8>) throws(AEADError) {
        let status = unsafe tag.withUnsafeBytes { bytes in
            // libcrypto takes the tag as not const but only copies it.
            let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            return unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(bytes.count), start)
        }
        guard status == 1 else { throw .libraryFailure }
    }

    /// Ends the text; when opening, libcrypto compares the tag here, in constant time.
    private func finish(orThrow failure: AEADError) throws(AEADError) {
        var written: Int32 = 0
        // GCM writes nothing here, but EVP wants to be shown a place for one block.
        let status = unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { rest in
            unsafe EVP_CipherFinal_ex(context, rest.baseAddress, &written)
        }
        guard status == 1 else { throw failure }
    }

    /// Writes the tag of the text that was sealed.
    private func takeTag(into tag: inout MutableSpan<UInt8>) throws(AEADError) {
        let status = unsafe tag.withUnsafeMutableBytes { bytes in
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(bytes.count), bytes.baseAddress)
        }
        guard status == 1 else { throw .libraryFailure }
    }
}
