import CSimdJSON
import JSONCoding

/// Reads JSON that is not strict, and keeps every message it can.
///
/// libsimdjson stops at the first fault of a document. This scanner repairs values (bytes that are not UTF-8, lone
/// surrogates, escaped keys, `fal`) and steps over an element that it cannot read. Slow paths only: a document comes here
/// after the strict parser refused it. Work is linear in the text: stepping over has a budget.
@safe
struct TolerantScanner {
    /// Nesting beyond this makes an element unreadable.
    static let maximumNesting = 64
    let text: UnsafeBufferPointer<UInt8>
    var position = 0
    private(set) var problems = TextProblems()
    private var balancingBudget: Int
    private var finished = false
    /// An element was read since the last comma.
    private var isBehindElement = false
    /// The last thing read was a comma.
    private var isBehindComma = false

    /// `text` must stay alive as long as the scanner.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        unsafe self.text = unsafe text
        balancingBudget = text.count > Int.max / 4 ? Int.max : text.count * 4
        // A byte order mark before the document is not part of it.
        if text.count >= 3, byte(0) == 0xEF, byte(1) == 0xBB, byte(2) == 0xBF { position = 3 }
    }

    /// The byte at `index`, or nil behind the end.
    func byte(_ index: Int) -> UInt8? {
        unsafe index >= 0 && index < text.count ? unsafe text[index] : nil
    }

    mutating func note(_ kind: TextProblem.Kind, at offset: Int) {
        problems.add(TextProblem(kind, at: offset))
    }

    mutating func skipWhiteSpace() {
        skipWhiteSpace(&position)
    }

    private func skipWhiteSpace(_ index: inout Int) {
        while let next = byte(index), next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { index += 1 }
    }

    /// Takes `[`; false when the text is not an array.
    mutating func beginArray() -> Bool {
        skipWhiteSpace()
        guard byte(position) == UInt8(ascii: "[") else { return false }
        position += 1
        return true
    }

    /// The next message of the array, or nil at its end.
    mutating func nextMessage() -> MessageRecord? {
        while !finished {
            skipWhiteSpace()
            guard let next = byte(position) else {
                note(.cutOff, at: position)
                finished = true
                return nil
            }
            switch next {
            case UInt8(ascii: ","):
                if !isBehindElement { note(.badComma, at: position) }
                (isBehindElement, isBehindComma) = (false, true)
                position += 1
            case UInt8(ascii: "]"):
                if isBehindComma { note(.badComma, at: position) }
                endArray()
            case UInt8(ascii: "{"):
                let start = position
                beginElement()
                if let record = message() { return record }
                note(byte(position) == nil ? .cutOff : .unreadable, at: start)
                stepOver(start)
            default:
                let start = position
                beginElement()
                note(.notAMessage, at: start)
                if value(depth: 0) == nil || !isFollowedAsElement() { stepOver(start) }
            }
        }
        return nil
    }

    private mutating func beginElement() {
        if isBehindElement { note(.badComma, at: position) }
        (isBehindElement, isBehindComma) = (true, false)
    }

    /// `position` stands on `]`: the end, unless messages go on behind it.
    private mutating func endArray() {
        let bracket = position
        position += 1
        skipWhiteSpace()
        guard unsafe position < text.count else {
            finished = true
            return
        }
        if byte(position) == UInt8(ascii: ","), beginsMessage(behind: position, fieldsOnly: true) != nil {
            note(.badComma, at: bracket)
            isBehindElement = true
        } else {
            note(.trailingBytes, at: position)
            finished = true
        }
    }

    /// Goes on behind an element that began at `start` and could not be read.
    private mutating func stepOver(_ start: Int) {
        let opens = byte(start) == UInt8(ascii: "{") || byte(start) == UInt8(ascii: "[")
        let end = opens ? balancedEnd(start) : nil
        // A quote that is missing turns strings inside out, and brackets far away then seem to close this element: what
        // begins like a message before them is one.
        let limit = unsafe end ?? text.count
        var isBehindBrace = false
        for index in start..<limit {
            guard let next = byte(index), next != 0x20, next != 0x0A, next != 0x0D, next != 0x09 else { continue }
            if next == UInt8(ascii: ","),
                let found = beginsMessage(behind: index, fieldsOnly: end != nil || !isBehindBrace)
            {
                position = found
                (isBehindElement, isBehindComma) = (false, true)
                return
            }
            isBehindBrace = next == UInt8(ascii: "}")
        }
        position = limit
        finished = end == nil
    }

    /// What stands at `position` could stand behind an element that was understood rightly.
    private func isFollowedAsElement() -> Bool {
        var after = position
        skipWhiteSpace(&after)
        switch byte(after) {
        case nil, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "{"): return true
        default: return false
        }
    }

    /// Where the object behind the comma at `comma` begins, if it begins as a message does: with a key and a colon, or empty.
    /// In the middle of a string its quotes would have backslashes. `fieldsOnly`: the key is one of a message.
    private func beginsMessage(behind comma: Int, fieldsOnly: Bool) -> Int? {
        var start = comma + 1
        skipWhiteSpace(&start)
        guard byte(start) == UInt8(ascii: "{") else { return nil }
        var key = start + 1
        skipWhiteSpace(&key)
        if byte(key) == UInt8(ascii: "}"), !fieldsOnly { return start }
        guard byte(key) == UInt8(ascii: "\"") else { return nil }
        var end = key + 1
        while let next = byte(end), next != UInt8(ascii: "\""), end - key <= Self.longestKey { end += 1 }
        var colon = end + 1
        skipWhiteSpace(&colon)
        guard byte(end) == UInt8(ascii: "\""), byte(colon) == UInt8(ascii: ":") else { return nil }
        guard fieldsOnly else { return start }
        return withBytes(key + 1..<end) { isField($0) } ? start : nil
    }

    /// Bytes of a key that may begin a message; the formats need 18.
    private static let longestKey = 256

    /// Where the brackets opened at `start` close again, strings respected; nil when they do not, or the budget is spent.
    /// `closing` is the bracket of the container that it stands in.
    mutating func balancedEnd(_ start: Int, closing: UInt8 = UInt8(ascii: "]")) -> Int? {
        var depth = 0
        var index = start
        defer { balancingBudget -= index - start }
        var inString = false
        while let next = byte(index), index - start < balancingBudget {
            index += 1
            if inString {
                if next == UInt8(ascii: "\\") { index += 1 }
                if next == UInt8(ascii: "\"") { inString = false }
                continue
            }
            switch next {
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 {
                    // Only a bracket that is followed as an element would be is believed.
                    var after = index
                    skipWhiteSpace(&after)
                    let follower = byte(after)
                    return follower == UInt8(ascii: ",") || follower == closing ? index : nil
                }
                if depth < 0 { return nil }
            default: break
            }
        }
        return nil
    }
}
