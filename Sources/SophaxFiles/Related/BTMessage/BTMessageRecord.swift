import JSONCoding

/// A message as btmessage keeps it: `{id, conversationID, senderID, text, timestamp, delivered}`.
///
/// The time is read as that of its envelopes, in Unix seconds: no other unit is documented.
package struct BTMessageRecord: Hashable, Sendable {
    package let id: [UInt8]
    package let conversationID: [UInt8]
    package let senderID: [UInt8]
    package let text: [UInt8]
    /// Unix seconds.
    package let timestamp: Double
    package let delivered: Bool?
    /// The text that it was read from.
    package let source: [UInt8]

    /// What the app shows in place of a text that is not UTF-8.
    package static let binary = Array("<binary>".utf8)

    init(_ object: JSONObject) throws(FormatError) {
        id = try object.boundedText("id")
        conversationID = try object.boundedText("conversationID")
        senderID = try object.boundedText("senderID")
        text = try object.boundedText("text", limit: RelatedLimits.itemBytes)
        timestamp = try object.required("timestamp", try object.double("timestamp"))
        delivered = try object.flag("delivered")
        source = object.buffer.bytes(in: object.range)
    }

    /// Whether an object is meant to be one.
    static func isLike(_ object: JSONObject) -> Bool {
        object.has("conversationID") && object.has("senderID") && object.has("text")
    }
}
