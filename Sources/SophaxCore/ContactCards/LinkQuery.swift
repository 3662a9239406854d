/// The members of a link's query, with percent escapes resolved and **`+` left as it is**: these links are URL queries
/// (RFC 3986), not forms, and base64 keys have `+` in them. Format: SophaxChat 7.6.
struct LinkQuery {
    private var values: [ContactLinkError.Member: [UInt8]] = [:]

    /// Takes the text between `?` and `#`; members that are not in `known` are passed over, as the apps do.
    init(_ text: ArraySlice<UInt8>, known: [ContactLinkError.Member]) throws(ContactLinkError) {
        for item in text.split(separator: UInt8(ascii: "&")) {
            // A member without "=" has no value, which the apps treat like a missing one.
            guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = try Self.unescaped(item[..<equals])
            // A bad escape anywhere spoils the whole link for the apps.
            let value = try Self.unescaped(item[(equals + 1)...])
            guard let member = known.first(where: { Array($0.rawValue.utf8) == name }) else { continue }
            guard values.updateValue(value, forKey: member) == nil else { throw .repeated(member) }
        }
    }

    subscript(member: ContactLinkError.Member) -> [UInt8]? {
        values[member]
    }

    func required(_ member: ContactLinkError.Member) throws(ContactLinkError) -> [UInt8] {
        guard let value = values[member], !value.isEmpty else { throw .missing(member) }
        return value
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) throws(ContactLinkError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var position = text.startIndex
        while position < text.endIndex {
            guard text[position] == UInt8(ascii: "%") else {
                bytes.append(text[position])
                position += 1
                continue
            }
            guard text.endIndex - position > 2, let high = digit(text[position + 1]),
                let low = digit(text[position + 2])
            else { throw .badPercent(offset: position) }
            bytes.append(high << 4 | low)
            position += 3
        }
        return bytes
    }

    /// Percent escapes have digits of either case.
    private static func digit(_ character: UInt8) -> UInt8? {
        HexDigit.value((UInt8(ascii: "A")...UInt8(ascii: "F")).contains(character) ? character | 0x20 : character)
    }

    /// Base64 as Foundation's query items write it: `=` becomes `%3D`, `+` and `/` stay.
    static func escaped(base64: String) -> String {
        var text: [UInt8] = []
        for byte in base64.utf8 {
            if byte == UInt8(ascii: "=") { text.append(contentsOf: Array("%3D".utf8)) } else { text.append(byte) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
