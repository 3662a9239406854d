import History
import SQLiteDatabase
import SophaxFiles

/// Which messages are to be removed.
package struct RemovalSelection {
    /// Conversations, times, senders.
    package var filter: MessageFilter
    /// Only messages with one of these ids.
    package var ids: Set<ByteText>?

    package init(_ filter: MessageFilter, ids: Set<ByteText>? = nil) {
        self.filter = filter
        self.ids = ids
    }
}

/// What a removal took out, or would.
package struct RemovalReport: Equatable, Sendable {
    package internal(set) var messages = 0
    package internal(set) var conversations = 0
    /// Contents of attachments that nothing refers to any more.
    package internal(set) var attachments = 0
    package internal(set) var attachmentBytes = 0

    package init() {}
}

extension Archive {
    /// Counts the messages that `remove` would take out.
    package func removable(_ selection: RemovalSelection) throws(ArchiveError) -> RemovalReport {
        try reading { () throws(ArchiveError) in
            let chosen = try chosen(selection)
            var report = RemovalReport()
            report.messages = chosen.numbers.count
            report.conversations = chosen.conversations
            return report
        }
    }

    /// Takes messages out, with all their sources, their text in the index, and attachments that only they mention. What
    /// remains of each is a tombstone: its conversation, id, direction and time, so that no import brings it back.
    ///
    /// Afterwards no page of the file holds the text: SQLite overwrites what is deleted (`secure_delete`), and the index is
    /// written anew, for a deleted word would stay in its older parts. Not so earlier copies of the file, and what a disk
    /// keeps of blocks that were overwritten; those are encrypted.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func remove(_ selection: RemovalSelection, now: Int64) throws(ArchiveError) -> RemovalReport {
        try changing { () throws(ArchiveError) in
            let chosen = try chosen(selection)
            guard !chosen.numbers.isEmpty else { return RemovalReport() }
            var report = RemovalReport()
            report.conversations = chosen.conversations
            let removal = try attempt { () throws(DatabaseError) in try MessageRemoval(database, now: now) }
            // The index wants ascending numbers.
            for number in chosen.numbers.sorted() {
                try attempt { () throws(DatabaseError) in try removal.remove(number) }
                report.messages += 1
            }
            try attempt { () throws(DatabaseError) in
                try removal.removeAttachments(&report)
                try database.execute("INSERT INTO message_text (message_text) VALUES ('optimize')")
            }
            return report
        }
    }

    private func chosen(
        _ selection: RemovalSelection
    ) throws(ArchiveError) -> (numbers: [Int64], conversations: Int) {
        let conversations = try attempt { () throws(DatabaseError) in
            try database.rows("SELECT id, peer_id FROM conversation ORDER BY id") { row throws(DatabaseError) in
                (row: try row.requiredInteger(0), id: ConversationID(ByteText(try row.requiredBlob(1))))
            }
        }
        var numbers: [Int64] = []
        var count = 0
        for conversation in conversations where selection.filter.takes(conversation.id) {
            let before = numbers.count
            if let ids = selection.ids {
                numbers += try chosen(ids, conversation.row, conversation.id, selection.filter)
            } else {
                var parts = try ConversationParts(database, conversation.row, conversation.id)
                while let piece = try parts.next() {
                    for (message, number) in zip(piece.part.messages, piece.numbers)
                    where selection.filter.takes(message, in: conversation.id) { numbers.append(number) }
                }
            }
            if numbers.count > before { count += 1 }
        }
        return (numbers, count)
    }

    /// Messages with these ids, found by the index of ids.
    private func chosen(
        _ ids: Set<ByteText>, _ conversation: Int64, _ id: ConversationID, _ filter: MessageFilter
    ) throws(ArchiveError) -> [Int64] {
        var numbers: [Int64] = []
        for text in ids.sorted() {
            let found = try attempt { () throws(DatabaseError) in
                try database.rows(
                    "SELECT id, source FROM message WHERE conversation = ? AND app_id = ?", .integer(conversation),
                    .blob(text.bytes)
                ) { row throws(DatabaseError) in (try row.requiredInteger(0), try row.requiredInteger(1)) }
            }
            for (number, source) in found {
                guard let message = try StoredSource.read(source, database).message() else { continue }
                if filter.takes(message, in: id) { numbers.append(number) }
            }
        }
        return numbers
    }
}

