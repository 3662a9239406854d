import CryptoPrimitives
import JSONCoding

/// Gives the messages of one conversation in order of arrival, with the files of two name rules merged by message id.
package struct ConversationReader: ~Copyable {
    /// A conversation as it was read.
    package struct Content: Sendable {
        /// Older file first; a message that stands in both is taken from the newer file.
        package let messages: [StoredMessage]
        /// What the file names say, for messages without a `peerID`.
        package let guess: ConversationID
        /// All lists are strict JSON.
        package let isStrict: Bool
        /// Messages left out because the newer file has them too.
        package let merged: Int
        /// Files that were opened.
        package let opened: Int
        /// Files that could not be read.
        package let failures: [(file: StoreFile, failure: StoreFileFailure)]
        /// What was not strict JSON, by file.
        package let problems: [(file: StoreFile, problem: TextProblem)]
        /// Messages that could not be read besides those in `problems`, which has the first ones only.
        package let unlistedLosses: Int
    }

    private var reader: StoreFileReader

    package init(key: borrowing SecretBytes) throws(StoreFileFailure) {
        reader = try StoreFileReader(key: key)
    }

    /// Reads all files of a conversation. Throws nothing: what cannot be read is in `failures`.
    package mutating func read(_ conversation: ConversationFiles) -> Content {
        var lists: [[StoredMessage]] = []
        var isStrict = true
        var failures: [(file: StoreFile, failure: StoreFileFailure)] = []
        var problems: [(file: StoreFile, problem: TextProblem)] = []
        var unlistedLosses = 0
        for file in conversation.files {
            do throws(StoreFileFailure) {
                let (buffer, _) = try reader.openForKeeping(file)
                var list = MessageList(buffer, at: 0)
                let outcome: ScanOutcome
                do throws(OutOfMemory) {
                    outcome = try reader.scanner.scan(buffer, 0..<buffer.count, into: &list)
                } catch {
                    throw .outOfMemory(requested: error.requested)
                }
                if outcome != .strict { isStrict = false }
                switch outcome {
                case .strict, .stopped: break
                case .tolerant(let found):
                    problems += found.map { (file, $0) }
                    unlistedLosses += found.unlistedLosses
                case .notMessages: problems.append((file, TextProblem(.notAMessage, at: 0)))
                }
                lists.append(list.messages)
            } catch {
                failures.append((file, error))
            }
        }
        let opened = lists.count
        let guess = conversation.guess
        var messages = lists.popLast() ?? []
        let all = messages.count + lists.reduce(0) { $0 + $1.count }
        for list in lists.reversed() {
            let newer = Set(messages.compactMap { MessageKey($0, guess) })
            messages = list.filter { MessageKey($0, guess).map { !newer.contains($0) } ?? true } + messages
        }
        return Content(
            messages: messages, guess: guess, isStrict: isStrict, merged: all - messages.count, opened: opened,
            failures: failures, problems: problems, unlistedLosses: unlistedLosses)
    }

    /// How the files of a group overlap: messages in both, and those of the group that only the older file has.
    static func overlap(
        of conversation: ConversationFiles, key: borrowing SecretBytes
    ) throws(StoreFileFailure) -> (inBoth: Int, onlyInFirst: Int) {
        var reader = try ConversationReader(key: key)
        let guess = conversation.guess
        let older = reader.read(ConversationFiles(files: Array(conversation.files.dropLast()))).messages
        let newest = reader.read(ConversationFiles(files: Array(conversation.files.suffix(1)))).messages
        let keys = Set(newest.compactMap { MessageKey($0, guess) })
        let onlyThere = older.filter { message in MessageKey(message, guess).map { !keys.contains($0) } ?? true }
        return (older.count - onlyThere.count, onlyThere.count { ($0.conversation ?? guess) == guess })
    }
}

/// What makes two messages of one store the same: an id counts in its conversation only, an empty one not at all.
struct MessageKey: Hashable {
    let conversation: ConversationID
    let id: ByteText

    /// `guess` is the conversation of messages that name none.
    init?(_ message: StoredMessage, _ guess: ConversationID) {
        guard let id = message.id?.byteText, !id.bytes.isEmpty else { return nil }
        self.id = id
        conversation = message.conversation ?? guess
    }
}

extension ConversationReader {
    /// What reading a conversation came to, without its messages.
    package struct Summary: Sendable {
        package let messages: Int
        package let opened: Int
        package let failures: [(file: StoreFile, failure: StoreFileFailure)]
        package let problems: [(file: StoreFile, problem: TextProblem)]
        package let unlistedLosses: Int
    }
}

extension ConversationReader.Content {
    package var summary: ConversationReader.Summary {
        .init(
            messages: messages.count, opened: opened, failures: failures, problems: problems,
            unlistedLosses: unlistedLosses)
    }

    /// The messages by the conversation that each names, in order of first appearance; usually one. A file without any
    /// message is an empty conversation.
    package var byConversation: [(id: ConversationID, messages: [StoredMessage])] {
        var order: [ConversationID] = []
        var groups: [ConversationID: [StoredMessage]] = [:]
        for message in messages {
            let id = message.conversation ?? guess
            if groups[id] == nil { order.append(id) }
            groups[id, default: []].append(message)
        }
        if order.isEmpty, opened > 0 { return [(guess, [])] }
        return order.map { ($0, groups[$0] ?? []) }
    }
}

/// Keeps every message of a document.
package struct MessageList: MessageSink {
    package private(set) var messages: [StoredMessage] = []
    private let buffer: PlaintextBuffer
    private let base: Int
    private let platform: MessagePlatform

    /// `base` is where the document begins in `buffer`.
    package init(_ buffer: PlaintextBuffer, at base: Int, platform: MessagePlatform = .ios) {
        self.buffer = buffer
        self.base = base
        self.platform = platform
    }

    package mutating func restart() {
        messages.removeAll()
    }

    package mutating func take(_ batch: borrowing MessageBatch) -> Bool {
        let kept = StoredMessage.Batch(batch, in: buffer, at: base, platform: platform)
        for place in 0..<batch.count { messages.append(StoredMessage(kept, place)) }
        return true
    }
}
