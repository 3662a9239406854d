import JSONCoding
import SophaxFiles

/// Collects from the lines of conversations, as they pass, what their messages say of attachments: the names that their
/// senders gave them.
///
/// Only lines that name an attachment are kept until the conversation ends, so memory stays flat.
struct AttachmentHints {
    /// The first message counts.
    private(set) var references: [ByteText: AttachmentReference] = [:]

    private var conversation: ConversationID?
    private var platform = MessagePlatform.ios
    /// The line that is not yet whole.
    private var line: [UInt8] = []
    /// Lines that name an attachment, as the inside of a JSON array.
    private var kept: [UInt8] = []

    private static let key = Array("attachmentID".utf8)

    mutating func begin(_ id: ConversationID, _ platform: MessagePlatform) {
        conversation = id
        self.platform = platform
        line = []
        kept = []
    }

    /// Bytes of the conversation that was begun; without one nothing happens.
    mutating func take(_ bytes: Span<UInt8>) {
        guard conversation != nil else { return }
        for index in bytes.indices {
            if bytes[index] == 0x0A { endLine() } else { line.append(bytes[index]) }
        }
    }

    private mutating func endLine() {
        if Self.contains(Self.key, in: line) {
            kept.append(kept.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
            kept += line
        }
        line.removeAll(keepingCapacity: true)
    }

    /// Reads what was kept. Lines that cannot be read name nothing.
    mutating func end() throws(OutOfMemory) {
        endLine()
        guard let conversation else { return }
        self.conversation = nil
        guard !kept.isEmpty else { return }
        kept.append(UInt8(ascii: "]"))
        let buffer = try PlaintextBuffer(copying: kept)
        kept = []
        var list = MessageList(buffer, at: 0, platform: platform)
        var scanner = try MessageScanner()
        _ = try scanner.scan(buffer, 0..<buffer.count, into: &list)
        for message in list.messages {
            guard let reference = AttachmentReference(message, in: message.conversation ?? conversation) else {
                continue
            }
            if references[reference.id] == nil { references[reference.id] = reference }
        }
    }

    private static func contains(_ word: [UInt8], in line: [UInt8]) -> Bool {
        guard line.count >= word.count else { return false }
        var start = 0
        while let place = line[start...].firstIndex(of: word[0]), line.count - place >= word.count {
            if line[place...].starts(with: word) { return true }
            start = place + 1
        }
        return false
    }
}
