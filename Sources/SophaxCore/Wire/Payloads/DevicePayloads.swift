import JSONCoding

/// `deviceLinkRequest`, and the text of the QR code that links a device. Format: SophaxChat 7.8.
public struct DeviceLinkPayload: WirePayloadBody, Hashable, Sendable {
    public var deviceLabel: [UInt8]
    public var bundle: CarriedBundle
    /// 10 minutes after it was made; nil for no end, as on Android.
    public var expiresAt: WireDate?
    package var unknown: [JSONField] = []

    public init(deviceLabel: [UInt8], bundle: CarriedBundle, expiresAt: WireDate? = nil) {
        self.deviceLabel = deviceLabel
        self.bundle = bundle
        self.expiresAt = expiresAt
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        deviceLabel = try fields.text("deviceLabel", WireLimits.nameBytes)
        bundle = try fields.object("bundle", CarriedBundle.init)
        expiresAt = try fields.dateIfPresent("expiresAt")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("deviceLabel", text: deviceLabel)
        text.add("bundle", json: bundle.json)
        text.add("expiresAt", date: expiresAt)
        text.add(unknown)
        return text.finished
    }
}

/// `deviceSyncMessage`: a stored message for a linked device. Format: SophaxChat 8.8.
public struct DeviceSyncPayload: WirePayloadBody, Hashable, Sendable {
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        case sent, received
    }

    /// Nil on Android.
    public var conversationID: [UInt8]?
    /// JSON of a stored message.
    public var messageJSON: [UInt8]
    /// Nil on Android.
    public var direction: Direction?
    package var unknown: [JSONField] = []

    public init(conversationID: [UInt8]? = nil, messageJSON: [UInt8], direction: Direction? = nil) {
        self.conversationID = conversationID
        self.messageJSON = messageJSON
        self.direction = direction
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        conversationID = try fields.textIfPresent("conversationID", WireLimits.idBytes)
        messageJSON = try fields.data("messageJSON", WireLimits.storedMessageBytes)
        direction = try fields.wordIfPresent("direction")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("conversationID", text: conversationID)
        text.add("messageJSON", data: messageJSON)
        text.add("direction", text: direction.map { Array($0.rawValue.utf8) })
        text.add(unknown)
        return text.finished
    }
}

/// `remoteWipe`: somebody who is trusted to do so asks the app to delete everything. Format: SophaxChat 8.8.
public struct RemoteWipePayload: WirePayloadBody, Hashable, Sendable {
    public var requestID: [UInt8]
    public var issuedAt: WireDate
    package var unknown: [JSONField] = []

    public init(requestID: [UInt8], issuedAt: WireDate) {
        self.requestID = requestID
        self.issuedAt = issuedAt
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        requestID = try fields.text("requestID", WireLimits.idBytes)
        issuedAt = try fields.date("issuedAt")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("requestID", text: requestID)
        text.add("issuedAt", date: issuedAt)
        text.add(unknown)
        return text.finished
    }
}
