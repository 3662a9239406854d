import CSodium

/// Base64 of one 32-byte key from and into lent memory, without memory of its own.
///
/// In constant time but for the letters `/` of a JSON text that escapes them: the parser in front of it looks for backslashes
/// and branches on what it finds, so their number and places can be seen by who measures time or memory accesses.
package enum KeyEncoding {
    /// Length of a key in bytes.
    package static let keyLength = 32
    /// Length of its base64 text.
    package static let textLength = 44
    /// The most bytes of a JSON string with it: every letter but the padding may be `/`, written `\/`.
    package static let longestEscaped = 2 * textLength - 1

    /// What a text turned out to be.
    package enum Result: Equatable, Sendable {
        case key
        case notBase64
        /// Base64 of so many bytes; from 44 letters on only that they are others than 32.
        case wrongLength(found: Int)
    }

    /// Writes the 44 letters of `key` to `target` from `place` on.
    package static func encode(_ key: Span<UInt8>, into target: inout MutableSpan<UInt8>, at place: Int) {
        precondition(key.count == keyLength && place >= 0 && place <= target.count - textLength)
        unsafe key.withCPointer { key in
            unsafe target.withCPointer { target in
                // libsodium ends the text with a NUL, for which there may be no room.
                unsafe withUnsafeTemporaryAllocation(byteCount: textLength + 1, alignment: 1) { text in
                    _ = unsafe sodium_bin2base64(
                        CText.characters(text.cPointer), textLength + 1, key, keyLength, CText.base64Variant)
                    unsafe UnsafeMutableRawPointer(target + place).copyMemory(
                        from: text.cPointer, byteCount: textLength)
                    unsafe sodium_memzero(text.cPointer, textLength + 1)
                }
            }
        }
    }

    /// Writes the key whose base64 is the content `text` of a JSON string into `target`, which has 32 bytes.
    ///
    /// `/` may be written `\/`, as the app does it; any other escape is no base64. Here no branch and no address depends on
    /// the places of the backslashes, only on their number; the parser in front of it is not as careful, see `KeyEncoding`.
    /// When the result is another than `.key`, `target` is zero.
    package static func decode(_ text: Span<UInt8>, into target: inout MutableSpan<UInt8>) -> Result {
        precondition(target.count == keyLength, "a key has 32 bytes")
        var backslashes = 0
        var otherEscapes = 0
        for index in 0..<text.count {
            let mask = isEqual(text[index], UInt8(ascii: "\\"))
            backslashes += 1 & mask
            let next = index + 1 < text.count ? text[index + 1] : 0
            otherEscapes |= mask & ~isEqual(next, UInt8(ascii: "/"))
        }
        // `\n` is a line break in JSON, and no letter.
        guard otherEscapes == 0 else { return .notBase64 }
        let length = text.count - backslashes
        guard length <= textLength, text.count <= longestEscaped else { return .wrongLength(found: length / 4 * 3) }
        return unsafe withUnsafeTemporaryAllocation(byteCount: longestEscaped, alignment: 1) { scratch in
            var allBits: UInt8 = 0
            for index in 0..<text.count {
                unsafe scratch[index] = text[index]
                allBits |= text[index]
            }
            for _ in 0..<backslashes { unsafe removeFirstBackslash(in: scratch, count: text.count) }
            let result = unsafe decode(scratch, length: length, allBits: allBits, into: &target)
            unsafe sodium_memzero(scratch.cPointer, scratch.count)
            return result
        }
    }

    private static func decode(
        _ text: UnsafeMutableRawBufferPointer, length: Int, allBits: UInt8, into target: inout MutableSpan<UInt8>
    ) -> Result {
        // libsodium 1.0.18 takes every byte above 7F for the letter "/".
        guard length.isMultiple(of: 4), allBits < 0x80 else { return .notBase64 }
        var count = 0
        let status = unsafe target.withCPointer { target in
            unsafe sodium_base642bin(
                target, keyLength, CText.characters(text.cPointer), length, nil, &count, nil, CText.base64Variant)
        }
        if status == 0, count == keyLength { return .key }
        unsafe target.withCPointer { target in unsafe sodium_memzero(target, keyLength) }
        if status == 0 { return .wrongLength(found: count) }
        // 44 letters without padding stand for 33 bytes, for which there is no room.
        let isFull = unsafe length == textLength && text[length - 1] != UInt8(ascii: "=")
        return isFull ? .wrongLength(found: keyLength + 1) : .notBase64
    }

    /// Moves everything behind the first backslash down by one.
    private static func removeFirstBackslash(in text: UnsafeMutableRawBufferPointer, count: Int) {
        var isBehind: UInt8 = 0
        for index in 0..<max(count - 1, 0) {
            isBehind |= UInt8(truncatingIfNeeded: isEqual(unsafe text[index], UInt8(ascii: "\\")))
            unsafe text[index] = text[index] & ~isBehind | text[index + 1] & isBehind
        }
    }

    /// All ones when the bytes are equal, else zero.
    private static func isEqual(_ left: UInt8, _ right: UInt8) -> Int {
        // Only zero gives a negative number here.
        (Int(left ^ right) - 1) >> (Int.bitWidth - 1)
    }
}
