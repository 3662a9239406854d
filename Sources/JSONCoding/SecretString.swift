import CryptoPrimitives

/// A JSON string in guarded memory that holds a key in base64.
package struct SecretString {
    private let buffer: PlaintextBuffer
    private let content: Range<Int>
    private let escaped: Bool

    package init(_ member: JSONMember, in buffer: PlaintextBuffer) {
        self.buffer = buffer
        content = member.value
        escaped = member.escaped
    }

    /// The bytes that the string stands for, decoded in constant time.
    ///
    /// The app writes `/` as `\/` inside base64. Base64 has no other character that JSON would have to escape, so any other
    /// escape is refused; the app would take `\u002f`, but nobody writes that. How many slashes a key has in base64, and where,
    /// is told by the time that parsing takes.
    package func decodeBase64() throws(EncodingError) -> SecretBytes {
        try buffer.withSpan { text throws(EncodingError) in
            let content = text.extracting(self.content)
            guard escaped else { return try SecretEncoding.decodeBase64(content) }
            let plain = try Self.withoutBackslashes(content)
            return try plain.withSpan { text throws(EncodingError) in try SecretEncoding.decodeBase64(text) }
        }
    }

    /// `content` without its backslashes.
    ///
    /// No branch and no address depends on the characters; only how many backslashes there are is told by the length. Every
    /// character moves down by the number of backslashes before it, one bit of that number a round; what it moves onto has
    /// moved away already, or is a backslash.
    private static func withoutBackslashes(_ content: Span<UInt8>) throws(EncodingError) -> SecretBytes {
        var others = 0
        let result: SecretBytes
        do {
            var plain = try SecretBytes(copying: content)
            var distances = [Int](repeating: 0, count: content.count)
            var dropped = 0
            for index in 0..<content.count {
                let isBackslash = equal(Int(content[index]), Int(UInt8(ascii: "\\")))
                let next = index + 1 < content.count ? Int(content[index + 1]) : 0
                others |= isBackslash & ~equal(next, Int(UInt8(ascii: "/")))
                distances[index] = dropped & ~isBackslash
                dropped += isBackslash & 1
            }
            plain.withMutableSpan { plain in
                var step = 1
                while step < content.count {
                    for index in step..<content.count {
                        let (to, distance) = (index - step, distances[index])
                        let mask = 0 - ((distance & step) >> step.trailingZeroBitCount)
                        let byte = UInt8(truncatingIfNeeded: mask)
                        plain[to] = plain[to] & ~byte | plain[index] & byte
                        distances[to] = distances[to] & ~mask | distance & mask
                        distances[index] = distance & ~mask
                    }
                    step <<= 1
                }
            }
            result = try plain.prefix(content.count - dropped)
        } catch {
            throw .memory(error)
        }
        guard others == 0 else { throw .malformed }
        return result
    }

    /// All ones when two small numbers are equal, else zero.
    private static func equal(_ left: Int, _ right: Int) -> Int {
        // Only zero gives a negative number here.
        ((left ^ right) - 1) >> (Int.bitWidth - 1)
    }
}
