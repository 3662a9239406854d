import JSONCoding

/// `ack`: a message came, or could not be read. Format: SophaxChat 8.8.
public struct AckPayload: WirePayloadBody, Hashable, Sendable {
    public enum Status: String, Hashable, Sendable, CaseIterable {
        case delivered, failed
    }

    public var messageID: [UInt8]
    public var status: Status
    package var unknown: [JSONField] = []

    public init(messageID: [UInt8], status: Status) {
        self.messageID = messageID
        self.status = status
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        messageID = try fields.text("messageID", WireLimits.idBytes)
        status = try fields.word("status")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("messageID", text: messageID)
        text.add("status", text: Array(status.rawValue.utf8))
        text.add(unknown)
        return text.finished
    }
}

/// `typing`: the sender began or stopped writing. Format: SophaxChat 8.8.
public struct TypingPayload: WirePayloadBody, Hashable, Sendable {
    public var isTyping: Bool
    package var unknown: [JSONField] = []

    public init(isTyping: Bool) {
        self.isTyping = isTyping
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        isTyping = try fields.flag("isTyping")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("isTyping", flag: isTyping)
        text.add(unknown)
        return text.finished
    }
}

/// `readReceipt`: messages were read. Format: SophaxChat 8.8.
public struct ReadReceiptPayload: WirePayloadBody, Hashable, Sendable {
    public var messageIDs: [[UInt8]]
    package var unknown: [JSONField] = []

    public init(messageIDs: [[UInt8]]) {
        self.messageIDs = messageIDs
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        messageIDs = try fields.texts("messageIDs", WireLimits.receiptMessages, each: WireLimits.idBytes)
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("messageIDs", texts: messageIDs)
        text.add(unknown)
        return text.finished
    }
}

/// `reaction`: an emoji for a message. Format: SophaxChat 8.8.
public struct ReactionPayload: WirePayloadBody, Hashable, Sendable {
    public var targetMessageID: [UInt8]
    /// Nil takes the reaction back.
    public var emoji: [UInt8]?
    package var unknown: [JSONField] = []

    public init(targetMessageID: [UInt8], emoji: [UInt8]? = nil) {
        self.targetMessageID = targetMessageID
        self.emoji = emoji
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        targetMessageID = try fields.text("targetMessageID", WireLimits.idBytes)
        emoji = try fields.textIfPresent("emoji", WireLimits.wordBytes)
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("targetMessageID", text: targetMessageID)
        text.add("emoji", text: emoji)
        text.add(unknown)
        return text.finished
    }
}
