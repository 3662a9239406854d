import SophaxCore

/// Everybody whom a keyring knows, found by the first 16 digits of an id, so that many people can be judged at once.
struct ContactBook {
    private let identities: [KeyringIdentity]
    private var contacts: [Int64: Contact] = [:]
    /// Rows of contacts and places of identities by the first 16 digits of an id.
    private var contactsByDigits: [[UInt8]: Set<Int64>] = [:]
    private var identitiesByDigits: [[UInt8]: [Int]] = [:]
    private var contactsByName: [[UInt8]: Set<Int64>] = [:]

    /// Digits that nobody else has by chance: the shortest form of a peer id.
    private static let digits = 16

    init(identities: [KeyringIdentity], contacts: [Contact]) {
        self.identities = identities
        for (place, identity) in identities.enumerated() {
            identitiesByDigits[Self.digits(of: identity.fingerprint), default: []].append(place)
        }
        for contact in contacts { put(contact) }
    }

    /// Takes in a contact as it is now.
    mutating func put(_ contact: Contact) {
        contacts[contact.id] = contact
        contactsByName[contact.name.folded, default: []].insert(contact.id)
        for key in contact.keys {
            contactsByDigits[Self.digits(of: key.fingerprint), default: []].insert(contact.id)
        }
        if let id = contact.cardPeerID {
            contactsByDigits[Array(id.bytes.prefix(Self.digits)), default: []].insert(contact.id)
        }
    }

    private static func digits(of fingerprint: Fingerprint) -> [UInt8] {
        Array(fingerprint.hexBytes.prefix(digits))
    }

    /// What is known of a person, and whether he is who he claims to be.
    ///
    /// A peer id is the beginning of the hash of the keys, so the same 16 digits with other keys do not happen by chance.
    func judge(_ person: NewContact) -> ContactJudgement {
        let ids = person.allPeerIDs.map { Array($0.bytes.prefix(Self.digits)) }
        let identities = Set(ids.flatMap { identitiesByDigits[$0] ?? [] }).sorted().map { self.identities[$0] }
        let rows = Set(ids.flatMap { contactsByDigits[$0] ?? [] }).sorted()
        let contacts = rows.compactMap { self.contacts[$0] }
        if let alarm = Self.impersonation(person, identities, contacts) { return alarm }
        if let own = identities.first(where: { person.isSame(as: $0.fingerprint) }) { return .ownIdentity(own.name) }
        for contact in contacts {
            guard let key = contact.keys.first(where: { person.isSame(as: $0.fingerprint) }) else { continue }
            if let onion = person.onion, onion != OnionAddress(of: key.keys).text { return .foreignAddress(contact) }
            return key.isCurrent ? .known(contact) : .replaced(contact)
        }
        for contact in contacts {
            guard let waiting = contact.cardPeerID else { continue }
            if let keys = person.keys {
                if waiting.matches(keys.fingerprint) { return .completes(contact) }
            } else if person.claimedPeerIDs.contains(where: { $0.isSamePerson(as: waiting) }) {
                return .known(contact)
            }
        }
        return .new(namesakes: namesakes(of: person))
    }

    private func namesakes(of person: NewContact) -> [Contact] {
        guard let name = person.name else { return [] }
        let folded = name.folded
        // A contact that was renamed stands under both names here.
        return (contactsByName[folded] ?? []).sorted().compactMap { contacts[$0] }.filter { $0.name.folded == folded }
    }

    private static func impersonation(
        _ person: NewContact, _ identities: [KeyringIdentity], _ contacts: [Contact]
    ) -> ContactJudgement? {
        for identity in identities {
            if let id = person.impersonates(identity.fingerprint) {
                return .impersonation(id, of: .identity(identity.name, identity.fingerprint))
            }
        }
        for contact in contacts {
            let ids = contact.keys.lazy.compactMap { person.impersonates($0.fingerprint) }
            if let id = ids.first ?? contact.cardPeerID.flatMap({ person.impersonates($0) }) {
                return .impersonation(id, of: .contact(contact))
            }
        }
        return nil
    }
}

extension NewContact {
    /// The id of the keys, if there are any, and every id that is claimed.
    fileprivate var allPeerIDs: [PeerID] {
        (keys.map { [PeerID($0.fingerprint, form: .hex64)] } ?? []) + claimedPeerIDs.filter { $0.form != .other }
    }

    /// The keys are these; without keys, the id is.
    fileprivate func isSame(as fingerprint: Fingerprint) -> Bool {
        if let keys { return keys.fingerprint == fingerprint }
        return claimedPeerIDs.contains { $0.matches(fingerprint) }
    }

    /// The id, of the person's keys or claimed, that is somebody else's to 16 digits at least.
    fileprivate func impersonates(_ fingerprint: Fingerprint) -> PeerID? {
        guard !isSame(as: fingerprint) else { return nil }
        return impersonates(PeerID(fingerprint, form: .hex64))
    }

    fileprivate func impersonates(_ known: PeerID) -> PeerID? {
        let digits = PeerID.Form.hex16.digits ?? 0
        let own = keys.map { PeerID($0.fingerprint, form: .hex64) }
        return allPeerIDs.first { claim in
            guard claim.bytes.prefix(digits).elementsEqual(known.bytes.prefix(digits)) else {
                return false
            }
            // Without keys a claim that agrees as far as it goes is the same person; with keys only the keys decide.
            return own.map { !$0.isSamePerson(as: known) } ?? !claim.isSamePerson(as: known)
        }
    }
}
