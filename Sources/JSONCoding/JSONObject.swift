import CryptoPrimitives

/// One JSON object of a message, bundle or state, read as strictly as the apps' decoders read it.
///
/// Unlike in a backup nothing is repaired here: keys that somebody else made are taken as they are meant, or not at all.
/// `null` stands for a missing key. A key that stands twice is an error where it is asked for. No value is copied before it
/// is asked for, so secrets stay in the buffer, and leave it by `secret` only.
package struct JSONObject: Sendable {
    /// What the object is read from.
    package let buffer: PlaintextBuffer
    /// Where in the buffer it stands, from brace to brace.
    package let range: Range<Int>
    private let members: JSONMembers
    /// Where the object stands in its document, for errors: empty at the top, else with a dot at the end.
    private let path: String
    /// The most members of the object and of each object in it.
    private let memberLimit: Int

    /// Reads a text in plain memory, of at most `ceiling` bytes and with at most `memberLimit` members.
    package init(
        _ text: [UInt8], ceiling: Int, memberLimit: Int = JSONMembers.maximumMembers
    ) throws(FormatError) {
        guard text.count <= ceiling else { throw .tooLarge(found: text.count, ceiling: ceiling) }
        let buffer: PlaintextBuffer
        do throws(OutOfMemory) {
            buffer = try PlaintextBuffer(copying: text)
        } catch {
            throw .outOfMemory
        }
        try self.init(buffer, 0..<buffer.count, memberLimit: memberLimit)
    }

    /// Reads a text that has secrets in it: it is copied into wiped memory, which goes with the last use of the object.
    package init(
        secret text: borrowing SecretBytes, ceiling: Int, memberLimit: Int = JSONMembers.maximumMembers
    ) throws(FormatError) {
        guard text.count <= ceiling else { throw .tooLarge(found: text.count, ceiling: ceiling) }
        let buffer: PlaintextBuffer
        do throws(SecretMemoryError) {
            buffer = try PlaintextBuffer(secretCopyOf: text)
        } catch {
            throw .outOfMemory
        }
        try self.init(buffer, 0..<buffer.count, memberLimit: memberLimit)
    }

    /// Reads the object in `range` of `buffer`; `path` is how errors name the way to it.
    package init(
        _ buffer: PlaintextBuffer, _ range: Range<Int>, path: String = "",
        memberLimit: Int = JSONMembers.maximumMembers
    ) throws(FormatError) {
        do throws(JSONMembers.Failure) {
            members = try JSONMembers(strictObject: buffer, range, limit: memberLimit)
        } catch .tooManyMembers(let limit) {
            throw .field(path, .tooMany(limit: limit))
        } catch {
            throw FormatError(error)
        }
        self.buffer = buffer
        self.range = range
        self.path = path
        self.memberLimit = memberLimit
    }

    func path(to name: String) -> String { path + name }

    // MARK: - Members

    /// Whether the key is there and is not null.
    package func has(_ key: StaticString) -> Bool {
        members.last(key).map { $0.kind != .null } ?? false
    }

    package func kind(of key: StaticString) -> JSONMember.Kind? {
        members.last(key)?.kind
    }

    /// The error for the value of `key`.
    package func problem(_ key: StaticString, _ reason: FormatError.Reason) -> FormatError {
        .field(path + key.description, reason)
    }

    /// A value that the format requires.
    package func required<T: ~Copyable>(_ key: StaticString, _ value: consuming T?) throws(FormatError) -> T {
        guard let value else { throw problem(key, .missing) }
        return value
    }

    /// The members that none of `known` names, as they stand: what a newer version added.
    package func unknown(besides known: [StaticString]) -> [JSONField] {
        let names = known.map(\.bytes)
        return members.members.filter { member in !names.contains(member.key) }.map { member in
            JSONField(key: member.key, value: source(of: member))
        }
    }

    /// The keys of the objects that `known` does not name and that have each of the members `inner`. No value is copied, so
    /// this does for objects with secrets in them.
    package func objectKeys(besides known: [StaticString], with inner: [StaticString]) -> [[UInt8]] {
        let names = known.map(\.bytes)
        return members.members.filter { member in
            guard member.kind == .object, !names.contains(member.key) else { return false }
            guard let object = try? JSONObject(buffer, member.value, path: path) else { return true }
            return inner.allSatisfy { object.keys.contains($0.bytes) }
        }
        .map(\.key)
    }

    /// All keys in the order of the text.
    package var keys: [[UInt8]] { members.members.map(\.key) }

    /// All members in the order of the text, for objects whose keys are data. A key that stands twice is an error.
    package func entries(limit: Int) throws(FormatError) -> [JSONMember] {
        guard members.members.count <= limit else { throw .field(path, .tooMany(limit: limit)) }
        guard Set(members.members.map(\.key)).count == members.members.count else { throw .field(path, .repeated) }
        return members.members
    }

    /// The text of a value, as it stands.
    package func source(of member: JSONMember) -> [UInt8] {
        let quotes = member.kind == .string ? 1 : 0
        return buffer.bytes(in: member.value.lowerBound - quotes..<member.value.upperBound + quotes)
    }

    /// The member with this key; nil when it is missing or null.
    package func value(_ key: StaticString, _ kind: JSONMember.Kind) throws(FormatError) -> JSONMember? {
        let name = key.bytes
        let found = members.members.filter { $0.key == name }
        guard let member = found.first else { return nil }
        guard found.count == 1 else { throw problem(key, .repeated) }
        if member.kind == .null { return nil }
        guard member.kind == kind else { throw problem(key, .wrongType) }
        return member
    }

    // MARK: - Objects and arrays

    /// The bytes of the object's text, as they stand.
    package func source(of key: StaticString) throws(FormatError) -> [UInt8]? {
        guard let member = try value(key, .object) else { return nil }
        return buffer.bytes(in: member.value)
    }

    package func object(_ key: StaticString) throws(FormatError) -> JSONObject? {
        guard let member = try value(key, .object) else { return nil }
        return try JSONObject(buffer, member.value, path: path + key.description + ".", memberLimit: memberLimit)
    }

    /// An object among the values of `entries` or `elements`; `name` is how errors name it.
    package func object(_ member: JSONMember, _ name: String) throws(FormatError) -> JSONObject {
        guard member.kind == .object else { throw .field(path + name, .wrongType) }
        return try JSONObject(buffer, member.value, path: path + name + ".", memberLimit: memberLimit)
    }

    /// The elements of an array; nil when it is missing.
    package func elements(
        _ key: StaticString, of kind: JSONMember.Kind, limit: Int
    ) throws(FormatError) -> [JSONMember]? {
        guard let member = try value(key, .array) else { return nil }
        let elements: [JSONMember]
        do throws(JSONMembers.Failure) {
            elements = try JSONMembers(strictArray: buffer, member.value, limit: limit).members
        } catch .tooManyMembers {
            throw problem(key, .tooMany(limit: limit))
        } catch {
            throw FormatError(error)
        }
        guard elements.allSatisfy({ $0.kind == kind }) else { throw problem(key, .wrongType) }
        return elements
    }

    package func objects(_ key: StaticString, limit: Int) throws(FormatError) -> [JSONObject]? {
        guard let elements = try elements(key, of: .object, limit: limit) else { return nil }
        var objects: [JSONObject] = []
        for (index, element) in elements.enumerated() {
            objects.append(try object(element, "\(key.description)[\(index)]"))
        }
        return objects
    }

    package func texts(_ key: StaticString, limit: Int) throws(FormatError) -> [[UInt8]]? {
        try elements(key, of: .string, limit: limit).map { elements in elements.map(text) }
    }
}

/// A member of an object that a reader did not know, kept as it stands.
package struct JSONField: Hashable, Sendable {
    /// The key, escapes resolved.
    package let key: [UInt8]
    /// The value's text, a string with its quotes.
    package let value: [UInt8]

    package init(key: [UInt8], value: [UInt8]) {
        self.key = key
        self.value = value
    }
}

extension StaticString {
    package var bytes: [UInt8] { withUTF8Buffer { unsafe Array($0) } }
}