/// Takes single messages out; runs inside of a transaction.
private final class MessageRemoval {
    private struct Row {
        let conversation: Int64
        let id: [UInt8]?
        let nameless: [UInt8]?
        let direction: Int64
        let time: Int64?
        let body: SQLiteValue
        let attachmentName: SQLiteValue
        let attachment: [UInt8]?
        let isConflicting: Bool
        let source: Int64
    }

    private let database: Database
    private let now: Int64
    private let find: Statement
    private let deleteText: Statement
    private let deleteMessage: Statement
    private let deleteSource: Statement
    /// Ids of attachments that removed messages mention.
    private var attachments: Set<ByteText> = []

    init(_ database: Database, now: Int64) throws(DatabaseError) {
        self.database = database
        self.now = now
        find = try database.prepare(
            """
            SELECT conversation, app_id, nameless, direction, time, body, attachment_name, attachment, is_conflicting,
                source FROM message WHERE id = ?
            """)
        deleteText = try database.prepare(
            "INSERT INTO message_text (message_text, rowid, body, attachment_name) VALUES ('delete', ?, ?, ?)")
        deleteMessage = try database.prepare("DELETE FROM message WHERE id = ?")
        deleteSource = try database.prepare("DELETE FROM source WHERE id = ?")
    }

    func remove(_ number: Int64) throws(DatabaseError) {
        let found = try find.first(.integer(number)) { row throws(DatabaseError) in
            Row(
                conversation: try row.requiredInteger(0), id: row.blob(1), nameless: row.blob(2),
                direction: try row.requiredInteger(3), time: row.integer(4), body: row.value(5),
                attachmentName: row.value(6), attachment: row.blob(7), isConflicting: try row.requiredFlag(8),
                source: try row.requiredInteger(9))
        }
        guard let row = found else { return }
        try database.run(
            """
            INSERT INTO removed (conversation, key, is_nameless, direction, time, removed_at)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, .integer(row.conversation), .blob(row.id ?? row.nameless ?? []), .flag(row.id == nil),
            .integer(row.direction), .integer(Removal.time(row.time)), .integer(now))
        try deleteText.run(.integer(number), row.body, row.attachmentName)
        // Further sources go with it.
        try deleteMessage.run(.integer(number))
        try deleteSource.run(.integer(row.source))
        if let attachment = row.attachment { attachments.insert(ByteText(attachment)) }
        if row.isConflicting, let id = row.id { try settle(row.conversation, id) }
    }

    /// A message that is alone with its id now is in conflict with nobody.
    private func settle(_ conversation: Int64, _ id: [UInt8]) throws(DatabaseError) {
        try database.run(
            """
            UPDATE message SET is_conflicting = 0 WHERE conversation = ?1 AND app_id = ?2
            AND (SELECT count(*) FROM message WHERE conversation = ?1 AND app_id = ?2) = 1
            """, .integer(conversation), .blob(id))
    }

    func removeAttachments(_ report: inout RemovalReport) throws(DatabaseError) {
        for id in attachments.sorted() {
            let isMentioned =
                try database.first(
                    "SELECT 1 FROM message WHERE attachment = ? LIMIT 1", .blob(id.bytes)
                ) { _ in true } ?? false
            if isMentioned { continue }
            let contents = try database.rows(
                "SELECT attachment FROM attachment_link WHERE app_id = ?", .blob(id.bytes)
            ) { row throws(DatabaseError) in try row.requiredInteger(0) }
            try database.run("DELETE FROM attachment_link WHERE app_id = ?", .blob(id.bytes))
            for content in contents { try removeContent(content, &report) }
        }
    }

    private func removeContent(_ attachment: Int64, _ report: inout RemovalReport) throws(DatabaseError) {
        let isLinked =
            try database.first(
                "SELECT 1 FROM attachment_link WHERE attachment = ? LIMIT 1", .integer(attachment)
            ) { _ in true } ?? false
        if isLinked { return }
        let rows = AttachmentChunk.rows(of: attachment)
        let size = try database.first("SELECT size FROM attachment WHERE id = ?", .integer(attachment)) {
            $0.integer(0) ?? 0
        }
        try database.run(
            "DELETE FROM attachment_chunk WHERE id >= ? AND id < ?", .integer(rows.lowerBound),
            .integer(rows.upperBound))
        try database.run("DELETE FROM attachment WHERE id = ?", .integer(attachment))
        report.attachments += 1
        report.attachmentBytes += Int(size ?? 0)
    }
}
