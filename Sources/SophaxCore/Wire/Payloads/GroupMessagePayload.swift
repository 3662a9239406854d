import JSONCoding

/// `groupMessage`: a message to a group, under the sender's key or the group's shared one. Format: SophaxChat 8.7 and 8.8.
public struct GroupMessagePayload: WirePayloadBody, Hashable, Sendable {
    public var groupID: [UInt8]
    public var messageID: [UInt8]
    public var senderPeerID: PeerID
    public var senderUsername: [UInt8]
    public var timestamp: WireDate
    /// ChaChaPoly box of the text.
    public var ciphertext: [UInt8]
    /// ChaChaPoly box of the attachment, under the same message key.
    public var attachmentCiphertext: [UInt8]?
    public var attachmentMimeType: [UInt8]?
    public var attachmentFilename: [UInt8]?
    /// Seconds.
    public var audioDuration: Double?
    /// Which key of the sender's chain; nil under the shared key of v1.
    public var senderKeyIteration: UInt32?
    public var expiresAt: WireDate?
    public var replyToID: [UInt8]?
    /// JPEG.
    public var senderAvatarData: [UInt8]?
    package var unknown: [JSONField] = []

    public init(
        groupID: [UInt8], messageID: [UInt8], senderPeerID: PeerID, senderUsername: [UInt8], timestamp: WireDate,
        ciphertext: [UInt8], attachmentCiphertext: [UInt8]? = nil, attachmentMimeType: [UInt8]? = nil,
        attachmentFilename: [UInt8]? = nil, audioDuration: Double? = nil, senderKeyIteration: UInt32? = nil,
        expiresAt: WireDate? = nil, replyToID: [UInt8]? = nil, senderAvatarData: [UInt8]? = nil
    ) {
        self.groupID = groupID
        self.messageID = messageID
        self.senderPeerID = senderPeerID
        self.senderUsername = senderUsername
        self.timestamp = timestamp
        self.ciphertext = ciphertext
        self.attachmentCiphertext = attachmentCiphertext
        self.attachmentMimeType = attachmentMimeType
        self.attachmentFilename = attachmentFilename
        self.audioDuration = audioDuration
        self.senderKeyIteration = senderKeyIteration
        self.expiresAt = expiresAt
        self.replyToID = replyToID
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
        attachmentCiphertext = try fields.dataIfPresent(
            "attachmentCiphertext", WireLimits.fileBytes + WireLimits.boxOverhead)
        attachmentMimeType = try fields.textIfPresent("attachmentMimeType", WireLimits.wordBytes)
        attachmentFilename = try fields.textIfPresent("attachmentFilename", WireLimits.wordBytes)
        audioDuration = try fields.numberIfPresent("audioDuration")
        senderKeyIteration = try fields.integerIfPresent("senderKeyIteration")
        expiresAt = try fields.dateIfPresent("expiresAt")
        replyToID = try fields.textIfPresent("replyToID", WireLimits.idBytes)
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
        text.add("attachmentCiphertext", data: attachmentCiphertext)
        text.add("attachmentMimeType", text: attachmentMimeType)
        text.add("attachmentFilename", text: attachmentFilename)
        text.add("audioDuration", number: audioDuration)
        text.add("senderKeyIteration", integer: senderKeyIteration)
        text.add("expiresAt", date: expiresAt)
        text.add("replyToID", text: replyToID)
        text.add("senderAvatarData", data: senderAvatarData)
        text.add(unknown)
        return text.finished
    }
}
