import SQLiteDatabase
import SophaxCore

extension Keyring {
    /// All contacts in the order in which they came.
    package func contacts() throws(KeyringError) -> [Contact] {
        try contacts(only: nil)
    }

    /// The contact in this row, or all.
    func contacts(only row: Int64?) throws(KeyringError) -> [Contact] {
        try reading { () throws(KeyringError) in
            let keys = try contactKeys(only: row)
            return try database.rows(
                """
                SELECT id, name, is_blocked, added_at, onion, port, card_peer_id FROM contact
                WHERE ?1 IS NULL OR id = ?1 ORDER BY id
                """, .integer(orNull: row)
            ) { (row) throws(KeyringError) in
                guard let id = row.integer(0), let name = row.text(1).flatMap({ IdentityName(stored: $0) }),
                    let addedAt = row.real(3)
                else { throw .damagedRow(table: "contact") }
                return Contact(
                    id: id, name: name, isBlocked: row.integer(2) == 1, addedAt: addedAt, onion: row.string(4),
                    port: row.integer(5).flatMap { UInt16(exactly: $0) },
                    cardPeerID: row.text(6).map { PeerID(bytes: $0) }, keys: keys[id] ?? [])
            }
        }
    }

    /// The contacts that a user may mean: those of this name, else of this name in other capitals; else those with this peer id or fingerprint, or the beginning
    /// of one with at least eight hex digits, in either case. Keys that were replaced count only when no other fits.
    package func contacts(named word: [UInt8]) throws(KeyringError) -> [Contact] {
        let all = try contacts()
        let named = all.filter { $0.name.bytes == word }
        if !named.isEmpty { return named }
        let similar = all.filter { $0.name.isSimilar(to: word) }
        if !similar.isEmpty { return similar }
        guard word.count >= Self.shortestPrefix else { return [] }
        let lower = word.map { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) ? $0 | 0x20 : $0 }
        let current = all.filter { contact in
            contact.currentKey?.fingerprint.hexBytes.starts(with: lower) ?? false
                || contact.cardPeerID?.bytes.starts(with: lower) ?? false
        }
        if !current.isEmpty { return current }
        return all.filter { $0.keys.contains { $0.fingerprint.hexBytes.starts(with: lower) } }
    }

    /// The contact as it is now; nil when it was removed.
    package func refreshed(_ contact: Contact) throws(KeyringError) -> Contact? {
        try contacts(only: contact.id).first
    }

    /// What happened to a contact, the first first.
    package func history(of contact: Contact) throws(KeyringError) -> [ContactEvent] {
        try database.rows(
            """
            SELECT at, what, json_extract(detail, '$.from'), json_extract(detail, '$.to'),
                json_extract(detail, '$.form'), json_extract(detail, '$.number'), json_extract(detail, '$.origin')
            FROM contact_event WHERE contact = ? ORDER BY id
            """, .integer(contact.id)
        ) { (row) throws(KeyringError) in
            guard let at = row.real(0), let kind = row.string(1).flatMap(ContactEvent.Kind.init) else {
                throw .damagedRow(table: "contact_event")
            }
            let detail = ContactEvent.Detail(
                from: row.text(2), to: row.text(3), form: row.text(4), number: row.text(5), origin: row.text(6))
            return ContactEvent(at: at, kind: kind, detail: detail)
        }
    }

    /// The keys of all contacts by the contact's row, each list in the order of `Contact.keys`.
    private func contactKeys(only contact: Int64?) throws(KeyringError) -> [Int64: [ContactKey]] {
        let peerIDs = try seenPeerIDs(only: contact)
        let marks = try marks(only: contact)
        let rows = try database.rows(
            """
            SELECT contact, id, signing_public, dh_public, fingerprint, first_seen, last_seen, is_current, replaced_at,
                origin
            FROM contact_key WHERE ?1 IS NULL OR contact = ?1 ORDER BY is_current DESC, replaced_at DESC, id DESC
            """, .integer(orNull: contact)
        ) { (row) throws(KeyringError) in
            guard let contact = row.integer(0), let id = row.integer(1), let signing = row.blob(2),
                let dh = row.blob(3), let keys = try? IdentityPublicKeys(signing: signing, dh: dh),
                let fingerprint = Optional(keys.fingerprint), fingerprint.bytes == row.blob(4),
                let firstSeen = row.real(5), let lastSeen = row.real(6),
                let origin = row.string(9)
            else { throw .damagedRow(table: "contact_key") }
            let key = ContactKey(
                id: id, keys: keys, fingerprint: fingerprint, firstSeen: firstSeen, lastSeen: lastSeen,
                isCurrent: row.integer(7) == 1,
                replacedAt: row.real(8), origin: origin, peerIDs: peerIDs[id] ?? [], mark: marks[id])
            return (contact: contact, key: key)
        }
        return Dictionary(grouping: rows, by: \.contact).mapValues { $0.map(\.key) }
    }

    private func seenPeerIDs(only contact: Int64?) throws(KeyringError) -> [Int64: [PeerID]] {
        let rows = try database.rows(
            """
            SELECT contact_key, peer_id FROM peer_id_seen
            WHERE ?1 IS NULL OR contact_key IN (SELECT id FROM contact_key WHERE contact = ?1)
            ORDER BY contact_key, peer_id
            """, .integer(orNull: contact)
        ) { (row) throws(KeyringError) in
            guard let key = row.integer(0), let id = row.text(1) else { throw .damagedRow(table: "peer_id_seen") }
            return (key: key, id: PeerID(bytes: id))
        }
        return Dictionary(grouping: rows, by: \.key).mapValues { $0.map(\.id) }
    }

    private func marks(only contact: Int64?) throws(KeyringError) -> [Int64: VerifiedMark] {
        let rows = try database.rows(
            """
            SELECT contact_key, form, number, marked_at, by_identity FROM mark
            WHERE ?1 IS NULL OR contact_key IN (SELECT id FROM contact_key WHERE contact = ?1)
            """, .integer(orNull: contact)
        ) { (row) throws(KeyringError) in
            guard let key = row.integer(0), let form = row.string(1).flatMap(SafetyNumberPair.Proof.init),
                let number = row.string(2), let markedAt = row.real(3)
            else { throw .damagedRow(table: "mark") }
            let by = row.blob(4).flatMap { try? Fingerprint(bytes: $0) }
            return (key: key, mark: VerifiedMark(form: form, number: number, markedAt: markedAt, byIdentity: by))
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.mark) })
    }
}
