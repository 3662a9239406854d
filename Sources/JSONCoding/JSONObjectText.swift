import CryptoPrimitives

/// Writes one JSON object as the apps' decoders read it, without spaces. Format: SophaxChat 2.1.
///
/// `/` is not escaped, which the decoder takes as well; a nil value leaves its key out, as the app does. Nothing secret
/// goes in here: see `SecretObjectText`.
package struct JSONObjectText {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    package init() {}

    /// The object, with its closing brace.
    package var finished: [UInt8] { bytes + [UInt8(ascii: "}")] }

    package mutating func add(_ key: StaticString, data: [UInt8]?) {
        guard let data else { return }
        begin(key.bytes)
        bytes.append(UInt8(ascii: "\""))
        bytes += Array(Base64.encode(data.span).utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    /// UTF-8; bytes that are not become U+FFFD.
    package mutating func add(_ key: StaticString, text: [UInt8]?) {
        guard let text else { return }
        begin(key.bytes)
        JSONText.appendQuoted(text, to: &bytes)
    }

    package mutating func add(_ key: StaticString, texts: [[UInt8]]?) {
        guard let texts else { return }
        add(
            key,
            array: texts.map { text in
                var quoted: [UInt8] = []
                JSONText.appendQuoted(text, to: &quoted)
                return quoted
            })
    }

    package mutating func add(_ key: StaticString, flag: Bool?) {
        guard let flag else { return }
        add(key, json: Array((flag ? "true" : "false").utf8))
    }

    package mutating func add(_ key: StaticString, integer: (some BinaryInteger)?) {
        guard let integer else { return }
        add(key, json: Array(String(integer).utf8))
    }

    /// A finite number, such as seconds since 2001: it reads back as the same double.
    package mutating func add(_ key: StaticString, number: Double?) {
        guard let number else { return }
        add(key, json: Array(Self.number(number).utf8))
    }

    /// A value that is JSON already.
    package mutating func add(_ key: StaticString, json: [UInt8]?) {
        guard let json else { return }
        begin(key.bytes)
        bytes += json
    }

    /// An array of values that are JSON already.
    package mutating func add(_ key: StaticString, array: [[UInt8]]?) {
        guard let array else { return }
        add(key, json: [UInt8(ascii: "[")] + array.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")])
    }

    /// Members that the reader did not know.
    package mutating func add(_ fields: [JSONField]) {
        for field in fields { add(field) }
    }

    /// A member whose key is data.
    package mutating func add(_ field: JSONField) {
        begin(field.key)
        bytes += field.value
    }

    private mutating func begin(_ key: [UInt8]) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        JSONText.appendQuoted(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    /// The shortest decimal number that reads back as `value`, whole numbers without a point, as Foundation writes it.
    package static func number(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
