import JSONCoding

/// What a receiver must know of a message before its key can be found: the sender's ratchet key and two counters.
///
/// Format: SophaxChat 4.6.
public struct RatchetHeader: Hashable, Sendable {
    /// X25519 public key of the sender's sending chain, 32 bytes.
    public let senderRatchetKey: [UInt8]

    /// Messages in the sender's chain before this one.
    public let previousChainLength: UInt32

    /// The message's place in its chain, from 0 on.
    public let messageNumber: UInt32

    /// Length of a ratchet key in bytes.
    public static let keyLength = 32

    /// Takes a ratchet key and two counters; nil unless the key has 32 bytes.
    public init?(senderRatchetKey: [UInt8], previousChainLength: UInt32, messageNumber: UInt32) {
        guard senderRatchetKey.count == Self.keyLength else { return nil }
        self.senderRatchetKey = senderRatchetKey
        self.previousChainLength = previousChainLength
        self.messageNumber = messageNumber
    }
}

extension RatchetHeader {
    /// Reads the header of a v0 message; unknown members are dropped.
    package init(_ object: JSONObject) throws(FormatError) {
        senderRatchetKey = try object.required(
            "senderRatchetKey", object.data("senderRatchetKey", length: Self.keyLength))
        previousChainLength = try object.required("previousChainLength", object.uint32("previousChainLength"))
        messageNumber = try object.required("messageNumber", object.uint32("messageNumber"))
    }

    /// The header's JSON.
    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("senderRatchetKey", data: senderRatchetKey)
        text.add("previousChainLength", integer: previousChainLength)
        text.add("messageNumber", integer: messageNumber)
        return text.finished
    }
}
