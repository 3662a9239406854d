/// The content of a JSON string, as bytes.
package enum JSONText {
    /// What an unescaped string turned out to hold.
    package struct Unescaped: Equatable, Sendable {
        /// UTF-8 as in the source, escapes resolved; a lone surrogate becomes U+FFFD.
        package var bytes: [UInt8] = []
        /// The first thing that strict JSON does not allow, if any.
        package var problem: TextProblem.Kind?
    }

    /// Resolves the escapes of RFC 8259 section 7 in the content between two quotes.
    ///
    /// A leading U+FEFF and NUL stay, and bytes that are not UTF-8 are passed on as they are.
    package static func unescape(_ text: Span<UInt8>) -> Unescaped {
        var result = Unescaped()
        result.bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                if byte < 0x20 { result.problem = result.problem ?? .badEscape }
                result.bytes.append(byte)
                continue
            }
            guard index < text.count else {
                result.problem = .badEscape
                break
            }
            let kind = text[index]
            index += 1
            if kind == UInt8(ascii: "u") {
                appendUnicode(text, &index, to: &result)
            } else if let plain = simpleEscape(kind) {
                result.bytes.append(plain)
            } else {
                // Kept as it stands, so that nothing typed is lost.
                result.problem = result.problem ?? .badEscape
                result.bytes.append(UInt8(ascii: "\\"))
                result.bytes.append(kind)
            }
        }
        return result
    }

    /// What `unescape` would find, without a copy: the string may be a key.
    package static func escapeProblem(_ text: Span<UInt8>) -> TextProblem.Kind? {
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                if byte < 0x20 { return .badEscape }
                continue
            }
            guard index < text.count else { return .badEscape }
            let kind = text[index]
            index += 1
            guard kind == UInt8(ascii: "u") else {
                if simpleEscape(kind) == nil { return .badEscape }
                continue
            }
            guard hexUnit(text, index) != nil else { return .badEscape }
            if unicode(text, &index) == nil { return .loneSurrogate }
        }
        return nil
    }

    package static func simpleEscape(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// `index` stands behind `\u`.
    private static func appendUnicode(_ text: Span<UInt8>, _ index: inout Int, to result: inout Unescaped) {
        guard hexUnit(text, index) != nil else {
            result.problem = result.problem ?? .badEscape
            result.bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
            return
        }
        if let scalar = unicode(text, &index) {
            result.bytes.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
        } else {
            result.problem = result.problem ?? .loneSurrogate
            result.bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
        }
    }

    /// The scalar whose hex digits begin at `index`, or nil for a lone surrogate; `index` moves behind it either way.
    package static func unicode(_ text: Span<UInt8>, _ index: inout Int) -> Unicode.Scalar? {
        guard let unit = hexUnit(text, index) else { return nil }
        index += 4
        guard unit & 0xFC00 == 0xD800, text.count - index >= 6, text[index] == UInt8(ascii: "\\"),
            text[index + 1] == UInt8(ascii: "u"), let low = hexUnit(text, index + 2), low & 0xFC00 == 0xDC00
        else { return Unicode.Scalar(UInt32(unit)) }
        index += 6
        return Unicode.Scalar(0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF)))
    }

    package static func hexUnit(_ text: Span<UInt8>, _ index: Int) -> UInt16? {
        guard text.count - index >= 4 else { return nil }
        var unit: UInt16 = 0
        for position in index..<index + 4 {
            let digit: UInt8
            switch text[position] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = text[position] - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = text[position] - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = text[position] - UInt8(ascii: "A") + 10
            default: return nil
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    /// The first byte that is not part of well-formed UTF-8 (Unicode table 3-7), or nil.
    package static func firstInvalidUTF8(_ text: Span<UInt8>) -> Int? {
        var index = 0
        while index < text.count {
            let lead = text[index]
            if lead < 0x80 {
                index += 1
                continue
            }
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0xC2...0xDF: length = 2
            case 0xE0: (length, second) = (3, 0xA0...0xBF)
            case 0xED: (length, second) = (3, 0x80...0x9F)
            case 0xE1...0xEF: length = 3
            case 0xF0: (length, second) = (4, 0x90...0xBF)
            case 0xF4: (length, second) = (4, 0x80...0x8F)
            case 0xF1...0xF3: length = 4
            default: return index
            }
            guard text.count - index >= length, second.contains(text[index + 1]) else { return index }
            for follower in index + 2..<max(index + 2, index + length) where text[follower] & 0xC0 != 0x80 {
                return index
            }
            index += length
        }
        return nil
    }
}

extension JSONText {
    /// Appends `text` between quotes, escaped as RFC 8259 requires and no further; bytes that are not UTF-8 become U+FFFD.
    package static func appendQuoted(_ text: [UInt8], to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        if firstInvalidUTF8(text.span) == nil {
            appendEscaped(text, to: &output)
        } else {
            appendEscaped(Array(String(decoding: text, as: UTF8.self).utf8), to: &output)
        }
        output.append(UInt8(ascii: "\""))
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)

    private static func appendEscaped(_ text: [UInt8], to output: inout [UInt8]) {
        guard text.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
            output.append(contentsOf: text)
            return
        }
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0x0D: output.append(contentsOf: "\\r".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0..<0x20:
                output.append(contentsOf: "\\u00".utf8)
                output.append(hexDigits[Int(byte >> 4)])
                output.append(hexDigits[Int(byte & 15)])
            default: output.append(byte)
            }
        }
    }
}
