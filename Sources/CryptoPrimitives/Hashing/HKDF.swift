/// Why no key could be derived.
package enum KeyDerivationError: Error, Equatable, Sendable {
    /// More or fewer bytes were asked for than the function can give.
    case outputLength(allowed: ClosedRange<Int>, found: Int)
    /// The number of rounds is zero or more than the library can count.
    case iterations(found: UInt32)
    /// Passphrase or salt are longer than the library can take.
    case inputLength(maximum: Int, found: Int)
    /// The guarded memory could not be had.
    case memory(SecretMemoryError)
    /// The C library failed although its arguments were right (no memory).
    case libraryFailure
}

/// HKDF (RFC 5869) over libcrypto's HMAC.
package enum HKDF {
    /// Extract and expand: `length` bytes from `inputKey`.
    package static func derive(
        inputKey: borrowing SecretBytes,
        salt: Span<UInt8> = Span(),
        info: Span<UInt8> = Span(),
        length: Int,
        using hash: HMAC.Hash
    ) throws(KeyDerivationError) -> SecretBytes {
        try checkLength(length, hash)
        let pseudorandomKey = try extract(inputKey: inputKey, salt: salt, using: hash)
        return try expand(pseudorandomKey: pseudorandomKey, info: info, length: length, using: hash)
    }

    /// The pseudorandom key of `inputKey`, as long as the digest. An empty salt is as many zeros (RFC 5869, 2.2).
    package static func extract(
        inputKey: borrowing SecretBytes,
        salt: Span<UInt8>,
        using hash: HMAC.Hash
    ) throws(KeyDerivationError) -> SecretBytes {
        var code = HMAC(plainKey: salt, using: hash)
        code.update(inputKey)
        do { return try code.finishSecret() } catch { throw .memory(error) }
    }

    /// `length` bytes, 1 to 255 digests, from a key that is already pseudorandom (RFC 5869, 2.3).
    package static func expand(
        pseudorandomKey: borrowing SecretBytes,
        info: Span<UInt8>,
        length: Int,
        using hash: HMAC.Hash
    ) throws(KeyDerivationError) -> SecretBytes {
        try checkLength(length, hash)
        do {
            var output = try SecretBytes(count: length)
            var block = try SecretBytes(count: hash.digestLength)
            var code = HMAC(key: pseudorandomKey, using: hash)
            var counter: UInt8 = 1
            var done = 0
            while done < length {
                if done > 0 { code.update(block) }
                code.update(info)
                code.update(byte: counter)
                unsafe block.withUnsafeMutableBytes { target in unsafe code.finishAndRestart(into: target) }
                let count = min(hash.digestLength, length - done)
                unsafe output.withUnsafeMutableBytes { target in
                    unsafe block.withUnsafeBytes { source in
                        unsafe UnsafeMutableRawBufferPointer(rebasing: target[done..<(done + count)])
                            .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<count]))
                    }
                }
                done += count
                counter &+= 1
            }
            return output
        } catch {
            throw .memory(error)
        }
    }

    private static func checkLength(_ length: Int, _ hash: HMAC.Hash) throws(KeyDerivationError) {
        let allowed = 1...(255 * hash.digestLength)
        guard allowed.contains(length) else { throw .outputLength(allowed: allowed, found: length) }
    }
}
