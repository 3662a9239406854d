import SystemIO

/// All messages of a backup, regrouped: the importers of the apps ignore the keys and go by each message's own `peerID`.
///
/// A message without one belongs to the conversation that its key names. An older group file's list and the newer one
/// become one conversation, as in the message store. Format: SophaxChat 3.3.5.
package struct BundleMessages: Sendable {
    /// The lists as they stand in the file, in its order.
    package let lists: [BundleMessageList]

    /// Conversations in the order of their first list.
    package private(set) var conversations: [BundleConversation] = []

    private let buffer: PlaintextBuffer

    /// No messages at all.
    init(none buffer: PlaintextBuffer) {
        self.buffer = buffer
        lists = []
    }

    /// Reads every list of the object in `range`, on `workers` threads.
    init(
        _ buffer: PlaintextBuffer, _ range: Range<Int>, now: Double, workers: Int, findings: inout FindingList
    ) throws(BundleContentError) {
        self.buffer = buffer
        let members = try Self.members(buffer, range, findings: &findings)
        do throws(OutOfMemory) {
            lists = try parallelMap(
                members, workers: workers, makeState: { () throws(OutOfMemory) in try MessageScanner() }
            ) { (scanner: inout MessageScanner, member) throws(OutOfMemory) in
                try BundleMessageList(ByteText(member.key), member.value, in: buffer, now: now, scanner: &scanner)
            }
            try group()
        } catch {
            throw .outOfMemory
        }
    }

    /// How many different messages.
    package var count: Int {
        conversations.reduce(0) { $0 + $1.messages }
    }

    /// Messages that could not be read, and are in no conversation.
    package var lost: Int {
        lists.reduce(0) { $0 + $1.lost }
    }

    /// The messages of a conversation in order of arrival, older lists first; a message that two lists have is taken
    /// from the newer one.
    package func messages(of conversation: BundleConversation) throws(OutOfMemory) -> [StoredMessage] {
        var messages: [StoredMessage] = []
        for list in conversation.lists.reversed() {
            let newer = Set(messages.compactMap { $0.id?.byteText })
            let own = try self.messages(of: list).filter { message in
                conversationID(of: message, in: list) == conversation.id
                    && (newer.isEmpty || message.id.map { !newer.contains($0.byteText) } ?? true)
            }
            messages = messages.isEmpty ? own : own + messages
        }
        return messages
    }

    private func messages(of list: BundleMessageList) throws(OutOfMemory) -> [StoredMessage] {
        var scanner = try MessageScanner()
        var sink = MessageList(buffer, at: list.range.lowerBound)
        _ = try scanner.scan(buffer, list.range, into: &sink)
        return sink.messages
    }

    private func conversationID(of message: StoredMessage, in list: BundleMessageList) -> ConversationID {
        message.conversation ?? list.idOfKey
    }
}

// MARK: - Reading and grouping

extension BundleMessages {
    private static func members(
        _ buffer: PlaintextBuffer, _ range: Range<Int>, findings: inout FindingList
    ) throws(BundleContentError) -> [JSONMember] {
        let object: JSONMembers
        do {
            object = try JSONMembers(object: buffer, range)
        } catch {
            throw BundleContentError(error)
        }
        for problem in object.problems {
            findings.add(Finding(.repairedText, offset: problem.offset, detail: problem.kind.rawValue))
        }
        var keys: Set<[UInt8]> = []
        for member in object.members where !keys.insert(member.key).inserted {
            let detail = "the apps read only one of its lists; here all are read"
            findings.add(Finding(.repeatedKey, item: ByteText(member.key), detail: detail))
        }
        for member in object.members where member.kind != .array {
            findings.add(Finding(.unreadableContent, item: ByteText(member.key), detail: "not a list of messages"))
        }
        return object.members.filter { $0.kind == .array }
    }

    private mutating func group() throws(OutOfMemory) {
        var indices: [ConversationID: Int] = [:]
        for list in lists where list.tally.messages > 0 {
            if let id = list.onlyConversation {
                conversations[index(of: id, &indices)].take(list)
            } else {
                let byID = Dictionary(grouping: try messages(of: list)) { conversationID(of: $0, in: list) }
                for (id, messages) in byID.sorted(by: { $0.key < $1.key }) {
                    conversations[index(of: id, &indices)].take(messages, of: list)
                }
            }
        }
        for index in conversations.indices where conversations[index].lists.count > 1 {
            let id = conversations[index].id
            let lists = conversations[index].lists
            conversations[index].lists =
                lists.filter { !$0.isCurrent(for: id) } + lists.filter { $0.isCurrent(for: id) }
            conversations[index].merge(try conversations[index].messages - messages(of: conversations[index]).count)
        }
    }

    private mutating func index(of id: ConversationID, _ indices: inout [ConversationID: Int]) -> Int {
        if let index = indices[id] { return index }
        indices[id] = conversations.count
        conversations.append(BundleConversation(id))
        return conversations.count - 1
    }
}
