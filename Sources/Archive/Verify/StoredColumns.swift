import History
import SQLiteDatabase
import SophaxFiles

/// The messages of a conversation with their columns, some at a time, for comparing them with their sources.
struct StoredColumns {
    struct Row {
        let number: Int64
        let source: StoredSource
        fileprivate let values: [SQLiteValue]
        /// The key of the sender.
        fileprivate let sender: [UInt8]?

        /// Whether the columns are what the source says.
        func fits(_ columns: MessageColumns) -> Bool {
            var (id, nameless) = (SQLiteValue.null, SQLiteValue.null)
            switch columns.key {
            case .id(let text): id = .blob(text)
            case .nameless(let digest): nameless = .blob(digest)
            }
            let expected: [SQLiteValue] = [
                id, nameless, .integer(columns.direction.rawValue), .integer(orNull: columns.time),
                .integer(columns.timeUnit.rawValue), .integer(orNull: columns.receivedAt),
                .integer(orNull: columns.editedAt), .integer(orNull: columns.expiresAt), .flag(columns.isEdited),
                .text(orNull: columns.body), .text(orNull: columns.status), .blob(orNull: columns.replyTo),
                .blob(orNull: columns.attachment), .text(orNull: columns.attachmentType),
                .text(orNull: columns.attachmentName),
            ]
            return values == expected && sender == columns.sender.map(PeerIDForm.short.id)
        }
    }

    private static let maximumRows = 1_000

    private let statement: Statement
    private let conversation: Int64
    private var after: Int64 = .min

    init(_ database: Database, _ conversation: Int64) throws(ArchiveError) {
        statement = try attempt { () throws(DatabaseError) in
            try database.prepare(
                """
                SELECT m.id, m.app_id, m.nameless, m.direction, m.time, m.time_unit, m.received_at, m.edited_at,
                    m.expires_at, m.is_edited, m.body, m.status, m.reply_to, m.attachment, m.attachment_type,
                    m.attachment_name, p.key, s.json, s.platform, s.is_strict, s.sha256, s.origin
                FROM message m JOIN source s ON s.id = m.source LEFT JOIN person p ON p.id = m.sender
                WHERE m.conversation = ? AND m.id > ? ORDER BY m.id LIMIT \(Self.maximumRows)
                """)
        }
        self.conversation = conversation
    }

    /// The next messages; nil at the end.
    mutating func next() throws(ArchiveError) -> [Row]? {
        var rows: [Row] = []
        try attempt { () throws(DatabaseError) in
            try statement.visit(.integer(conversation), .integer(after)) {
                (row: borrowing SQLiteDatabase.Row) throws(DatabaseError) in
                let source = StoredSource(
                    json: try row.requiredBlob(17), platform: try row.requiredInteger(18),
                    isStrict: try row.requiredFlag(19), sha256: try row.requiredBlob(20),
                    origin: try row.requiredInteger(21))
                var values: [SQLiteValue] = []
                for column in 1...15 { values.append(row.value(column)) }
                rows.append(
                    Row(
                        number: try row.requiredInteger(0), source: source, values: values, sender: row.blob(16)))
                return true
            }
        }
        guard let last = rows.last else { return nil }
        after = last.number
        return rows
    }
}
