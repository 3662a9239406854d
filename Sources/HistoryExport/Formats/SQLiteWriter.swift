import History
import JSONCoding
import SQLiteDatabase
import SophaxFiles
import SystemIO

/// `sqlite`: a plain database with full text, for other tools.
///
/// It writes a draft that nobody else knows of, so it keeps no journal on the disk; the caller syncs it and gives it its name.
package final class SQLiteWriter: HistoryWriter {
    /// Rows of a transaction.
    private static let batch = 20_000

    private let database: Database
    private let insertMessage: Statement
    private let insertOther: Statement
    private let insertReaction: Statement
    private let insertReceipt: Statement
    private var conversation: Int64 = 0
    private var conversations: [ConversationID: Int64] = [:]
    private var message: Int64 = 0
    private var names = PeerNames()
    private var people = SenderNames(PeerNames())

    /// Makes the tables in an empty file.
    package init(at path: FilePath) throws(ExportError) {
        do throws(DatabaseError) {
            database = try Database(opening: path, .create)
            // The draft goes on a failure, and is synced before it has a name.
            for setting in ["journal_mode = MEMORY", "synchronous = OFF", "secure_delete = OFF", "cache_size = -16000"]
            {
                try database.execute("PRAGMA \(setting)")
            }
            try database.execute("PRAGMA application_id = \(SQLiteSchema.applicationID)")
            try database.execute("PRAGMA user_version = \(SQLiteSchema.version)")
            try database.execute(SQLiteSchema.tables)
            let blanks = Array(repeating: "?", count: 23).joined(separator: ", ")
            insertMessage = try database.prepare("INSERT INTO message VALUES (\(blanks))")
            insertOther = try database.prepare("INSERT INTO other_source VALUES (?, ?, ?, ?, ?)")
            insertReaction = try database.prepare("INSERT INTO reaction VALUES (?, ?, ?, ?)")
            insertReceipt = try database.prepare("INSERT INTO receipt VALUES (?, ?, ?, ?)")
            try database.execute("BEGIN")
        } catch {
            throw .database(error)
        }
    }

    package var needs: ExportNeeds { [] }

    package func begin(_ overview: ExportOverview) throws(ExportError) {
        try running { () throws(DatabaseError) in
            try database.run(
                "INSERT INTO export VALUES (?, ?, ?)", "sxkey-sqlite", .integer(SQLiteSchema.version),
                .text(overview.origin.kind.rawValue))
        }
    }

    package func take(_ people: PeerNames) throws(ExportError) {
        names = people
        self.people = SenderNames(people)
    }

    package func begin(conversation id: ConversationID) throws(ExportError) {
        if let known = conversations[id] {
            conversation = known
            return
        }
        conversation = Int64(conversations.count + 1)
        conversations[id] = conversation
        let name = id.kind == .direct ? names.name(of: id.text.bytes) : nil
        try running { () throws(DatabaseError) in
            try database.run(
                "INSERT INTO conversation VALUES (?, ?, ?, ?)", .integer(conversation), Self.text(id.text.bytes),
                Self.text(name), .text(id.kind.rawValue))
        }
    }

    package func write(_ part: ExportPart) throws(ExportError) {
        for entry in part.messages {
            try running { () throws(DatabaseError) in
                try insert(entry, part)
                if message % Int64(Self.batch) == 0 { try database.execute("COMMIT; BEGIN") }
            }
        }
    }

    private func insert(_ entry: ExportMessage, _ part: ExportPart) throws(DatabaseError) {
        let one = entry.message
        message += 1
        let sender = part.sender(of: one)
        let time = one.time
        try insertMessage.run(
            .integer(message), .integer(conversation), Self.text(one.id?.bytes), Self.text(one.text(.direction)?.bytes),
            Self.text(sender), Self.text(sender.flatMap { people.name(of: $0) }), Self.time(time),
            .real(orNull: time.flatMap { $0.unixSeconds.isFinite ? $0.unixSeconds : nil }),
            Self.text(time.map { Array($0.source.utf8) }), Self.text(time.map { Array($0.unit.rawValue.utf8) }),
            Self.text(one.body?.bytes), Self.text(one.status?.bytes), Self.text(one.text(.replyToID)?.bytes),
            .flag(one.isEdited), Self.time(one.time(.editedAt)), Self.time(one.time(.receivedAt)),
            Self.time(one.time(.expiresAt)), Self.text(one.text(.attachmentID)?.bytes),
            Self.text(one.text(.attachmentMimeType)?.bytes), Self.text(one.text(.attachmentFilename)?.bytes),
            Self.text(file(of: one, part)), .flag(entry.isConflicting), Self.source(one))
        for (number, other) in entry.others.enumerated() {
            try insertOther.run(
                .integer(message), .integer(number + 1), Self.text(other.body?.bytes), Self.time(other.time(.editedAt)),
                Self.source(other))
        }
        for (number, reaction) in one.reactions.enumerated() {
            try insertReaction.run(
                .integer(message), .integer(number + 1), Self.text(reaction.sender.bytes),
                Self.text(reaction.emoji.bytes))
        }
        for (kind, field) in Self.receipts {
            for (number, peer) in one.list(field).enumerated() {
                try insertReceipt.run(.integer(message), .text(kind), .integer(number + 1), Self.text(peer.bytes))
            }
        }
    }

    private static let receipts: [(String, StoredMessage.Field)] = [("delivered", .deliveredBy), ("read", .readBy)]

    private func file(of message: StoredMessage, _ part: ExportPart) -> [UInt8]? {
        guard part.attachments.areWritten, let id = message.text(.attachmentID) else { return nil }
        return part.attachments.file(of: id.byteText)?.path.bytes
    }

    package func end(conversation: ConversationID) throws(ExportError) {}

    /// Makes the index of words; nothing is written afterwards.
    package func finish(_ totals: ExportTotals) throws(ExportError) {
        try running { () throws(DatabaseError) in
            try database.execute("COMMIT")
            try database.execute("INSERT INTO message_text (message_text) VALUES ('rebuild')")
            // How other programs find it.
            try database.execute("PRAGMA journal_mode = DELETE")
        }
    }

    private func running(_ body: () throws(DatabaseError) -> Void) throws(ExportError) {
        do throws(DatabaseError) { try body() } catch { throw .database(error) }
    }

    // MARK: Values

    /// Text as UTF-8, NUL bytes included; what is no UTF-8 becomes U+FFFD.
    private static func text(_ bytes: [UInt8]?) -> SQLiteValue {
        guard let bytes else { return .null }
        return JSONText.firstInvalidUTF8(bytes.span) == nil
            ? .text(bytes) : .text(String(decoding: bytes, as: UTF8.self))
    }

    /// The source JSON, byte for byte: text where it is UTF-8, else a blob.
    private static func source(_ message: StoredMessage) -> SQLiteValue {
        let bytes = message.sourceJSON
        return JSONText.firstInvalidUTF8(bytes.span) == nil ? .text(bytes) : .blob(bytes)
    }

    private static func time(_ time: AppTime?) -> SQLiteValue {
        guard let time else { return .null }
        var text: [UInt8] = []
        return RFC3339.append(unixSeconds: time.unixSeconds, to: &text) ? .text(text) : .null
    }
}
