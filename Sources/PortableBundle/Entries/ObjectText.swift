import CryptoPrimitives
import JSONCoding
import SophaxFiles

/// Writes one JSON object, member by member, without white space; nothing in it is secret.
struct ObjectText {
    private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]
    private var isEmpty = true

    private mutating func begin(_ key: StaticString) {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
        bytes += [UInt8(ascii: "\""), UInt8(ascii: ":")]
    }

    /// Text; bytes that are not UTF-8 become U+FFFD.
    mutating func text(_ key: StaticString, _ value: [UInt8]?) {
        guard let value else { return }
        begin(key)
        JSONText.appendQuoted(value, to: &bytes)
    }

    mutating func text(_ key: StaticString, _ value: String?) {
        text(key, value.map { Array($0.utf8) })
    }

    /// Text of any bytes: as it is under `key` when it is UTF-8, else in base64 under `encodedKey`.
    mutating func anyText(_ key: StaticString, or encodedKey: StaticString, _ value: [UInt8]?) {
        guard let value else { return }
        if JSONText.firstInvalidUTF8(value.span) == nil {
            text(key, value)
        } else {
            base64(encodedKey, value)
        }
    }

    mutating func number(_ key: StaticString, _ value: Int?) {
        guard let value else { return }
        begin(key)
        bytes += Array(String(value).utf8)
    }

    /// A finite number in its shortest form; one that is not finite is left out, for JSON has none.
    mutating func number(_ key: StaticString, _ value: Double?) {
        guard let value, value.isFinite else { return }
        begin(key)
        bytes += Self.text(of: value)
    }

    mutating func flag(_ key: StaticString, _ value: Bool?) {
        guard let value else { return }
        begin(key)
        bytes += Array((value ? "true" : "false").utf8)
    }

    mutating func base64(_ key: StaticString, _ value: [UInt8]?) {
        guard let value else { return }
        begin(key)
        bytes += Array("\"\(Base64.encode(value.span))\"".utf8)
    }

    /// A value that is JSON already.
    mutating func raw(_ key: StaticString, _ value: [UInt8]?) {
        guard let value else { return }
        begin(key)
        bytes += value
    }

    mutating func list(_ key: StaticString, _ elements: [[UInt8]]) {
        begin(key)
        bytes += Self.array(elements)
    }

    /// The beginning of a list that is written outside of this object.
    mutating func openList(_ key: StaticString) -> [UInt8] {
        begin(key)
        return bytes + [UInt8(ascii: "[")]
    }

    func finished() -> [UInt8] { bytes + [UInt8(ascii: "}")] }

    static func array(_ elements: [[UInt8]]) -> [UInt8] {
        [UInt8(ascii: "[")] + elements.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }

    /// `1` in place of `1.0`; otherwise the shortest text that gives the same double.
    static func text(of value: Double) -> [UInt8] {
        if let whole = Int64(exactly: value), abs(value) < 1e15, value != 0 || value.sign == .plus {
            return Array(String(whole).utf8)
        }
        return Array("\(value)".utf8)
    }
}

/// An object that an app wrote, inside of a document that must stay strict JSON.
enum ForeignObject {
    /// The object as it is when it is strict JSON and not deep; else its bytes in base64, as a string.
    static func text(_ source: [UInt8]) -> [UInt8] {
        isPlain(source) ? source : Array("\"\(Base64.encode(source.span))\"".utf8)
    }

    private static let deepest = 64

    private static func isPlain(_ source: [UInt8]) -> Bool {
        var (depth, most) = (0, 0)
        for byte in source {
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
            most = max(most, depth)
        }
        guard most <= deepest, let buffer = try? PlaintextBuffer(copying: source),
            let members = try? JSONMembers(object: buffer, 0..<buffer.count)
        else { return false }
        return members.problems.isEmpty
    }
}
