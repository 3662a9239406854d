import CryptoPrimitives
import JSONCoding

/// What a ratchet message says: the plaintext of a session. Format: SophaxChat 8.5.
///
/// It is read from guarded memory and written into it, for it may hand out the keys of a group; those never stand in plain
/// memory. What people wrote does, once it is read.
public struct MessageContent: Hashable, Sendable {
    /// What the content is.
    public enum Kind: Hashable, Sendable {
        case text, image, audio, file, groupInvite, senderKeyDistribution, mlsCommitRequest
        /// A word of a newer version; the apps of today refuse the whole content.
        case other([UInt8])
    }

    /// UTF-8; empty where there is nothing to say.
    public var body: [UInt8]
    public var kind: Kind
    public var replyToID: [UInt8]?
    public var timestamp: WireDate
    public var expiresAt: WireDate?
    public var attachmentData: [UInt8]?
    public var attachmentMimeType: [UInt8]?
    public var attachmentFilename: [UInt8]?
    /// Seconds.
    public var audioDuration: Double?
    /// JSON of a group invitation.
    public var groupInviteData: HandedOutKey?
    /// JSON of a `SenderKeyDistribution`.
    public var senderKeyData: HandedOutKey?
    public var editPayload: Edit?
    public var mlsCommitRequestData: [UInt8]?
    package var unknown: [JSONField] = []

    /// A content without any of the optional parts.
    public init(body: [UInt8], kind: Kind = .text, timestamp: WireDate) {
        self.body = body
        self.kind = kind
        self.timestamp = timestamp
    }

    /// The new text of an earlier message.
    public struct Edit: Hashable, Sendable {
        public var messageID: [UInt8]
        public var newBody: [UInt8]
        public var editedAt: WireDate
        package var unknown: [JSONField] = []

        public init(messageID: [UInt8], newBody: [UInt8], editedAt: WireDate) {
            self.messageID = messageID
            self.newBody = newBody
            self.editedAt = editedAt
        }
    }
}

extension MessageContent {
    /// Reads the JSON that a session decrypted: see `RatchetSession.decryptSecret`.
    /// - Throws: `.tooLarge` above `WireLimits.messageBytes`; `.notJSON`; `.field` with the member that is wrong.
    public init(json: borrowing SecretBytes) throws(FormatError) {
        try self.init(
            JSONObject(secret: json, ceiling: WireLimits.messageBytes, memberLimit: WireLimits.members))
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        body = try fields.text("body", WireLimits.messageBytes)
        kind = Kind(word: try fields.text("type", WireLimits.wordBytes))
        replyToID = try fields.textIfPresent("replyToID", WireLimits.idBytes)
        timestamp = try fields.date("timestamp")
        expiresAt = try fields.dateIfPresent("expiresAt")
        attachmentData = try fields.dataIfPresent("attachmentData", WireLimits.fileBytes)
        attachmentMimeType = try fields.textIfPresent("attachmentMimeType", WireLimits.wordBytes)
        attachmentFilename = try fields.textIfPresent("attachmentFilename", WireLimits.wordBytes)
        audioDuration = try fields.numberIfPresent("audioDuration")
        groupInviteData = try fields.handedOutKeyIfPresent("groupInviteData", WireLimits.embeddedBytes)
        senderKeyData = try fields.handedOutKeyIfPresent("senderKeyData", WireLimits.embeddedBytes)
        editPayload = try fields.objectIfPresent("editPayload", Edit.init)
        mlsCommitRequestData = try fields.dataIfPresent("mlsCommitRequestData", WireLimits.embeddedBytes)
        unknown = fields.rest()
    }

    /// The JSON as the apps' decoder reads it, for the session to encrypt.
    public func json() throws(SecretMemoryError) -> SecretBytes {
        // Base64 takes 4 bytes for 3; what is left out here is short.
        var text = try SecretObjectText(capacity: 4096 + body.count + (attachmentData?.count ?? 0) / 3 * 4)
        try text.add("body", text: body)
        try text.add("type", text: kind.word)
        try text.add("replyToID", text: replyToID)
        try text.add("timestamp", date: timestamp)
        try text.add("expiresAt", date: expiresAt)
        try text.add("attachmentData", data: attachmentData)
        try text.add("attachmentMimeType", text: attachmentMimeType)
        try text.add("attachmentFilename", text: attachmentFilename)
        try text.add("audioDuration", number: audioDuration)
        if let groupInviteData { try text.add("groupInviteData", secret: groupInviteData.json) }
        if let senderKeyData { try text.add("senderKeyData", secret: senderKeyData.json) }
        try text.add("editPayload", json: editPayload?.json)
        try text.add("mlsCommitRequestData", data: mlsCommitRequestData)
        for field in unknown { try text.add(field) }
        return try text.finish()
    }

    /// What an app would not send: a text or attachment that is too long. Nil for everything else.
    ///
    /// A content of any length is written and read, for the apps read it too.
    public var sendingProblem: FormatError? {
        let texts = [("body", body.count), ("newBody", editPayload?.newBody.count ?? 0)]
        for (name, count) in texts where count > WireLimits.textBytes {
            return .field(name, .tooLong(limit: WireLimits.textBytes, found: count))
        }
        guard let count = attachmentData?.count else { return nil }
        let limit = kind == .file ? WireLimits.fileBytes : WireLimits.attachmentBytes
        return count > limit ? .field("attachmentData", .tooLong(limit: limit, found: count)) : nil
    }
}

extension MessageContent.Edit {
    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        messageID = try fields.text("messageID", WireLimits.idBytes)
        newBody = try fields.text("newBody", WireLimits.messageBytes)
        editedAt = try fields.date("editedAt")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("messageID", text: messageID)
        text.add("newBody", text: newBody)
        text.add("editedAt", date: editedAt)
        text.add(unknown)
        return text.finished
    }
}

extension MessageContent.Kind {
    private static let known: [(kind: MessageContent.Kind, word: String)] = [
        (.text, "text"), (.image, "image"), (.audio, "audio"), (.file, "file"), (.groupInvite, "groupInvite"),
        (.senderKeyDistribution, "senderKeyDistribution"), (.mlsCommitRequest, "mlsCommitRequest"),
    ]

    /// Compared byte by byte.
    public init(word: [UInt8]) {
        self = Self.known.first { $0.word.utf8.elementsEqual(word) }?.kind ?? .other(word)
    }

    /// The word in the JSON; UTF-8.
    public var word: [UInt8] {
        if case .other(let word) = self { return word }
        return Self.known.first { $0.kind == self }.map { Array($0.word.utf8) } ?? []
    }
}
