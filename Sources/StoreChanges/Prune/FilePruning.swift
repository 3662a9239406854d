import JSONCoding
import SophaxFiles

/// What pruning makes of one conversation's file.
struct FilePruning: Sendable {
    let file: StoreFile
    let selection: PruneSelection

    /// What it came to; equal for equal files.
    struct Result: Sendable {
        /// Messages that go, by conversation, in the order of the file.
        var pruned: [ConversationID: [PrunedMessage]] = [:]
        /// Messages of each conversation before.
        var before: [ConversationID: Int] = [:]
        var kept = 0
        /// Names of attachment files that messages refer to: those that go, those that stay.
        var prunedAttachments: Set<ByteText> = []
        var keptAttachments: Set<ByteText> = []
        /// Something in it is no message, and may refer to anything.
        var hasFragments = false
        /// The whole file goes.
        var isGone = false

        var prunedCount: Int { pruned.values.reduce(0) { $0 + $1.count } }
    }

    private var guess: ConversationID { ConversationID(guessedFrom: file.stem) }

    func look(_ reader: inout StoreFileReader) throws(ChangeStepFailure) -> Result {
        let read = try read(&reader)
        var result = Result()
        result.hasFragments = !read.fragments.isEmpty
        for message in read.messages {
            let conversation = message.conversation ?? guess
            let attachment = message.text(.attachmentID).map { attachmentFileName(for: $0.byteText) }
            result.before[conversation, default: 0] += 1
            if selection.takes(message, in: guess) {
                result.pruned[conversation, default: []].append(PrunedMessage(message))
                if let attachment { result.prunedAttachments.insert(attachment) }
            } else {
                result.kept += 1
                if let attachment { result.keptAttachments.insert(attachment) }
            }
        }
        let isWholeConversation = selection.isByConversation && selection.takes(guess)
        result.isGone = result.kept == 0 && (result.prunedCount > 0 || isWholeConversation)
        // Pieces of messages of a conversation that goes as a whole go with it; else nobody can say what they are of.
        if result.hasFragments, !isWholeConversation { result.isGone = false }
        return result
    }

    /// The list without what goes; every other message as it stands.
    var produced: ProducedText {
        ProducedText(
            produce: { (reader) throws(ChangeStepFailure) in
                let read = try read(&reader)
                var list = AppMessageList(reservingBytes: file.size)
                for message in read.messages where !selection.takes(message, in: guess) { list.append(message) }
                return list.finished()
            },
            check: { (reader, text) throws(ChangeStepFailure) in
                let old = try read(&reader).messages.filter { !selection.takes($0, in: guess) }
                let new: FileMessages
                do {
                    new = try reader.messages(in: PlaintextBuffer(copying: text.indices.map { text[$0] }))
                } catch {
                    throw .differs("the new list cannot be read")
                }
                guard new.messages.count == old.count else {
                    throw .differs("\(new.messages.count) messages in place of \(old.count)")
                }
                for (one, other) in zip(old, new.messages) where one.sourceJSON != other.sourceJSON {
                    throw .differs("message \(one.id?.string ?? "without id") says something else")
                }
            })
    }

    private func read(_ reader: inout StoreFileReader) throws(ChangeStepFailure) -> FileMessages {
        do throws(StoreFileFailure) { return try reader.messages(of: file) } catch { throw .source(file, error) }
    }
}

/// A message that goes.
package struct PrunedMessage: Sendable {
    /// Nil where it has none.
    package let id: ByteText?
    /// Seconds since 1970; nil without a date.
    package let time: Double?

    init(_ message: StoredMessage) {
        id = message.id?.byteText
        time = message.time?.unixSeconds
    }
}
