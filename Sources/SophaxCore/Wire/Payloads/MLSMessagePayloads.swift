import JSONCoding

/// `mlsMessage`: a message to an MLS group. Format: SophaxChat 8.8.
public struct MLSMessagePayload: WirePayloadBody, Hashable, Sendable {
    public var groupID: [UInt8]
    public var messageID: [UInt8]
    public var senderPeerID: PeerID
    public var senderUsername: [UInt8]
    public var timestamp: WireDate
    public var ciphertext: [UInt8]
    public var expiresAt: WireDate?
    public var replyToID: [UInt8]?
    public var attachmentCiphertext: [UInt8]?
    public var mimeType: [UInt8]?
    /// Seconds.
    public var audioDuration: Double?
    /// JPEG.
    public var senderAvatarData: [UInt8]?
    package var unknown: [JSONField] = []

    public init(
        groupID: [UInt8], messageID: [UInt8], senderPeerID: PeerID, senderUsername: [UInt8], timestamp: WireDate,
        ciphertext: [UInt8], expiresAt: WireDate? = nil, replyToID: [UInt8]? = nil,
        attachmentCiphertext: [UInt8]? = nil, mimeType: [UInt8]? = nil, audioDuration: Double? = nil,
        senderAvatarData: [UInt8]? = nil
    ) {
        self.groupID = groupID
        self.messageID = messageID
        self.senderPeerID = senderPeerID
        self.senderUsername = senderUsername
        self.timestamp = timestamp
        self.ciphertext = ciphertext
        self.expiresAt = expiresAt
        self.replyToID = replyToID
        self.attachmentCiphertext = attachmentCiphertext
        self.mimeType = mimeType
        self.audioDuration = audioDuration
        self.senderAvatarData = senderAvatarData
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        groupID = try fields.text("groupID", WireLimits.idBytes)
        messageID = try fields.text("messageID", WireLimits.idBytes)
        senderPeerID = try fields.peerID("senderPeerID")
        senderUsername = try fields.text("senderUsername", WireLimits.nameBytes)
        timestamp = try fields.date("timestamp")
        ciphertext = try fields.data("ciphertext", WireLimits.messageBytes)
        expiresAt = try fields.dateIfPresent("expiresAt")
        replyToID = try fields.textIfPresent("replyToID", WireLimits.idBytes)
        attachmentCiphertext = try fields.dataIfPresent(
            "attachmentCiphertext", WireLimits.mlsAttachmentBytes + WireLimits.mlsOverhead)
        mimeType = try fields.textIfPresent("mimeType", WireLimits.wordBytes)
        audioDuration = try fields.numberIfPresent("audioDuration")
        senderAvatarData = try fields.dataIfPresent("senderAvatarData", WireLimits.avatarBytes)
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("groupID", text: groupID)
        text.add("messageID", text: messageID)
        text.add("senderPeerID", text: senderPeerID.bytes)
        text.add("senderUsername", text: senderUsername)
        text.add("timestamp", date: timestamp)
        text.add("ciphertext", data: ciphertext)
        text.add("expiresAt", date: expiresAt)
        text.add("replyToID", text: replyToID)
        text.add("attachmentCiphertext", data: attachmentCiphertext)
        text.add("mimeType", text: mimeType)
        text.add("audioDuration", number: audioDuration)
        text.add("senderAvatarData", data: senderAvatarData)
        text.add(unknown)
        return text.finished
    }
}

/// `mlsReaction`. Format: SophaxChat 8.8.
public struct MLSReactionPayload: WirePayloadBody, Hashable, Sendable {
    public var groupID: [UInt8]
    public var messageID: [UInt8]
    public var senderPeerID: PeerID
    public var targetMessageID: [UInt8]
    public var ciphertext: [UInt8]
    public var timestamp: WireDate
    package var unknown: [JSONField] = []

    public init(
        groupID: [UInt8], messageID: [UInt8], senderPeerID: PeerID, targetMessageID: [UInt8], ciphertext: [UInt8],
        timestamp: WireDate
    ) {
        self.groupID = groupID
        self.messageID = messageID
        self.senderPeerID = senderPeerID
        self.targetMessageID = targetMessageID
        self.ciphertext = ciphertext
        self.timestamp = timestamp
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        groupID = try fields.text("groupID", WireLimits.idBytes)
        messageID = try fields.text("messageID", WireLimits.idBytes)
        senderPeerID = try fields.peerID("senderPeerID")
        targetMessageID = try fields.text("targetMessageID", WireLimits.idBytes)
        ciphertext = try fields.data("ciphertext", WireLimits.messageBytes)
        timestamp = try fields.date("timestamp")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("groupID", text: groupID)
        text.add("messageID", text: messageID)
        text.add("senderPeerID", text: senderPeerID.bytes)
        text.add("targetMessageID", text: targetMessageID)
        text.add("ciphertext", data: ciphertext)
        text.add("timestamp", date: timestamp)
        text.add(unknown)
        return text.finished
    }
}

/// `mlsGroupEditMessage`: the new text of a message. Format: SophaxChat 8.8.
public struct MLSGroupEditMessagePayload: WirePayloadBody, Hashable, Sendable {
    public var groupID: [UInt8]
    public var messageID: [UInt8]
    public var ciphertext: [UInt8]
    public var editedAt: WireDate
    package var unknown: [JSONField] = []

    public init(groupID: [UInt8], messageID: [UInt8], ciphertext: [UInt8], editedAt: WireDate) {
        self.groupID = groupID
        self.messageID = messageID
        self.ciphertext = ciphertext
        self.editedAt = editedAt
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        groupID = try fields.text("groupID", WireLimits.idBytes)
        messageID = try fields.text("messageID", WireLimits.idBytes)
        ciphertext = try fields.data("ciphertext", WireLimits.messageBytes)
        editedAt = try fields.date("editedAt")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("groupID", text: groupID)
        text.add("messageID", text: messageID)
        text.add("ciphertext", data: ciphertext)
        text.add("editedAt", date: editedAt)
        text.add(unknown)
        return text.finished
    }
}
