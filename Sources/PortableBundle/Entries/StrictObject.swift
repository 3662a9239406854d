import CryptoPrimitives
import JSONCoding
import SophaxFiles

/// One object of a document that sxkey wrote, read strictly: strict JSON, no key twice, types as specified. Keys that this
/// version does not know are passed over.
package struct StrictObject {
    let buffer: PlaintextBuffer
    /// The name of the entry, for errors.
    let document: String
    private let members: [[UInt8]: JSONMember]

    /// The object in `range` of `buffer`.
    package init(_ buffer: PlaintextBuffer, _ range: Range<Int>, _ document: String) throws(DocumentError) {
        self.buffer = buffer
        self.document = document
        let found = try Self.members(document) { () throws(JSONMembers.Failure) in
            try JSONMembers(object: buffer, range)
        }
        var members: [[UInt8]: JSONMember] = [:]
        for member in found where members.updateValue(member, forKey: member.key) != nil {
            throw .repeatedKey(document: document, key: String(decoding: member.key, as: UTF8.self))
        }
        self.members = members
    }

    /// A whole document, whose `format` and `version` are checked.
    init(document buffer: PlaintextBuffer, _ name: String, format: StaticString, newest: Int) throws(DocumentError) {
        try self.init(buffer, 0..<buffer.count, name)
        guard try text("format") == format.bytes else { throw .otherFormat(document: name) }
        let version = try required("version", integer("version"))
        guard version >= 1 else { throw wrong("version") }
        guard version <= newest else { throw .newerVersion(document: name, found: version, newest: newest) }
    }

    private static func members(
        _ document: String, _ read: () throws(JSONMembers.Failure) -> JSONMembers
    ) throws(DocumentError) -> [JSONMember] {
        do throws(JSONMembers.Failure) {
            let found = try read()
            if let problem = found.problems.first { throw .unexpected(offset: problem.offset) }
            return found.members
        } catch {
            switch error {
            case .unexpected(let offset): throw .notJSON(document: document, offset: offset)
            case .tooManyMembers(let limit): throw .tooMany(document: document, ceiling: limit)
            case .outOfMemory: throw .outOfMemory
            }
        }
    }

    func wrong(_ key: StaticString) -> DocumentError { .wrong(document: document, key: key.description) }

    func required<T>(_ key: StaticString, _ value: T?) throws(DocumentError) -> T {
        guard let value else { throw .missing(document: document, key: key.description) }
        return value
    }

    /// The value of a key; nil when it is absent or null.
    private func value(_ key: StaticString, _ kind: JSONMember.Kind) throws(DocumentError) -> JSONMember? {
        guard let member = members[key.bytes], member.kind != .null else { return nil }
        guard member.kind == kind else { throw wrong(key) }
        return member
    }

    package func has(_ key: StaticString) -> Bool { members[key.bytes].map { $0.kind != .null } ?? false }

    package func text(_ key: StaticString) throws(DocumentError) -> [UInt8]? {
        guard let member = try value(key, .string) else { return nil }
        return buffer.withSpan { text in
            JSONText.unescape(text.extracting(member.value)).bytes
        }
    }

    func string(_ key: StaticString) throws(DocumentError) -> String? {
        try text(key).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Text that `ObjectText.anyText` wrote.
    func anyText(_ key: StaticString, or encodedKey: StaticString) throws(DocumentError) -> [UInt8]? {
        if let text = try text(key) { return text }
        return try base64(encodedKey)
    }

    func base64(_ key: StaticString, length: Int? = nil) throws(DocumentError) -> [UInt8]? {
        guard let text = try text(key) else { return nil }
        guard let bytes = Base64.decode(text.span), length == nil || bytes.count == length else { throw wrong(key) }
        return bytes
    }

    /// A private value, decoded in constant time from the wiped text straight into a secret.
    func secret(_ key: StaticString) throws(DocumentError) -> SecretBytes {
        let member = try required(key, value(key, .string))
        do throws(EncodingError) {
            return try SecretString(member, in: buffer).decodeBase64()
        } catch {
            throw DocumentError(error, document, key)
        }
    }

    func number(_ key: StaticString) throws(DocumentError) -> Double? {
        guard let member = try value(key, .number) else { return nil }
        let text = String(decoding: buffer.bytes(in: member.value), as: UTF8.self)
        guard let number = Double(text), number.isFinite else { throw wrong(key) }
        return number
    }

    func integer(_ key: StaticString) throws(DocumentError) -> Int? {
        guard let member = try value(key, .number) else { return nil }
        let text = String(decoding: buffer.bytes(in: member.value), as: UTF8.self)
        guard let number = Int(text), number >= 0 else { throw wrong(key) }
        return number
    }

    func flag(_ key: StaticString) throws(DocumentError) -> Bool? {
        try value(key, .bool).map { $0.value.count == 4 }
    }

    func object(_ key: StaticString) throws(DocumentError) -> StrictObject? {
        guard let member = try value(key, .object) else { return nil }
        return try StrictObject(buffer, member.value, document)
    }

    /// The elements of an array, all of one kind when one is named; empty when it is absent.
    func list(
        _ key: StaticString, of kind: JSONMember.Kind?, ceiling: Int
    ) throws(DocumentError) -> [JSONMember] {
        guard let member = try value(key, .array) else { return [] }
        let buffer = self.buffer
        let elements = try Self.members(document) { () throws(JSONMembers.Failure) in
            try JSONMembers(array: buffer, member.value)
        }
        guard elements.count <= ceiling else { throw .tooMany(document: document, ceiling: ceiling) }
        guard elements.allSatisfy({ kind == nil || $0.kind == kind }) else { throw wrong(key) }
        return elements
    }

    func objects(_ key: StaticString, ceiling: Int) throws(DocumentError) -> [StrictObject] {
        var objects: [StrictObject] = []
        for element in try list(key, of: .object, ceiling: ceiling) {
            objects.append(try StrictObject(buffer, element.value, document))
        }
        return objects
    }

    func texts(_ key: StaticString, ceiling: Int) throws(DocumentError) -> [[UInt8]] {
        try list(key, of: .string, ceiling: ceiling).map { member in
            buffer.withSpan { text in JSONText.unescape(text.extracting(member.value)).bytes }
        }
    }

    /// The objects of an array that `ForeignObject` wrote, byte for byte as their app did.
    func sources(_ key: StaticString, ceiling: Int) throws(DocumentError) -> [[UInt8]] {
        var sources: [[UInt8]] = []
        for element in try list(key, of: nil, ceiling: ceiling) {
            switch element.kind {
            case .object: sources.append(buffer.bytes(in: element.value))
            case .string:
                guard let bytes = Base64.decode(buffer.bytes(in: element.value).span) else { throw wrong(key) }
                sources.append(bytes)
            case .array, .number, .bool, .null, .invalid: throw wrong(key)
            }
        }
        return sources
    }
}

extension StaticString {
    var bytes: [UInt8] { withUTF8Buffer { unsafe Array($0) } }
}
