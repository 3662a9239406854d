import SQLiteDatabase
import SophaxFiles
import SystemIO

/// What an archive holds, in numbers.
package struct ArchiveContents: Sendable {
    package var messages = 0
    /// Messages that share their id with another one.
    package var conflicting = 0
    /// Those that have messages.
    package var conversations = 0
    package var people = 0
    /// Different contents, and their bytes.
    package var attachments = 0
    package var attachmentBytes = 0
    /// Attachments that messages mention and that are not there.
    package var missingAttachments = 0
    /// Tombstones.
    package var removed = 0
    /// Milliseconds since 1970 of the first and the last message that have a plausible date.
    package var first: Int64?
    package var last: Int64?
    /// Bytes of pages that hold nothing: what `compact` gives back at least.
    package var freeBytes = 0

    package init() {}
}

/// One import, as the archive remembers it.
package struct ImportRecord: Sendable {
    package let id: Int64
    /// What the source was: a name of `HistoryOrigin.Kind`.
    package let kind: String
    /// As it was named then.
    package let path: FilePath
    package let sha256: [UInt8]?
    package let ownerName: ByteText?
    package let ownerFingerprint: String?
    /// Milliseconds since 1970; `endedAt` is nil of one that did not come to its end.
    package let begunAt: Int64
    package let endedAt: Int64?
    /// What the import counted, a JSON object with numbers; nil of one that was killed.
    package let counts: [UInt8]?
}

/// A conversation of an archive.
package struct ArchivedConversation: Sendable {
    package let id: ConversationID
    /// The name of the person, where somebody told it.
    package let name: ByteText?
    package var messages = 0
    /// Milliseconds since 1970 of the first and the last message that have a plausible date.
    package var first: Int64?
    package var last: Int64?
}

extension Archive {
    /// Counts everything.
    package func contents() throws(ArchiveError) -> ArchiveContents {
        try reading { () throws(ArchiveError) in
            try attempt { () throws(DatabaseError) in
                var contents = ArchiveContents()
                contents.messages = try number("SELECT count(*) FROM message")
                contents.conflicting = try number("SELECT count(*) FROM message WHERE is_conflicting = 1")
                contents.conversations = try number(
                    "SELECT count(*) FROM conversation c WHERE EXISTS (SELECT 1 FROM message WHERE conversation = c.id)"
                )
                contents.people = try number("SELECT count(*) FROM person")
                contents.attachments = try number("SELECT count(*) FROM attachment")
                contents.attachmentBytes = try number("SELECT ifnull(sum(size), 0) FROM attachment")
                contents.missingAttachments = try number(
                    """
                    SELECT count(DISTINCT attachment) FROM message WHERE attachment IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM attachment_link WHERE app_id = message.attachment)
                    """)
                contents.removed = try number("SELECT count(*) FROM removed")
                contents.first = try date("", "ASC")
                contents.last = try date("", "DESC")
                contents.freeBytes = try number("PRAGMA freelist_count") * number("PRAGMA page_size")
                return contents
            }
        }
    }

    /// All imports, in their order.
    package func imports() throws(ArchiveError) -> [ImportRecord] {
        try reading { () throws(ArchiveError) in
            try attempt { () throws(DatabaseError) in
                try database.rows("SELECT \(ImportRecord.columns) FROM import i ORDER BY i.id") {
                    (row: borrowing Row) throws(DatabaseError) in try ImportRecord(row, from: 0)
                }
            }
        }
    }

    /// All conversations, in the order of their ids.
    package func conversations() throws(ArchiveError) -> [ArchivedConversation] {
        try reading { () throws(ArchiveError) in
            try attempt { () throws(DatabaseError) in
                var counts: [Int64: Int] = [:]
                try database.visit("SELECT conversation, count(*) FROM message GROUP BY conversation") {
                    row throws(DatabaseError) in
                    counts[try row.requiredInteger(0)] = Int(clamping: try row.requiredInteger(1))
                    return true
                }
                let found = try database.rows(
                    """
                    SELECT c.id, c.peer_id, p.name FROM conversation c LEFT JOIN person p
                    ON p.key = c.key AND c.kind = 'direct' ORDER BY c.key
                    """
                ) { row throws(DatabaseError) in
                    (
                        row: try row.requiredInteger(0),
                        conversation: ArchivedConversation(
                            id: ConversationID(ByteText(try row.requiredBlob(1))),
                            name: row.text(2).map { ByteText($0) })
                    )
                }
                var conversations: [ArchivedConversation] = []
                for (row, one) in found {
                    var conversation = one
                    conversation.messages = counts[row] ?? 0
                    conversation.first = try date("conversation = \(row) AND", "ASC")
                    conversation.last = try date("conversation = \(row) AND", "DESC")
                    conversations.append(conversation)
                }
                return conversations
            }
        }
    }

    /// The time of the first or last message with a plausible date; the numbers of messages are in the order of time.
    private func date(_ condition: String, _ order: String) throws(DatabaseError) -> Int64? {
        let plausible = AppTime.plausible
        let found = try database.first(
            "SELECT time FROM message WHERE \(condition) time BETWEEN ? AND ? ORDER BY id \(order) LIMIT 1",
            .integer(Int64(plausible.lowerBound) * 1_000), .integer(Int64(plausible.upperBound) * 1_000)
        ) { $0.integer(0) }
        return found.flatMap { $0 }
    }

    private func number(_ sql: String) throws(DatabaseError) -> Int {
        Int(clamping: try database.first(sql) { $0.integer(0) ?? 0 } ?? 0)
    }
}

extension ImportRecord {
    /// For a table `import` called `i`.
    static let columns =
        "i.id, i.kind, i.path, i.sha256, i.owner_name, i.owner_fingerprint, i.begun_at, i.ended_at, i.counts"
    static let columnCount = 9

    /// The columns of a row, from one on.
    init(_ row: borrowing Row, from start: Int) throws(DatabaseError) {
        id = try row.requiredInteger(start)
        kind = String(decoding: try row.requiredText(start + 1), as: UTF8.self)
        path = FilePath(bytes: try row.requiredBlob(start + 2))
        sha256 = row.blob(start + 3)
        ownerName = row.text(start + 4).map { ByteText($0) }
        ownerFingerprint = row.text(start + 5).map { String(decoding: $0, as: UTF8.self) }
        begunAt = try row.requiredInteger(start + 6)
        endedAt = row.integer(start + 7)
        counts = row.text(start + 8)
    }
}
