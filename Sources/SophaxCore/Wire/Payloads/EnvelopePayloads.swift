import JSONCoding

/// `relay`: a message for somebody else, passed on from hop to hop. Format: SophaxChat 8.8.
public struct RelayPayload: WirePayloadBody, Hashable, Sendable {
    public var id: [UInt8]
    public var targetPeerID: PeerID
    public var originPeerID: PeerID
    /// Hops that are left; a message with more than `WireLimits.relayHops` is not passed on.
    public var ttl: UInt8
    /// Hops that are behind.
    public var hopCount: UInt8
    public var message: WireMessage
    package var unknown: [JSONField] = []

    public init(
        id: [UInt8], targetPeerID: PeerID, originPeerID: PeerID, ttl: UInt8, hopCount: UInt8, message: WireMessage
    ) {
        self.id = id
        self.targetPeerID = targetPeerID
        self.originPeerID = originPeerID
        self.ttl = ttl
        self.hopCount = hopCount
        self.message = message
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        id = try fields.text("id", WireLimits.idBytes)
        targetPeerID = try fields.peerID("targetPeerID")
        originPeerID = try fields.peerID("originPeerID")
        ttl = try fields.integer("ttl")
        hopCount = try fields.integer("hopCount")
        message = try fields.object("message", WireMessage.init)
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("id", text: id)
        text.add("targetPeerID", text: targetPeerID.bytes)
        text.add("originPeerID", text: originPeerID.bytes)
        text.add("ttl", integer: ttl)
        text.add("hopCount", integer: hopCount)
        text.add("message", json: message.json)
        text.add(unknown)
        return text.finished
    }
}

/// `storeAndForward`: a sealed message that a relay is asked to hold for somebody. Format: SophaxChat 8.8.
public struct StoreAndForwardPayload: WirePayloadBody, Hashable, Sendable {
    public var targetPeerID: PeerID
    public var messageID: [UInt8]
    public var sealed: SealedMessage
    /// 48 hours after it was made.
    public var expiresAt: WireDate
    package var unknown: [JSONField] = []

    public init(targetPeerID: PeerID, messageID: [UInt8], sealed: SealedMessage, expiresAt: WireDate) {
        self.targetPeerID = targetPeerID
        self.messageID = messageID
        self.sealed = sealed
        self.expiresAt = expiresAt
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        targetPeerID = try fields.peerID("targetPeerID")
        messageID = try fields.text("messageID", WireLimits.idBytes)
        sealed = try fields.object("sealed", SealedMessage.init)
        expiresAt = try fields.date("expiresAt")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("targetPeerID", text: targetPeerID.bytes)
        text.add("messageID", text: messageID)
        text.add("sealed", json: sealed.json)
        text.add("expiresAt", date: expiresAt)
        text.add(unknown)
        return text.finished
    }
}

/// `storeAndForwardDelivery`: what a relay held, for its owner. Format: SophaxChat 8.8.
public struct StoreAndForwardDeliveryPayload: WirePayloadBody, Hashable, Sendable {
    /// One message that was held.
    public struct Item: WirePayloadBody, Hashable, Sendable {
        public var messageID: [UInt8]
        public var sealed: SealedMessage
        package var unknown: [JSONField] = []

        public init(messageID: [UInt8], sealed: SealedMessage) {
            self.messageID = messageID
            self.sealed = sealed
        }

        package init(_ object: JSONObject) throws(FormatError) {
            var fields = try WireFields(object)
            messageID = try fields.text("messageID", WireLimits.idBytes)
            sealed = try fields.object("sealed", SealedMessage.init)
            unknown = fields.rest()
        }

        package var json: [UInt8] {
            var text = JSONObjectText()
            text.add("messageID", text: messageID)
            text.add("sealed", json: sealed.json)
            text.add(unknown)
            return text.finished
        }
    }

    /// At most `WireLimits.deliveryItems`.
    public var items: [Item]
    package var unknown: [JSONField] = []

    public init(items: [Item]) {
        self.items = items
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        items = try fields.objects("items", WireLimits.deliveryItems, Item.init)
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("items", array: items.map(\.json))
        text.add(unknown)
        return text.finished
    }
}

/// `deadDrop`: a sealed message left with others for somebody who is away.
///
/// The apps seal a message of the wrong shape into it, so theirs never read it again. Format: SophaxChat 8.8.
public struct DeadDropPayload: WirePayloadBody, Hashable, Sendable {
    public var id: [UInt8]
    public var targetPeerID: PeerID
    public var sealed: SealedMessage
    /// 12 hours after it was made.
    public var expiresAt: WireDate
    package var unknown: [JSONField] = []

    public init(id: [UInt8], targetPeerID: PeerID, sealed: SealedMessage, expiresAt: WireDate) {
        self.id = id
        self.targetPeerID = targetPeerID
        self.sealed = sealed
        self.expiresAt = expiresAt
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        id = try fields.text("id", WireLimits.idBytes)
        targetPeerID = try fields.peerID("targetPeerID")
        sealed = try fields.object("sealed", SealedMessage.init)
        expiresAt = try fields.date("expiresAt")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("id", text: id)
        text.add("targetPeerID", text: targetPeerID.bytes)
        text.add("sealed", json: sealed.json)
        text.add("expiresAt", date: expiresAt)
        text.add(unknown)
        return text.finished
    }
}
