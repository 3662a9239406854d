import CSimdJSON

/// Reads JSON that is not strict, and keeps every message it can.
///
/// libsimdjson stops at the first fault of a document. This scanner repairs values (bytes that are not UTF-8, lone
/// surrogates, escaped keys, `fal`) and steps over an element that it cannot read. Slow paths only: a document comes here
/// after the strict parser refused it. Work is linear in the text: stepping over has a budget.
@safe
struct TolerantScanner {
    /// Nesting beyond this makes an element unreadable.
    static let maximumNesting = 64
    /// Problems kept in detail for one text; the rest is counted in `problemCount` only.
    static let maximumProblems = 1_000

    let text: UnsafeBufferPointer<UInt8>
    var position = 0
    private(set) var problems: [TextProblem] = []
    private(set) var problemCount = 0
    private var balancingBudget: Int
    private var finished = false

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
        problemCount += 1
        if problems.count < Self.maximumProblems { problems.append(TextProblem(kind, at: offset)) }
    }

    mutating func skipWhiteSpace() {
        while let next = byte(position), next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { position += 1 }
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
                position += 1
            case UInt8(ascii: "]"):
                position += 1
                skipWhiteSpace()
                if unsafe position < text.count { note(.trailingBytes, at: position) }
                finished = true
            case UInt8(ascii: "{"):
                let start = position
                if let record = message() { return record }
                note(byte(position) == nil ? .cutOff : .unreadable, at: start)
                stepOver(start)
            default:
                let start = position
                note(.notAMessage, at: start)
                if value(depth: 0) == nil || position == start { stepOver(start) }
            }
        }
        return nil
    }

    /// Goes on behind an element that began at `start` and could not be read.
    private mutating func stepOver(_ start: Int) {
        let opens = byte(start) == UInt8(ascii: "{") || byte(start) == UInt8(ascii: "[")
        if opens, let end = balancedEnd(start) {
            position = end
            return
        }
        // The brackets do not help: the next thing that looks like `},{` begins a message.
        var index = start + 1
        while unsafe index < text.count {
            guard byte(index) == UInt8(ascii: "}") else {
                index += 1
                continue
            }
            position = index + 1
            skipWhiteSpace()
            guard byte(position) == UInt8(ascii: ",") else {
                index += 1
                continue
            }
            position += 1
            skipWhiteSpace()
            if byte(position) == UInt8(ascii: "{") { return }
            index = max(index + 1, position)
        }
        position = unsafe text.count
        finished = true
    }

    /// Where the brackets opened at `start` close again, strings respected; nil when they do not, or the budget is spent.
    private mutating func balancedEnd(_ start: Int) -> Int? {
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
                    while let space = byte(after), space == 0x20 || space == 0x0A || space == 0x0D || space == 0x09 {
                        after += 1
                    }
                    let follower = byte(after)
                    return follower == UInt8(ascii: ",") || follower == UInt8(ascii: "]") ? index : nil
                }
                if depth < 0 { return nil }
            default: break
            }
        }
        return nil
    }
}
