import CryptoPrimitives
import JSONCoding

/// One JSON object of a bundle, read key by key as its format says.
///
/// Nothing here fails: what is missing, has another type, stands twice or is unknown becomes a finding, and the rest is
/// read. A null stands for a missing key, as in the app's decoder.
struct BundleObject {
    /// A key of the format.
    struct Key {
        let name: StaticString
        let isRequired: Bool

        static func required(_ name: StaticString) -> Key { Key(name: name, isRequired: true) }
        static func optional(_ name: StaticString) -> Key { Key(name: name, isRequired: false) }
    }

    let buffer: PlaintextBuffer
    /// The object in the text.
    let range: Range<Int>
    /// Where the object stands, for findings: empty at the top, else with a dot at the end.
    let path: String
    let members: JSONMembers
    private(set) var findings = FindingList()
    /// A key that the apps' decoder requires is missing or has a value that it refuses, so they refuse the whole file.
    private(set) var isRefusedByApps = false

    /// Reads the members of the object in `range`; `keys` are those of its format.
    init(
        _ buffer: PlaintextBuffer, _ range: Range<Int>, path: String, keys: [Key]
    ) throws(JSONMembers.Failure) {
        self.buffer = buffer
        self.range = range
        self.path = path
        members = try JSONMembers(object: buffer, range)
        for problem in members.problems {
            findings.add(Finding(.repairedText, offset: problem.offset, detail: problem.kind.rawValue))
        }
        var counts: [[UInt8]: Int] = [:]
        for member in members.members {
            counts[member.key, default: 0] += 1
        }
        for key in keys where key.isRequired && counts[key.name.bytes] == nil {
            note(.missingField, key)
            isRefusedByApps = true
        }
        let known = Set(keys.map(\.name.bytes))
        for member in members.members {
            guard let count = counts.removeValue(forKey: member.key) else { continue }
            let name = ByteText(Array(path.utf8) + member.key)
            if count > 1 { findings.add(Finding(.repeatedKey, item: name, detail: "\(count) times")) }
            if !known.contains(member.key) { findings.add(Finding(.unknownKeys, item: name)) }
        }
    }

    /// The value of `key` when it has `kind`; another kind becomes a finding, a null of an optional key does not.
    mutating func value(_ key: Key, _ kind: JSONMember.Kind) -> JSONMember? {
        guard let member = members.last(key.name) else { return nil }
        if member.kind == kind { return member }
        if member.kind != .null || key.isRequired { reject(key) }
        return nil
    }

    /// The text of a string, escapes resolved.
    mutating func text(_ key: Key) -> [UInt8]? {
        value(key, .string).map { string($0) }
    }

    /// A date, in seconds since 2001; one outside of plausible years becomes a finding.
    mutating func date(_ key: Key) -> AppTime? {
        guard let member = value(key, .number) else { return nil }
        let source = String(decoding: buffer.bytes(in: member.value), as: UTF8.self)
        guard let number = Double(source), number.isFinite else {
            reject(key)
            return nil
        }
        let time = AppTime(number, source: source, unit: .secondsSince2001)
        if !time.isPlausible { note(.implausibleDate, key) }
        return time
    }

    /// A number that is an integer.
    mutating func integer(_ key: Key) -> Int? {
        guard let member = value(key, .number) else { return nil }
        let source = String(decoding: buffer.bytes(in: member.value), as: UTF8.self)
        guard let number = Double(source), let integer = Int(exactly: number) else {
            reject(key)
            return nil
        }
        return integer
    }

    mutating func flag(_ key: Key) -> Bool? {
        value(key, .bool).map { $0.value.count == 4 }
    }

    /// The bytes of a base64 string that is no secret; `length` is the only right count where there is one.
    mutating func data(_ key: Key, length: Int? = nil) -> [UInt8]? {
        guard let text = text(key) else { return nil }
        guard let bytes = Base64.decode(text.span) else {
            reject(key)
            return nil
        }
        if let length, bytes.count != length {
            note(.wrongType, key, detail: "\(bytes.count) bytes in place of \(length)")
            return nil
        }
        return bytes
    }

    /// Says that the value of `key` is not what the format has there.
    mutating func reject(_ key: Key) {
        note(.wrongType, key)
        isRefusedByApps = true
    }

    /// Says something about the value of `key`.
    mutating func note(_ kind: Finding.Kind, _ key: Key, detail: String? = nil) {
        findings.add(Finding(kind, item: ByteText(path + key.name.description), detail: detail))
    }

    private func string(_ member: JSONMember) -> [UInt8] {
        buffer.withSpan { text in
            let content = text.extracting(member.value)
            guard member.escaped else {
                return (0..<content.count).map { content[$0] }
            }
            return JSONText.unescape(content).bytes
        }
    }
}

extension StaticString {
    /// The UTF-8 of the text.
    fileprivate var bytes: [UInt8] {
        withUTF8Buffer { unsafe Array($0) }
    }
}
