import SophaxCore

/// A person of the keyring: a name that the user gave, and the keys that he linked to it.
///
/// Contacts belong to the keyring, not to one of its identities.
package struct Contact: Sendable, Equatable {
    let id: Int64
    /// What the user calls the person; several may have the same name, and a name never links keys.
    package let name: IdentityName
    package let isBlocked: Bool
    /// Unix seconds.
    package let addedAt: Double
    /// `<56 letters>.onion`.
    package let onion: String?
    package let port: UInt16?
    /// The id of a card, as long as no keys are known that belong to it.
    package let cardPeerID: PeerID?
    /// The current one first, then the replaced ones, the last replaced first. Empty while the contact waits for its keys.
    package let keys: [ContactKey]

    /// The key that counts; nil while the contact waits for it.
    package var currentKey: ContactKey? {
        keys.first.flatMap { $0.isCurrent ? $0 : nil }
    }

    package var isVerified: Bool {
        currentKey?.mark != nil
    }
}

/// One pair of identity keys of a contact. Its verified mark belongs to it, never to the name.
package struct ContactKey: Sendable, Equatable {
    let id: Int64
    package let keys: IdentityPublicKeys
    /// Of the keys.
    package let fingerprint: Fingerprint
    /// Unix seconds, of this and of the other times.
    package let firstSeen: Double
    package let lastSeen: Double
    package let isCurrent: Bool
    /// When another key took its place.
    package let replacedAt: Double?
    /// The kind of source that it came from, see `NewContact.Origin`.
    package let origin: String
    /// Ids in the forms in which sources wrote them, in byte order.
    package let peerIDs: [PeerID]
    package let mark: VerifiedMark?
}

/// That the user compared a safety number and it was the same.
package struct VerifiedMark: Sendable, Equatable {
    package let form: SafetyNumberPair.Proof
    /// The number that was compared, ASCII groups of five.
    package let number: String
    /// Unix seconds.
    package let markedAt: Double
    /// The own identity that was current then; Android's pair numbers are of both.
    package let byIdentity: Fingerprint?

    package init(form: SafetyNumberPair.Proof, number: String, markedAt: Double, byIdentity: Fingerprint?) {
        self.form = form
        self.number = number
        self.markedAt = markedAt
        self.byIdentity = byIdentity
    }
}

/// Something that happened to a contact.
package struct ContactEvent: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case added
        /// A contact that waited for its keys got them.
        case keysLearned = "keys-learned"
        case keyReplaced = "key-replaced"
        case renamed
        case addressChanged = "address-changed"
        case blocked, unblocked
        case marked, unmarked
    }

    /// Before and after, or what it was about; which members there are depends on the kind.
    package struct Detail: Sendable, Equatable {
        package var from: [UInt8]?
        package var to: [UInt8]?
        /// Of a mark: its form and number.
        package var form: [UInt8]?
        package var number: [UInt8]?
        /// The kind of source.
        package var origin: [UInt8]?

        package init(
            from: [UInt8]? = nil, to: [UInt8]? = nil, form: [UInt8]? = nil, number: [UInt8]? = nil,
            origin: [UInt8]? = nil
        ) {
            self.from = from
            self.to = to
            self.form = form
            self.number = number
            self.origin = origin
        }
    }

    /// Unix seconds.
    package let at: Double
    package let kind: Kind
    package let detail: Detail

    package init(at: Double, kind: Kind, detail: Detail) {
        self.at = at
        self.kind = kind
        self.detail = detail
    }
}
