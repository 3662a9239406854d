/// The tables of `--format sqlite`: plain, and documented in sxkey-formats(5), "Messages as a database".
enum SQLiteSchema {
    /// `application_id`: "SXPL".
    static let applicationID = 0x5358_504C
    static let version = 1

    /// Indexes are there before the rows are: made afterwards they would be sorted in memory.
    static let tables = """
        CREATE TABLE export (
            format TEXT NOT NULL,
            version INTEGER NOT NULL,
            source TEXT NOT NULL
        );
        CREATE TABLE conversation (
            id INTEGER PRIMARY KEY,
            peer_id TEXT NOT NULL,
            name TEXT,
            kind TEXT NOT NULL
        );
        CREATE TABLE message (
            id INTEGER PRIMARY KEY,
            conversation INTEGER NOT NULL REFERENCES conversation (id),
            message_id TEXT,
            direction TEXT,
            sender TEXT,
            sender_name TEXT,
            time TEXT,
            unix_time REAL,
            timestamp TEXT,
            timestamp_unit TEXT,
            body TEXT,
            status TEXT,
            reply_to TEXT,
            edited INTEGER NOT NULL,
            edited_time TEXT,
            received_time TEXT,
            expires_time TEXT,
            attachment_id TEXT,
            attachment_type TEXT,
            attachment_name TEXT,
            attachment_file TEXT,
            conflicting INTEGER NOT NULL,
            source NOT NULL
        );
        CREATE INDEX message_conversation ON message (conversation, unix_time);
        CREATE INDEX message_message_id ON message (message_id);
        CREATE TABLE other_source (
            message INTEGER NOT NULL REFERENCES message (id),
            number INTEGER NOT NULL,
            body TEXT,
            edited_time TEXT,
            source NOT NULL,
            PRIMARY KEY (message, number)
        ) WITHOUT ROWID;
        CREATE TABLE reaction (
            message INTEGER NOT NULL REFERENCES message (id),
            number INTEGER NOT NULL,
            sender TEXT NOT NULL,
            emoji TEXT NOT NULL,
            PRIMARY KEY (message, number)
        ) WITHOUT ROWID;
        CREATE TABLE receipt (
            message INTEGER NOT NULL REFERENCES message (id),
            kind TEXT NOT NULL,
            number INTEGER NOT NULL,
            peer_id TEXT NOT NULL,
            PRIMARY KEY (message, kind, number)
        ) WITHOUT ROWID;
        CREATE VIRTUAL TABLE message_text USING fts5 (
            body, attachment_name, content = 'message', content_rowid = 'id',
            tokenize = 'unicode61 remove_diacritics 2'
        );
        """
}
