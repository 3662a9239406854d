import CryptoPrimitives
import History
import SQLiteDatabase
import SophaxCore
import SophaxFiles
import SystemIO

/// History of an archive: its conversations in the order of their ids, the messages of each in the order of time.
///
/// Memory is flat: a part holds at most 2,000 messages, or a few mebibytes, whatever the conversation. All of a pass sees
/// one state of the archive.
package struct ArchiveHistory: HistorySource {
    package let origin: HistoryOrigin
    private let archive: Archive

    /// - Parameter path: the file's name, as messages to the user say it.
    package init(_ archive: Archive, path: FilePath) throws(ArchiveError) {
        self.archive = archive
        let (messages, bytes) = try attempt { () throws(DatabaseError) in
            let messages = try archive.database.first("SELECT count(*) FROM message") { $0.integer(0) ?? 0 }
            // What the pages of the file hold is near enough.
            let pages = try archive.database.first("PRAGMA page_count") { $0.integer(0) ?? 0 }
            return (Int(messages ?? 0), Int(pages ?? 0) * 4_096)
        }
        origin = HistoryOrigin(.archive, path: path, bytes: bytes, messages: messages)
    }

    package func send(_ request: HistoryRequest, to sink: any HistorySink) throws(HistoryError) {
        do throws(ArchiveError) {
            try archive.reading { () throws(ArchiveError) in
                let pass = ArchivePass(archive.database, request, sink)
                try pass.run()
            }
        } catch .source(let error) {
            throw error
        } catch {
            throw .other(error)
        }
    }

    /// One transaction around all that is read.
    package func holdingStill(_ body: () throws(HistoryError) -> Void) throws(HistoryError) {
        do throws(ArchiveError) {
            try archive.reading { () throws(ArchiveError) in
                do throws(HistoryError) { try body() } catch { throw .source(error) }
            }
        } catch .source(let error) {
            throw error
        } catch {
            throw .other(error)
        }
    }
}

/// One pass over an archive.
private final class ArchivePass {
    private let database: Database
    private let request: HistoryRequest
    private let sink: any HistorySink

    init(_ database: Database, _ request: HistoryRequest, _ sink: any HistorySink) {
        self.database = database
        self.request = request
        self.sink = sink
    }

    /// Runs what may throw the sink's errors.
    private func asking<R>(_ body: () throws(HistoryError) -> R) throws(ArchiveError) -> R {
        do throws(HistoryError) { return try body() } catch { throw .source(error) }
    }

    func run() throws(ArchiveError) {
        let names = try people()
        if !names.isEmpty { try asking { () throws(HistoryError) in try sink.take(names) } }
        let conversations = try attempt { () throws(DatabaseError) in
            try database.rows("SELECT id, peer_id FROM conversation ORDER BY key") { row throws(DatabaseError) in
                (row: try row.requiredInteger(0), id: ConversationID(ByteText(try row.requiredBlob(1))))
            }
        }
        for conversation in conversations where request.conversations(conversation.id) {
            var parts = try ConversationParts(database, conversation.row, conversation.id)
            while let part = try parts.next() {
                request.progress(part.bytes)
                if part.lost > 0 {
                    let loss = HistoryLoss(conversation.id.text, .conversations, .messages(part.lost))
                    try asking { () throws(HistoryError) in try sink.take(loss) }
                }
                try asking { () throws(HistoryError) in try sink.take(part.part) }
            }
            try sendRemoved(conversation.row, conversation.id)
        }
        if request.wantsAttachments { try sendAttachments() }
    }

    private func people() throws(ArchiveError) -> PeerNames {
        var names = PeerNames()
        let known = try attempt { () throws(DatabaseError) in
            try database.rows(
                "SELECT fingerprint, name FROM person WHERE fingerprint IS NOT NULL AND name IS NOT NULL ORDER BY key"
            ) { row throws(DatabaseError) in (try row.requiredText(0), try row.requiredText(1)) }
        }
        for (hex, name) in known {
            guard let bytes = Hex.decode(hex.span), let fingerprint = try? Fingerprint(bytes: bytes) else { continue }
            names.add(name, of: fingerprint)
        }
        return names
    }

    private func sendRemoved(_ row: Int64, _ id: ConversationID) throws(ArchiveError) {
        let removed = try attempt { () throws(DatabaseError) in
            try database.rows(
                "SELECT key, is_nameless, direction, time, removed_at FROM removed WHERE conversation = ?",
                .integer(row)
            ) { row throws(DatabaseError) in
                let key = try row.requiredBlob(0)
                let time = try row.requiredInteger(3)
                return RemovedMessage(
                    conversation: id, key: try row.requiredFlag(1) ? .nameless(key) : .id(ByteText(key)),
                    direction: MessageDirection(rawValue: try row.requiredInteger(2)) ?? .unknown,
                    time: time == Removal.time(nil) ? nil : time, removedAt: try row.requiredInteger(4))
            }
        }
        if !removed.isEmpty { try asking { () throws(HistoryError) in try sink.take(removed) } }
    }

    // MARK: Attachments

    private func sendAttachments() throws(ArchiveError) {
        let links = try attempt { () throws(DatabaseError) in
            try database.rows(
                """
                SELECT l.app_id, a.id, a.size, a.sha256 FROM attachment_link l JOIN attachment a ON a.id = l.attachment
                ORDER BY l.app_id, l.attachment
                """
            ) { row throws(DatabaseError) in
                (
                    id: ByteText(try row.requiredBlob(0)), row: try row.requiredInteger(1),
                    size: Int(try row.requiredInteger(2)), sha256: try row.requiredBlob(3)
                )
            }
        }
        for link in links where request.takes(attachment: link.id) {
            let isWanted = try asking { () throws(HistoryError) in
                try sink.begin(attachment: link.id, size: link.size, sha256: link.sha256)
            }
            guard isWanted else { continue }
            let isWhole = try AttachmentContent.read(link.row, size: link.size, sha256: link.sha256, database) {
                (bytes) throws(ArchiveError) in
                request.progress(bytes.count)
                do throws(HistoryError) { try sink.take(attachment: bytes) } catch { throw .source(error) }
            }
            if isWhole {
                try asking { () throws(HistoryError) in try sink.endAttachment() }
            } else {
                let loss = HistoryLoss(link.id, .attachments, .wrongContent)
                try asking { () throws(HistoryError) in try sink.take(loss) }
            }
        }
    }
}

/// The bytes of an attachment, piece by piece.
enum AttachmentContent {
    /// Lends each piece; false when it is not what was stored: another length, or another hash.
    static func read(
        _ attachment: Int64, size: Int, sha256: [UInt8], _ database: Database,
        _ body: (Span<UInt8>) throws(ArchiveError) -> Void
    ) throws(ArchiveError) -> Bool {
        let rows = AttachmentChunk.rows(of: attachment)
        var hash = SHA256()
        var count = 0
        var next = rows.lowerBound
        while next < rows.upperBound {
            // One piece at a time, so that nothing is open while others work with it.
            guard let piece = try piece(next, database) else { break }
            hash.update(piece.span)
            count += piece.count
            try body(piece.span)
            next += 1
        }
        let found = hash.finish()
        return count == size && found == sha256
    }

    private static func piece(_ row: Int64, _ database: Database) throws(ArchiveError) -> [UInt8]? {
        try attempt { () throws(DatabaseError) in
            try database.first("SELECT bytes FROM attachment_chunk WHERE id = ?", .integer(row)) {
                row throws(DatabaseError) in try row.requiredBlob(0)
            }
        }
    }
}
