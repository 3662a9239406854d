import CryptoPrimitives

/// What is encrypted of a group message: the body, and an attachment under the same key. Format: SophaxChat 8.7.
public struct GroupCiphertext: Hashable, Sendable {
    /// The number of the message in its sender's chain; nil in groups of the first version, which share one key.
    public let iteration: UInt32?
    /// ChaChaPoly combined: nonce (12) ‖ ciphertext ‖ tag (16).
    public let body: [UInt8]
    /// The same; nil when there is no attachment.
    public let attachment: [UInt8]?

    public init(iteration: UInt32?, body: [UInt8], attachment: [UInt8]? = nil) {
        self.iteration = iteration
        self.body = body
        self.attachment = attachment
    }

    /// Refuses a body that cannot be a box, or is longer than any app takes.
    func check() throws(GroupKeyError) {
        guard body.count >= AEADSize.overhead else { throw .tooShort(found: body.count) }
        guard body.count <= GroupKeyLimits.openedLength else {
            throw .tooLarge(found: body.count, ceiling: GroupKeyLimits.openedLength)
        }
    }

    /// Whether a box has a length that is opened.
    static func canOpen(_ box: [UInt8]) -> Bool {
        (AEADSize.overhead...GroupKeyLimits.openedLength).contains(box.count)
    }
}

/// How a group message is encrypted; app versions read their own form only.
public enum GroupMessageForm: Hashable, Sendable, CaseIterable {
    /// A sender key, body and attachment bound to their place: later versions.
    case bound
    /// A sender key, nothing beside the text authenticated: earlier versions.
    case plain
    /// One key that all members share: the first version.
    case sharedKey

    /// The two parts of a message.
    enum Part: String {
        case body
        case attachment = "att"
    }

    /// What is authenticated beside the text: `<groupID>/<senderPeerID>/<iteration>/body`, or `…/att`, or nothing.
    func associatedData(_ sender: GroupSender, _ iteration: UInt32, _ part: Part) -> [UInt8] {
        guard self == .bound else { return [] }
        return sender.scope + Array("/\(iteration)/\(part.rawValue)".utf8)
    }
}

/// A group message that was opened. Who wrote it is only as sure as the signature around it: every member has the key.
public struct OpenedGroupMessage: Hashable, Sendable {
    /// UTF-8 as the sender wrote it; not checked.
    public let body: [UInt8]
    /// Nil where there is none, and where it is damaged.
    public let attachment: [UInt8]?
    /// The message has an attachment, and that does not open: it was changed on the way, or never sealed with the body. The
    /// key of the message is gone, so it cannot be opened once more.
    public let isAttachmentDamaged: Bool
    /// The form that fitted.
    public let form: GroupMessageForm
    /// Messages before this one whose keys were put aside, because they have not come.
    public let skipped: Int
    /// Whether the key was one that had been put aside.
    public let wasSkipped: Bool
}
