import JSONCoding

/// Messages that an app could not send yet, encrypted for their recipients already: `pending_queue.enc`.
///
/// Every entry is read for itself, so that one that is damaged hides none of the others. Format: SophaxChat 6.1.2.
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

    public struct Item: Hashable, Sendable {
        public var wire: WireMessage
        public var messageID: [UInt8]
        package var unknown: [JSONField] = []

        public init(wire: WireMessage, messageID: [UInt8]) {
            self.wire = wire
            self.messageID = messageID
        }
    }

    /// In the order of the text.
    public let entries: [Entry]

    /// Reads the decrypted JSON.
    /// - Throws: `.tooLarge` above `WireLimits.queueBytes`; `.notJSON`; `.field` where it is no object of lists, or a list has
    ///   more entries than `WireLimits.queueMessages`.
    public init(json: [UInt8]) throws(FormatError) {
        let object = try JSONObject(json, ceiling: WireLimits.queueBytes)
        var entries: [Entry] = []
        for (number, list) in try object.entries(limit: WireLimits.queuePeers).enumerated() {
            // Errors are shown to people: the id is text from elsewhere, its place is not.
            let name = "recipients[\(number)]"
            guard list.kind == .array else { throw .field(name, .wrongType) }
            guard list.key.count <= WireLimits.peerIDBytes else {
                throw .field(name, .tooLong(limit: WireLimits.peerIDBytes, found: list.key.count))
            }
            let elements = try JSONElements(object.buffer, list.value, name: name, limit: WireLimits.queueMessages)
            entries += elements.read(Item.init).enumerated().map { place, item in
                Entry(recipient: PeerID(bytes: list.key), place: place, item: item)
            }
        }
        self.entries = entries
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

/// The elements of an array that stands at `range` of a text, each an object.
struct JSONElements {
    private let buffer: PlaintextBuffer
    private let elements: [JSONMember]
    private let name: String

    /// `name` is how errors call the array; `limit` the number of elements that it may have.
    init(_ buffer: PlaintextBuffer, _ range: Range<Int>, name: String, limit: Int) throws(FormatError) {
        do throws(JSONMembers.Failure) {
            elements = try JSONMembers(strictArray: buffer, range).members
        } catch {
            throw FormatError(error)
        }
        guard elements.count <= limit else { throw .field(name, .tooMany(limit: limit)) }
        self.buffer = buffer
        self.name = name
    }

    /// Reads every element for itself.
    func read<Value>(_ read: (JSONObject) throws(FormatError) -> Value) -> [Result<Value, FormatError>] {
        elements.enumerated().map { index, element in
            Result { () throws(FormatError) in
                let path = "\(name)[\(index)]"
                guard element.kind == .object else { throw .field(path, .wrongType) }
                return try read(JSONObject(buffer, element.value, path: path + "."))
            }
        }
    }
}
