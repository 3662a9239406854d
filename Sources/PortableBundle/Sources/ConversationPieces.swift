import CryptoPrimitives
import SophaxFiles

/// The lines of one conversation, sent in pieces and summed up.
struct ConversationPieces: ~Copyable {
    /// What the lines came to.
    struct Sum: Equatable, Sendable {
        let messages: Int
        let size: Int
        let sha256: [UInt8]
    }

    private var hash = SHA256()
    private var size = 0
    private var messages = 0
    private var piece: [UInt8] = []
    /// Source texts of earlier groups of files, where a conversation stands in several.
    private var seen: Set<ByteText>?

    /// - Parameter isInSeveral: the conversation stands in several groups of files.
    init(isInSeveral: Bool = false) {
        seen = isInSeveral ? [] : nil
    }

    /// Sends the messages of a conversation in one group; a message that an earlier group has byte for byte is left out.
    mutating func send<S: EntrySink & ~Copyable>(group: [StoredMessage], to sink: inout S) throws(EntryError) {
        guard let earlier = seen else { return try send(group, to: &sink) }
        for message in group {
            let source = message.sourceJSON
            if earlier.contains(ByteText(source)) { continue }
            seen?.insert(ByteText(source))
            try send(source, to: &sink)
        }
        try flush(to: &sink)
    }

    /// Sends messages.
    mutating func send<S: EntrySink & ~Copyable>(_ messages: [StoredMessage], to sink: inout S) throws(EntryError) {
        for message in messages { try send(message.sourceJSON, to: &sink) }
        try flush(to: &sink)
    }

    private mutating func send<S: EntrySink & ~Copyable>(_ source: [UInt8], to sink: inout S) throws(EntryError) {
        ConversationText.append(source, to: &piece)
        messages += 1
        if piece.count >= EntryPiece.size { try flush(to: &sink) }
    }

    private mutating func flush<S: EntrySink & ~Copyable>(to sink: inout S) throws(EntryError) {
        guard !piece.isEmpty else { return }
        var full: [UInt8] = []
        swap(&full, &piece)
        hash.update(full.span)
        size += full.count
        try sink.take(full.span)
        full.removeAll(keepingCapacity: true)
        swap(&full, &piece)
    }

    consuming func finish() -> Sum {
        let (messages, size) = (self.messages, self.size)
        return Sum(messages: messages, size: size, sha256: hash.finish())
    }
}
