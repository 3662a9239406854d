import CryptoPrimitives
import JSONCoding

/// What btmessage sends over the mesh: JSON with `id`, `type` (1 to 6), `senderID`, `recipientID`, `ttl`, `payload` and
/// `timestamp`. Nothing of it is signed.
package struct BTMessageEnvelope: Hashable, Sendable {
    /// The raw values are the numbers in JSON.
    package enum Kind: UInt8, CaseIterable, Hashable, Sendable {
        case chat = 1
        case keyExchange, acknowledgement, discovery, groupChat, groupKey

        /// The word in sxkey's JSON.
        package var word: String {
            switch self {
            case .chat: "chat"
            case .keyExchange: "keyExchange"
            case .acknowledgement: "ack"
            case .discovery: "discovery"
            case .groupChat: "groupChat"
            case .groupKey: "groupKeyDistrib"
            }
        }
    }

    package let id: [UInt8]
    package let kind: Kind
    package let senderID: [UInt8]
    /// A peer, a group, or `*` for everybody.
    package let recipientID: [UInt8]
    package let ttl: UInt64?
    package let payload: BTMessagePayload
    /// Unix seconds, by the sender's clock.
    package let timestamp: Double
    /// The text that it was read from.
    package let source: [UInt8]

    package init(json: [UInt8]) throws(FormatError) {
        try self.init(JSONObject(json, ceiling: RelatedLimits.itemBytes, memberLimit: RelatedLimits.members))
    }

    init(_ object: JSONObject) throws(FormatError) {
        let number = try object.required("type", try object.uint8("type"))
        guard let kind = Kind(rawValue: number) else { throw object.problem("type", .unknownWord) }
        self.kind = kind
        id = try object.boundedText("id")
        senderID = try object.boundedText("senderID")
        recipientID = try object.boundedText("recipientID")
        // What it counts is over when the message is here: one that is none keeps no message out.
        ttl = (try? object.integer("ttl", highest: UInt64(UInt32.max))) ?? nil
        timestamp = try object.required("timestamp", try object.double("timestamp"))
        payload = try BTMessagePayload(kind, try object.data("payload"))
        source = object.buffer.bytes(in: object.range)
    }

    /// An envelope as the app writes it.
    package init(
        id: [UInt8], from senderID: [UInt8], to recipientID: [UInt8], ttl: UInt64 = 7, _ payload: BTMessagePayload,
        timestamp: Double
    ) {
        self.id = id
        self.kind = payload.kind
        self.senderID = senderID
        self.recipientID = recipientID
        self.ttl = ttl
        self.payload = payload
        self.timestamp = timestamp
        var text = JSONObjectText()
        text.add("id", text: id)
        text.add("payload", data: payload.bytes)
        text.add("recipientID", text: recipientID)
        text.add("senderID", text: senderID)
        text.add("timestamp", number: timestamp)
        text.add("ttl", integer: ttl)
        text.add("type", integer: payload.kind.rawValue)
        source = text.finished
    }
}

/// What an envelope carries.
package enum BTMessagePayload: Hashable, Sendable {
    case chat(messageID: [UInt8], BTMessageSealed)
    /// A raw public key: 1,216 bytes of X-Wing, 32 of X25519 in the earlier form.
    case keyExchange([UInt8])
    /// The id of the message that arrived.
    case acknowledgement(messageID: [UInt8])
    /// What it holds is not documented.
    case discovery([UInt8])
    case groupChat(groupID: [UInt8], messageID: [UInt8], box: [UInt8])
    case groupKey(BTMessageGroup, BTMessageSealed)

    package var kind: BTMessageEnvelope.Kind {
        switch self {
        case .chat: .chat
        case .keyExchange: .keyExchange
        case .acknowledgement: .acknowledgement
        case .discovery: .discovery
        case .groupChat: .groupChat
        case .groupKey: .groupKey
        }
    }

    init(_ kind: BTMessageEnvelope.Kind, _ bytes: [UInt8]?) throws(FormatError) {
        if kind == .discovery {
            self = .discovery(bytes ?? [])
            return
        }
        guard let bytes else { throw .field("payload", .missing) }
        switch kind {
        case .keyExchange:
            guard bytes.count == BTMessageXWing.publicKeyLength || bytes.count == X25519.keyLength else {
                throw .field("payload", .wrongLength(expected: BTMessageXWing.publicKeyLength, found: bytes.count))
            }
            self = .keyExchange(bytes)
        case .acknowledgement:
            guard !bytes.isEmpty, bytes.count <= RelatedLimits.idBytes else {
                throw .field("payload", .tooLong(limit: RelatedLimits.idBytes, found: bytes.count))
            }
            self = .acknowledgement(messageID: bytes)
        case .chat, .groupChat, .groupKey, .discovery:
            let object = try JSONObject(
                bytes, ceiling: RelatedLimits.itemBytes, memberLimit: RelatedLimits.members)
            guard let payload = try BTMessagePayload(object), payload.kind == kind else {
                throw .field("payload", .wrongType)
            }
            self = payload
        }
    }

    /// A payload that stands alone, told by its keys; nil for another object.
    init?(_ object: JSONObject) throws(FormatError) {
        if let inner = try object.object("encryptedGroupKey") {
            let name = try object.boundedText("groupName", limit: RelatedLimits.nameBytes)
            let group = BTMessageGroup(
                id: try object.boundedText("groupID"), name: name,
                members: try object.memberIDs("memberIDs"), creator: nil)
            self = .groupKey(group, try BTMessageSealed(inner))
        } else if let inner = try object.object("encryptedMessage") {
            self = .chat(messageID: try object.boundedText("messageID"), try BTMessageSealed(inner))
        } else if object.has("groupID"), object.has("aesCiphertext") {
            self = .groupChat(
                groupID: try object.boundedText("groupID"), messageID: try object.boundedText("messageID"),
                box: try object.sealedBox("aesCiphertext"))
        } else {
            return nil
        }
    }

    /// What stands in the envelope, before base64.
    package var bytes: [UInt8] {
        var text = JSONObjectText()
        switch self {
        case .keyExchange(let bytes), .acknowledgement(let bytes), .discovery(let bytes): return bytes
        case .chat(let messageID, let sealed):
            text.add("encryptedMessage", json: sealed.json)
            text.add("messageID", text: messageID)
        case .groupChat(let groupID, let messageID, let box):
            text.add("aesCiphertext", data: box)
            text.add("groupID", text: groupID)
            text.add("messageID", text: messageID)
        case .groupKey(let group, let sealed):
            text.add("encryptedGroupKey", json: sealed.json)
            text.add("groupID", text: group.id)
            text.add("groupName", text: group.name)
            text.add("memberIDs", texts: group.members)
        }
        return text.finished
    }
}

extension JSONObject {
    func memberIDs(_ key: StaticString) throws(FormatError) -> [[UInt8]] {
        let members = try required(key, try texts(key, limit: RelatedLimits.groupMembers))
        if let long = members.first(where: { $0.count > RelatedLimits.idBytes }) {
            throw problem(key, .tooLong(limit: RelatedLimits.idBytes, found: long.count))
        }
        return members
    }
}
