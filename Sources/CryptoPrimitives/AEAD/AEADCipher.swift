/// An authenticated cipher with 32-byte key, 12-byte nonce and 16-byte tag.
///
/// The two requirements work on memory; everything else is made from them. In the combined form a box is
/// nonce (12) ‖ ciphertext ‖ tag (16), as CryptoKit's `SealedBox.combined` and Android's exports have it.
package protocol AEADCipher: ~Copyable {
    /// Decrypts `source` into `target`, which has the same length and may be the same memory.
    ///
    /// When this throws, `target` holds no plaintext.
    mutating func decrypt(
        _ source: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer,
        nonce: Span<UInt8>,
        tag: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(AEADError)

    /// Encrypts `source` into `target`, which has the same length and may be the same memory, and writes 16 bytes
    /// of tag into `tag`.
    mutating func encrypt(
        _ source: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer,
        nonce: Span<UInt8>,
        authenticating data: Span<UInt8>,
        tag: inout MutableSpan<UInt8>
    ) throws(AEADError)
}

// MARK: - Opening

extension AEADCipher where Self: ~Copyable {
    /// Decrypts `buffer` where it is; after `.notAuthentic`, `buffer` is wiped: neither plaintext nor ciphertext stays.
    package mutating func open(
        inPlace buffer: UnsafeMutableRawBufferPointer,
        nonce: Span<UInt8>,
        tag: Span<UInt8>,
        authenticating data: Span<UInt8> = Span()
    ) throws(AEADError) {
        try unsafe decrypt(
            UnsafeRawBufferPointer(buffer), into: buffer, nonce: nonce, tag: tag, authenticating: data)
    }

    /// Decrypts `buffer` where it is; after `.notAuthentic`, `buffer` is wiped: neither plaintext nor ciphertext stays.
    package mutating func open(
        inPlace buffer: inout MutableSpan<UInt8>,
        nonce: Span<UInt8>,
        tag: Span<UInt8>,
        authenticating data: Span<UInt8> = Span()
    ) throws(AEADError) {
        try unsafe buffer.withUnsafeMutableBytes { bytes throws(AEADError) in
            try unsafe open(inPlace: bytes, nonce: nonce, tag: tag, authenticating: data)
        }
    }

    /// Decrypts `ciphertext` into a secret of the same length and leaves it as it is, for another try with another key.
    package mutating func open(
        _ ciphertext: Span<UInt8>,
        nonce: Span<UInt8>,
        tag: Span<UInt8>,
        authenticating data: Span<UInt8> = Span()
    ) throws(AEADError) -> SecretBytes {
        var plaintext: SecretBytes
        do { plaintext = try SecretBytes(count: ciphertext.count) } catch { throw .memory(error) }
        try unsafe ciphertext.withUnsafeBytes { source throws(AEADError) in
            try unsafe plaintext.withUnsafeMutableBytes { target throws(AEADError) in
                try unsafe decrypt(source, into: target, nonce: nonce, tag: tag, authenticating: data)
            }
        }
        return plaintext
    }

    /// Opens the combined box that fills `buffer` where it is and returns where in `buffer` the plaintext is.
    ///
    /// When this throws `.notAuthentic`, all between nonce and tag is wiped; after `.tooShort`, `buffer` is unchanged.
    package mutating func openCombined(
        inPlace buffer: UnsafeMutableRawBufferPointer,
        authenticating data: Span<UInt8> = Span()
    ) throws(AEADError) -> Range<Int> {
        let text = try AEADSize.textRange(inBoxOf: buffer.count)
        let box = unsafe UnsafeRawBufferPointer(buffer).bindMemory(to: UInt8.self).span
        try unsafe open(
            inPlace: UnsafeMutableRawBufferPointer(rebasing: buffer[text]),
            nonce: box.extracting(first: AEADSize.nonce),
            tag: box.extracting(last: AEADSize.tag),
            authenticating: data
        )
        return text
    }

    /// Opens the combined box that fills `buffer` where it is, as the form for memory does.
    package mutating func openCombined(
        inPlace buffer: inout MutableSpan<UInt8>,
        authenticating data: Span<UInt8> = Span()
    ) throws(AEADError) -> Range<Int> {
        try unsafe buffer.withUnsafeMutableBytes { bytes throws(AEADError) in
            try unsafe openCombined(inPlace: bytes, authenticating: data)
        }
    }

    /// Opens a combined box into a secret and leaves the box as it is, for another try with another key.
    package mutating func openCombined(
        _ box: Span<UInt8>,
        authenticating data: Span<UInt8> = Span()
    ) throws(AEADError) -> SecretBytes {
        let text = try AEADSize.textRange(inBoxOf: box.count)
        return try open(
            box.extracting(text),
            nonce: box.extracting(first: AEADSize.nonce),
            tag: box.extracting(last: AEADSize.tag),
            authenticating: data
        )
    }
}

// MARK: - Sealing

extension AEADCipher where Self: ~Copyable {
    /// Encrypts `buffer` where it is and returns the 16-byte tag; a nonce must never come twice under one key.
    package mutating func seal(
        inPlace buffer: UnsafeMutableRawBufferPointer,
        nonce: Span<UInt8>,
        authenticating data: Span<UInt8> = Span()
    ) throws(AEADError) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: AEADSize.tag)
        var tagSpan = tag.mutableSpan
        try unsafe encrypt(
            UnsafeRawBufferPointer(buffer), into: buffer, nonce: nonce, authenticating: data, tag: &tagSpan)
        return tag
    }

    /// Encrypts `buffer` where it is and returns the 16-byte tag; a nonce must never come twice under one key.
    package mutating func seal(
        inPlace buffer: inout MutableSpan<UInt8>,
        nonce: Span<UInt8>,
        authenticating data: Span<UInt8> = Span()
    ) throws(AEADError) -> [UInt8] {
        try unsafe buffer.withUnsafeMutableBytes { bytes throws(AEADError) in
            try unsafe seal(inPlace: bytes, nonce: nonce, authenticating: data)
        }
    }

    /// Seals `plaintext` under a fresh random nonce into a combined box.
    package mutating func sealCombined(
        _ plaintext: Span<UInt8>,
        authenticating data: Span<UInt8> = Span()
    ) throws(AEADError) -> [UInt8] {
        let nonce = Random.bytes(AEADSize.nonce)
        return try sealCombined(plaintext, nonce: nonce.span, authenticating: data)
    }

    /// Seals `plaintext` under `nonce`, which must never come twice under one key, into a combined box.
    package mutating func sealCombined(
        _ plaintext: Span<UInt8>,
        nonce: Span<UInt8>,
        authenticating data: Span<UInt8> = Span()
    ) throws(AEADError) -> [UInt8] {
        guard nonce.count == AEADSize.nonce else {
            throw .nonceLength(expected: AEADSize.nonce, found: nonce.count)
        }
        var box = [UInt8](repeating: 0, count: plaintext.count + AEADSize.overhead)
        var tag = [UInt8](repeating: 0, count: AEADSize.tag)
        let text = AEADSize.nonce..<(AEADSize.nonce + plaintext.count)
        var boxSpan = box.mutableSpan
        var tagSpan = tag.mutableSpan
        try unsafe boxSpan.withUnsafeMutableBytes { bytes throws(AEADError) in
            try unsafe plaintext.withUnsafeBytes { source throws(AEADError) in
                try unsafe encrypt(
                    source,
                    into: UnsafeMutableRawBufferPointer(rebasing: bytes[text]),
                    nonce: nonce,
                    authenticating: data,
                    tag: &tagSpan
                )
            }
        }
        for index in 0..<AEADSize.nonce { boxSpan[index] = nonce[index] }
        for index in 0..<AEADSize.tag { boxSpan[text.upperBound + index] = tagSpan[index] }
        return box
    }
}

extension AEADSize {
    /// Where the text lies in a combined box of `count` bytes.
    fileprivate static func textRange(inBoxOf count: Int) throws(AEADError) -> Range<Int> {
        guard count >= overhead else { throw .tooShort(minimum: overhead, found: count) }
        return nonce..<(count - tag)
    }

    /// Refuses nonces, texts and tags of a wrong length before a C function sees them.
    static func check(
        nonce: Span<UInt8>, tagCount: Int, textCount: Int, maximum: Int
    ) throws(AEADError) {
        guard nonce.count == self.nonce else { throw .nonceLength(expected: self.nonce, found: nonce.count) }
        guard tagCount == self.tag else { throw .tagLength(expected: self.tag, found: tagCount) }
        guard textCount <= maximum else { throw .tooLong(maximum: maximum, found: textCount) }
    }
}
