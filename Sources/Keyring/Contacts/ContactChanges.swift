import SQLiteDatabase
import SophaxCore

extension Keyring {
    /// What linking another key to a contact came to.
    package enum KeyReplacement: Sendable, Equatable {
        /// The contact with its new key.
        case done(Contact)
        /// It is the contact's key already.
        case same
        /// An identity of this keyring.
        case ownIdentity(IdentityName)
        case impersonation(PeerID, of: ContactJudgement.Known)
        /// The key of somebody else.
        case otherContact(Contact)
        /// A card: nothing to replace a key with.
        case noKeys
    }

    /// What `replaceKey` would do; `.done` has the contact as it is.
    package func judgeReplacement(
        of contact: Contact, by person: NewContact
    ) throws(KeyringError) -> KeyReplacement {
        guard person.keys != nil else { return .noKeys }
        return switch try judge(person) {
        case .ownIdentity(let name): .ownIdentity(name)
        case .impersonation(let id, let known): .impersonation(id, of: known)
        case .known(let other), .replaced(let other), .completes(let other), .foreignAddress(let other):
            other.id != contact.id
                ? .otherContact(other) : other.currentKey?.keys == person.keys ? .same : .done(contact)
        case .new: .done(contact)
        }
    }

    /// Links another key to a contact, because the user says that it is the same person: the earlier key stays as history,
    /// and no key of the contact is marked as verified afterwards.
    package func replaceKey(
        of contact: Contact, by person: NewContact, at time: Double
    ) throws(KeyringError) -> KeyReplacement {
        try changing { () throws(KeyringError) in
            guard let contact = try refreshed(contact) else { throw .noContact }
            let judgement = try judgeReplacement(of: contact, by: person)
            guard case .done = judgement, let keys = person.keys else { return judgement }
            try attempt { () throws(DatabaseError) in
                try database.run(
                    "DELETE FROM mark WHERE contact_key IN (SELECT id FROM contact_key WHERE contact = ?)",
                    .integer(contact.id))
                try database.run(
                    "UPDATE contact_key SET is_current = 0, replaced_at = ? WHERE contact = ? AND is_current = 1",
                    .real(time), .integer(contact.id))
                if let earlier = contact.keys.first(where: { $0.keys == keys }) {
                    try database.run(
                        """
                        UPDATE contact_key SET is_current = 1, replaced_at = NULL, last_seen = max(last_seen, ?)
                        WHERE id = ?
                        """, .real(time), .integer(earlier.id))
                    try keepPeerIDs(of: person, key: earlier.id)
                } else {
                    try insert(keys, of: contact.id, person, at: time)
                }
                // The address of the earlier key's service leads to the earlier key.
                try database.run(
                    "UPDATE contact SET card_peer_id = NULL, onion = ?, port = ? WHERE id = ?",
                    .text(orNull: person.onion.map { Array($0.utf8) }),
                    .integer(orNull: person.port.map { Int64($0) }), .integer(contact.id))
                let before = contact.currentKey
                if let mark = before?.mark { try record(.unmarked, contact.id, detail(of: mark), at: time) }
                let detail = ContactEvent.Detail(
                    from: before?.fingerprint.hexBytes ?? contact.cardPeerID?.bytes, to: keys.fingerprint.hexBytes,
                    origin: Array(person.origin.rawValue.utf8))
                try record(.keyReplaced, contact.id, detail, at: time)
            }
            guard let changed = try refreshed(contact) else { throw .noContact }
            return .done(changed)
        }
    }

    /// Gives a contact another name; keys and marks stay as they are.
    package func rename(_ contact: Contact, to name: IdentityName, at time: Double) throws(KeyringError) {
        guard contact.name != name else { return }
        try change(contact, "UPDATE contact SET name = ? WHERE id = ?", .text(name.bytes)) {
            () throws(DatabaseError) in
            try record(.renamed, contact.id, .init(from: contact.name.bytes, to: name.bytes), at: time)
        }
    }

    /// False when it was so already.
    package func setBlocked(_ contact: Contact, _ isBlocked: Bool, at time: Double) throws(KeyringError) -> Bool {
        guard contact.isBlocked != isBlocked else { return false }
        try change(contact, "UPDATE contact SET is_blocked = ? WHERE id = ?", .flag(isBlocked)) {
            () throws(DatabaseError) in
            try record(isBlocked ? .blocked : .unblocked, contact.id, .init(), at: time)
        }
        return true
    }

    /// Takes a contact out with its keys, marks and history.
    package func remove(_ contact: Contact) throws(KeyringError) {
        try changing { () throws(KeyringError) in
            try attempt { () throws(DatabaseError) in
                try database.run("DELETE FROM contact WHERE id = ?", .integer(contact.id))
            }
            guard database.changes == 1 else { throw .noContact }
        }
    }

    // MARK: - Verified marks

    /// Keeps that the number of the contact's current key was compared; an earlier mark is replaced.
    package func mark(_ contact: Contact, _ mark: VerifiedMark) throws(KeyringError) {
        try changing { () throws(KeyringError) in
            // The key that was compared must still be the current one.
            guard let key = contact.currentKey, try refreshed(contact)?.currentKey?.id == key.id else {
                throw .noContact
            }
            try attempt { () throws(DatabaseError) in
                try database.run(
                    """
                    INSERT OR REPLACE INTO mark (contact_key, form, number, marked_at, by_identity)
                    VALUES (?, ?, ?, ?, ?)
                    """, .integer(key.id), .text(mark.form.rawValue), .text(mark.number), .real(mark.markedAt),
                    .blob(orNull: mark.byIdentity?.bytes))
                try record(.marked, contact.id, detail(of: mark), at: mark.markedAt)
            }
        }
    }

    /// Takes the mark of the current key away; false when there is none.
    package func unmark(_ contact: Contact, at time: Double) throws(KeyringError) -> Bool {
        try changing { () throws(KeyringError) in
            guard let key = try refreshed(contact)?.currentKey, let mark = key.mark else { return false }
            try attempt { () throws(DatabaseError) in
                try database.run("DELETE FROM mark WHERE contact_key = ?", .integer(key.id))
                try record(.unmarked, contact.id, detail(of: mark), at: time)
            }
            return true
        }
    }

    private func detail(of mark: VerifiedMark) -> ContactEvent.Detail {
        .init(form: Array(mark.form.rawValue.utf8), number: Array(mark.number.utf8))
    }

    private func change(
        _ contact: Contact, _ sql: String, _ value: SQLiteValue, then body: () throws(DatabaseError) -> Void
    ) throws(KeyringError) {
        try changing { () throws(KeyringError) in
            try attempt { () throws(DatabaseError) in try database.run(sql, value, .integer(contact.id)) }
            guard database.changes == 1 else { throw .noContact }
            try attempt(body)
        }
    }
}
