import SophaxCore

/// A person as a bundle of sxkey has him, before the keyring looks at him. Times are Unix seconds.
package struct RestoredContact: Sendable {
    /// UTF-8.
    package let name: [UInt8]
    package let isBlocked: Bool
    package let addedAt: Double
    package let onion: String?
    package let port: UInt16?
    /// The id of a card whose keys are not known.
    package let cardPeerID: PeerID?
    /// One of them at most is the current one.
    package let keys: [Key]
    /// The first first.
    package let events: [ContactEvent]

    package struct Key: Sendable {
        package let keys: IdentityPublicKeys
        package let firstSeen: Double
        package let lastSeen: Double
        package let isCurrent: Bool
        package let replacedAt: Double?
        package let origin: String
        package let peerIDs: [PeerID]
        package let mark: VerifiedMark?

        package init(
            keys: IdentityPublicKeys, firstSeen: Double, lastSeen: Double, isCurrent: Bool, replacedAt: Double?,
            origin: String, peerIDs: [PeerID], mark: VerifiedMark?
        ) {
            self.keys = keys
            self.firstSeen = firstSeen
            self.lastSeen = lastSeen
            self.isCurrent = isCurrent
            self.replacedAt = replacedAt
            self.origin = origin
            self.peerIDs = peerIDs
            self.mark = mark
        }
    }

    package init(
        name: [UInt8], isBlocked: Bool, addedAt: Double, onion: String?, port: UInt16?, cardPeerID: PeerID?,
        keys: [Key], events: [ContactEvent]
    ) {
        self.name = name
        self.isBlocked = isBlocked
        self.addedAt = addedAt
        self.onion = onion
        self.port = port
        self.cardPeerID = cardPeerID
        self.keys = keys
        self.events = events
    }

    package var currentKey: Key? { keys.first { $0.isCurrent } }

    /// Has a name, and a key or the id of one.
    package var isUsable: Bool { IdentityName(stored: name) != nil && (currentKey != nil || cardPeerID != nil) }

    /// What the keyring judges him by.
    package var person: NewContact {
        NewContact(
            origin: .backup, name: IdentityName(stored: name), keys: currentKey?.keys,
            claimedPeerIDs: currentKey?.peerIDs ?? cardPeerID.map { [$0] } ?? [], onion: address, port: port)
    }

    /// The onion address, unless it is another one than that of the current key.
    var address: String? {
        guard let key = currentKey else { return onion }
        return onion == OnionAddress(of: key.keys).text ? onion : nil
    }
}

/// What restoring a person came to.
package enum ContactRestoration: Sendable {
    /// A new contact.
    case added(Contact)
    /// A contact that was there got what it lacked: its keys, a mark, earlier keys, an address.
    case completed(Contact)
    /// Everything was there already.
    case same(Contact)
    /// The contact that was there is left as it is: the bundle's key is one that was replaced here since.
    case outdated(Contact)
    /// The judgement forbids it: an id or address of somebody else, or an identity of one's own.
    case refused(ContactJudgement)
    /// A name that is none.
    case unusable
}
