import SophaxFiles

/// Text of others, made fit for showing.
enum DisplayText {
    /// UTF-8; what is none becomes U+FFFD.
    static func repaired(_ text: Span<UInt8>) -> [UInt8] {
        unsafe text.withUnsafeBufferPointer { bytes in
            unsafe Array(String(decoding: bytes, as: UTF8.self).utf8)
        }
    }

    /// One line: line ends and controls as pictures, characters that change the direction of others or are invisible as
    /// `\u{202E}`. Joiners stay: words of some scripts and many emoji need them.
    static func line(_ text: [UInt8]) -> [UInt8] {
        if text.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count + 16)
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0..<0x20: result.append(contentsOf: [0xE2, 0x90, 0x80 + UInt8(truncatingIfNeeded: scalar.value)])
            case 0x7F: result.append(contentsOf: [0xE2, 0x90, 0xA1])
            case 0x80..<0xA0: spell(scalar, to: &result)
            case ..<0x300, 0x200C, 0x200D: append(scalar, to: &result)
            default:
                switch scalar.properties.generalCategory {
                case .format, .lineSeparator, .paragraphSeparator: spell(scalar, to: &result)
                default: append(scalar, to: &result)
                }
            }
        }
        return result
    }

    private static func append(_ scalar: Unicode.Scalar, to result: inout [UInt8]) {
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { result.append(byte) }
    }

    private static func spell(_ scalar: Unicode.Scalar, to result: inout [UInt8]) {
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".utf8)
    }

    /// The beginning of a text as one line, at most `limit` scalars, with an ellipsis where there is more. Runs of white
    /// space are one space.
    static func beginning(_ text: [UInt8], limit: Int) -> [UInt8] {
        var scalars: [Unicode.Scalar] = []
        var hasMore = false
        // So many bytes have more scalars than are wanted, whatever they are.
        let head = text.count > limit * 8 ? Array(text[..<(limit * 8)]) : text
        for scalar in String(decoding: head, as: UTF8.self).unicodeScalars {
            let isSpace = scalar == " " || scalar == "\n" || scalar == "\r" || scalar == "\t"
            if isSpace, scalars.last == " " || scalars.isEmpty { continue }
            guard scalars.count < limit else {
                hasMore = true
                break
            }
            scalars.append(isSpace ? " " : scalar)
        }
        if head.count < text.count { hasMore = true }
        var result: [UInt8] = []
        for scalar in scalars { append(scalar, to: &result) }
        if hasMore { result.append(contentsOf: "…".utf8) }
        return result
    }

    /// Up to two letters for somebody's name: of its first and its last word.
    static func initials(_ name: [UInt8]) -> [UInt8] {
        let words = String(decoding: name, as: UTF8.self).unicodeScalars.split { $0.properties.isWhitespace }
        let letters = words.compactMap { word in
            word.first { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        }
        guard let first = letters.first else { return Array("#".utf8) }
        var text = first.properties.uppercaseMapping
        if letters.count > 1, let last = letters.last { text += last.properties.uppercaseMapping }
        return Array(text.utf8)
    }
}
