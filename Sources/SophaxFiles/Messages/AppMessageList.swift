/// Writes the text of a message list as the apps keep it: one JSON array, in order of arrival (formats section 6.1).
package struct AppMessageList: Sendable {
    /// Bytes so far, the closing bracket not among them.
    private var text: [UInt8] = [UInt8(ascii: "[")]
    package private(set) var count = 0

    package init(reservingBytes capacity: Int = 0) {
        text.reserveCapacity(capacity)
    }

    /// Adds a message's own object, which must be JSON already.
    package mutating func append(_ json: [UInt8]) {
        if count > 0 { text.append(UInt8(ascii: ",")) }
        text.append(contentsOf: json)
        count += 1
    }

    /// Adds a message as it stands in its source.
    package mutating func append(_ message: StoredMessage) {
        if count > 0 { text.append(UInt8(ascii: ",")) }
        message.withSourceJSON { span in
            unsafe span.withUnsafeBufferPointer { unsafe text.append(contentsOf: $0) }
        }
        count += 1
    }

    /// The finished array.
    package consuming func finished() -> [UInt8] {
        text.append(UInt8(ascii: "]"))
        return text
    }

    /// One message as one line: white space between its tokens that is a line break is taken out, nothing else.
    ///
    /// Inside of a string of strict JSON a line break is always escaped. A raw one, which is not, becomes its escape.
    package static func line(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return json }
        var line: [UInt8] = []
        line.reserveCapacity(json.count)
        var inString = false
        var isEscaped = false
        for byte in json {
            if byte == 0x0A || byte == 0x0D {
                if inString {
                    if isEscaped { line.append(UInt8(ascii: "\\")) }
                    line.append(contentsOf: (byte == 0x0A ? "\\n" : "\\r").utf8)
                }
                isEscaped = false
                continue
            }
            line.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = inString
            } else if byte == UInt8(ascii: "\"") {
                inString.toggle()
            }
        }
        return line
    }
}
