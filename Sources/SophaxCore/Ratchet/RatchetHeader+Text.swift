import CryptoPrimitives
import JSONCoding

extension RatchetHeader {
    /// The longest JSON of a header that is read: an app writes about 130 bytes, 220 with every letter escaped.
    static let longestText = 1_024

    /// Reads the JSON of a header as the apps' decoders read it; nil when it is none.
    ///
    /// What the apps write, in any order of the keys, is read without a parser; everything else that is JSON goes the long
    /// way. Once for every message, so it matters.
    init?(text: [UInt8]) {
        guard text.count <= Self.longestText else { return nil }
        if let header = Self.plainlyWritten(text.span) {
            self = header
            return
        }
        do throws(FormatError) {
            self = try RatchetHeader(JSONObject(text, ceiling: Self.longestText))
        } catch {
            return nil
        }
    }

    private static let keyNames = ["senderRatchetKey", "previousChainLength", "messageNumber"].map { Array($0.utf8) }

    /// Exactly the three members, keys without escapes, numbers of digits only; nil for anything else.
    private static func plainlyWritten(_ text: Span<UInt8>) -> RatchetHeader? {
        var reader = Reader()
        var key: [UInt8]?
        var numbers: [UInt32?] = [nil, nil]
        guard reader.take(UInt8(ascii: "{"), text) else { return nil }
        for position in 0..<3 {
            guard position == 0 || reader.take(UInt8(ascii: ","), text) else { return nil }
            guard let name = reader.string(text), let member = Self.member(text.extracting(name)),
                reader.take(UInt8(ascii: ":"), text)
            else { return nil }
            if member == 0 {
                guard key == nil, let content = reader.string(text) else { return nil }
                key = decode(text.extracting(content))
                guard key != nil else { return nil }
            } else {
                guard numbers[member - 1] == nil, let number = reader.number(text) else { return nil }
                numbers[member - 1] = number
            }
        }
        guard reader.take(UInt8(ascii: "}"), text), reader.isAtEnd(text), let key, let previous = numbers[0],
            let number = numbers[1]
        else { return nil }
        return RatchetHeader(senderRatchetKey: key, previousChainLength: previous, messageNumber: number)
    }

    /// Which of the three keys a name is.
    private static func member(_ name: Span<UInt8>) -> Int? {
        keyNames.firstIndex { known in
            guard known.count == name.count else { return false }
            for index in 0..<name.count where known[index] != name[index] { return false }
            return true
        }
    }

    /// The key in base64 whose only escape is `\/`. No secret: a public key.
    private static func decode(_ content: Span<UInt8>) -> [UInt8]? {
        var plain: [UInt8] = []
        plain.reserveCapacity(content.count)
        for index in 0..<content.count where content[index] != UInt8(ascii: "\\") { plain.append(content[index]) }
        guard plain.count <= 44, let key = Base64.decode(plain.span), key.count == keyLength else { return nil }
        return key
    }

    /// A place in the text; every step skips the white space before it.
    private struct Reader {
        var place = 0

        mutating func skipSpace(_ text: Span<UInt8>) {
            while place < text.count, [0x20, 0x0A, 0x0D, 0x09].contains(text[place]) { place += 1 }
        }

        mutating func take(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
            skipSpace(text)
            guard place < text.count, text[place] == byte else { return false }
            place += 1
            return true
        }

        /// The content of a string of ASCII, whose only escape is `\/`.
        mutating func string(_ text: Span<UInt8>) -> Range<Int>? {
            guard take(UInt8(ascii: "\""), text) else { return nil }
            let start = place
            while place < text.count {
                switch text[place] {
                case UInt8(ascii: "\""):
                    place += 1
                    return start..<place - 1
                case UInt8(ascii: "\\"):
                    guard place + 1 < text.count, text[place + 1] == UInt8(ascii: "/") else { return nil }
                    place += 2
                case 0x20...0x7E: place += 1
                default: return nil
                }
            }
            return nil
        }

        /// A whole number without sign, point, exponent or leading zeros.
        mutating func number(_ text: Span<UInt8>) -> UInt32? {
            skipSpace(text)
            let start = place
            var value: UInt64 = 0
            while place < text.count, place - start < 10,
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[place])
            {
                value = value * 10 + UInt64(text[place] - UInt8(ascii: "0"))
                place += 1
            }
            guard place > start, place - start == 1 || text[start] != UInt8(ascii: "0") else { return nil }
            // A digit, point or exponent behind it is found by who looks for the comma.
            return UInt32(exactly: value)
        }

        mutating func isAtEnd(_ text: Span<UInt8>) -> Bool {
            skipSpace(text)
            return place == text.count
        }
    }
}

extension RatchetHeader {
    /// The JSON of a header up to the number of the message, for a chain whose messages differ in nothing else.
    static func beginning(ratchetKey: [UInt8], previousChainLength: UInt32) -> [UInt8] {
        var text = Array("{\"senderRatchetKey\":\"".utf8)
        text += Array(Base64.encode(ratchetKey.span).utf8)
        text += Array("\",\"previousChainLength\":\(previousChainLength),\"messageNumber\":".utf8)
        return text
    }

    /// The spellings in which an encoder of the first app versions may have written a header: its three members in any
    /// order, `/` escaped first. Format: SophaxChat 8.3 (v0) and 2.1.
    var spellings: [[UInt8]] {
        let key = Base64.encode(senderRatchetKey.span)
        let members = [
            "\"previousChainLength\":\(previousChainLength)", "\"messageNumber\":\(messageNumber)",
        ].map { Array($0.utf8) }
        return [key.replacing("/", with: "\\/"), key].flatMap { key in
            let three = members + [Array("\"senderRatchetKey\":\"\(key)\"".utf8)]
            return [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].map { order in
                Array("{".utf8) + order.map { three[$0] }.joined(separator: Array(",".utf8)) + Array("}".utf8)
            }
        }
    }
}
