import SQLiteDatabase

/// The tables of a keyring. Specified in sxkey-formats(5), "Tables of a keyring".
package enum KeyringSchema {
    /// `application_id` of the database: "SXKR".
    package static let applicationID: Int32 = 0x5358_4B52

    /// Brings a database to the newest version; a newer one is refused with nothing touched.
    package static let migrator = Migrator(
        applicationID: applicationID,
        migrations: [
            Migration(version: 1, name: "identities, items, contacts, marks") { (database) throws(DatabaseError) in
                try database.execute(version1)
            }
        ])

    /// Times are Unix seconds. Every private value is in `item.value`, sealed; names of people are clear inside the pages.
    private static let version1 = """
        CREATE TABLE identity (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            fingerprint BLOB NOT NULL UNIQUE CHECK (length(fingerprint) = 32),
            signing_public BLOB NOT NULL CHECK (length(signing_public) = 32),
            dh_public BLOB NOT NULL CHECK (length(dh_public) = 32),
            name TEXT NOT NULL,
            origin TEXT NOT NULL,
            created_at REAL NOT NULL,
            is_current INTEGER NOT NULL DEFAULT 0 CHECK (is_current IN (0, 1))
        ) STRICT;
        CREATE UNIQUE INDEX identity_current ON identity (is_current) WHERE is_current = 1;
        CREATE TABLE item (
            identity INTEGER NOT NULL REFERENCES identity (id) ON DELETE CASCADE,
            account TEXT NOT NULL,
            value BLOB NOT NULL CHECK (length(value) >= 28),
            changed_at REAL NOT NULL,
            PRIMARY KEY (identity, account)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE prekey (
            identity INTEGER NOT NULL,
            account TEXT NOT NULL,
            made_at REAL,
            replaced_at REAL,
            published_at REAL,
            PRIMARY KEY (identity, account),
            FOREIGN KEY (identity, account) REFERENCES item (identity, account) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE identity_export (
            id INTEGER PRIMARY KEY,
            identity INTEGER NOT NULL REFERENCES identity (id) ON DELETE CASCADE,
            made_at REAL NOT NULL,
            kind TEXT NOT NULL,
            path BLOB NOT NULL,
            sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
            read_back_at REAL
        ) STRICT;
        CREATE INDEX identity_export_identity ON identity_export (identity, made_at);
        CREATE TABLE contact (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            is_blocked INTEGER NOT NULL DEFAULT 0 CHECK (is_blocked IN (0, 1)),
            added_at REAL NOT NULL,
            onion TEXT,
            port INTEGER CHECK (port BETWEEN 1 AND 65535),
            card_peer_id TEXT
        ) STRICT;
        CREATE TABLE contact_key (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            contact INTEGER NOT NULL REFERENCES contact (id) ON DELETE CASCADE,
            signing_public BLOB NOT NULL CHECK (length(signing_public) = 32),
            dh_public BLOB NOT NULL CHECK (length(dh_public) = 32),
            fingerprint BLOB NOT NULL UNIQUE CHECK (length(fingerprint) = 32),
            first_seen REAL NOT NULL,
            last_seen REAL NOT NULL,
            is_current INTEGER NOT NULL DEFAULT 1 CHECK (is_current IN (0, 1)),
            replaced_at REAL,
            origin TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX contact_key_current ON contact_key (contact) WHERE is_current = 1;
        CREATE INDEX contact_key_contact ON contact_key (contact);
        CREATE TABLE peer_id_seen (
            contact_key INTEGER NOT NULL REFERENCES contact_key (id) ON DELETE CASCADE,
            peer_id TEXT NOT NULL,
            PRIMARY KEY (contact_key, peer_id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE mark (
            contact_key INTEGER PRIMARY KEY REFERENCES contact_key (id) ON DELETE CASCADE,
            form TEXT NOT NULL,
            number TEXT NOT NULL,
            marked_at REAL NOT NULL,
            by_identity BLOB CHECK (length(by_identity) = 32)
        ) STRICT;
        CREATE TABLE contact_event (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            contact INTEGER NOT NULL REFERENCES contact (id) ON DELETE CASCADE,
            at REAL NOT NULL,
            what TEXT NOT NULL,
            detail TEXT
        ) STRICT;
        CREATE INDEX contact_event_contact ON contact_event (contact, at);
        """
}
