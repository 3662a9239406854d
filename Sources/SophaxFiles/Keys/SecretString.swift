import CryptoPrimitives

/// A JSON string in guarded memory that holds a key in base64.
struct SecretString {
    private let buffer: PlaintextBuffer
    private let content: Range<Int>
    private let escaped: Bool

    /// Keys are 32 bytes: 44 characters, and as many backslashes at most.
    private static let longestEscaped = 256

    init(_ member: JSONMember, in buffer: PlaintextBuffer) {
        self.buffer = buffer
        content = member.value
        escaped = member.escaped
    }

    /// The bytes that the string stands for, decoded in constant time.
    ///
    /// The app writes `/` as `\/` inside base64. Base64 has no other character that JSON would have to escape, so
    /// backslashes are dropped and what they escape is kept; any other escape leaves something that is no base64.
    func decodeBase64() throws(EncodingError) -> SecretBytes {
        try buffer.withSpan { text throws(EncodingError) in
            let content = text.extracting(self.content)
            guard escaped else { return try SecretEncoding.decodeBase64(content) }
            guard content.count <= Self.longestEscaped else { throw .malformed }
            let plain = try Self.withoutBackslashes(content)
            return try plain.withSpan { text throws(EncodingError) in try SecretEncoding.decodeBase64(text) }
        }
    }

    /// `content` without its backslashes.
    ///
    /// No branch and no address depends on the characters; only how many backslashes there are is told by the length.
    private static func withoutBackslashes(_ content: Span<UInt8>) throws(EncodingError) -> SecretBytes {
        do {
            var plain = try SecretBytes(count: content.count)
            let kept = plain.withMutableSpan { plain in
                var kept = 0
                for index in 0..<content.count {
                    let keep = ~equal(Int(content[index]), Int(UInt8(ascii: "\\")))
                    for place in 0...index {
                        let mask = UInt8(truncatingIfNeeded: keep & equal(place, kept))
                        plain[place] = plain[place] & ~mask | content[index] & mask
                    }
                    kept += keep & 1
                }
                return kept
            }
            return try plain.prefix(kept)
        } catch {
            throw .memory(error)
        }
    }

    /// All ones when two small numbers are equal, else zero.
    private static func equal(_ left: Int, _ right: Int) -> Int {
        // Only zero gives a negative number here.
        ((left ^ right) - 1) >> (Int.bitWidth - 1)
    }
}
