import CryptoPrimitives
import SystemIO

extension JSONObject {
    /// The UTF-8 of a string, escapes resolved.
    package func text(_ key: StaticString) throws(FormatError) -> [UInt8]? {
        try value(key, .string).map(text)
    }

    /// The UTF-8 of a string member.
    package func text(_ member: JSONMember) -> [UInt8] {
        buffer.withSpan { text in JSONText.unescape(text.extracting(member.value)).bytes }
    }

    /// The bytes of a base64 string; `length` is the only right count where there is one.
    package func data(_ key: StaticString, length: Int? = nil) throws(FormatError) -> [UInt8]? {
        guard let text = try text(key) else { return nil }
        guard let bytes = Base64.decode(text.span) else { throw problem(key, .notBase64) }
        if let length, bytes.count != length {
            throw problem(key, .wrongLength(expected: length, found: bytes.count))
        }
        return bytes
    }

    /// A secret in a base64 string, decoded in constant time; `length` is the only right count where there is one.
    package func secret(_ key: StaticString, length: Int? = nil) throws(FormatError) -> SecretBytes? {
        guard let member = try value(key, .string) else { return nil }
        return try secret(member, key.description, length: length)
    }

    /// A secret in a base64 string among `entries` or `elements`; `name` is how errors name it.
    package func secret(
        _ member: JSONMember, _ name: @autoclosure () -> String, length: Int? = nil
    ) throws(FormatError) -> SecretBytes {
        guard member.kind == .string else { throw .field(path(to: name()), .wrongType) }
        let secret: SecretBytes
        do throws(EncodingError) {
            secret = try SecretString(member, in: buffer).decodeBase64()
        } catch {
            switch error {
            case .malformed: throw .field(path(to: name()), .notBase64)
            case .memory: throw .outOfMemory
            }
        }
        if let length, secret.count != length {
            throw .field(path(to: name()), .wrongLength(expected: length, found: secret.count))
        }
        return secret
    }

    /// A whole number from 0 to `highest`. The apps' decoder takes `7.0` and `7e0` for 7, so this does.
    package func integer(_ key: StaticString, highest: UInt64) throws(FormatError) -> UInt64? {
        guard let number = try number(key) else { return nil }
        guard let integer = UInt64(number) ?? Double(number).flatMap(UInt64.init(exactly:)), integer <= highest else {
            throw problem(key, .outOfRange)
        }
        return integer
    }

    package func uint32(_ key: StaticString) throws(FormatError) -> UInt32? {
        try integer(key, highest: UInt64(UInt32.max)).map { UInt32(truncatingIfNeeded: $0) }
    }

    package func uint8(_ key: StaticString) throws(FormatError) -> UInt8? {
        try integer(key, highest: UInt64(UInt8.max)).map { UInt8(truncatingIfNeeded: $0) }
    }

    /// A finite number.
    package func double(_ key: StaticString) throws(FormatError) -> Double? {
        guard let number = try number(key) else { return nil }
        guard let double = Double(number), double.isFinite else { throw problem(key, .outOfRange) }
        return double
    }

    package func flag(_ key: StaticString) throws(FormatError) -> Bool? {
        try value(key, .bool).map { buffer.bytes(in: $0.value) == Array("true".utf8) }
    }

    /// Seconds since 2001: a number on iOS, `yyyy-MM-ddTHH:mm:ss` and an offset on Android.
    package func time(_ key: StaticString) throws(FormatError) -> Double? {
        if kind(of: key) == .string {
            guard let text = try text(key) else { return nil }
            guard let seconds = RFC3339.parse(text) else { throw problem(key, .notATime) }
            return seconds - 978_307_200
        }
        guard let number = try number(key) else { return nil }
        guard let seconds = Double(number), seconds.isFinite else { throw problem(key, .notATime) }
        return seconds
    }

    /// The text of a number; JSON's grammar was checked.
    private func number(_ key: StaticString) throws(FormatError) -> String? {
        guard let member = try value(key, .number) else { return nil }
        return String(decoding: buffer.bytes(in: member.value), as: UTF8.self)
    }
}
