import SQLiteDatabase

/// The tables of an archive. Specified in sxkey-formats(5), "Tables of an archive".
package enum ArchiveSchema {
    /// `application_id` of the database: "SXAR".
    package static let applicationID: Int32 = 0x5358_4152

    /// The tokenizer of `message_text`, which a connection must have before it touches the index.
    package static let tokenizer = FullTextTokenizer.specification

    /// Brings a database to the newest version; a newer one is refused with nothing touched.
    package static let migrator = Migrator(
        applicationID: applicationID,
        migrations: [
            Migration(version: 1, name: "messages, sources, attachments, index") { (database) throws(DatabaseError) in
                try FullTextTokenizer.register(on: database)
                try database.execute(version1)
            }
        ])

    /// Times are milliseconds since 1970, NULL where the source has none that an integer of that size holds; the number as it
    /// stood is in the source JSON. Text of others is kept byte for byte: ids as BLOB, what is shown and searched as TEXT.
    ///
    /// The number of a message is its place in time, `milliseconds << 20 | n`, so that reading in the order of time, in a
    /// conversation or in all, for people or for the index, needs no sorting. Source JSON is the largest part: it stands in
    /// the order of arrival, in a table of its own, so that a message that comes between others moves little.
    private static let version1 = """
        CREATE TABLE import (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            path BLOB NOT NULL,
            sha256 BLOB CHECK (length(sha256) = 32),
            owner_name TEXT,
            owner_fingerprint TEXT,
            begun_at INTEGER NOT NULL,
            ended_at INTEGER,
            counts TEXT
        ) STRICT;
        CREATE TABLE origin (
            id INTEGER PRIMARY KEY,
            import INTEGER NOT NULL REFERENCES import (id),
            item BLOB NOT NULL,
            sha256 BLOB CHECK (length(sha256) = 32)
        ) STRICT;
        CREATE INDEX origin_import ON origin (import);
        CREATE TABLE conversation (
            id INTEGER PRIMARY KEY,
            key BLOB NOT NULL UNIQUE,
            peer_id BLOB NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('direct', 'group', 'notes'))
        ) STRICT;
        CREATE TABLE person (
            id INTEGER PRIMARY KEY,
            key BLOB NOT NULL UNIQUE,
            peer_id BLOB NOT NULL,
            fingerprint TEXT,
            name TEXT
        ) STRICT;
        CREATE TABLE attachment (
            id INTEGER PRIMARY KEY,
            sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
            size INTEGER NOT NULL,
            kind TEXT NOT NULL
        ) STRICT;
        CREATE TABLE attachment_chunk (
            id INTEGER PRIMARY KEY,
            bytes BLOB NOT NULL
        ) STRICT;
        CREATE TABLE attachment_link (
            id INTEGER PRIMARY KEY,
            app_id BLOB NOT NULL,
            attachment INTEGER NOT NULL REFERENCES attachment (id),
            origin INTEGER NOT NULL REFERENCES origin (id),
            UNIQUE (app_id, attachment)
        ) STRICT;
        CREATE INDEX attachment_link_attachment ON attachment_link (attachment);
        CREATE TABLE message (
            id INTEGER PRIMARY KEY,
            conversation INTEGER NOT NULL REFERENCES conversation (id),
            app_id BLOB,
            nameless BLOB CHECK (length(nameless) = 32),
            direction INTEGER NOT NULL CHECK (direction IN (0, 1, 2)),
            sender INTEGER REFERENCES person (id),
            time INTEGER,
            time_unit INTEGER NOT NULL CHECK (time_unit IN (0, 1, 2)),
            received_at INTEGER,
            edited_at INTEGER,
            expires_at INTEGER,
            is_edited INTEGER NOT NULL CHECK (is_edited IN (0, 1)),
            body TEXT,
            status TEXT,
            reply_to BLOB,
            attachment BLOB,
            attachment_type TEXT,
            attachment_name TEXT,
            is_conflicting INTEGER NOT NULL DEFAULT 0 CHECK (is_conflicting IN (0, 1)),
            source INTEGER NOT NULL,
            CHECK ((app_id IS NULL) <> (nameless IS NULL))
        ) STRICT;
        CREATE INDEX message_conversation ON message (conversation, id);
        CREATE INDEX message_app_id ON message (conversation, app_id) WHERE app_id IS NOT NULL;
        CREATE INDEX message_nameless ON message (conversation, nameless) WHERE nameless IS NOT NULL;
        CREATE INDEX message_attachment ON message (attachment) WHERE attachment IS NOT NULL;
        CREATE TABLE source (
            id INTEGER PRIMARY KEY,
            origin INTEGER NOT NULL REFERENCES origin (id),
            platform INTEGER NOT NULL CHECK (platform IN (1, 2)),
            is_strict INTEGER NOT NULL CHECK (is_strict IN (0, 1)),
            sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
            json BLOB NOT NULL
        ) STRICT;
        CREATE TABLE other_source (
            id INTEGER PRIMARY KEY,
            message INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
            origin INTEGER NOT NULL REFERENCES origin (id),
            platform INTEGER NOT NULL CHECK (platform IN (1, 2)),
            is_strict INTEGER NOT NULL CHECK (is_strict IN (0, 1)),
            sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
            json BLOB NOT NULL,
            UNIQUE (message, sha256)
        ) STRICT;
        CREATE TABLE removed (
            conversation INTEGER NOT NULL REFERENCES conversation (id),
            key BLOB NOT NULL,
            is_nameless INTEGER NOT NULL CHECK (is_nameless IN (0, 1)),
            direction INTEGER NOT NULL CHECK (direction IN (0, 1, 2)),
            time INTEGER NOT NULL,
            removed_at INTEGER NOT NULL,
            PRIMARY KEY (conversation, key, is_nameless, direction, time)
        ) STRICT, WITHOUT ROWID;
        CREATE VIRTUAL TABLE message_text USING fts5 (
            body, attachment_name, content = 'message', content_rowid = 'id', tokenize = '\(tokenizer)'
        );
        """
}
