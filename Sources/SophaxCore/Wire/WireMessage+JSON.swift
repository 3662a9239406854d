import JSONCoding

extension WireMessage {
    /// Reads the JSON of a message of either platform. Format: SophaxChat 8.8.
    /// - Throws: `.tooLarge` above `WireLimits.messageBytes`; `.notJSON`; `.field` with the member that is wrong.
    public init(json: [UInt8]) throws(FormatError) {
        try self.init(JSONObject(json, ceiling: WireLimits.messageBytes, memberLimit: WireLimits.members))
    }

    /// Reads the envelope of either platform. Format: SophaxChat 8.8.
    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        type = try fields.text("type", WireLimits.typeBytes)
        payload = try fields.data("payload", WireLimits.messageBytes)
        senderID = try fields.peerID("senderID")
        time = try fields.date("timestamp")
        signature = try fields.data("signature", WireLimits.signatureBytes)
        unknown = fields.rest()
    }

    /// The object as the apps' decoder reads it, without spaces, unknown members behind the known ones.
    public var json: [UInt8] {
        var text = JSONObjectText()
        text.add("type", text: type)
        text.add("payload", data: payload)
        text.add("senderID", text: senderID.bytes)
        text.add("timestamp", date: time)
        text.add("signature", data: signature)
        text.add(unknown)
        return text.finished
    }

    /// The payload as a typed value; `.unknown` for a type that this version does not know.
    /// - Throws: what `WirePayload.init(type:payload:)` throws.
    public func readPayload() throws(FormatError) -> WirePayload {
        try WirePayload(type: type, payload: payload)
    }
}
