import CryptoPrimitives

/// Writes one JSON object with secrets in it, into wiped memory that grows; without spaces, `/` not escaped.
package struct SecretObjectText: ~Copyable {
    private var block: SecretBytes
    private var count = 1
    /// Whether a comma comes before the next member.
    private var isBehindValue = false

    /// `capacity` bytes are had at once; a guess that is large enough saves copies.
    package init(capacity: Int) throws(SecretMemoryError) {
        block = try SecretBytes(count: max(capacity, 64))
        block.withMutableSpan { $0[0] = UInt8(ascii: "{") }
    }

    /// The object, with its closing brace.
    package consuming func finish() throws(SecretMemoryError) -> SecretBytes {
        try append([UInt8(ascii: "}")])
        return try block.prefix(count)
    }

    /// A secret in base64, encoded in constant time.
    package mutating func add(_ key: StaticString, secret: Span<UInt8>) throws(SecretMemoryError) {
        try begin(key.bytes)
        try appendBase64(secret)
    }

    package mutating func add(_ key: StaticString, secret: borrowing SecretBytes) throws(SecretMemoryError) {
        try begin(key.bytes)
        let text = try Self.base64(secret)
        try appendQuoted(text)
    }

    package mutating func add(_ key: StaticString, data: [UInt8]?) throws(SecretMemoryError) {
        guard let data else { return }
        try begin(key.bytes)
        try append(Array("\"\(Base64.encode(data.span))\"".utf8))
    }

    package mutating func add(_ key: StaticString, text: [UInt8]?) throws(SecretMemoryError) {
        guard let text else { return }
        var quoted: [UInt8] = []
        JSONText.appendQuoted(text, to: &quoted)
        try add(key, json: quoted)
    }

    package mutating func add(_ key: StaticString, integer: (some BinaryInteger)?) throws(SecretMemoryError) {
        guard let integer else { return }
        try add(key, json: Array(String(integer).utf8))
    }

    package mutating func add(_ key: StaticString, number: Double?) throws(SecretMemoryError) {
        guard let number else { return }
        try add(key, json: Array(JSONObjectText.number(number).utf8))
    }

    /// A value that is JSON already and holds no secret.
    package mutating func add(_ key: StaticString, json: [UInt8]?) throws(SecretMemoryError) {
        guard let json else { return }
        try begin(key.bytes)
        try append(json)
    }

    /// A member that the reader did not know.
    package mutating func add(_ field: JSONField) throws(SecretMemoryError) {
        try begin(field.key)
        try append(field.value)
    }

    /// A member whose key is data and whose value is JSON with secrets in it already.
    package mutating func add(key: [UInt8], json: borrowing SecretBytes) throws(SecretMemoryError) {
        try begin(key)
        try append(json)
    }

    package mutating func add(_ key: StaticString, texts: [[UInt8]]) throws(SecretMemoryError) {
        var array: [UInt8] = [UInt8(ascii: "[")]
        for (index, text) in texts.enumerated() {
            if index > 0 { array.append(UInt8(ascii: ",")) }
            JSONText.appendQuoted(text, to: &array)
        }
        try add(key, json: array + [UInt8(ascii: "]")])
    }

    /// Opens an object as the value of `key`, which may be data; close it with `endObject`.
    package mutating func beginObject(_ key: [UInt8]) throws(SecretMemoryError) {
        try begin(key)
        try append([UInt8(ascii: "{")])
        isBehindValue = false
    }

    package mutating func endObject() throws(SecretMemoryError) {
        try append([UInt8(ascii: "}")])
        isBehindValue = true
    }

    /// A key that is data and a secret in base64.
    package mutating func add(key: [UInt8], secret: Span<UInt8>) throws(SecretMemoryError) {
        try begin(key)
        try appendBase64(secret)
    }

    private mutating func begin(_ key: [UInt8]) throws(SecretMemoryError) {
        var text: [UInt8] = isBehindValue ? [UInt8(ascii: ",")] : []
        JSONText.appendQuoted(key, to: &text)
        text.append(UInt8(ascii: ":"))
        try append(text)
        isBehindValue = true
    }

    private mutating func appendBase64(_ secret: Span<UInt8>) throws(SecretMemoryError) {
        let copy = try SecretBytes(copying: secret)
        let text = try Self.base64(copy)
        try appendQuoted(text)
    }

    private static func base64(_ secret: borrowing SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        do throws(EncodingError) {
            return try SecretEncoding.encodeBase64(secret)
        } catch {
            switch error {
            case .memory(let memory): throw memory
            // Only reading can find a text malformed.
            case .malformed: throw .exhausted(requested: secret.count)
            }
        }
    }

    private mutating func appendQuoted(_ text: borrowing SecretBytes) throws(SecretMemoryError) {
        try reserve(text.count + 2)
        let start = count
        block.withMutableSpan { target in
            target[start] = UInt8(ascii: "\"")
            text.withSpan { text in
                for index in 0..<text.count { target[start + 1 + index] = text[index] }
            }
            target[start + 1 + text.count] = UInt8(ascii: "\"")
        }
        count += text.count + 2
    }

    private mutating func append(_ text: borrowing SecretBytes) throws(SecretMemoryError) {
        try reserve(text.count)
        let start = count
        block.withMutableSpan { target in
            text.withSpan { text in
                for index in 0..<text.count { target[start + index] = text[index] }
            }
        }
        count += text.count
    }

    private mutating func append(_ bytes: [UInt8]) throws(SecretMemoryError) {
        try reserve(bytes.count)
        let start = count
        block.withMutableSpan { target in
            for index in bytes.indices { target[start + index] = bytes[index] }
        }
        count += bytes.count
    }

    private mutating func reserve(_ more: Int) throws(SecretMemoryError) {
        guard block.count - count < more else { return }
        var larger = try SecretBytes(count: max(block.count * 2, count + more))
        let used = count
        larger.withMutableSpan { target in
            block.withSpan { source in
                for index in 0..<used { target[index] = source[index] }
            }
        }
        block = larger
    }
}
