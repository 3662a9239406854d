import History
import SQLiteDatabase
import SophaxFiles

/// What to look for in an archive, and how much of it.
package struct SearchRequest: Sendable {
    package enum Order: Hashable, Sendable {
        case newest, oldest
        /// By Okapi BM25: rare words count more, and short messages.
        case best
    }

    package static let defaultLimit = 50

    package var query: SearchQuery
    package var filter: MessageFilter
    package var order: Order
    package var limit: Int

    package init(
        _ query: SearchQuery, _ filter: MessageFilter = MessageFilter(), order: Order = .newest,
        limit: Int = SearchRequest.defaultLimit
    ) {
        self.query = query
        self.filter = filter
        self.order = order
        self.limit = limit
    }
}

/// A message that was found.
package struct SearchHit: Sendable {
    /// Its row, which is its place in time.
    package let number: Int64
    package let conversation: ConversationID
    /// The name of the other person of a direct conversation.
    package let conversationName: [UInt8]?
    package let id: [UInt8]?
    package let direction: MessageDirection
    /// Who sent a received message, and the name that the archive has for them.
    package let sender: [UInt8]?
    package let senderName: [UInt8]?
    /// Milliseconds since 1970.
    package let time: Int64?
    package let isEdited: Bool
    package let replyTo: [UInt8]?
    package let body: [UInt8]?
    package let attachment: [UInt8]?
    package let attachmentType: [UInt8]?
    package let attachmentName: [UInt8]?
}

extension Archive {
    /// Lends the messages that were found to `body` in the wanted order, until it says no.
    ///
    /// Without a word to look for these are the messages that the filter takes, newest first where the best are wanted.
    package func search(
        _ request: SearchRequest, each body: (SearchHit) throws(ArchiveError) -> Bool
    ) throws(ArchiveError) {
        try reading { () throws(ArchiveError) in
            let statement = try attempt { () throws(DatabaseError) in try SearchStatement(request, database) }
            guard let statement else { return }
            try database.visit(statement.sql, values: statement.values) { (row) throws(ArchiveError) in
                try body(try attempt { () throws(DatabaseError) in try SearchHit(row) })
            }
        }
    }

    package func search(_ request: SearchRequest) throws(ArchiveError) -> [SearchHit] {
        var hits: [SearchHit] = []
        try search(request) { hit throws(ArchiveError) in
            hits.append(hit)
            return true
        }
        return hits
    }

    /// How many messages there are to find, whatever the limit; nil where the index alone does not tell, since every message
    /// would have to be looked at.
    package func countMatches(of request: SearchRequest) throws(ArchiveError) -> Int? {
        try reading { () throws(ArchiveError) in
            try attempt { () throws(DatabaseError) in
                guard let expression = request.query.expression,
                    try FilterSQL(request.filter, database).isEmpty
                else { return nil }
                let count = try database.first(
                    "SELECT count(*) FROM message_text WHERE message_text MATCH ?", .text(expression)
                ) { (row) throws(DatabaseError) in try row.requiredInteger(0) }
                return Int(count ?? 0)
            }
        }
    }
}

/// A search as SQL.
struct SearchStatement {
    let sql: String
    let values: [SQLiteValue]

    private static let columns = """
        SELECT m.id, c.peer_id, m.app_id, m.direction, p.peer_id, p.name, m.time, m.is_edited, m.reply_to, m.body,
            m.attachment, m.attachment_type, m.attachment_name, o.name
        """
    /// Only rows that are shown are joined with names.
    private static let names = """
        CROSS JOIN conversation c ON c.id = m.conversation LEFT JOIN person p ON p.id = m.sender
        LEFT JOIN person o ON o.key = c.key
        """

    /// Nil when no message can be found.
    init?(_ request: SearchRequest, _ database: Database) throws(DatabaseError) {
        let filter = try FilterSQL(request.filter, database)
        guard !filter.isNever, request.limit > 0 else { return nil }
        let expression = request.query.expression
        let numbers = filter.numberConditions(expression == nil ? "m.id" : "message_text.rowid")
        let direction = request.order == .oldest ? "ASC" : "DESC"
        let limit = SQLiteValue.integer(request.limit)
        guard let expression else {
            let conditions = filter.conditions + numbers.conditions
            let choice = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
            sql = "\(Self.columns) FROM message m \(Self.names) \(choice) ORDER BY m.id \(direction) LIMIT ?"
            values = filter.values + numbers.values + [limit]
            return
        }
        let conditions = ["message_text MATCH ?"] + numbers.conditions + filter.conditions
        values = [.text(expression)] + numbers.values + filter.values + [limit]
        // The index leads: it has the messages in the order of their numbers, so nothing is sorted.
        let joined = "message_text CROSS JOIN message m ON m.id = message_text.rowid"
        guard request.order == .best else {
            sql = """
                \(Self.columns) FROM \(joined) \(Self.names) WHERE \(conditions.joined(separator: " AND "))
                ORDER BY message_text.rowid \(direction) LIMIT ?
                """
            return
        }
        // The best are found by number and weight alone; only they are looked at further.
        sql = """
            \(Self.columns) FROM (
                SELECT message_text.rowid AS number, bm25(message_text) AS weight
                FROM \(filter.conditions.isEmpty ? "message_text" : joined)
                WHERE \(conditions.joined(separator: " AND ")) ORDER BY weight, number DESC LIMIT ?
            ) best CROSS JOIN message m ON m.id = best.number \(Self.names) ORDER BY best.weight, best.number DESC
            """
    }
}

extension SearchHit {
    fileprivate init(_ row: borrowing Row) throws(DatabaseError) {
        number = try row.requiredInteger(0)
        conversation = ConversationID(ByteText(try row.requiredBlob(1)))
        id = row.blob(2)
        direction = MessageDirection(rawValue: try row.requiredInteger(3)) ?? .unknown
        sender = row.blob(4)
        senderName = row.text(5)
        time = row.integer(6)
        isEdited = try row.requiredFlag(7)
        replyTo = row.blob(8)
        body = row.text(9)
        attachment = row.blob(10)
        attachmentType = row.text(11)
        attachmentName = row.text(12)
        conversationName = conversation.kind == .direct ? row.text(13) : nil
    }
}
