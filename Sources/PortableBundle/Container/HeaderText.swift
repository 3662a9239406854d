/// A value of the JSON that headers and signatures are written in: one spelling for each (sxkey-formats(5), BUNDLE FILE).
///
/// No white space, keys in ascending order and none twice, printable ASCII without escapes, whole numbers. A text can be read
/// into exactly one value and a value written as exactly one text, so whoever checks a value has checked every byte.
indirect enum HeaderValue: Equatable, Sendable {
    /// U+0020 to U+007E without quotation mark and backslash.
    case text([UInt8])
    case number(UInt64)
    case list([HeaderValue])
    case object([Member])

    struct Member: Equatable, Sendable {
        let key: [UInt8]
        let value: HeaderValue

        init(_ key: String, _ value: HeaderValue) {
            self.init(Array(key.utf8), value)
        }

        init(_ key: [UInt8], _ value: HeaderValue) {
            self.key = key
            self.value = value
        }
    }

    static let maximumNumber: UInt64 = 1 << 53
    static let maximumDepth = 8

    /// An object with these members, brought into their order.
    static func object(_ members: [String: HeaderValue]) -> HeaderValue {
        let members = members.map { Member($0.key, $0.value) }
        return .object(members.sorted { $0.key.lexicographicallyPrecedes($1.key) })
    }

    /// Reads the whole of `text`. Errors: `.text`, `.repeatedKey`.
    init(parsing text: [UInt8]) throws(SXBHeaderFault) {
        var parser = HeaderParser(text)
        self = try parser.value(depth: 1)
        guard parser.position == text.count else { throw .text(offset: parser.position) }
    }

    var bytes: [UInt8] {
        switch self {
        case .text(let text): return [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
        case .number(let number): return Array(String(number).utf8)
        case .list(let values):
            return [UInt8(ascii: "[")] + values.map(\.bytes).joined(separator: [UInt8(ascii: ",")])
                + [UInt8(ascii: "]")]
        case .object(let members):
            let texts = members.map { HeaderValue.text($0.key).bytes + [UInt8(ascii: ":")] + $0.value.bytes }
            return [UInt8(ascii: "{")] + texts.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
        }
    }

    func member(_ key: String) -> HeaderValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key.elementsEqual(key.utf8) }?.value
    }

    /// The keys of an object, as they stand.
    var keys: [String] {
        guard case .object(let members) = self else { return [] }
        return members.map { String(decoding: $0.key, as: UTF8.self) }
    }

    var string: String? {
        guard case .text(let text) = self else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}

private struct HeaderParser {
    private let text: [UInt8]
    private(set) var position = 0

    init(_ text: [UInt8]) {
        self.text = text
    }

    mutating func value(depth: Int) throws(SXBHeaderFault) -> HeaderValue {
        guard depth <= HeaderValue.maximumDepth else { throw .text(offset: position) }
        switch next {
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "["): return .list(try list(depth: depth))
        case UInt8(ascii: "{"): return .object(try members(depth: depth))
        default: throw .text(offset: position)
        }
    }

    /// The byte at the position; 0, which no text has, at the end.
    private var next: UInt8 { position < text.count ? text[position] : 0 }

    private mutating func take(_ byte: UInt8) throws(SXBHeaderFault) {
        guard next == byte else { throw .text(offset: position) }
        position += 1
    }

    private mutating func string() throws(SXBHeaderFault) -> [UInt8] {
        try take(UInt8(ascii: "\""))
        let start = position
        while (0x20...0x7E).contains(next), next != UInt8(ascii: "\""), next != UInt8(ascii: "\\") { position += 1 }
        let end = position
        try take(UInt8(ascii: "\""))
        return Array(text[start..<end])
    }

    private mutating func number() throws(SXBHeaderFault) -> UInt64 {
        let start = position
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { position += 1 }
        let digits = text[start..<position]
        guard digits.count == 1 || digits.first != UInt8(ascii: "0"),
            let number = UInt64(String(decoding: digits, as: UTF8.self)), number <= HeaderValue.maximumNumber
        else { throw .text(offset: start) }
        return number
    }

    private mutating func list(depth: Int) throws(SXBHeaderFault) -> [HeaderValue] {
        try take(UInt8(ascii: "["))
        var values: [HeaderValue] = []
        if next != UInt8(ascii: "]") {
            values.append(try value(depth: depth + 1))
            while next == UInt8(ascii: ",") {
                position += 1
                values.append(try value(depth: depth + 1))
            }
        }
        try take(UInt8(ascii: "]"))
        return values
    }

    private mutating func members(depth: Int) throws(SXBHeaderFault) -> [HeaderValue.Member] {
        try take(UInt8(ascii: "{"))
        var members: [HeaderValue.Member] = []
        if next != UInt8(ascii: "}") {
            try member(into: &members, depth: depth)
            while next == UInt8(ascii: ",") {
                position += 1
                try member(into: &members, depth: depth)
            }
        }
        try take(UInt8(ascii: "}"))
        return members
    }

    private mutating func member(into members: inout [HeaderValue.Member], depth: Int) throws(SXBHeaderFault) {
        let start = position
        let key = try string()
        if let last = members.last, !last.key.lexicographicallyPrecedes(key) {
            // Looked for only here: a header of many keys must not be compared each with each.
            throw members.contains { $0.key == key } ? .repeatedKey(offset: start) : .text(offset: start)
        }
        try take(UInt8(ascii: ":"))
        members.append(HeaderValue.Member(key, try value(depth: depth + 1)))
    }
}
