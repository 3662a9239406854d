/// How much of everything a wire message may have.
///
/// Where the apps have a limit it is theirs (format SophaxChat 8.9 and 4.5); the others are far above what an app makes,
/// so that nothing genuine is refused, and low enough that a hostile message costs little. Texts are counted in bytes of
/// UTF-8.
public enum WireLimits {
    /// The JSON of one message: the largest frame that any app version takes.
    public static let messageBytes = 10 << 20
    /// Members of one object, known and unknown.
    public static let members = 256
    /// The word of a type.
    public static let typeBytes = 64
    /// A signature: 64 bytes when it is one.
    public static let signatureBytes = 1_024
    /// A peer id or node id.
    public static let peerIDBytes = 64
    /// The id of a message, group, relay, share or request; apps write 36.
    public static let idBytes = 256
    /// The name of a person, group or device.
    public static let nameBytes = 4_096
    /// A MIME type, a file name, a host, an emoji, a word of a newer version.
    public static let wordBytes = 1_024
    /// The longest text that an app sends. On reading the apps have no such limit, and here a text is bounded by its message:
    /// one that was refused would be lost, since the session has moved on.
    public static let textBytes = 65_536
    /// A picture or voice message.
    public static let attachmentBytes = 524_288
    /// An attachment of an MLS group.
    public static let mlsAttachmentBytes = 512_000
    /// A file.
    public static let fileBytes = 2_097_152
    /// Nonce and tag of ChaChaPoly.
    public static let boxOverhead = 28
    /// What MLS adds to a ciphertext at most: its frame, a signature, padding.
    public static let mlsOverhead = 65_536
    /// An avatar; the apps' own rule is 8 KB.
    public static let avatarBytes = 65_536
    /// JSON or a key package inside a field of its own.
    public static let embeddedBytes = 65_536
    /// A commit, welcome or ratchet tree of MLS.
    public static let mlsBytes = 1 << 20
    /// The JSON of a stored message that a linked device is sent.
    public static let storedMessageBytes = 1 << 20
    /// An encrypted share of a secret.
    public static let shareBytes = 4_096
    /// Members of a group.
    public static let groupMembers = 100
    /// Messages that one receipt is for.
    public static let receiptMessages = 10_000
    /// Nodes in an answer of the DHT.
    public static let dhtNodes = 256
    /// Messages in one delivery: all that a relay holds.
    public static let deliveryItems = 300
    /// Hops that are left at most where a relay passes a message on; one with more is read and goes no further.
    public static let relayHops: UInt8 = 6
    /// People in a queue of unsent messages.
    public static let queuePeers = 10_000
    /// Unsent messages for one person that are read.
    public static let queueMessages = 1_000
    /// Unsent messages that the apps keep for one person.
    public static let keptQueueMessages = 100
    /// Messages held for others that are read.
    public static let heldMessages = 3_000
    /// Messages that the apps hold for others, and for one of them.
    public static let keptHeldMessages = 300
    public static let keptHeldPerPeer = 30
    /// A queue as a whole.
    public static let queueBytes = 256 << 20

    /// Seconds that a relay holds a message for somebody else.
    public static let storeAndForwardLifetime: Double = 48 * 3_600
    /// Seconds that a dead drop is kept.
    public static let deadDropLifetime: Double = 12 * 3_600
    /// Seconds in which a device can be linked.
    public static let deviceLinkLifetime: Double = 600
    /// Seconds that a bundle stays in the DHT.
    public static let dhtLifetime: Double = 25 * 3_600
    /// Seconds after which any message has expired, whatever it says of itself.
    public static let longestLifetime: Double = 365 * 86_400
}
