import JSONCoding

/// The envelope of every message between two apps: a type, a payload, who sent it, when, and a signature.
///
/// The signature is checked with a key that comes from elsewhere; for a hello that is the key in its own payload, so it
/// proves that the sender has the private key, and nothing about who the sender is. Format: SophaxChat 8.8.
public struct WireMessage: Hashable, Sendable {
    /// Such as `hello`; UTF-8.
    public let type: [UInt8]
    /// JSON, the bytes that the signature is over.
    public let payload: [UInt8]
    /// Who says to have sent it.
    public let senderID: PeerID
    /// When, in the form of the app that sent it.
    public let time: WireDate
    /// Ed25519; 64 bytes when it is one.
    public let signature: [UInt8]
    /// Members of the JSON that are none of these, as they stood; no signature is over them.
    package let unknown: [JSONField]

    /// Takes the parts of a message; nothing is checked.
    public init(type: [UInt8], payload: [UInt8], senderID: PeerID, time: WireDate, signature: [UInt8]) {
        self.init(type: type, payload: payload, senderID: senderID, time: time, signature: signature, unknown: [])
    }

    package init(
        type: [UInt8], payload: [UInt8], senderID: PeerID, time: WireDate, signature: [UInt8], unknown: [JSONField]
    ) {
        self.type = type
        self.payload = payload
        self.senderID = senderID
        self.time = time
        self.signature = signature
        self.unknown = unknown
    }

    /// Seconds since 2001-01-01T00:00:00Z.
    public var timestamp: Double { time.secondsSince2001 }
}
