/// Shows text from elsewhere so that it cannot steer a terminal, turn the line round, or hide.
package enum Escaping {
    /// What a text may hold besides what is seen.
    package enum Place: Hashable, Sendable {
        /// Inside a line: line endings and tabs are escaped; joiners stay between the letters or emoji that they join.
        case line
        /// A text of its own: line feeds and tabs stay as well.
        case block
        /// Between double quotes, for names and what was typed: quotes, backslashes and all joiners are escaped as well.
        case quoted
    }

    /// The text with control, bidi, invisible and format characters as `\u{202e}`, and bytes that are not UTF-8 as `\xff`.
    package static func escaped(_ bytes: [UInt8], _ place: Place) -> String {
        if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c }) {
            return String(decoding: bytes, as: UTF8.self)
        }
        var writer = EscapedWriter(place)
        var decoder = UTF8Scalars(bytes)
        while let element = decoder.next() {
            switch element {
            case .scalar(let scalar): writer.add(scalar)
            case .invalid(let byte): writer.add(invalid: byte)
            }
        }
        return writer.finish()
    }

    package static func escaped(_ text: String, _ place: Place) -> String {
        escaped(Array(text.utf8), place)
    }

    /// `"text"`, escaped.
    package static func quoted(_ bytes: [UInt8]) -> String {
        "\"\(escaped(bytes, .quoted))\""
    }

    /// The same JSON with what must be escaped written as `\u202e`. Line feeds and tabs stay: they stand between tokens.
    static func escaped(json: [UInt8]) -> [UInt8] {
        if json.allSatisfy({ $0 < 0x7f }) { return json }
        var escaped: [UInt8] = []
        var decoder = UTF8Scalars(json)
        while let element = decoder.next() {
            switch element {
            case .scalar(let scalar) where mustEscape(scalar) && scalar.value >= 0x7f:
                for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                    let digits = String(unit, radix: 16)
                    escaped += Array("\\u".utf8) + Array(repeating: UInt8(ascii: "0"), count: 4 - digits.utf8.count)
                    escaped += Array(digits.utf8)
                }
            case .scalar(let scalar): escaped += UTF8.encode(scalar).map(Array.init) ?? []
            case .invalid(let byte): escaped.append(byte)
            }
        }
        return escaped
    }

    /// True for what a terminal obeys, what reorders a line, and what nobody sees.
    static func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7f }
        switch scalar.value {
        // Letters that are drawn as nothing: Hangul fillers, Khmer inherent vowels, the Braille blank is visible width.
        case 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0: return true
        // Noncharacters.
        case 0xfdd0...0xfdef: return true
        case let value where value & 0xfffe == 0xfffe: return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return true
        default: return false
        }
    }
}

/// Writes scalars one by one; a joiner waits for what comes after it.
private struct EscapedWriter {
    private let place: Escaping.Place
    private var text = ""
    private var before: Unicode.Scalar?
    private var joiner: Unicode.Scalar?

    init(_ place: Escaping.Place) {
        self.place = place
    }

    mutating func add(_ scalar: Unicode.Scalar) {
        if let waiting = joiner {
            joiner = nil
            if joins(scalar) { text.unicodeScalars.append(waiting) } else { addEscape(of: waiting) }
        }
        if scalar.value == 0x200c || scalar.value == 0x200d, place != .quoted, let before, joins(before) {
            joiner = scalar
            return
        }
        before = scalar
        switch scalar {
        case "\n" where place == .block, "\t" where place == .block: text.unicodeScalars.append(scalar)
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case "\"" where place == .quoted, "\\" where place == .quoted: text += "\\" + String(scalar)
        case _ where Escaping.mustEscape(scalar): addEscape(of: scalar)
        default: text.unicodeScalars.append(scalar)
        }
    }

    mutating func add(invalid byte: UInt8) {
        if let waiting = joiner { addEscape(of: waiting) }
        joiner = nil
        before = nil
        text += "\\x" + String(byte, radix: 16)
    }

    mutating func finish() -> String {
        if let waiting = joiner { addEscape(of: waiting) }
        joiner = nil
        return text
    }

    private mutating func addEscape(of scalar: Unicode.Scalar) {
        before = nil
        text += "\\u{" + String(scalar.value, radix: 16) + "}"
    }

    /// Letters and marks of scripts that use joiners, emoji and their variation selectors; never ASCII.
    private func joins(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII, !Escaping.mustEscape(scalar) else { return false }
        if scalar.properties.isEmoji { return true }
        switch scalar.properties.generalCategory {
        case .otherLetter, .nonspacingMark, .spacingMark, .modifierSymbol: return true
        default: return false
        }
    }
}
