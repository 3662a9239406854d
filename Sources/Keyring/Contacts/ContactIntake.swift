import SQLiteDatabase
import SophaxCore

extension Keyring {
    /// What is known of a person, and whether he is who he claims to be. Changes nothing.
    package func judge(_ person: NewContact) throws(KeyringError) -> ContactJudgement {
        try contactBook().judge(person)
    }

    /// Adds a person, completes a contact that waited for him, or keeps that he was seen; nil and nothing changed when the
    /// judgement forbids it.
    ///
    /// - Parameter name: the contact's name when it is a new one, or one whose name was only its id.
    package func add(
        _ person: NewContact, name: IdentityName, at time: Double
    ) throws(KeyringError) -> Contact? {
        try add([(person, name)], at: time).first?.contact
    }

    /// Adds people as `add` does, one after the other in one transaction: each with the judgement before it, and the
    /// contact, which is nil when nothing was changed.
    package func add(
        _ people: [(person: NewContact, name: IdentityName)], at time: Double
    ) throws(KeyringError) -> [(judgement: ContactJudgement, contact: Contact?)] {
        try changing { () throws(KeyringError) in
            var book = try contactBook()
            var results: [(judgement: ContactJudgement, contact: Contact?)] = []
            for (person, name) in people {
                let judgement = book.judge(person)
                let row = try attempt { () throws(DatabaseError) in
                    try take(person, name, as: judgement, at: time)
                }
                let contact = try row.flatMap { (row) throws(KeyringError) in try contacts(only: row).first }
                if let contact { book.put(contact) }
                results.append((judgement, contact))
            }
            return results
        }
    }

    private func contactBook() throws(KeyringError) -> ContactBook {
        try reading { () throws(KeyringError) in
            ContactBook(identities: try identities(), contacts: try contacts())
        }
    }

    /// The row of the contact that was made or changed.
    private func take(
        _ person: NewContact, _ name: IdentityName, as judgement: ContactJudgement, at time: Double
    ) throws(DatabaseError) -> Int64? {
        switch judgement {
        case .ownIdentity, .impersonation, .foreignAddress, .replaced: return nil
        case .known(let contact):
            try see(person, contact, at: time)
            return contact.id
        case .completes(let contact):
            try complete(contact, with: person, name, at: time)
            return contact.id
        case .new: return try insert(person, name, at: time)
        }
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
