import CryptoPrimitives

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
        var messages = lists.popLast() ?? []
        let all = messages.count + lists.reduce(0) { $0 + $1.count }
        for list in lists.reversed() {
            let newer = Set(messages.compactMap { $0.id?.byteText })
            messages = list.filter { $0.id.map { !newer.contains($0.byteText) } ?? true } + messages
        }
        return Content(
            messages: messages, guess: ConversationID(conversation.files.last?.stem ?? ByteText([])),
            isStrict: isStrict, merged: all - messages.count, opened: opened,
            failures: failures, problems: problems, unlistedLosses: unlistedLosses)
    }

    /// How the files of a conversation overlap: messages in both, and those that only the older files have.
    static func overlap(
        of conversation: ConversationFiles, key: borrowing SecretBytes
    ) throws(StoreFileFailure) -> (inBoth: Int, onlyInFirst: Int) {
        var reader = try ConversationReader(key: key)
        let older = reader.read(ConversationFiles(files: Array(conversation.files.dropLast()))).messages.count
        let merged = reader.read(conversation).merged
        return (merged, older - merged)
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

    /// `base` is where the document begins in `buffer`.
    package init(_ buffer: PlaintextBuffer, at base: Int) {
        self.buffer = buffer
        self.base = base
    }

    package mutating func restart() {
        messages.removeAll()
    }

    package mutating func take(_ batch: borrowing MessageBatch) -> Bool {
        let kept = StoredMessage.Batch(batch, in: buffer, at: base)
        for place in 0..<batch.count { messages.append(StoredMessage(kept, place)) }
        return true
    }
}
