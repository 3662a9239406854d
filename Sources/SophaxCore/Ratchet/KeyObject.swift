/// Walks over JSON that libsimdjson has found strict, for objects whose very keys are secret: nothing is copied out of it.
///
/// Any text may be walked over without harm; in one that is not strict JSON, less is found.
enum KeyObject {
    /// Calls `body` with the content of each key and the whole of its value, for the object that begins at
    /// `range.lowerBound`. False when this is no object.
    static func forEach<E: Error>(
        in text: Span<UInt8>, _ range: Range<Int>, _ body: (_ key: Range<Int>, _ value: Range<Int>) throws(E) -> Void
    ) throws(E) -> Bool {
        let end = min(range.upperBound, text.count)
        var place = range.lowerBound
        guard place >= 0, take(UInt8(ascii: "{"), text, &place, end) else { return false }
        if take(UInt8(ascii: "}"), text, &place, end) { return true }
        while true {
            guard let key = string(text, &place, end), take(UInt8(ascii: ":"), text, &place, end) else { return false }
            skipSpace(text, &place, end)
            let start = place
            skipValue(text, &place, end)
            guard place > start else { return false }
            try body(key, start..<place)
            if take(UInt8(ascii: "}"), text, &place, end) { return true }
            guard take(UInt8(ascii: ","), text, &place, end) else { return false }
        }
    }

    /// The content of the string that fills `range`; nil when it is none.
    static func content(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int>? {
        var place = range.lowerBound
        guard let content = string(text, &place, range.upperBound), place == range.upperBound else { return nil }
        return content
    }

    /// Whether the bytes in `range` are those of `name`.
    static func isEqual(_ text: Span<UInt8>, _ range: Range<Int>, _ name: [UInt8]) -> Bool {
        guard range.count == name.count else { return false }
        for index in name.indices where text[range.lowerBound + index] != name[index] { return false }
        return true
    }

    /// A number in decimal as Swift prints it; nil for any other spelling.
    static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt32? {
        guard (1...10).contains(range.count) else { return nil }
        var value: UInt64 = 0
        for index in range {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index]) else { return nil }
            value = value * 10 + UInt64(text[index] - UInt8(ascii: "0"))
        }
        guard range.count == 1 || text[range.lowerBound] != UInt8(ascii: "0") else { return nil }
        return UInt32(exactly: value)
    }

    private static func skipSpace(_ text: Span<UInt8>, _ place: inout Int, _ end: Int) {
        while place < end, [0x20, 0x0A, 0x0D, 0x09].contains(text[place]) { place += 1 }
    }

    private static func take(_ byte: UInt8, _ text: Span<UInt8>, _ place: inout Int, _ end: Int) -> Bool {
        skipSpace(text, &place, end)
        guard place < end, text[place] == byte else { return false }
        place += 1
        return true
    }

    private static func string(_ text: Span<UInt8>, _ place: inout Int, _ end: Int) -> Range<Int>? {
        guard take(UInt8(ascii: "\""), text, &place, end) else { return nil }
        let start = place
        while place < end {
            switch text[place] {
            case UInt8(ascii: "\""):
                place += 1
                return start..<place - 1
            case UInt8(ascii: "\\"): place = min(place + 2, end)
            default: place += 1
            }
        }
        return nil
    }

    private static func skipValue(_ text: Span<UInt8>, _ place: inout Int, _ end: Int) {
        var depth = 0
        while place < end {
            switch text[place] {
            case UInt8(ascii: "\""): if string(text, &place, end) == nil { return }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                place += 1
                continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { return }
                depth -= 1
                place += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09:
                guard depth > 0 else { return }
                place += 1
                continue
            default:
                place += 1
                continue
            }
            if depth == 0 { return }
        }
    }
}
