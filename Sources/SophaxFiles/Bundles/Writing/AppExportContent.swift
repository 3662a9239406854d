import SophaxCore

/// What is to be written into an export of the apps, but for the private keys.
package struct AppExportContent: Sendable {
    /// UTF-8 of the owner's name.
    package var username: [UInt8]
    /// When it is written: seconds since 2001, as the apps count.
    package var createdAt: Double
    /// The identity that the messages belong to; iOS restores them into no other (formats section 3.3.5).
    package var fingerprint: Fingerprint?
    package var peers: [AppExportPeer]
    package var conversations: [Conversation]

    package init(
        username: [UInt8], createdAt: Double, fingerprint: Fingerprint? = nil, peers: [AppExportPeer] = [],
        conversations: [Conversation] = []
    ) {
        self.username = username
        self.createdAt = createdAt
        self.fingerprint = fingerprint
        self.peers = peers
        self.conversations = conversations
    }

    /// The messages of one conversation.
    package struct Conversation: Sendable {
        package var id: ConversationID
        /// A JSON array of messages in the shape of the app that shall read it, as `AppMessageList` makes it.
        package var list: [UInt8]

        package init(_ id: ConversationID, list: [UInt8]) {
            self.id = id
            self.list = list
        }
    }
}

/// A contact as an export of the apps has it.
package struct AppExportPeer: Sendable {
    /// UTF-8; text of an earlier file may hold any bytes.
    package let id: [UInt8]
    package let username: [UInt8]
    /// The contact's object as iOS reads it in every version; nil where there are no keys for it.
    let ios: [UInt8]?

    /// A contact as it stood in an iOS export: its own object, with what some versions require and a null where none has it
    /// put right.
    package init(_ peer: KnownPeer) {
        id = peer.id.bytes
        username = Array(peer.username.utf8)
        ios = PeerText.rewritten(peer)
    }

    /// A contact from elsewhere, such as the keyring.
    ///
    /// - Parameters:
    ///   - lastSeen: seconds since 2001.
    ///   - isAccepted: the owner knows it; a request that waits is not.
    ///   - tcpAddress: `host:port`.
    package init(
        id: PeerID, username: [UInt8], keys: IdentityPublicKeys, lastSeen: Double? = nil, tcpAddress: String? = nil,
        avatar: [UInt8]? = nil, isAccepted: Bool = true
    ) {
        self.id = id.bytes
        self.username = username
        ios = PeerText.make(
            id: id, username: username, keys: keys, lastSeen: lastSeen, tcpAddress: tcpAddress, avatar: avatar,
            isAccepted: isAccepted)
    }

    /// iOS can hold it: its keys are known.
    package var hasKeys: Bool { ios != nil }
}
