import JSONCoding
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
    private let platform: MessagePlatform

    /// No messages at all.
    init(none buffer: PlaintextBuffer) {
        self.buffer = buffer
        platform = .ios
        lists = []
    }

    /// Reads every list of the object in `range`, on `workers` threads.
    init(
        _ buffer: PlaintextBuffer, _ range: Range<Int>, platform: MessagePlatform = .ios, now: Double, workers: Int,
        findings: inout FindingList
    ) throws(BundleContentError) {
        self.buffer = buffer
        self.platform = platform
        let members = try Self.members(buffer, range, findings: &findings)
        do throws(OutOfMemory) {
            lists = try parallelMap(
                members, workers: workers, makeState: { () throws(OutOfMemory) in try MessageScanner() }
            ) { (scanner: inout MessageScanner, member) throws(OutOfMemory) in
                try BundleMessageList(
                    ByteText(member.key), member.value, in: buffer,
                    audit: MessageAudit(now: now, platform: platform), scanner: &scanner)
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
        var scanner = try MessageScanner()
        var newer: Set<ByteText> = []
        var parts: [[StoredMessage]] = []
        for (number, part) in conversation.parts.enumerated().reversed() {
            var own = try messages(of: part, &scanner)
            if !newer.isEmpty {
                own.removeAll { message in message.id.map { newer.contains($0.byteText) } ?? false }
            }
            // An empty id names nothing.
            if number > 0 { newer.formUnion(own.compactMap(\.id?.byteText).filter { !$0.bytes.isEmpty }) }
            parts.append(own)
        }
        return Array(parts.reversed().joined())
    }

    private func messages(
        of part: BundleConversation.Part, _ scanner: inout MessageScanner
    ) throws(OutOfMemory) -> [StoredMessage] {
        var sink = MessageList(buffer, at: part.list.range.lowerBound, platform: platform)
        if let places = part.places {
            scanner.scan(buffer, part.list.range, at: places, into: &sink)
        } else {
            _ = try scanner.scan(buffer, part.list.range, into: &sink)
        }
        return sink.messages
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
        var scanner = try MessageScanner()
        var indices: [ConversationID: Int] = [:]
        for list in lists where list.tally.messages > 0 {
            if let id = list.onlyConversation {
                conversations[index(of: id, &indices)].take(list)
            } else {
                var sorted = SortedMessages(buffer, list, platform)
                _ = try scanner.scan(buffer, list.range, into: &sorted)
                for (id, own) in sorted.byConversation.sorted(by: { $0.key < $1.key }) {
                    conversations[index(of: id, &indices)].take(own, of: list)
                }
            }
        }
        for index in conversations.indices where conversations[index].parts.count > 1 {
            conversations[index].sortParts()
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

/// Where the messages of each conversation begin in a list that names several; the messages are not kept.
private struct SortedMessages: MessageSink {
    private(set) var byConversation: [ConversationID: BundleConversation.OwnMessages] = [:]
    private let buffer: PlaintextBuffer
    private let list: BundleMessageList
    private let platform: MessagePlatform

    init(_ buffer: PlaintextBuffer, _ list: BundleMessageList, _ platform: MessagePlatform) {
        self.buffer = buffer
        self.list = list
        self.platform = platform
    }

    mutating func restart() {
        byConversation = [:]
    }

    mutating func take(_ batch: borrowing MessageBatch) -> Bool {
        let some = StoredMessage.Batch(batch, in: buffer, at: list.range.lowerBound, platform: platform)
        for place in 0..<batch.count {
            let message = StoredMessage(some, place)
            byConversation[message.conversation ?? list.idOfKey, default: .init()].add(message)
        }
        return true
    }
}
