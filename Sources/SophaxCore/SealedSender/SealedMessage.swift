import JSONCoding

/// A message whose sender only the recipient learns: an ephemeral key and what was encrypted with it.
///
/// The payload of the wire messages `sealed`, `storeAndForward`, `deadDrop` and of deliveries. Keys that a newer version
/// added are kept. Format: SophaxChat 8.6.
public struct SealedMessage: Hashable, Sendable {
    /// X25519, 32 bytes.
    public let ephemeralPublicKey: [UInt8]
    /// ChaChaPoly combined (nonce 12 ‖ ciphertext ‖ tag 16) over the JSON of the inner wire message.
    public let encryptedPayload: [UInt8]
    /// Members of the JSON that are none of these two, as they stood.
    package let unknown: [JSONField]

    /// The longest payload that is opened or made: the largest frame that any app version takes.
    public static let maximumPayload = 10 << 20

    /// Takes the two parts; nothing is checked before the message is opened.
    public init(ephemeralPublicKey: [UInt8], encryptedPayload: [UInt8]) {
        self.init(ephemeralPublicKey: ephemeralPublicKey, encryptedPayload: encryptedPayload, unknown: [])
    }

    package init(ephemeralPublicKey: [UInt8], encryptedPayload: [UInt8], unknown: [JSONField]) {
        self.ephemeralPublicKey = ephemeralPublicKey
        self.encryptedPayload = encryptedPayload
        self.unknown = unknown
    }
}

extension SealedMessage {
    /// Reads the object of a payload.
    package init(_ object: JSONObject) throws(FormatError) {
        try self.init(
            ephemeralPublicKey: object.required("ephemeralPublicKey", object.data("ephemeralPublicKey", length: 32)),
            encryptedPayload: object.required("encryptedPayload", object.data("encryptedPayload")),
            unknown: object.unknown(besides: ["ephemeralPublicKey", "encryptedPayload"]))
    }

    /// The object as the apps' decoder reads it, unknown members behind the known ones.
    public var json: [UInt8] {
        var text = JSONObjectText()
        text.add("ephemeralPublicKey", data: ephemeralPublicKey)
        text.add("encryptedPayload", data: encryptedPayload)
        text.add(unknown)
        return text.finished
    }
}
