import JSONCoding
import SophaxFiles

/// Messages as they stand in `conversations/<id>.jsonl`: one message a line, its source JSON as it is.
///
/// Only line breaks are taken out: those between tokens are dropped; one inside a string, which strict JSON does not allow,
/// is written as the escape that it should have been.
package enum ConversationText {
    /// Appends the line of a message.
    package static func append(_ source: [UInt8], to text: inout [UInt8]) {
        if source.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            appendWithoutBreaks(source, to: &text)
        } else {
            text += source
        }
        text.append(0x0A)
    }

    private static func appendWithoutBreaks(_ source: [UInt8], to text: inout [UInt8]) {
        var isInside = false
        var isEscaped = false
        for byte in source {
            if byte == 0x0A || byte == 0x0D {
                if isInside {
                    // Behind a backslash the letter alone makes the escape.
                    if !isEscaped { text.append(UInt8(ascii: "\\")) }
                    text.append(UInt8(ascii: byte == 0x0A ? "n" : "r"))
                }
                isEscaped = false
                continue
            }
            text.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isInside
            } else if byte == UInt8(ascii: "\"") {
                isInside.toggle()
            }
        }
    }

    /// The text of an entry as a JSON array of its messages, which the scanner of messages reads: line ends become commas.
    ///
    /// A line holds no other line break, so nothing inside of a message is touched.
    package static func array(of lines: consuming [UInt8]) -> [UInt8] {
        if lines.last == 0x0A { lines.removeLast() }
        for index in lines.indices where lines[index] == 0x0A { lines[index] = UInt8(ascii: ",") }
        return [UInt8(ascii: "[")] + lines + [UInt8(ascii: "]")]
    }

    /// The messages of an entry, and whether each line was strict JSON.
    package static func messages(
        of lines: consuming [UInt8], platform: MessagePlatform
    ) throws(OutOfMemory) -> (messages: [StoredMessage], outcome: ScanOutcome) {
        let buffer = try PlaintextBuffer(copying: array(of: lines))
        var scanner = try MessageScanner()
        var list = MessageList(buffer, at: 0, platform: platform)
        let outcome = try scanner.scan(buffer, 0..<buffer.count, into: &list)
        return (list.messages, outcome)
    }
}
