/// The name of a group: a UUID in upper case on iOS, in lower case on Android; in files any text can stand there.
///
/// The text is kept as found and compared by bytes: it is part of associated data and of the names of keychain items.
/// Format: SophaxChat 4.5.
public struct GroupID: Hashable, Sendable {
    /// UTF-8, not normalised and not checked.
    public let bytes: [UInt8]

    /// Takes any text.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Takes any text.
    public init(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }

    /// What stands before the id in the id of the group's conversation.
    public static let conversationPrefix = Array("group.".utf8)

    /// The group of a conversation; nil when the conversation is none of a group.
    public init?(conversation: [UInt8]) {
        guard conversation.starts(with: Self.conversationPrefix), conversation.count > Self.conversationPrefix.count
        else { return nil }
        self.init(bytes: Array(conversation.dropFirst(Self.conversationPrefix.count)))
    }

    /// The id of the group's conversation, `group.<id>`.
    public var conversation: [UInt8] { Self.conversationPrefix + bytes }

    /// Unicode scalars of the longest id that the apps take in an invitation.
    public static let maximumLength = 64

    /// Refuses ids that no app gives a group, and that could not be read back from the names of what is stored.
    /// - Throws: `.format` with the field `groupID`.
    func check() throws(GroupKeyError) {
        guard !bytes.isEmpty else { throw .format(.field("groupID", .missing)) }
        let length = text.unicodeScalars.count
        guard length <= Self.maximumLength else {
            throw .format(.field("groupID", .tooLong(limit: Self.maximumLength, found: length)))
        }
    }

    /// The id as text; bytes that are not UTF-8 are repaired, so compare ids and not texts.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A member of a group as the owner of a sender key.
public struct GroupSender: Hashable, Sendable {
    public let group: GroupID
    public let peer: PeerID

    public init(group: GroupID, peer: PeerID) {
        self.group = group
        self.peer = peer
    }

    /// `<groupID>/<senderPeerID>`, as the cache of skipped keys and associated data have it.
    public var scope: [UInt8] { group.bytes + [UInt8(ascii: "/")] + peer.bytes }

    /// Takes a scope apart, at its last `/`: an id of a peer has none. Nil when there is none, or nothing on one side.
    public init?(scope: [UInt8]) {
        guard let slash = scope.lastIndex(of: UInt8(ascii: "/")), slash > 0, slash < scope.count - 1 else { return nil }
        self.init(
            group: GroupID(bytes: Array(scope[..<slash])), peer: PeerID(bytes: Array(scope[(slash + 1)...])))
    }
}
