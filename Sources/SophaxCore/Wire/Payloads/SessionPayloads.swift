import JSONCoding

/// `hello`: how two apps greet, with the bundle of prekeys to begin a session with. Format: SophaxChat 8.8.
public struct HelloPayload: WirePayloadBody, Hashable, Sendable {
    public var bundle: CarriedBundle
    package var unknown: [JSONField] = []

    public init(bundle: CarriedBundle) {
        self.bundle = bundle
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        bundle = try fields.object("bundle", CarriedBundle.init)
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("bundle", json: bundle.json)
        text.add(unknown)
        return text.finished
    }
}

/// `initiateSession`: the first message of a session, and what the other side needs for X3DH. Format: SophaxChat 8.2.
public struct InitiateSessionPayload: WirePayloadBody, Hashable, Sendable {
    /// Without an address.
    public var senderBundle: CarriedBundle
    /// X25519, 32 bytes.
    public var ephemeralPublicKey: [UInt8]
    public var usedSignedPreKeyId: UInt32
    /// Nil when the session was begun without a one-time prekey.
    public var usedOneTimePreKeyId: UInt32?
    public var initialMessage: RatchetMessage
    /// ML-KEM-768 ciphertext, 1,088 bytes when it is one.
    public var pqEncapsulatedKey: [UInt8]?
    public var usedPQPreKeyId: UInt32?
    package var unknown: [JSONField] = []

    public init(
        senderBundle: CarriedBundle, ephemeralPublicKey: [UInt8], usedSignedPreKeyId: UInt32,
        usedOneTimePreKeyId: UInt32? = nil, initialMessage: RatchetMessage, pqEncapsulatedKey: [UInt8]? = nil,
        usedPQPreKeyId: UInt32? = nil
    ) {
        self.senderBundle = senderBundle
        self.ephemeralPublicKey = ephemeralPublicKey
        self.usedSignedPreKeyId = usedSignedPreKeyId
        self.usedOneTimePreKeyId = usedOneTimePreKeyId
        self.initialMessage = initialMessage
        self.pqEncapsulatedKey = pqEncapsulatedKey
        self.usedPQPreKeyId = usedPQPreKeyId
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        senderBundle = try fields.object("senderBundle", CarriedBundle.init)
        ephemeralPublicKey = try fields.key("ephemeralPublicKey")
        usedSignedPreKeyId = try fields.integer("usedSignedPreKeyId")
        usedOneTimePreKeyId = try fields.integerIfPresent("usedOneTimePreKeyId")
        initialMessage = try fields.object("initialMessage", RatchetMessage.init)
        pqEncapsulatedKey = try fields.dataIfPresent("pqEncapsulatedKey", WireLimits.attachmentBytes)
        usedPQPreKeyId = try fields.integerIfPresent("usedPQPreKeyId")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("senderBundle", json: senderBundle.json)
        text.add("ephemeralPublicKey", data: ephemeralPublicKey)
        text.add("usedSignedPreKeyId", integer: usedSignedPreKeyId)
        text.add("usedOneTimePreKeyId", integer: usedOneTimePreKeyId)
        text.add("initialMessage", json: initialMessage.json)
        text.add("pqEncapsulatedKey", data: pqEncapsulatedKey)
        text.add("usedPQPreKeyId", integer: usedPQPreKeyId)
        text.add(unknown)
        return text.finished
    }
}

/// `message`: a ratchet message, which holds a `MessageContent`. What is inside `sealed` and `editMessage` too. Format: SophaxChat 8.5.
public struct ChatMessagePayload: WirePayloadBody, Hashable, Sendable {
    public var ratchetMessage: RatchetMessage
    public var messageID: [UInt8]
    package var unknown: [JSONField] = []

    public init(ratchetMessage: RatchetMessage, messageID: [UInt8]) {
        self.ratchetMessage = ratchetMessage
        self.messageID = messageID
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        ratchetMessage = try fields.object("ratchetMessage", RatchetMessage.init)
        messageID = try fields.text("messageID", WireLimits.idBytes)
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("ratchetMessage", json: ratchetMessage.json)
        text.add("messageID", text: messageID)
        text.add(unknown)
        return text.finished
    }
}
