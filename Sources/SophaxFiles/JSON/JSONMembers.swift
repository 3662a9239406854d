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

    /// The members of the object in `range` of `buffer`.
    package init(object buffer: PlaintextBuffer, _ range: Range<Int>) throws(Failure) {
        try self.init(buffer, range, keyed: true)
    }

    /// The elements of the array in `range` of `buffer`.
    package init(array buffer: PlaintextBuffer, _ range: Range<Int>) throws(Failure) {
        try self.init(buffer, range, keyed: false)
    }

    /// The last member with this key, as the decoders of the apps take it.
    package func last(_ key: StaticString) -> JSONMember? {
        members.last { member in
            key.withUTF8Buffer { name in unsafe member.key.elementsEqual(name) }
        }
    }

    private init(_ buffer: PlaintextBuffer, _ range: Range<Int>, keyed: Bool) throws(Failure) {
        let base = range.lowerBound
        unsafe try buffer.withUnsafeBytes(in: range) { (text) throws(Failure) in
            let bytes = unsafe text.assumingMemoryBound(to: UInt8.self)
            switch unsafe scanStrictly(bytes, base, keyed) {
            case SXJ_OK:
                isStrict = true
                return
            case SXJ_MEMORY: throw .outOfMemory
            case SXJ_STOPPED: throw .tooManyMembers(limit: Self.maximumMembers)
            case SXJ_UNEXPECTED_ROOT: throw .unexpected(offset: base)
            default: break
            }
            members = []
            unsafe try scanTolerantly(bytes, base, keyed)
        }
    }

    private mutating func scanStrictly(_ text: UnsafeBufferPointer<UInt8>, _ base: Int, _ keyed: Bool) -> sxj_status {
        guard text.count > 0, let start = text.baseAddress else { return SXJ_UNEXPECTED_ROOT }
        guard let parser = unsafe sxj_parser_new() else { return SXJ_MEMORY }
        defer { unsafe sxj_parser_free(parser) }
        var found = unsafe Found(text: unsafe text, base: base)
        var errorOffset = 0
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

    private mutating func scanTolerantly(
        _ text: UnsafeBufferPointer<UInt8>, _ base: Int, _ keyed: Bool
    ) throws(Failure) {
        var scanner = unsafe TolerantScanner(text)
        scanner.skipWhiteSpace()
        guard scanner.byte(scanner.position) == UInt8(ascii: keyed ? "{" : "[") else { throw .unexpected(offset: base) }
        var found: [JSONMember] = []
        let view = unsafe TolerantScanner(text)
        let complete = scanner.elements(keyed: keyed, depth: 0, steppingOver: true) { key, value in
            guard found.count <= Self.maximumMembers else { return }
            let name = key.map { key in view.withBytes(key.range) { JSONText.unescape($0).bytes } } ?? []
            found.append(
                JSONMember(
                    key: name, kind: JSONMember.Kind(value.kind),
                    value: value.range.lowerBound + base..<value.range.upperBound + base, escaped: value.escaped))
        }
        guard found.count <= Self.maximumMembers else { throw .tooManyMembers(limit: Self.maximumMembers) }
        guard complete else { throw .unexpected(offset: base + scanner.position) }
        scanner.skipWhiteSpace()
        if scanner.position < text.count { scanner.note(.trailingBytes, at: scanner.position) }
        members = found
        problems = scanner.problems.map { TextProblem($0.kind, at: $0.offset + base) }
    }
}

/// What the C callback fills; `text` is lent for the scan.
@safe
private struct Found {
    let text: UnsafeBufferPointer<UInt8>
    let base: Int
    var members: [JSONMember] = []

    mutating func take(_ member: sxj_member) -> Bool {
        guard members.count < JSONMembers.maximumMembers else { return false }
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
        members.append(JSONMember(key: unsafe Array(text[key]), kind: kind, value: value, escaped: member.escaped != 0))
        return true
    }
}

extension JSONMember.Kind {
    init(_ kind: TolerantScanner.Value.Kind) {
        switch kind {
        case .object: self = .object
        case .array: self = .array
        case .string: self = .string
        case .number: self = .number
        case .bool: self = .bool
        case .null: self = .null
        case .invalid: self = .invalid
        }
    }
}
