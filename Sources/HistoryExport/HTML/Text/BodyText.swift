import SophaxFiles

/// The text of a message as element text: escaped, with links for what is one beyond doubt.
enum BodyText {
    /// What is said of a text on the element that holds it.
    struct Traits: Equatable {
        /// A BCP 47 tag where the script tells the language, else empty: unknown.
        var language = ""
        /// Nothing but a few emoji.
        var isEmojiOnly = false
    }

    /// The most emoji that are shown large.
    static let mostLargeEmoji = 6

    static func append(_ text: [UInt8], to output: inout Markup) {
        var start = 0
        var search = 0
        while let colon = text[search...].firstIndex(of: UInt8(ascii: ":")) {
            search = colon + 1
            guard let address = address(in: text, colon: colon, notBefore: start) else { continue }
            search = address.upperBound
            guard address.count <= longestLink else { continue }
            output.text(text.span.extracting(start..<address.lowerBound))
            output.add("<a href=\"")
            output.text(text.span.extracting(address))
            output.add("\" rel=\"noopener noreferrer\" target=\"_blank\">")
            output.text(text.span.extracting(address))
            output.add("</a>")
            start = address.upperBound
        }
        output.text(text.span.extracting(start..<text.count))
    }

    // MARK: Links

    /// The longest address that becomes a link, in bytes; nothing that a person writes is longer.
    static let longestLink = 8_192
    /// The same of what stands before the @ of a mail address.
    private static let longestMailbox = 256

    private static let schemes: [(name: [UInt8], slashes: Bool)] = [
        (Array("https".utf8), true), (Array("http".utf8), true), (Array("mailto".utf8), false),
    ]

    /// The address whose scheme ends at `colon`, however long it is. No other schemes than these three are links.
    private static func address(in text: [UInt8], colon: Int, notBefore start: Int) -> Range<Int>? {
        for scheme in schemes {
            let begin = colon - scheme.name.count
            guard begin >= start, zip(text[begin..<colon], scheme.name).allSatisfy({ $0 | 0x20 == $1 }) else {
                continue
            }
            if begin > 0, isWordByte(text[begin - 1]) { continue }
            var body = colon + 1
            if scheme.slashes {
                guard text.count - body > 2, text[body] == UInt8(ascii: "/"), text[body + 1] == UInt8(ascii: "/") else {
                    continue
                }
                body += 2
                guard isWordByte(text[body]) || text[body] == UInt8(ascii: "[") else { continue }
            } else {
                let mailbox = text[body...].prefix(longestMailbox)
                guard
                    let at = mailbox.firstIndex(where: {
                        $0 <= 0x20 || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "@")
                    }),
                    text[at] == UInt8(ascii: "@")
                else { continue }
            }
            let end = trimmed(text, from: body, to: end(of: text, from: body))
            guard end > body else { continue }
            return begin..<end
        }
        return nil
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
            || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
    }

    /// Where a link ends at the latest: at white space, quotes, brackets of markup, and at whatever is invisible.
    private static func end(of text: [UInt8], from start: Int) -> Int {
        var index = start
        while index < text.count {
            let byte = text[index]
            if byte < 0x80 {
                guard byte > 0x20, byte != 0x7F, !"<>\"`{}|\\^".utf8.contains(byte) else { return index }
                index += 1
                continue
            }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
            guard byte >= 0xC2, byte < 0xF5, text.count - index >= length,
                let scalar = String(decoding: text[index..<index + length], as: UTF8.self).unicodeScalars.first
            else { return index }
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
                .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .otherSymbol:
                guard scalar.value != 0xFFFD else { return index }
                index += length
            default: return index
            }
        }
        return index
    }

    /// Punctuation that ends the sentence, not the link; a bracket only where the link did not open it.
    private static func trimmed(_ text: [UInt8], from start: Int, to end: Int) -> Int {
        var end = end
        // Closing brackets without an opening one, round and square.
        var (round, square) = (0, 0)
        for byte in text[start..<end] {
            switch byte {
            case UInt8(ascii: "("): round -= 1
            case UInt8(ascii: ")"): round += 1
            case UInt8(ascii: "["): square -= 1
            case UInt8(ascii: "]"): square += 1
            default: break
            }
        }
        while end > start {
            switch text[end - 1] {
            case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "!"),
                UInt8(ascii: "?"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "~"):
                end -= 1
            case UInt8(ascii: ")") where round > 0:
                round -= 1
                end -= 1
            case UInt8(ascii: "]") where square > 0:
                square -= 1
                end -= 1
            default: return end
            }
        }
        return end
    }

    // MARK: Traits

    static func traits(_ text: [UInt8]) -> Traits {
        var traits = Traits()
        guard text.contains(where: { $0 >= 0xC2 }) else { return traits }
        var emoji = 0
        var isEmoji = text.count <= 200
        var hasHan = false
        for scalar in String(decoding: text.prefix(4_096), as: UTF8.self).unicodeScalars {
            let value = scalar.value
            if isEmoji { isEmoji = countsAsEmoji(scalar, &emoji) }
            guard value >= 0x0E00 else { continue }
            switch value {
            case 0x3040...0x30FF, 0x31F0...0x31FF: traits.language = "ja"
            case 0xAC00...0xD7A3, 0x1100...0x11FF: traits.language = "ko"
            case 0x0E00...0x0E7F: traits.language = "th"
            case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x20000...0x3FFFF:
                hasHan = true
                continue
            default: continue
            }
            break
        }
        if hasHan, traits.language.isEmpty { traits.language = "zh" }
        traits.isEmojiOnly = isEmoji && emoji > 0 && emoji <= mostLargeEmoji
        return traits
    }

    /// False for what is neither an emoji nor part of one, nor white space.
    private static func countsAsEmoji(_ scalar: Unicode.Scalar, _ emoji: inout Int) -> Bool {
        switch scalar.value {
        case 0x20, 0x0A, 0x200D, 0xFE0F, 0x1F3FB...0x1F3FF, 0xE0020...0xE007F: return true
        case 0x1F1E6...0x1F1FF:
            emoji += 1
            return true
        default:
            guard scalar.value > 0xFF, scalar.properties.isEmoji else { return false }
            emoji += 1
            return true
        }
    }
}
