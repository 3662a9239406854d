import JSONCoding

extension WireMessage {
    /// Reads the envelope of either platform. Format: SophaxChat 8.8.
    package init(_ object: JSONObject) throws(FormatError) {
        try self.init(
            type: object.required("type", object.text("type")),
            payload: object.required("payload", object.data("payload")),
            senderID: PeerID(bytes: object.required("senderID", object.text("senderID"))),
            timestamp: object.required("timestamp", object.time("timestamp")),
            signature: object.required("signature", object.data("signature")))
    }
}
