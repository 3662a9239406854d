import JSONCoding

/// `sssShareDelivery`: a share of a secret for a friend to keep. Format: SophaxChat 4.7 and 8.8.
public struct ShareDeliveryPayload: WirePayloadBody, Hashable, Sendable {
    public var shareID: [UInt8]
    /// X25519, 32 bytes.
    public var ephemeralPublicKey: [UInt8]
    /// ChaChaPoly box of the share's JSON.
    public var encryptedShare: [UInt8]
    public var senderPeerID: PeerID
    public var threshold: UInt8
    public var total: UInt8
    package var unknown: [JSONField] = []

    public init(
        shareID: [UInt8], ephemeralPublicKey: [UInt8], encryptedShare: [UInt8], senderPeerID: PeerID, threshold: UInt8,
        total: UInt8
    ) {
        self.shareID = shareID
        self.ephemeralPublicKey = ephemeralPublicKey
        self.encryptedShare = encryptedShare
        self.senderPeerID = senderPeerID
        self.threshold = threshold
        self.total = total
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        shareID = try fields.text("shareID", WireLimits.idBytes)
        ephemeralPublicKey = try fields.key("ephemeralPublicKey")
        encryptedShare = try fields.data("encryptedShare", WireLimits.shareBytes)
        senderPeerID = try fields.peerID("senderPeerID")
        threshold = try fields.integer("threshold")
        total = try fields.integer("total")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("shareID", text: shareID)
        text.add("ephemeralPublicKey", data: ephemeralPublicKey)
        text.add("encryptedShare", data: encryptedShare)
        text.add("senderPeerID", text: senderPeerID.bytes)
        text.add("threshold", integer: threshold)
        text.add("total", integer: total)
        text.add(unknown)
        return text.finished
    }
}

/// `sssShareRequest`: the owner asks for a share back. Format: SophaxChat 8.8.
public struct ShareRequestPayload: WirePayloadBody, Hashable, Sendable {
    public var shareID: [UInt8]
    /// X25519, 32 bytes.
    public var requesterDHPublicKey: [UInt8]
    package var unknown: [JSONField] = []

    public init(shareID: [UInt8], requesterDHPublicKey: [UInt8]) {
        self.shareID = shareID
        self.requesterDHPublicKey = requesterDHPublicKey
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        shareID = try fields.text("shareID", WireLimits.idBytes)
        requesterDHPublicKey = try fields.key("requesterDHPublicKey")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("shareID", text: shareID)
        text.add("requesterDHPublicKey", data: requesterDHPublicKey)
        text.add(unknown)
        return text.finished
    }
}

/// `sssShareResponse`: a share goes back to its owner. Format: SophaxChat 8.8.
public struct ShareResponsePayload: WirePayloadBody, Hashable, Sendable {
    public var shareID: [UInt8]
    /// X25519, 32 bytes.
    public var ephemeralPublicKey: [UInt8]
    /// ChaChaPoly box of the share's JSON.
    public var encryptedShare: [UInt8]
    package var unknown: [JSONField] = []

    public init(shareID: [UInt8], ephemeralPublicKey: [UInt8], encryptedShare: [UInt8]) {
        self.shareID = shareID
        self.ephemeralPublicKey = ephemeralPublicKey
        self.encryptedShare = encryptedShare
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        shareID = try fields.text("shareID", WireLimits.idBytes)
        ephemeralPublicKey = try fields.key("ephemeralPublicKey")
        encryptedShare = try fields.data("encryptedShare", WireLimits.shareBytes)
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("shareID", text: shareID)
        text.add("ephemeralPublicKey", data: ephemeralPublicKey)
        text.add("encryptedShare", data: encryptedShare)
        text.add(unknown)
        return text.finished
    }
}
