/// Writes JSON (RFC 8259) without spaces, members in the order they are written, one spelling for each value.
///
/// Text escapes only what it must: quotes, backslashes, control characters below U+0020. Bytes that are not UTF-8 become
/// U+FFFD. Doubles are the shortest that read back the same; not-a-number and infinity are `null`.
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init() {}

    /// Takes out what was written so far, to send it on in pieces.
    package mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    // MARK: containers

    package mutating func object<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        beginValue()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        try body(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    package mutating func array<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        beginValue()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        try body(&self)
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// An array with one value for each element; `body` writes exactly one.
    package mutating func array<S: Sequence, E: Error>(
        _ elements: S, _ body: (inout JSONWriter, S.Element) throws(E) -> Void
    ) throws(E) {
        try array { (json) throws(E) in
            for element in elements { try body(&json, element) }
        }
    }

    /// A member of an object; `body` writes exactly one value.
    package mutating func member<E: Error>(
        _ key: String, _ body: (inout JSONWriter) throws(E) -> Void
    ) throws(E) {
        beginValue()
        appendText(key.utf8)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
        try body(&self)
        needsComma = true
    }

    // MARK: values

    package mutating func value(_ text: String) {
        beginValue()
        appendText(text.utf8)
    }

    /// Text as bytes.
    package mutating func value(_ text: [UInt8]) {
        beginValue()
        if isValidUTF8(text) { appendText(text) } else { appendText(String(decoding: text, as: UTF8.self).utf8) }
    }

    package mutating func value(_ number: some BinaryInteger) {
        beginValue()
        bytes.append(contentsOf: String(number).utf8)
    }

    package mutating func value(_ number: Double) {
        guard number.isFinite else { return null() }
        beginValue()
        bytes.append(contentsOf: number.description.utf8)
    }

    package mutating func value(_ flag: Bool) {
        beginValue()
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    package mutating func null() {
        beginValue()
        bytes.append(contentsOf: "null".utf8)
    }

    /// One value that is JSON already and known to be valid.
    package mutating func raw(_ json: Span<UInt8>) {
        beginValue()
        for index in json.indices { bytes.append(json[index]) }
    }

    package mutating func raw(_ json: [UInt8]) {
        beginValue()
        bytes.append(contentsOf: json)
    }

    // MARK: members with a simple value; nil is `null`

    package mutating func member(_ key: String, _ value: String?) {
        member(key) { json in if let value { json.value(value) } else { json.null() } }
    }

    package mutating func member(_ key: String, _ value: [UInt8]?) {
        member(key) { json in if let value { json.value(value) } else { json.null() } }
    }

    package mutating func member(_ key: String, _ value: Int?) {
        member(key) { json in if let value { json.value(value) } else { json.null() } }
    }

    package mutating func member(_ key: String, _ value: Double?) {
        member(key) { json in if let value { json.value(value) } else { json.null() } }
    }

    package mutating func member(_ key: String, _ value: Bool?) {
        member(key) { json in if let value { json.value(value) } else { json.null() } }
    }

    private mutating func beginValue() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func appendText(_ text: some Collection<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0a: bytes.append(contentsOf: "\\n".utf8)
            case 0x0d: bytes.append(contentsOf: "\\r".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            case 0x08: bytes.append(contentsOf: "\\b".utf8)
            case 0x0c: bytes.append(contentsOf: "\\f".utf8)
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(Self.hexDigit(byte >> 4))
                bytes.append(Self.hexDigit(byte & 15))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private func isValidUTF8(_ text: [UInt8]) -> Bool {
        text.allSatisfy { $0 < 0x80 } || String(validating: text, as: UTF8.self) != nil
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
