import JSONCoding

/// Messages that an app could not send yet, encrypted for their recipients already: `pending_queue.enc`.
///
/// Every recipient's list and every entry is read for itself, so that one that is damaged hides none of the others; what
/// cannot be read is written again as it stood. Format: SophaxChat 6.1.2.
public struct PendingQueue: Sendable {
    /// One message that waits.
    public struct Entry: Sendable {
        /// Whom it is for.
        public let recipient: PeerID
        /// Its place in the recipient's list, counted from 0.
        public let place: Int
        /// The message, or what is wrong with it.
        public let item: Result<Item, FormatError>
    }

    /// What stands in the place of somebody's messages and is no list of them.
    public struct DamagedList: Sendable {
        /// Whom it is for, if that is an id.
        public let recipient: PeerID
        public let error: FormatError
    }

    public struct Item: Hashable, Sendable {
        public var wire: WireMessage
        public var messageID: [UInt8]
        package var unknown: [JSONField] = []

        public init(wire: WireMessage, messageID: [UInt8]) {
            self.wire = wire
            self.messageID = messageID
        }
    }

    private enum Content: Sendable {
        case list([StoredElement<Item>])
        case damaged(FormatError, source: [UInt8])
    }

    /// In the order of the text.
    private var lists: [(recipient: [UInt8], content: Content)] = []

    /// An empty queue.
    public init() {}

    /// Reads the decrypted JSON.
    /// - Throws: `.tooLarge` above `WireLimits.queueBytes`; `.notJSON`; `.field` with more people than
    ///   `WireLimits.queuePeers`.
    public init(json: [UInt8]) throws(FormatError) {
        let (buffer, members) = try JSONElements.members(of: json)
        var known: Set<[UInt8]> = []
        for (number, member) in members.enumerated() {
            // Errors are shown to people: the id is text from elsewhere, its place is not.
            let name = "recipients[\(number)]"
            let isRepeated = !known.insert(member.key).inserted
            do throws(FormatError) {
                lists.append(
                    (member.key, .list(try Self.read(member, isRepeated: isRepeated, in: buffer, name: name))))
            } catch {
                if error == .outOfMemory { throw error }
                let source = JSONElements.source(of: member, in: buffer)
                lists.append((member.key, .damaged(error, source: source)))
            }
        }
    }

    /// What the members of a text are, an object that may be a queue; nil for another text.
    package static func kinds(of json: [UInt8]) -> [JSONMember.Kind]? {
        (try? JSONElements.members(of: json))?.1.map(\.kind)
    }

    private static func read(
        _ list: JSONMember, isRepeated: Bool, in buffer: PlaintextBuffer, name: String
    ) throws(FormatError) -> [StoredElement<Item>] {
        guard !isRepeated else { throw .field(name, .repeated) }
        guard list.kind == .array else { throw .field(name, .wrongType) }
        guard list.key.count <= WireLimits.peerIDBytes else {
            throw .field(name, .tooLong(limit: WireLimits.peerIDBytes, found: list.key.count))
        }
        return try JSONElements(buffer, list.value, name: name, limit: WireLimits.queueMessages).read(Item.init)
    }

    /// All entries, in the order of the text.
    public var entries: [Entry] {
        lists.flatMap { list -> [Entry] in
            guard case .list(let elements) = list.content else { return [] }
            return elements.enumerated().map { place, element in
                Entry(recipient: PeerID(bytes: list.recipient), place: place, item: element.value)
            }
        }
    }

    /// What hides messages of somebody, if there are any in it.
    public var damagedLists: [DamagedList] {
        lists.compactMap { list in
            guard case .damaged(let error, _) = list.content else { return nil }
            return DamagedList(recipient: PeerID(bytes: list.recipient), error: error)
        }
    }
}

// MARK: - Changing and writing

extension PendingQueue {
    /// Puts a message behind those for the same recipient; the id is taken as it stands, in the length that the app uses.
    /// - Throws: `.full` at `WireLimits.keptQueueMessages`, `.listDamaged`, `.idTooLong`.
    public mutating func append(_ item: Item, for recipient: PeerID) throws(QueueError) {
        guard recipient.bytes.count <= WireLimits.peerIDBytes else {
            throw .idTooLong(limit: WireLimits.peerIDBytes, found: recipient.bytes.count)
        }
        let found = lists.indices.filter { lists[$0].recipient == recipient.bytes }
        guard let place = found.first else {
            lists.append((recipient.bytes, .list([StoredElement(item)])))
            return
        }
        guard found.count == 1, case .list(let elements) = lists[place].content else { throw .listDamaged }
        guard elements.count < WireLimits.keptQueueMessages else {
            throw .full(limit: WireLimits.keptQueueMessages)
        }
        lists[place].content = .list(elements + [StoredElement(item)])
    }

    /// Takes out the messages for somebody that can be read, because they are sent now; what cannot be read stays.
    public mutating func takeAll(for recipient: PeerID) -> [Item] {
        var taken: [Item] = []
        for place in lists.indices where lists[place].recipient == recipient.bytes {
            guard case .list(let elements) = lists[place].content else { continue }
            taken += elements.compactMap { try? $0.value.get() }
            lists[place].content = .list(elements.filter(\.isDamaged))
        }
        lists.removeAll { list in
            guard case .list(let elements) = list.content else { return false }
            return elements.isEmpty && list.recipient == recipient.bytes
        }
        return taken
    }

    /// The JSON as the apps' decoder reads it; what could not be read stands in it as it stood.
    public var json: [UInt8] {
        var text = JSONObjectText()
        for list in lists {
            switch list.content {
            case .list(let elements):
                text.add(JSONField(key: list.recipient, value: JSONElements.text(of: elements)))
            case .damaged(_, let source): text.add(JSONField(key: list.recipient, value: source))
            }
        }
        return text.finished
    }
}

extension PendingQueue.Item: WirePayloadBody {
    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        wire = try fields.object("wire", WireMessage.init)
        messageID = try fields.text("messageID", WireLimits.idBytes)
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("wire", json: wire.json)
        text.add("messageID", text: messageID)
        text.add(unknown)
        return text.finished
    }
}
