import SQLiteDatabase
import SophaxCore

extension Keyring {
    /// What is known of a person, and whether he is who he claims to be. Changes nothing.
    ///
    /// A peer id is the beginning of the hash of the keys, so the same 16 digits with other keys do not happen by chance.
    package func judge(_ person: NewContact) throws(KeyringError) -> ContactJudgement {
        try reading { () throws(KeyringError) in
            let identities = try identities()
            let contacts = try contacts()
            if let alarm = Self.impersonation(person, identities, contacts) { return alarm }
            if let own = identities.first(where: { person.isSame(as: $0.fingerprint) }) {
                return .ownIdentity(own.name)
            }
            for contact in contacts {
                guard let key = contact.keys.first(where: { person.isSame(as: $0.fingerprint) }) else { continue }
                if let onion = person.onion, onion != OnionAddress(of: key.keys).text {
                    return .foreignAddress(contact)
                }
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
            return .new(namesakes: contacts.filter { $0.name == person.name })
        }
    }

    /// Adds a person, completes a contact that waited for him, or keeps that he was seen; nil and nothing changed when the
    /// judgement forbids it.
    ///
    /// - Parameter name: the contact's name when it is a new one, or one whose name was only its id.
    package func add(
        _ person: NewContact, name: IdentityName, at time: Double
    ) throws(KeyringError) -> Contact? {
        try changing { () throws(KeyringError) in
            let row: Int64
            switch try judge(person) {
            case .ownIdentity, .impersonation, .foreignAddress, .replaced: return nil
            case .known(let contact):
                try attempt { () throws(DatabaseError) in try see(person, contact, at: time) }
                row = contact.id
            case .completes(let contact):
                try attempt { () throws(DatabaseError) in try complete(contact, with: person, name, at: time) }
                row = contact.id
            case .new:
                row = try attempt { () throws(DatabaseError) in try insert(person, name, at: time) }
            }
            return try contacts().first { $0.id == row }
        }
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

    // MARK: - Rows

    private func insert(_ person: NewContact, _ name: IdentityName, at time: Double) throws(DatabaseError) -> Int64 {
        try database.run(
            "INSERT INTO contact (name, added_at, onion, port, card_peer_id) VALUES (?, ?, ?, ?, ?)",
            .text(name.bytes), .real(time), .text(orNull: person.onion.map { Array($0.utf8) }),
            .integer(orNull: person.port.map { Int64($0) }),
            .text(orNull: person.keys == nil ? person.peerID?.bytes : nil))
        let contact = database.lastInsertedRow
        if let keys = person.keys { try insert(keys, of: contact, person, at: time) }
        try record(
            .added, contact, .init(to: person.peerID?.bytes, origin: Array(person.origin.rawValue.utf8)), at: time)
        return contact
    }

    /// Adds a key as the current one; the contact must have none.
    func insert(
        _ keys: IdentityPublicKeys, of contact: Int64, _ person: NewContact, at time: Double
    ) throws(DatabaseError) {
        try database.run(
            """
            INSERT INTO contact_key
                (contact, signing_public, dh_public, fingerprint, first_seen, last_seen, is_current, origin)
            VALUES (?, ?, ?, ?, ?, ?, 1, ?)
            """, .integer(contact), .blob(keys.signing), .blob(keys.dh), .blob(keys.fingerprint.bytes), .real(time),
            .real(time), .text(person.origin.rawValue))
        try keepPeerIDs(of: person, key: database.lastInsertedRow)
    }

    func keepPeerIDs(of person: NewContact, key: Int64) throws(DatabaseError) {
        for id in person.fittingPeerIDs {
            try database.run(
                "INSERT OR IGNORE INTO peer_id_seen (contact_key, peer_id) VALUES (?, ?)", .integer(key),
                .text(id.bytes))
        }
    }

    private func complete(
        _ contact: Contact, with person: NewContact, _ name: IdentityName, at time: Double
    ) throws(DatabaseError) {
        guard let keys = person.keys else { return }
        try insert(keys, of: contact.id, person, at: time)
        try database.run("UPDATE contact SET card_peer_id = NULL WHERE id = ?", .integer(contact.id))
        if contact.name.bytes == contact.cardPeerID?.bytes {
            try database.run("UPDATE contact SET name = ? WHERE id = ?", .text(name.bytes), .integer(contact.id))
        }
        let detail = ContactEvent.Detail(
            from: contact.cardPeerID?.bytes, to: keys.fingerprint.hexBytes,
            origin: Array(person.origin.rawValue.utf8))
        try record(.keysLearned, contact.id, detail, at: time)
        try keepAddress(of: person, contact, at: time)
    }

    private func see(_ person: NewContact, _ contact: Contact, at time: Double) throws(DatabaseError) {
        if let key = contact.currentKey {
            try database.run(
                "UPDATE contact_key SET last_seen = max(last_seen, ?) WHERE id = ?", .real(time), .integer(key.id))
            try keepPeerIDs(of: person, key: key.id)
        }
        try keepAddress(of: person, contact, at: time)
    }

    private func keepAddress(of person: NewContact, _ contact: Contact, at time: Double) throws(DatabaseError) {
        guard let onion = person.onion, onion != contact.onion || person.port != contact.port else { return }
        try database.run(
            "UPDATE contact SET onion = ?, port = ? WHERE id = ?", .text(onion),
            .integer(orNull: person.port.map { Int64($0) }), .integer(contact.id))
        func text(_ onion: String, _ port: UInt16?) -> [UInt8] {
            Array((port.map { "\(onion):\($0)" } ?? onion).utf8)
        }
        let detail = ContactEvent.Detail(
            from: contact.onion.map { text($0, contact.port) }, to: text(onion, person.port),
            origin: Array(person.origin.rawValue.utf8))
        try record(.addressChanged, contact.id, detail, at: time)
    }

    /// Keeps an event. JSON is written by SQLite, members without a value are left out.
    func record(
        _ kind: ContactEvent.Kind, _ contact: Int64, _ detail: ContactEvent.Detail, at time: Double
    ) throws(DatabaseError) {
        try database.run(
            """
            INSERT INTO contact_event (contact, at, what, detail) VALUES (?, ?, ?, json_patch('{}',
                json_object('from', ?, 'to', ?, 'form', ?, 'number', ?, 'origin', ?)))
            """, .integer(contact), .real(time), .text(kind.rawValue), .text(orNull: detail.from),
            .text(orNull: detail.to), .text(orNull: detail.form), .text(orNull: detail.number),
            .text(orNull: detail.origin))
    }
}

extension NewContact {
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
        let digits = 16
        let own = keys.map { PeerID($0.fingerprint, form: .hex64) }
        let claims = (own.map { [$0] } ?? []) + claimedPeerIDs
        return claims.first { claim in
            guard claim.form != .other, claim.bytes.prefix(digits).elementsEqual(known.bytes.prefix(digits)) else {
                return false
            }
            // Without keys a claim that agrees as far as it goes is the same person; with keys only the keys decide.
            return own.map { !$0.isSamePerson(as: known) } ?? !claim.isSamePerson(as: known)
        }
    }
}
