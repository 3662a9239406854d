/// Whether bytes that nothing proves look like text at all: a wrong key, or a wrong nonce, gives noise.
///
/// Of random bytes about 45 in 100 happen to be text (printable ASCII, or part of a well-formed UTF-8 sequence). A window of
/// 256 of them with nine tenths of text does not occur; JSON of an app has nearly nothing else.
package enum TextPlausibility {
    /// Bytes looked at together.
    static let window = 256
    /// Shorter pieces say nothing by their share of text.
    static let shortest = 24

    /// Whether any part of `bytes` is text. Shorter ones than `shortest` must begin as a list of messages does.
    package static func holdsText(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= shortest else { return beginsAsList(bytes) }
        var start = 0
        while start < bytes.count {
            let end = min(start + window, bytes.count)
            if end - start >= shortest || start == 0, isText(bytes.extracting(start..<end)) { return true }
            start = end
        }
        return false
    }

    /// Whether nearly all of a short piece is text.
    package static func isText(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 0 else { return false }
        return textBytes(bytes) * 10 >= bytes.count * 9
    }

    /// `[{"`, or the empty list, as far as there are bytes; one or two of them say too little.
    static func beginsAsList(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 2, bytes[0] == UInt8(ascii: "[") else { return false }
        if bytes[1] == UInt8(ascii: "]") { return bytes.count == 2 }
        guard bytes.count >= 3 else { return false }
        return bytes[1] == UInt8(ascii: "{") && bytes[2] == UInt8(ascii: "\"")
    }

    private static func textBytes(_ bytes: Span<UInt8>) -> Int {
        var count = 0
        var index = 0
        while index < bytes.count {
            let length = sequenceLength(bytes, index)
            count += length
            index += max(1, length)
        }
        return count
    }

    /// Bytes of the character at `index`: 0 when it is a control character or no UTF-8.
    private static func sequenceLength(_ bytes: Span<UInt8>, _ index: Int) -> Int {
        let length: Int
        switch bytes[index] {
        case 0x20...0x7E, 0x09, 0x0A, 0x0D: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        default: return 0
        }
        guard bytes.count - index >= length else { return 0 }
        for follower in index + 1..<index + length where bytes[follower] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
