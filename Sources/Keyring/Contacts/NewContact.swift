import SophaxCore

/// What a source says of a person, before the keyring looks at it.
package struct NewContact: Sendable, Equatable {
    /// The kind of source, as it is kept beside a key.
    package enum Origin: String, Sendable, CaseIterable {
        case bundle = "prekey-bundle"
        case hello
        case initiateSession = "initiate-session"
        case deviceLink = "device-link"
        case card
        case invite
        case backup
    }

    package let origin: Origin
    /// UTF-8; what the user will see the contact under, unless he says another name.
    package var name: IdentityName?
    /// Nil for a card.
    package let keys: IdentityPublicKeys?
    /// Every id that the source gives the person, whether it fits the keys or not.
    package let claimedPeerIDs: [PeerID]
    package let onion: String?
    package let port: UInt16?

    package init(
        origin: Origin, name: IdentityName?, keys: IdentityPublicKeys?, claimedPeerIDs: [PeerID],
        onion: String? = nil, port: UInt16? = nil
    ) {
        self.origin = origin
        self.name = name
        self.keys = keys
        self.claimedPeerIDs = claimedPeerIDs
        self.onion = onion
        self.port = port
    }

    /// The id that the person goes by: from the keys when there are any, else what the card claims.
    package var peerID: PeerID? {
        keys.map { PeerID($0.fingerprint, form: .hex64) } ?? claimedPeerIDs.first { $0.form != .other }
    }

    /// The claimed ids that belong to the keys.
    var fittingPeerIDs: [PeerID] {
        guard let keys else { return [] }
        return claimedPeerIDs.filter { $0.matches(keys.fingerprint) }
    }
}

/// What the keyring makes of a person; nothing is changed yet.
package enum ContactJudgement: Sendable, Equatable {
    /// An identity of this keyring.
    case ownIdentity(IdentityName)
    /// Uses the id of somebody known, to 16 digits at least, with other keys.
    case impersonation(PeerID, of: Known)
    /// The onion address is of another signing key than the contact's.
    case foreignAddress(Contact)
    /// These keys, or this id, are the contact's current ones.
    case known(Contact)
    /// Keys that the contact had before others replaced them.
    case replaced(Contact)
    /// The keys that a contact waited for.
    case completes(Contact)
    /// Nobody known. `namesakes` have the same name and other keys.
    case new(namesakes: [Contact])

    /// Whose id is used by somebody else.
    package enum Known: Sendable, Equatable {
        case contact(Contact)
        case identity(IdentityName, Fingerprint)

        package var name: IdentityName {
            switch self {
            case .contact(let contact): contact.name
            case .identity(let name, _): name
            }
        }
    }
}
