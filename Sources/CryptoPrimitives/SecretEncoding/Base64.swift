/// Base64 (RFC 4648, 4: standard alphabet, padded) for what is **no secret**: it looks letters up in tables.
///
/// Secrets go through `SecretEncoding`, which takes the same time for every letter and so is several times slower.
package enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    /// The value of each letter, `notALetter` for every other byte.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: notALetter, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()
    private static let notALetter: UInt8 = 0xFF
    private static let padding = UInt8(ascii: "=")

    /// The text of `bytes`.
    package static func encode(_ bytes: Span<UInt8>) -> String {
        let letters = self.letters
        var text: [UInt8] = []
        text.reserveCapacity(CText.base64Length(bytes.count))
        var position = 0
        while bytes.count - position >= 3 {
            let group = UInt32(bytes[position]) << 16 | UInt32(bytes[position + 1]) << 8 | UInt32(bytes[position + 2])
            text.append(letters[Int(group >> 18)])
            text.append(letters[Int(group >> 12 & 63)])
            text.append(letters[Int(group >> 6 & 63)])
            text.append(letters[Int(group & 63)])
            position += 3
        }
        let rest = bytes.count - position
        if rest > 0 {
            let group = UInt32(bytes[position]) << 16 | (rest == 2 ? UInt32(bytes[position + 1]) << 8 : 0)
            text.append(letters[Int(group >> 18)])
            text.append(letters[Int(group >> 12 & 63)])
            text.append(rest == 2 ? letters[Int(group >> 6 & 63)] : padding)
            text.append(padding)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of `text`; nil for anything but the one right spelling.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard let length = CText.base64DecodedLength(text) else { return nil }
        let values = self.values
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        let rest = length % 3
        let wholeGroups = length / 3 * 4
        var position = 0
        // Values are below 64, so that any byte that is not a letter shows in the two highest bits.
        var seen: UInt8 = 0
        while position < wholeGroups {
            let first = values[Int(text[position])]
            let second = values[Int(text[position + 1])]
            let third = values[Int(text[position + 2])]
            let fourth = values[Int(text[position + 3])]
            seen |= first | second | third | fourth
            bytes.append(first << 2 | second >> 4)
            bytes.append(second << 4 | third >> 2)
            bytes.append(third << 6 | fourth)
            position += 4
        }
        if rest > 0 {
            let first = values[Int(text[position])]
            let second = values[Int(text[position + 1])]
            let third = rest == 2 ? values[Int(text[position + 2])] : 0
            seen |= first | second | third
            bytes.append(first << 2 | second >> 4)
            if rest == 2 { bytes.append(second << 4 | third >> 2) }
            // The bits that no byte takes must be zero, else one text had several spellings.
            guard rest == 2 ? third & 3 == 0 : second & 15 == 0 else { return nil }
        }
        return seen < 64 ? bytes : nil
    }
}
