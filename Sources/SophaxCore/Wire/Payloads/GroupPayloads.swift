import JSONCoding

/// `groupReaction`: an emoji for a message of a group. Format: SophaxChat 8.8.
public struct GroupReactionPayload: WirePayloadBody, Hashable, Sendable {
    public var groupID: [UInt8]
    public var targetMessageID: [UInt8]
    /// Nil takes the reaction back.
    public var emoji: [UInt8]?
    package var unknown: [JSONField] = []

    public init(groupID: [UInt8], targetMessageID: [UInt8], emoji: [UInt8]? = nil) {
        self.groupID = groupID
        self.targetMessageID = targetMessageID
        self.emoji = emoji
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        groupID = try fields.text("groupID", WireLimits.idBytes)
        targetMessageID = try fields.text("targetMessageID", WireLimits.idBytes)
        emoji = try fields.textIfPresent("emoji", WireLimits.wordBytes)
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("groupID", text: groupID)
        text.add("targetMessageID", text: targetMessageID)
        text.add("emoji", text: emoji)
        text.add(unknown)
        return text.finished
    }
}

/// `groupReadReceipt`: a message of a group came, or was read. Format: SophaxChat 8.8.
public struct GroupReadReceiptPayload: WirePayloadBody, Hashable, Sendable {
    public var groupID: [UInt8]
    public var targetMessageID: [UInt8]
    /// Nil or false: it only came.
    public var isRead: Bool?
    package var unknown: [JSONField] = []

    public init(groupID: [UInt8], targetMessageID: [UInt8], isRead: Bool? = nil) {
        self.groupID = groupID
        self.targetMessageID = targetMessageID
        self.isRead = isRead
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        groupID = try fields.text("groupID", WireLimits.idBytes)
        targetMessageID = try fields.text("targetMessageID", WireLimits.idBytes)
        isRead = try fields.flagIfPresent("isRead")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("groupID", text: groupID)
        text.add("targetMessageID", text: targetMessageID)
        text.add("isRead", flag: isRead)
        text.add(unknown)
        return text.finished
    }
}

/// `groupMemberLeft`: somebody left, and who stayed. Format: SophaxChat 8.8.
public struct GroupMemberLeftPayload: WirePayloadBody, Hashable, Sendable {
    public var groupID: [UInt8]
    public var leavingPeerID: PeerID
    /// At most `WireLimits.groupMembers`.
    public var remainingMemberIDs: [PeerID]
    package var unknown: [JSONField] = []

    public init(groupID: [UInt8], leavingPeerID: PeerID, remainingMemberIDs: [PeerID]) {
        self.groupID = groupID
        self.leavingPeerID = leavingPeerID
        self.remainingMemberIDs = remainingMemberIDs
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        groupID = try fields.text("groupID", WireLimits.idBytes)
        leavingPeerID = try fields.peerID("leavingPeerID")
        remainingMemberIDs = try fields.members("remainingMemberIDs")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("groupID", text: groupID)
        text.add("leavingPeerID", text: leavingPeerID.bytes)
        text.add("remainingMemberIDs", texts: remainingMemberIDs.map(\.bytes))
        text.add(unknown)
        return text.finished
    }
}

/// `groupDeleted`. Format: SophaxChat 8.8.
public struct GroupDeletedPayload: WirePayloadBody, Hashable, Sendable {
    public var groupID: [UInt8]
    public var deletedByPeerID: PeerID
    package var unknown: [JSONField] = []

    public init(groupID: [UInt8], deletedByPeerID: PeerID) {
        self.groupID = groupID
        self.deletedByPeerID = deletedByPeerID
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        groupID = try fields.text("groupID", WireLimits.idBytes)
        deletedByPeerID = try fields.peerID("deletedByPeerID")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("groupID", text: groupID)
        text.add("deletedByPeerID", text: deletedByPeerID.bytes)
        text.add(unknown)
        return text.finished
    }
}

/// `groupEditMessage`: the new text of a message, **in clear**. Format: SophaxChat 8.8.
public struct GroupEditMessagePayload: WirePayloadBody, Hashable, Sendable {
    public var groupID: [UInt8]
    public var messageID: [UInt8]
    public var newBody: [UInt8]
    public var editedAt: WireDate
    package var unknown: [JSONField] = []

    public init(groupID: [UInt8], messageID: [UInt8], newBody: [UInt8], editedAt: WireDate) {
        self.groupID = groupID
        self.messageID = messageID
        self.newBody = newBody
        self.editedAt = editedAt
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        groupID = try fields.text("groupID", WireLimits.idBytes)
        messageID = try fields.text("messageID", WireLimits.idBytes)
        newBody = try fields.text("newBody", WireLimits.messageBytes)
        editedAt = try fields.date("editedAt")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("groupID", text: groupID)
        text.add("messageID", text: messageID)
        text.add("newBody", text: newBody)
        text.add("editedAt", date: editedAt)
        text.add(unknown)
        return text.finished
    }
}

/// `senderKeyRequest`: a member asks another for the key of his chain. Format: SophaxChat 8.8.
public struct SenderKeyRequestPayload: WirePayloadBody, Hashable, Sendable {
    public var groupID: [UInt8]
    public var targetPeerID: PeerID
    package var unknown: [JSONField] = []

    public init(groupID: [UInt8], targetPeerID: PeerID) {
        self.groupID = groupID
        self.targetPeerID = targetPeerID
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        groupID = try fields.text("groupID", WireLimits.idBytes)
        targetPeerID = try fields.peerID("targetPeerID")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("groupID", text: groupID)
        text.add("targetPeerID", text: targetPeerID.bytes)
        text.add(unknown)
        return text.finished
    }
}

/// `channelAnnouncement`: a group that anybody may join. Format: SophaxChat 8.8.
public struct ChannelAnnouncementPayload: WirePayloadBody, Hashable, Sendable {
    public var groupID: [UInt8]
    public var groupName: [UInt8]
    public var creatorID: PeerID
    public var memberCount: UInt32
    public var timestamp: WireDate
    package var unknown: [JSONField] = []

    public init(groupID: [UInt8], groupName: [UInt8], creatorID: PeerID, memberCount: UInt32, timestamp: WireDate) {
        self.groupID = groupID
        self.groupName = groupName
        self.creatorID = creatorID
        self.memberCount = memberCount
        self.timestamp = timestamp
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        groupID = try fields.text("groupID", WireLimits.idBytes)
        groupName = try fields.text("groupName", WireLimits.nameBytes)
        creatorID = try fields.peerID("creatorID")
        memberCount = try fields.integer("memberCount")
        timestamp = try fields.date("timestamp")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("groupID", text: groupID)
        text.add("groupName", text: groupName)
        text.add("creatorID", text: creatorID.bytes)
        text.add("memberCount", integer: memberCount)
        text.add("timestamp", date: timestamp)
        text.add(unknown)
        return text.finished
    }
}
