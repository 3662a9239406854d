import SQLiteDatabase
import SophaxCore

extension Keyring {
    /// Restores a person with keys, marks, times and history. What the keyring has already stays as it is; what it lacks is
    /// added. Nothing that a judgement of `add` forbids is done.
    package func restore(_ restored: RestoredContact, at time: Double) throws(KeyringError) -> ContactRestoration {
        guard let name = IdentityName(stored: restored.name), restored.currentKey != nil || restored.cardPeerID != nil
        else { return .unusable }
        return try changing { () throws(KeyringError) in
            let judgement = try judge(restored.person)
            switch judgement {
            case .ownIdentity, .impersonation, .foreignAddress: return .refused(judgement)
            case .replaced(let contact): return .outdated(contact)
            case .new:
                let row = try attempt { () throws(DatabaseError) in try insert(restored, name) }
                guard let contact = try contacts(only: row).first else { throw .noContact }
                return .added(contact)
            case .known(let contact):
                let changed = try attempt { () throws(DatabaseError) in try complete(contact, with: restored) }
                guard let after = try refreshed(contact) else { throw .noContact }
                return changed ? .completed(after) : .same(after)
            case .completes:
                guard let contact = try add(restored.person, name: name, at: time) else { throw .noContact }
                _ = try attempt { () throws(DatabaseError) in try complete(contact, with: restored) }
                guard let after = try refreshed(contact) else { throw .noContact }
                return .completed(after)
            }
        }
    }

    private func insert(_ restored: RestoredContact, _ name: IdentityName) throws(DatabaseError) -> Int64 {
        try database.run(
            """
            INSERT INTO contact (name, is_blocked, added_at, onion, port, card_peer_id) VALUES (?, ?, ?, ?, ?, ?)
            """, .text(name.bytes), .flag(restored.isBlocked), .real(restored.addedAt),
            .text(orNull: restored.address.map { Array($0.utf8) }),
            .integer(orNull: restored.address == nil ? nil : restored.port.map { Int64($0) }),
            .text(orNull: restored.currentKey == nil ? restored.cardPeerID?.bytes : nil))
        let contact = database.lastInsertedRow
        // In the order of their rows the list of a contact's keys comes out as it was.
        for key in restored.keys.reversed() { _ = try insert(key, of: contact, isCurrent: key.isCurrent) }
        for event in restored.events { try record(event.kind, contact, event.detail, at: event.at) }
        if restored.events.isEmpty {
            let detail = ContactEvent.Detail(
                to: restored.person.peerID?.bytes, origin: Array(NewContact.Origin.backup.rawValue.utf8))
            try record(.added, contact, detail, at: restored.addedAt)
        }
        return contact
    }

    /// Adds a key with its ids and mark; false when anybody has it already.
    private func insert(
        _ key: RestoredContact.Key, of contact: Int64, isCurrent: Bool
    ) throws(DatabaseError) -> Bool {
        try database.run(
            """
            INSERT OR IGNORE INTO contact_key
                (contact, signing_public, dh_public, fingerprint, first_seen, last_seen, is_current, replaced_at, origin)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .integer(contact), .blob(key.keys.signing), .blob(key.keys.dh), .blob(key.keys.fingerprint.bytes),
            .real(key.firstSeen), .real(key.lastSeen), .flag(isCurrent), .real(orNull: key.replacedAt),
            .text(key.origin))
        guard database.changes == 1 else { return false }
        let row = database.lastInsertedRow
        _ = try keepPeerIDs(key, row)
        if let mark = key.mark { _ = try insert(mark, of: row) }
        return true
    }

    private func keepPeerIDs(_ key: RestoredContact.Key, _ row: Int64) throws(DatabaseError) -> Bool {
        var added = false
        for id in key.peerIDs where id.matches(key.keys.fingerprint) {
            try database.run(
                "INSERT OR IGNORE INTO peer_id_seen (contact_key, peer_id) VALUES (?, ?)", .integer(row),
                .text(id.bytes))
            added = added || database.changes == 1
        }
        return added
    }

    private func insert(_ mark: VerifiedMark, of key: Int64) throws(DatabaseError) -> Bool {
        try database.run(
            """
            INSERT OR IGNORE INTO mark (contact_key, form, number, marked_at, by_identity) VALUES (?, ?, ?, ?, ?)
            """, .integer(key), .text(mark.form.rawValue), .text(mark.number), .real(mark.markedAt),
            .blob(orNull: mark.byIdentity?.bytes))
        return database.changes == 1
    }

    /// Gives a contact that is there what it lacks; true when there was anything.
    private func complete(_ contact: Contact, with restored: RestoredContact) throws(DatabaseError) -> Bool {
        var changed = false
        for key in restored.keys {
            guard let own = contact.keys.first(where: { $0.keys == key.keys }) else {
                // A key that the keyring does not have as the current one is history here.
                if !key.isCurrent, try insert(key, of: contact.id, isCurrent: false) { changed = true }
                continue
            }
            if key.firstSeen < own.firstSeen || key.lastSeen > own.lastSeen {
                try database.run(
                    """
                    UPDATE contact_key SET first_seen = min(first_seen, ?), last_seen = max(last_seen, ?) WHERE id = ?
                    """, .real(key.firstSeen), .real(key.lastSeen), .integer(own.id))
                changed = true
            }
            if try keepPeerIDs(key, own.id) { changed = true }
            guard own.isCurrent, own.mark == nil, let mark = key.mark, try insert(mark, of: own.id) else { continue }
            let detail = ContactEvent.Detail(
                form: Array(mark.form.rawValue.utf8), number: Array(mark.number.utf8),
                origin: Array(NewContact.Origin.backup.rawValue.utf8))
            try record(.marked, contact.id, detail, at: mark.markedAt)
            changed = true
        }
        if contact.onion == nil, let onion = restored.address {
            try database.run(
                "UPDATE contact SET onion = ?, port = ? WHERE id = ?", .text(onion),
                .integer(orNull: restored.port.map { Int64($0) }), .integer(contact.id))
            changed = true
        }
        return changed
    }
}
