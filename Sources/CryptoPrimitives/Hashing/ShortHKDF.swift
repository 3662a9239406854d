import CSodium

/// HKDF-SHA-256 (RFC 5869) between keys that lie in lent memory; `HKDF` gives its result in memory of its own.
package enum ShortHKDF {
    /// Extract and expand, until `target` is full: 1 to 8,160 bytes. An empty salt is 32 zeros (RFC 5869, 2.2).
    package static func derive(
        inputKey: Span<UInt8>, salt: Span<UInt8> = Span(), info: Span<UInt8> = Span(),
        into target: inout MutableSpan<UInt8>
    ) throws(KeyDerivationError) {
        let allowed = 1...(255 * ShortHMAC.codeLength)
        guard allowed.contains(target.count) else { throw .outputLength(allowed: allowed, found: target.count) }
        unsafe inputKey.withUnsafeBytes { inputKey in
            unsafe salt.withUnsafeBytes { salt in
                unsafe info.withUnsafeBytes { info in
                    unsafe target.withUnsafeMutableBytes { target in
                        unsafe derive(inputKey: inputKey, salt: salt, info: info, into: target)
                    }
                }
            }
        }
    }

    /// The same on memory; `target` may be the memory of input key or salt, not of `info`, and its length is right.
    static func derive(
        inputKey: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, info: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) {
        let length = ShortHMAC.codeLength
        unsafe withUnsafeTemporaryAllocation(byteCount: 2 * length, alignment: 16) { scratch in
            let extracted = unsafe UnsafeRawBufferPointer(rebasing: scratch[..<length])
            let block = unsafe UnsafeRawBufferPointer(rebasing: scratch[length...])
            unsafe ShortHMAC.write(scratch.cPointer, key: salt, inputKey)
            var counter: UInt8 = 1
            var done = 0
            while done < target.count {
                unsafe withUnsafeBytes(of: counter) { counter in
                    unsafe ShortHMAC.write(
                        scratch.cPointer + length, key: extracted,
                        done == 0 ? UnsafeRawBufferPointer(start: nil, count: 0) : block, info, counter)
                }
                let count = min(length, target.count - done)
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[done..<done + count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<count]))
                done += count
                counter &+= 1
            }
            unsafe sodium_memzero(scratch.cPointer, scratch.count)
        }
    }
}
