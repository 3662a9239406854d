import CSimdJSON
import JSONCoding

extension TolerantScanner {
    /// A value that was read over.
    struct Value {
        enum Kind { case object, array, string, number, bool, null, invalid }
        let kind: Kind
        /// Of a string the content between the quotes, else the whole value.
        let range: Range<Int>
        /// The string has a backslash in it.
        var escaped = false
        /// Bits `SXJ_BROKEN_*` of the value and everything in it.
        var broken: UInt8 = 0
        var number: Double = .nan
        /// A container whose values are all strings.
        var onlyStrings = true
    }

    /// Lends the content of a range.
    func withBytes<R>(_ range: Range<Int>, _ body: (Span<UInt8>) -> R) -> R {
        unsafe body(UnsafeBufferPointer(rebasing: text[range.clamped(to: 0..<text.count)]).span)
    }

    /// Reads over one value; nil when the text cannot be understood from here.
    mutating func value(depth: Int) -> Value? {
        skipWhiteSpace()
        guard let first = byte(position) else { return nil }
        switch first {
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return depth < Self.maximumNesting ? container(first, depth: depth) : nil
        default: return scalar()
        }
    }

    /// `position` stands on the opening quote.
    mutating func string() -> Value? {
        let start = position + 1
        var index = start
        var escaped = false
        var broken: UInt8 = 0
        while let next = byte(index), next != UInt8(ascii: "\"") {
            if next == UInt8(ascii: "\\") {
                escaped = true
                index += 1
            } else if next < 0x20 {
                if broken & UInt8(SXJ_BROKEN_ESCAPE) == 0 { note(.badEscape, at: index) }
                broken |= UInt8(SXJ_BROKEN_ESCAPE)
            }
            index += 1
        }
        guard unsafe index < text.count else {
            position = unsafe text.count
            return nil
        }
        position = index + 1
        let range = start..<index
        if let bad = withBytes(range, { JSONText.firstInvalidUTF8($0) }) {
            note(.invalidUTF8, at: start + bad)
            broken |= UInt8(SXJ_BROKEN_UTF8)
        }
        if escaped, let problem = withBytes(range, { JSONText.escapeProblem($0) }) {
            let surrogate = problem == .loneSurrogate
            broken |= UInt8(surrogate ? SXJ_BROKEN_SURROGATE : SXJ_BROKEN_ESCAPE)
            note(surrogate ? .loneSurrogate : .badEscape, at: start)
        }
        return Value(kind: .string, range: range, escaped: escaped, broken: broken)
    }

    /// The container at `start` as a whole, where only its brackets are understood.
    private mutating func unread(at start: Int, closing: UInt8) -> Value? {
        let isObject = byte(start) == UInt8(ascii: "{")
        guard isObject || byte(start) == UInt8(ascii: "["), let end = balancedEnd(start, closing: closing) else {
            return nil
        }
        position = end
        note(.badValue, at: start)
        return Value(kind: isObject ? .object : .array, range: start..<end)
    }

    private mutating func scalar() -> Value? {
        let start = position
        while let next = byte(position) {
            let ends =
                next == UInt8(ascii: ",") || next == UInt8(ascii: "}") || next == UInt8(ascii: "]") || next <= 0x20
            if ends || next == UInt8(ascii: ":") || next == UInt8(ascii: "\"") { break }
            position += 1
        }
        let range = start..<position
        guard !range.isEmpty else { return nil }
        let word = withBytes(range) { span in (0..<span.count).map { span[$0] } }
        switch word {
        case Array("true".utf8), Array("false".utf8): return Value(kind: .bool, range: range)
        case Array("null".utf8): return Value(kind: .null, range: range)
        default: break
        }
        guard JSONNumber.isNumber(word) else {
            note(.badValue, at: start)
            return Value(kind: .invalid, range: range)
        }
        let number = JSONNumber.double(word)
        guard number.isFinite else {
            note(.badNumber, at: start)
            return Value(kind: .number, range: range, broken: UInt8(SXJ_BROKEN_NUMBER), number: .nan)
        }
        return Value(kind: .number, range: range, number: number)
    }

    private mutating func container(_ open: UInt8, depth: Int) -> Value? {
        let start = position
        let isObject = open == UInt8(ascii: "{")
        var broken: UInt8 = 0
        var onlyStrings = true
        let readAll = elements(keyed: isObject, depth: depth) { _, value in
            broken |= value.broken
            if value.kind != .string { onlyStrings = false }
        }
        guard readAll else { return nil }
        return Value(
            kind: isObject ? .object : .array, range: start..<position, broken: broken, onlyStrings: onlyStrings)
    }

    /// Reads a container from its opening bracket to behind its closing one; false when it cannot be understood.
    ///
    /// `steppingOver`: a container inside that cannot be understood is taken from bracket to bracket, for whoever reads it
    /// by itself, and noted.
    mutating func elements(
        keyed: Bool, depth: Int, steppingOver: Bool = false, _ take: (_ key: Value?, _ value: Value) -> Void
    ) -> Bool {
        let close = keyed ? UInt8(ascii: "}") : UInt8(ascii: "]")
        position += 1
        skipWhiteSpace()
        if byte(position) == close {
            position += 1
            return true
        }
        while true {
            var key: Value?
            skipWhiteSpace()
            if keyed {
                guard byte(position) == UInt8(ascii: "\""), let name = string() else { return false }
                key = name
                skipWhiteSpace()
                guard byte(position) == UInt8(ascii: ":") else { return false }
                position += 1
            }
            skipWhiteSpace()
            let start = position
            guard let inner = value(depth: depth + 1) ?? (steppingOver ? unread(at: start, closing: close) : nil) else {
                return false
            }
            take(key, inner)
            skipWhiteSpace()
            guard let next = byte(position), next == UInt8(ascii: ",") || next == close else { return false }
            position += 1
            if next == close { return true }
        }
    }
}

/// Numbers of RFC 8259 section 6.
package enum JSONNumber {
    package static func isNumber(_ text: [UInt8]) -> Bool {
        var index = 0
        func digits() -> Bool {
            let start = index
            while index < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index]) { index += 1 }
            return index > start
        }
        if index < text.count, text[index] == UInt8(ascii: "-") { index += 1 }
        let whole = index
        guard digits() else { return false }
        if text[whole] == UInt8(ascii: "0"), index - whole > 1 { return false }
        if index < text.count, text[index] == UInt8(ascii: ".") {
            index += 1
            guard digits() else { return false }
        }
        if index < text.count, text[index] == UInt8(ascii: "e") || text[index] == UInt8(ascii: "E") {
            index += 1
            if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") { index += 1 }
            guard digits() else { return false }
        }
        return index == text.count
    }

    /// The nearest double; infinite where none holds it, NaN where the text is no number.
    static func double(_ text: [UInt8]) -> Double {
        Double(String(decoding: text, as: UTF8.self)) ?? .nan
    }
}
