import JSONCoding

/// Writes JSON values again from their source.
struct JSONCopy {
    /// How the copy is to look.
    enum Form {
        /// One spelling for each value: keys sorted by bytes, no white space, strings with as few escapes as can be,
        /// numbers by value. What is no strict JSON stays as it stands.
        case canonical
        /// As the source, but strict JSON: raw control characters and unknown escapes are escaped, and what no Unicode text
        /// can hold (bytes that are not UTF-8, surrogates without a partner) becomes U+FFFD, which `replacements` counts.
        case strict
    }

    /// Nesting beyond this is copied as it stands.
    private static let maximumNesting = 64

    let form: Form
    private(set) var output: [UInt8]
    /// Texts in which something became U+FFFD.
    private(set) var replacements = 0
    /// Texts in which something had to be escaped.
    private(set) var escapes = 0
    /// Values that are no JSON at all.
    private(set) var invalidValues = 0

    init(_ form: Form, appendingTo output: [UInt8] = []) {
        self.form = form
        self.output = output
    }

    mutating func append(_ byte: UInt8) {
        output.append(byte)
    }

    mutating func append(_ text: some Sequence<UInt8>) {
        output.append(contentsOf: text)
    }

    /// A value of `source`.
    mutating func append(_ piece: JSONPiece, of source: [UInt8], depth: Int = 0) {
        switch piece.value.kind {
        case .string: appendString(source[piece.value.range])
        case .number:
            if form == .canonical {
                CanonicalNumber.append(Array(source[piece.text]), to: &output)
            } else {
                if piece.value.broken != 0, !piece.value.number.isFinite { invalidValues += 1 }
                append(source[piece.text])
            }
        case .object, .array: appendContainer(piece, of: source, depth: depth)
        case .bool, .null: append(source[piece.text])
        case .invalid:
            invalidValues += 1
            append(source[piece.text])
        }
    }

    private mutating func appendContainer(_ piece: JSONPiece, of source: [UInt8], depth: Int) {
        let keyed = piece.value.kind == .object
        guard depth < Self.maximumNesting,
            var members = JSONPieces.of(source, at: piece.text.lowerBound, keyed: keyed)
        else {
            invalidValues += 1
            append(source[piece.text])
            return
        }
        if form == .canonical, keyed { members = Self.sorted(members) }
        append(UInt8(ascii: keyed ? "{" : "["))
        for (number, member) in members.enumerated() {
            if number > 0 { append(UInt8(ascii: ",")) }
            if keyed { appendKey(member, of: source) }
            append(member, of: source, depth: depth + 1)
        }
        append(UInt8(ascii: keyed ? "}" : "]"))
    }

    mutating func appendKey(_ member: JSONPiece, of source: [UInt8]) {
        appendString(source[member.keyText].dropFirst().dropLast())
        append(UInt8(ascii: ":"))
    }

    /// By the bytes of the keys; equal keys stay in their order.
    static func sorted(_ members: [JSONPiece]) -> [JSONPiece] {
        members.enumerated()
            .sorted { left, right in
                if left.element.key == right.element.key { return left.offset < right.offset }
                return left.element.key.lexicographicallyPrecedes(right.element.key)
            }
            .map(\.element)
    }

    /// The content of a string, between quotes.
    mutating func appendString(_ content: ArraySlice<UInt8>) {
        append(UInt8(ascii: "\""))
        switch form {
        case .canonical:
            if content.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\\") }) {
                append(content)
            } else {
                appendCanonical(Array(content))
            }
        case .strict: appendStrict(Array(content))
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func appendCanonical(_ content: [UInt8]) {
        let text = content.span
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            guard byte == UInt8(ascii: "\\"), index < text.count else {
                Self.appendEscaped(byte, to: &output)
                continue
            }
            let kind = text[index]
            index += 1
            if kind == UInt8(ascii: "u"), let unit = JSONText.hexUnit(text, index) {
                if let scalar = JSONText.unicode(text, &index) {
                    for byte in UTF8.encode(scalar).map(Array.init) ?? [] { Self.appendEscaped(byte, to: &output) }
                } else {
                    output.append(contentsOf: "\\u".utf8)
                    output.append(contentsOf: String(unit, radix: 16).utf8)
                }
            } else if let plain = kind == UInt8(ascii: "u") ? nil : JSONText.simpleEscape(kind) {
                Self.appendEscaped(plain, to: &output)
            } else {
                // An escape that JSON does not know says itself.
                Self.appendEscaped(UInt8(ascii: "\\"), to: &output)
                Self.appendEscaped(kind, to: &output)
            }
        }
    }

