/// Finds armoured OpenPGP messages in a text (RFC 4880, 6.2).
enum OpenPGPArmor {
    private static let begin = Array("-----BEGIN PGP MESSAGE-----".utf8)
    private static let end = Array("-----END PGP MESSAGE-----".utf8)

    /// Whether a text begins with one, after white space.
    static func begins(_ text: ArraySlice<UInt8>) -> Bool {
        text.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.starts(with: begin)
    }

    /// The messages of a text, each from its first line to its last. One that is cut off ends with the text.
    static func messages(in text: [UInt8], limit: Int) -> [[UInt8]]? {
        var messages: [[UInt8]] = []
        var current: [UInt8]?
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let trimmed = line.last == 0x0D ? line.dropLast() : line
            if current == nil, trimmed.elementsEqual(begin) { current = [] }
            guard current != nil else { continue }
            current?.append(contentsOf: trimmed + [0x0A])
            guard trimmed.elementsEqual(end), let message = current else { continue }
            guard messages.count < limit else { return nil }
            messages.append(message)
            current = nil
        }
        if let current { messages.append(current) }
        return messages
    }
}
