import History
import JSONCoding
import SQLiteDatabase
import SophaxFiles

/// A message of an archive with everything that it came from.
package struct ArchivedMessage: Sendable {
    package let conversation: ConversationID
    /// Nil where the JSON that is kept cannot be read as a message.
    package let message: StoredMessage?
    /// Another message has the same id.
    package let isConflicting: Bool
    /// The one that is shown first, then the others in the order of their import.
    package let sources: [ArchivedSource]
}

/// One source JSON of a message, and where it came from.
package struct ArchivedSource: Sendable {
    /// Byte for byte as it stood in the source.
    package let json: [UInt8]
    package let platform: MessagePlatform
    package let isStrict: Bool
    package let sha256: [UInt8]
    /// The file or entry inside of the source; empty when that is the source itself.
    package let item: ByteText
    /// SHA-256 of that file or entry.
    package let itemSHA256: [UInt8]?
    package let importRecord: ImportRecord
}

extension Archive {
    /// All messages with this id, of whatever conversation.
    package func messages(withID id: ByteText) throws(ArchiveError) -> [ArchivedMessage] {
        try reading { () throws(ArchiveError) in
            let conversations = try attempt { () throws(DatabaseError) in
                try database.rows("SELECT id, peer_id FROM conversation ORDER BY key") { row throws(DatabaseError) in
                    (row: try row.requiredInteger(0), id: ConversationID(ByteText(try row.requiredBlob(1))))
                }
            }
            var found: [ArchivedMessage] = []
            for conversation in conversations {
                let rows = try attempt { () throws(DatabaseError) in
                    try database.rows(
                        "SELECT id, source, is_conflicting FROM message WHERE conversation = ? AND app_id = ? ORDER BY id",
                        .integer(conversation.row), .blob(id.bytes)
                    ) { row throws(DatabaseError) in
                        (
                            number: try row.requiredInteger(0), source: try row.requiredInteger(1),
                            isConflicting: try row.requiredFlag(2)
                        )
                    }
                }
                for row in rows {
                    let sources = try sources(of: row.number, shown: row.source)
                    guard let shown = sources.first else { throw .damagedRow(table: "source") }
                    let source = SourceScanner.Source(
                        json: shown.json, platform: shown.platform, isStrict: shown.isStrict)
                    found.append(
                        ArchivedMessage(
                            conversation: conversation.id,
                            message: try scanning { (scanner) throws(OutOfMemory) in try scanner.message(source) },
                            isConflicting: row.isConflicting, sources: sources))
                }
            }
            return found
        }
    }

    /// The conversation and the id of the message with this number.
    package func name(ofMessage number: Int64) throws(ArchiveError) -> (conversation: ConversationID, id: ByteText?)? {
        try attempt { () throws(DatabaseError) in
            try database.first(
                "SELECT c.peer_id, m.app_id FROM message m JOIN conversation c ON c.id = m.conversation WHERE m.id = ?",
                .integer(number)
            ) { row throws(DatabaseError) in
                (ConversationID(ByteText(try row.requiredBlob(0))), row.blob(1).map { ByteText($0) })
            }
        }
    }

    private func sources(of message: Int64, shown: Int64) throws(ArchiveError) -> [ArchivedSource] {
        let columns =
            "s.json, s.platform, s.is_strict, s.sha256, o.item, o.sha256, \(ImportRecord.columns)"
        let origin = "JOIN origin o ON o.id = s.origin JOIN import i ON i.id = o.import"
        return try attempt { () throws(DatabaseError) in
            func read(_ row: borrowing Row) throws(DatabaseError) -> ArchivedSource {
                ArchivedSource(
                    json: try row.requiredBlob(0), platform: MessagePlatform(stored: try row.requiredInteger(1)),
                    isStrict: try row.requiredFlag(2), sha256: try row.requiredBlob(3),
                    item: ByteText(try row.requiredBlob(4)), itemSHA256: row.blob(5),
                    importRecord: try ImportRecord(row, from: 6))
            }
            let first = try database.rows(
                "SELECT \(columns) FROM source s \(origin) WHERE s.id = ?", .integer(shown), each: read)
            let others = try database.rows(
                "SELECT \(columns) FROM other_source s \(origin) WHERE s.message = ? ORDER BY s.id",
                .integer(message), each: read)
            return first + others
        }
    }
}
