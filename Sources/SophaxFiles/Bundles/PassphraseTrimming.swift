/// Which bytes of a passphrase the app keeps when it trims "white space and newlines" from both ends.
///
/// The set is Foundation's: the Unicode category Zs, tab, U+000A–U+000D, U+0085, U+2028 and U+2029. The scan works on
/// UTF-8, so the passphrase never becomes a `String`; bytes that are not UTF-8 are never taken for a space.
/// Format: SophaxChat 3.2.4.
package enum PassphraseTrimming {
    /// The range without the spaces at both ends; empty at the end of the text when there is nothing else.
    package static func kept(of text: Span<UInt8>) -> Range<Int> {
        var start = 0
        while start < text.count, let length = spaceLength(text, from: start) {
            start += length
        }
        var end = text.count
        while end > start, let length = spaceLength(text, endingAt: end, notBefore: start) {
            end -= length
        }
        return start..<end
    }

    /// Length of the space that begins at `index`, nil if none does.
    private static func spaceLength(_ text: Span<UInt8>, from index: Int) -> Int? {
        for length in 1...3 where length <= text.count - index {
            if isSpace(text, index, length) { return length }
        }
        return nil
    }

    /// Length of the space that ends before `end`, nil if none does.
    private static func spaceLength(_ text: Span<UInt8>, endingAt end: Int, notBefore start: Int) -> Int? {
        for length in 1...3 where length <= end - start {
            if isSpace(text, end - length, length) { return length }
        }
        return nil
    }

    /// Whether the `length` bytes at `index` are the whole encoding of one space.
    ///
    /// No encoding here is the end of another scalar's: each begins with a lead byte.
    private static func isSpace(_ text: Span<UInt8>, _ index: Int, _ length: Int) -> Bool {
        switch length {
        case 1:
            // Tab, line feed, vertical tab, form feed, carriage return, space.
            return (0x09...0x0D).contains(text[index]) || text[index] == 0x20
        case 2:
            // U+0085, U+00A0.
            return text[index] == 0xC2 && (text[index + 1] == 0x85 || text[index + 1] == 0xA0)
        default:
            switch (text[index], text[index + 1], text[index + 2]) {
            case (0xE1, 0x9A, 0x80): return true  // U+1680
            case (0xE2, 0x80, 0x80...0x8A): return true  // U+2000–U+200A
            case (0xE2, 0x80, 0xA8...0xA9): return true  // U+2028, U+2029
            case (0xE2, 0x80, 0xAF): return true  // U+202F
            case (0xE2, 0x81, 0x9F): return true  // U+205F
            case (0xE3, 0x80, 0x80): return true  // U+3000
            default: return false
            }
        }
    }
}
