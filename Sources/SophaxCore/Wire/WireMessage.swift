import CryptoPrimitives

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
    /// Seconds since 2001-01-01T00:00:00Z.
    public let timestamp: Double
    /// Ed25519; 64 bytes when it is one.
    public let signature: [UInt8]

    public init(type: [UInt8], payload: [UInt8], senderID: PeerID, timestamp: Double, signature: [UInt8]) {
        self.type = type
        self.payload = payload
        self.senderID = senderID
        self.timestamp = timestamp
        self.signature = signature
    }

    /// How the time under a signature ends.
    public enum TimeSuffix: String, Hashable, Sendable, CaseIterable {
        case ios = "Z"
        case android = "+0000"
    }

    /// What the signature is over: type ‖ payload ‖ sender ‖ time as `yyyy-MM-ddTHH:mm:ss` and the suffix, without lengths
    /// between. Nil when the time is outside the years 1…9999.
    public func signedBytes(_ suffix: TimeSuffix, secondsLater: Int = 0) -> [UInt8]? {
        guard let time = WireTime.text(secondsSince2001: timestamp, later: secondsLater) else { return nil }
        return type + payload + senderID.bytes + time + Array(suffix.rawValue.utf8)
    }

    /// Whether the owner of `signingKey` (32 bytes) signed the message.
    ///
    /// The first iOS version signed another reading of its clock than it sent, so the seconds before and after the
    /// timestamp are tried too.
    public func isSigned(by signingKey: [UInt8]) -> Bool {
        for suffix in TimeSuffix.allCases {
            for secondsLater in [0, -1, 1] {
                guard let message = signedBytes(suffix, secondsLater: secondsLater) else { continue }
                if Ed25519.isValid(signature: signature.span, for: message.span, publicKey: signingKey.span) {
                    return true
                }
            }
        }
        return false
    }
}
