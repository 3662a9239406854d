/// Finds armoured OpenPGP messages in a text (RFC 4880, 6.2).
enum OpenPGPArmor {
    private static let begin = Array("-----BEGIN PGP MESSAGE-----".utf8)
    private static let end = Array("-----END PGP MESSAGE-----".utf8)

    /// Bytes of a text in which the first one must begin, other text before it or not.
    static let searched = 4_096

    /// Whether a text has one in its beginning, on a line of its own.
    static func begins(_ text: ArraySlice<UInt8>) -> Bool {
        text.prefix(searched).split(separator: 0x0A).contains { trimmed($0).elementsEqual(begin) }
    }

    /// The messages of a text, each from its first line to its last; nil for more than `limit`. One that is cut off ends with
    /// the text. White space at both ends of a line is none of the message.
    static func messages(in text: [UInt8], limit: Int) -> [[UInt8]]? {
        var messages: [[UInt8]] = []
        var current: [UInt8]?
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let line = trimmed(line)
            if current == nil, line.elementsEqual(begin) {
                guard messages.count < limit else { return nil }
                current = []
            }
            guard current != nil else { continue }
            current?.append(contentsOf: line + [0x0A])
            guard line.elementsEqual(end), let message = current else { continue }
            messages.append(message)
            current = nil
        }
        if let current { messages.append(current) }
        return messages
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let text = line.drop(while: isBlank)
        guard let last = text.lastIndex(where: { !isBlank($0) }) else { return [] }
        return text[...last]
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D].contains(byte) }
}
