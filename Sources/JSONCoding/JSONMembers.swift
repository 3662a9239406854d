import CSimdJSON

/// A member of a JSON object, or an element of an array (then with an empty key), as ranges of its text.
package struct JSONMember: Equatable, Sendable {
    /// Kinds of values.
    package enum Kind: Equatable, Sendable { case object, array, string, number, bool, null, invalid }

    /// The key with its escapes resolved.
    package let key: [UInt8]
    package let kind: Kind
    /// Bytes of the text: of a string the content between the quotes, else the whole value.
    package let value: Range<Int>
    /// The value is a string with a backslash in it.
    package let escaped: Bool

    package init(key: [UInt8], kind: Kind, value: Range<Int>, escaped: Bool) {
        self.key = key
        self.kind = kind
        self.value = value
        self.escaped = escaped
    }
}

/// The members of an object, or the elements of an array, without a copy of any value: values may be secrets.
package struct JSONMembers: Sendable {
    /// Members beyond this many are refused: no format has an object with so many.
    package static let maximumMembers = 1_000_000

    package private(set) var members: [JSONMember] = []
    /// What was not strict JSON; empty when every value was checked and found good.
    package private(set) var problems: [TextProblem] = []
    /// libsimdjson took the text, every value checked.
    package private(set) var isStrict = false

    /// Why a text has no members.
    package enum Failure: Error, Equatable, Sendable {
        /// The text is not the object (or array) that was expected, or cannot be understood.
        case unexpected(offset: Int)
        case tooManyMembers(limit: Int)
        case outOfMemory
    }

    /// The members of the object in `range` of `buffer`, which must be strict JSON through all levels.
    package init(
        strictObject buffer: PlaintextBuffer, _ range: Range<Int>, limit: Int = maximumMembers
    ) throws(Failure) {
        try self.init(buffer, range, keyed: true, limit: limit, otherwise: nil)
    }

    /// The elements of the array in `range` of `buffer`, which must be strict JSON through all levels.
    package init(
        strictArray buffer: PlaintextBuffer, _ range: Range<Int>, limit: Int = maximumMembers
    ) throws(Failure) {
        try self.init(buffer, range, keyed: false, limit: limit, otherwise: nil)
    }

    /// Members that somebody else found in a text that is not strict.
    package init(members: [JSONMember], problems: [TextProblem]) {
        self.members = members
        self.problems = problems
    }

    /// What reads a text that is not strict JSON; the second parameter is true for an object, false for an array.
    package typealias Fallback = (PlaintextBuffer, Range<Int>, Bool) throws(Failure) -> JSONMembers

    /// The members of an object (`keyed`) or the elements of an array, by `fallback` where the text is not strict.
    package init(
        _ buffer: PlaintextBuffer, _ range: Range<Int>, keyed: Bool, limit: Int = maximumMembers,
        otherwise fallback: Fallback?
    ) throws(Failure) {
        let base = range.lowerBound
        var errorOffset = 0
        let status = unsafe buffer.withUnsafeBytes(in: range) { text in
            let bytes = unsafe text.assumingMemoryBound(to: UInt8.self)
            return unsafe scanStrictly(bytes, base, keyed, limit, &errorOffset)
        }
        switch status {
        case SXJ_OK: isStrict = true
        case SXJ_MEMORY: throw .outOfMemory
        case SXJ_STOPPED: throw .tooManyMembers(limit: limit)
        case SXJ_UNEXPECTED_ROOT: throw .unexpected(offset: base)
        default:
            guard let fallback else { throw .unexpected(offset: base + errorOffset) }
            self = try fallback(buffer, range, keyed)
        }
    }

    /// The last member with this key, as the decoders of the apps take it.
    package func last(_ key: StaticString) -> JSONMember? {
        members.last { member in
            key.withUTF8Buffer { name in unsafe member.key.elementsEqual(name) }
        }
    }

    private mutating func scanStrictly(
        _ text: UnsafeBufferPointer<UInt8>, _ base: Int, _ keyed: Bool, _ limit: Int,
        _ errorOffset: inout Int
    ) -> sxj_status {
        guard text.count > 0, let start = text.baseAddress else { return SXJ_UNEXPECTED_ROOT }
        guard let parser = unsafe sxj_parser_new() else { return SXJ_MEMORY }
        defer { unsafe sxj_parser_free(parser) }
        var found = unsafe Found(text: unsafe text, base: base, limit: limit)
        let status = unsafe start.withMemoryRebound(to: CChar.self, capacity: text.count) { json in
            unsafe withUnsafeMutablePointer(to: &found) { context in
                unsafe (keyed ? sxj_scan_members : sxj_scan_elements)(
                    parser, json, text.count,
                    { context, member in
                        guard let found = unsafe context?.assumingMemoryBound(to: Found.self),
                            let member = unsafe member
                        else { return 1 }
                        return unsafe found.pointee.take(member.pointee) ? 0 : 1
                    }, context, &errorOffset)
            }
        }
        members = found.members
        return status
    }
}

/// What the C callback fills; `text` is lent for the scan.
@safe
private struct Found {
    let text: UnsafeBufferPointer<UInt8>
    let base: Int
    /// The scan stops at the member beyond it: before its text may have cost many times its own size in memory.
    let limit: Int
    var members: [JSONMember] = []

    mutating func take(_ member: sxj_member) -> Bool {
        guard members.count < limit else { return false }
        let key = Int(member.key.offset)..<Int(member.key.offset) + Int(member.key.length)
        let value = Int(member.value.offset) + base..<Int(member.value.offset) + Int(member.value.length) + base
        let kind: JSONMember.Kind =
            switch sxj_kind(member.kind) {
            case SXJ_OBJECT: .object
            case SXJ_ARRAY: .array
            case SXJ_STRING: .string
            case SXJ_NUMBER: .number
            case SXJ_BOOL: .bool
            case SXJ_NULL: .null
            default: .invalid
            }
        var name = unsafe Array(text[key])
        if member.key_escaped != 0 { name = JSONText.unescape(name.span).bytes }
        members.append(JSONMember(key: name, kind: kind, value: value, escaped: member.escaped != 0))
        return true
    }
}
