import CryptoPrimitives
import SystemIO

/// One JSON object of a message or bundle, read as strictly as the apps' decoders read it.
///
/// Unlike in a backup nothing is repaired here: keys that somebody else made are taken as they are meant, or not at all.
/// Unknown keys are ignored; `null` stands for a missing key.
struct PreKeyObject {
    private let buffer: PlaintextBuffer
    private let members: JSONMembers
    /// Where the object stands, for errors: empty at the top, else with a dot at the end.
    private let path: String

    init(_ text: [UInt8]) throws(PreKeyFileError) {
        let buffer: PlaintextBuffer
        do throws(OutOfMemory) {
            buffer = try PlaintextBuffer(copying: text)
        } catch {
            throw .outOfMemory
        }
        try self.init(buffer, 0..<buffer.count, path: "")
    }

    private init(_ buffer: PlaintextBuffer, _ range: Range<Int>, path: String) throws(PreKeyFileError) {
        do throws(JSONMembers.Failure) {
            members = try JSONMembers(object: buffer, range)
        } catch {
            throw PreKeyFileError(error)
        }
        if let problem = members.problems.first { throw .notJSON(offset: problem.offset) }
        self.buffer = buffer
        self.path = path
    }

    /// Whether the key is there and is not null.
    func has(_ key: StaticString) -> Bool {
        members.last(key).map { $0.kind != .null } ?? false
    }

    func kind(of key: StaticString) -> JSONMember.Kind? {
        members.last(key)?.kind
    }

    /// The bytes of the object's text, as they stand.
    func source(of key: StaticString) throws(PreKeyFileError) -> [UInt8]? {
        guard let member = try value(key, .object) else { return nil }
        return buffer.bytes(in: member.value)
    }

    /// The error for the value of `key`.
    func problem(_ key: StaticString, _ reason: PreKeyFileError.Reason) -> PreKeyFileError {
        .field(path + key.description, reason)
    }

    /// A value that the format requires.
    func required<T>(_ key: StaticString, _ value: T?) throws(PreKeyFileError) -> T {
        guard let value else { throw problem(key, .missing) }
        return value
    }

    func object(_ key: StaticString) throws(PreKeyFileError) -> PreKeyObject? {
        guard let member = try value(key, .object) else { return nil }
        return try PreKeyObject(buffer, member.value, path: path + key.description + ".")
    }

    /// The UTF-8 of a string, escapes resolved.
    func text(_ key: StaticString) throws(PreKeyFileError) -> [UInt8]? {
        guard let member = try value(key, .string) else { return nil }
        return buffer.withSpan { text in JSONText.unescape(text.extracting(member.value)).bytes }
    }

    /// The bytes of a base64 string; `length` is the only right count where there is one.
    func data(_ key: StaticString, length: Int? = nil) throws(PreKeyFileError) -> [UInt8]? {
        guard let text = try text(key) else { return nil }
        guard let bytes = Base64.decode(text.span) else { throw problem(key, .notBase64) }
        if let length, bytes.count != length {
            throw problem(key, .wrongLength(expected: length, found: bytes.count))
        }
        return bytes
    }

    /// A whole number from 0 to `highest`. The apps' decoder takes `7.0` and `7e0` for 7, so this does.
    func id(_ key: StaticString, highest: UInt64) throws(PreKeyFileError) -> UInt64? {
        guard let number = try number(key) else { return nil }
        guard let id = UInt64(number) ?? Double(number).flatMap(UInt64.init(exactly:)), id <= highest else {
            throw problem(key, .idOutOfRange)
        }
        return id
    }

    /// Seconds since 2001: a number on iOS, `yyyy-MM-ddTHH:mm:ss` and an offset on Android.
    func time(_ key: StaticString) throws(PreKeyFileError) -> Double? {
        if kind(of: key) == .string {
            guard let text = try text(key) else { return nil }
            guard let seconds = RFC3339.parse(text) else { throw problem(key, .notATime) }
            return seconds - AppTime.epoch2001
        }
        guard let number = try number(key) else { return nil }
        guard let seconds = Double(number), seconds.isFinite else { throw problem(key, .notATime) }
        return seconds
    }

    /// The text of a number; JSON's grammar was checked.
    private func number(_ key: StaticString) throws(PreKeyFileError) -> String? {
        guard let member = try value(key, .number) else { return nil }
        return String(decoding: buffer.bytes(in: member.value), as: UTF8.self)
    }

    private func value(_ key: StaticString, _ kind: JSONMember.Kind) throws(PreKeyFileError) -> JSONMember? {
        let name = key.description
        let found = members.members.filter { $0.key.elementsEqual(name.utf8) }
        guard let member = found.first else { return nil }
        guard found.count == 1 else { throw problem(key, .repeated) }
        if member.kind == .null { return nil }
        guard member.kind == kind else { throw problem(key, .wrongType) }
        return member
    }
}