    private mutating func appendStrict(_ content: [UInt8]) {
        let invalid = JSONText.firstInvalidUTF8(content.span) != nil
        let problem = JSONText.escapeProblem(content.span)
        guard invalid || problem != nil else {
            append(content)
            return
        }
        let unescaped = JSONText.unescape(content.span)
        let hasLoneSurrogate = Self.hasLoneSurrogate(content)
        if invalid || hasLoneSurrogate { replacements += 1 } else { escapes += 1 }
        let text = invalid ? Array(String(decoding: unescaped.bytes, as: UTF8.self).utf8) : unescaped.bytes
        for byte in text { Self.appendEscaped(byte, to: &output) }
    }

    private static func hasLoneSurrogate(_ content: [UInt8]) -> Bool {
        let text = content.span
        var index = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "\\"), index + 1 < text.count else {
                index += 1
                continue
            }
            let kind = text[index + 1]
            index += 2
            guard kind == UInt8(ascii: "u"), JSONText.hexUnit(text, index) != nil else { continue }
            if JSONText.unicode(text, &index) == nil { return true }
        }
        return false
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)

    /// One byte of a text as a JSON string holds it.
    private static func appendEscaped(_ byte: UInt8, to output: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            output.append(UInt8(ascii: "\\"))
            output.append(byte)
        case 0x08: output.append(contentsOf: "\\b".utf8)
        case 0x09: output.append(contentsOf: "\\t".utf8)
        case 0x0A: output.append(contentsOf: "\\n".utf8)
        case 0x0C: output.append(contentsOf: "\\f".utf8)
        case 0x0D: output.append(contentsOf: "\\r".utf8)
        case 0..<0x20:
            output.append(contentsOf: "\\u00".utf8)
            output.append(hexDigits[Int(byte >> 4)])
            output.append(hexDigits[Int(byte & 0xF)])
        default: output.append(byte)
        }
    }
}

/// Numbers as one spelling for each value.
enum CanonicalNumber {
    /// 2^53: up to here every whole number is a double of its own.
    private static let largestWhole: Double = 9_007_199_254_740_992

    /// The double's shortest spelling; a whole number that no double holds, and what is no number, as it stands.
    static func append(_ text: [UInt8], to output: inout [UInt8]) {
        let number = JSONNumber.double(text)
        guard JSONNumber.isNumber(text), number.isFinite else {
            output.append(contentsOf: text)
            return
        }
        // Android counts in 64-bit integers, of which not every one is a double.
        if let whole = Int64(String(decoding: text, as: UTF8.self)), Int64(exactly: number) != whole {
            output.append(contentsOf: "\(whole)".utf8)
            return
        }
        append(number, to: &output)
    }

    /// The shortest text that gives the same double back, bit for bit; whole numbers without a fraction.
    static func append(_ number: Double, to output: inout [UInt8]) {
        if number == 0 {
            output.append(contentsOf: (number.sign == .minus ? "-0" : "0").utf8)
        } else if abs(number) <= largestWhole, let whole = Int64(exactly: number) {
            output.append(contentsOf: "\(whole)".utf8)
        } else {
            let text = Array("\(number)".utf8)
            output.append(contentsOf: text.suffix(2) == [0x2E, 0x30] ? text.dropLast(2) : text[...])
        }
    }
}
