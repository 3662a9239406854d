import CryptoPrimitives
import History
import SQLiteDatabase
import SophaxFiles

/// Puts messages into the archive, each where it belongs; runs inside of transactions that the importer makes.
final class ImportWriter {
    /// What is in the index of a message, or is to be.
    struct IndexedText {
        let body: SQLiteValue
        let attachmentName: SQLiteValue
    }

    private struct OriginKey: Hashable {
        let item: ByteText
        let sha256: [UInt8]?
    }

    /// A message of the archive with the same id.
    struct Candidate {
        let number: Int64
        let source: Int64
        let isConflicting: Bool
        let sha256: [UInt8]
    }

    let database: Database
    private let run: Int64
    private let insertMessage: Statement
    private let insertSource: Statement
    private let findByID: Statement
    private let findNameless: Statement
    private let findOther: Statement
    private let insertOther: Statement
    private let insertText: Statement
    private let deleteText: Statement
    private let findRemoved: Statement

    private var conversations: [[UInt8]: (row: Int64, digits: Int)] = [:]
    private var people: [[UInt8]: (row: Int64, digits: Int)] = [:]
    private var origins: [OriginKey: Int64] = [:]
    private var nextSource: Int64
    private var hasRemovals: Bool
    /// Where the message before stands, for those without a date; by conversation.
    private var last: (conversation: Int64, number: Int64)?

    /// Messages that are new since the index was brought up to date, in the order in which they came.
    private var fresh: [(number: Int64, text: IndexedText)] = []
    /// Messages that changed since then: what the index has of them, nil for new ones, and what it is to have.
    private var changed: [Int64: (old: IndexedText?, new: IndexedText)] = [:]
    /// Sources from this one on belong to messages in `fresh`.
    private var firstFreshSource: Int64

    /// Messages whose text in the index is not up to date.
    var pendingTexts: Int { fresh.count + changed.count }

    /// `run`: the row of the import.
    init(_ database: Database, run: Int64) throws(DatabaseError) {
        self.database = database
        self.run = run
        insertMessage = try database.prepare(
            """
            INSERT INTO message (id, conversation, app_id, nameless, direction, sender, time, time_unit, received_at,
                edited_at, expires_at, is_edited, body, status, reply_to, attachment, attachment_type, attachment_name,
                is_conflicting, source)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
            """)
        insertSource = try database.prepare(
            "INSERT INTO source (id, origin, platform, is_strict, sha256, json) VALUES (?, ?, ?, ?, ?, ?)")
        let columns =
            "SELECT m.id, m.source, m.is_conflicting, s.sha256 FROM message m JOIN source s ON s.id = m.source"
        findByID = try database.prepare("\(columns) WHERE m.conversation = ? AND m.app_id = ?")
        findNameless = try database.prepare("\(columns) WHERE m.conversation = ? AND m.nameless = ?")
        findOther = try database.prepare("SELECT 1 FROM other_source WHERE message = ? AND sha256 = ?")
        insertOther = try database.prepare(
            """
            INSERT INTO other_source (message, origin, platform, is_strict, sha256, json) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (message, sha256) DO NOTHING
            """)
        insertText = try database.prepare("INSERT INTO message_text (rowid, body, attachment_name) VALUES (?, ?, ?)")
        deleteText = try database.prepare(
            "INSERT INTO message_text (message_text, rowid, body, attachment_name) VALUES ('delete', ?, ?, ?)")
        findRemoved = try database.prepare(
            """
            SELECT 1 FROM removed
            WHERE conversation = ? AND key = ? AND is_nameless = ? AND direction = ? AND time = ?
            """)
        nextSource = try database.first("SELECT ifnull(max(id), 0) + 1 FROM source") { $0.integer(0) ?? 1 } ?? 1
        firstFreshSource = nextSource
        hasRemovals = try database.first("SELECT 1 FROM removed LIMIT 1") { _ in true } ?? false
    }

    // MARK: Messages

    func take(_ batch: ImportBatch, _ report: inout ImportReport) throws(ArchiveError) {
        let conversation = try conversationRow(batch.conversation)
        if last?.conversation != conversation { last = nil }
        guard !batch.rows.isEmpty else { return }
        let origin = try originRow(batch.item, batch.fileDigest)
        for row in batch.rows {
            let outcome = try take(row, conversation, batch.conversation, origin, &report)
            guard row.isCounted else { continue }
            report.read += 1
            switch outcome {
            case .new: report.counts.new += 1
            case .alreadyThere: report.counts.alreadyThere += 1
            case .changed: report.counts.changed += 1
            case .conflicting: report.counts.conflicting += 1
            case .removedBefore: report.counts.removedBefore += 1
            }
        }
    }

    private enum Outcome { case new, alreadyThere, changed, conflicting, removedBefore }

    private func take(
        _ row: ImportBatch.Row, _ conversation: Int64, _ id: ConversationID, _ origin: Int64,
        _ report: inout ImportReport
    ) throws(ArchiveError) -> Outcome {
        let candidates = try candidates(row.columns.key, conversation)
        guard !candidates.isEmpty else {
            if hasRemovals, try wasRemoved(row.columns, conversation, id) { return .removedBefore }
            try insert(row, conversation, origin, isConflicting: false)
            return .new
        }
        for candidate in candidates {
            var isKnown = candidate.sha256 == row.sha256
            if !isKnown { isKnown = try hasOther(candidate.number, row.sha256) }
            if isKnown {
                last = (conversation, candidate.number)
                return .alreadyThere
            }
        }
        let meeting = try meet(row, candidates, origin)
        if let number = meeting.number {
            last = (conversation, number)
            return meeting.isChange ? .changed : .alreadyThere
        }
        if hasRemovals, try wasRemoved(row.columns, conversation, id) { return .removedBefore }
        for candidate in candidates where !candidate.isConflicting {
            try attempt { () throws(DatabaseError) in
                try database.run("UPDATE message SET is_conflicting = 1 WHERE id = ?", .integer(candidate.number))
            }
        }
        try insert(row, conversation, origin, isConflicting: true)
        if case .id(let text) = row.columns.key, row.isCounted {
            report.add(ImportReport.Conflict(conversation: id, id: ByteText(text), field: meeting.field))
        }
        return .conflicting
    }

    private func candidates(_ key: MessageColumns.Key, _ conversation: Int64) throws(ArchiveError) -> [Candidate] {
        var found: [Candidate] = []
        let statement: Statement
        let value: SQLiteValue
        switch key {
        case .id(let id): (statement, value) = (findByID, .blob(id))
        case .nameless(let digest): (statement, value) = (findNameless, .blob(digest))
        }
        try attempt { () throws(DatabaseError) in
            try statement.visit(.integer(conversation), value) { (row: borrowing Row) throws(DatabaseError) in
                found.append(
                    Candidate(
                        number: try row.requiredInteger(0), source: try row.requiredInteger(1),
                        isConflicting: try row.requiredFlag(2), sha256: try row.requiredBlob(3)))
                return true
            }
        }
        return found
    }

    private func hasOther(_ message: Int64, _ sha256: [UInt8]) throws(ArchiveError) -> Bool {
        try attempt { () throws(DatabaseError) in
            try findOther.first(.integer(message), .blob(sha256)) { _ in true } ?? false
        }
    }

    /// Compares with each message of that id, and keeps the source with the one that it belongs to.
    private func meet(
        _ row: ImportBatch.Row, _ candidates: [Candidate], _ origin: Int64
    ) throws(ArchiveError) -> (number: Int64?, isChange: Bool, field: ByteText) {
        let second = MessageMeeting.Side(row.message, isStrict: row.isStrict)
        var field = ByteText([])
        for candidate in candidates {
            let stored = try StoredSource.read(candidate.source, database)
            guard let message = try stored.message() else { continue }
            let first = MessageMeeting.Side(message, isStrict: stored.isStrict)
            let isBetter: Bool
            let isChange: Bool
            switch MessageMeeting(first, second) {
            case .known(let secondIsBetter): (isBetter, isChange) = (secondIsBetter, false)
            case .changed(let secondIsBetter): (isBetter, isChange) = (secondIsBetter, true)
            case .conflicting(let key):
                field = key
                continue
            }
            if isBetter {
                try show(row, in: candidate, instead: stored, origin)
            } else {
                try keep(row, with: candidate.number, origin)
            }
            return (candidate.number, isChange, field)
        }
        return (nil, false, field)
    }

    private func keep(_ row: ImportBatch.Row, with message: Int64, _ origin: Int64) throws(ArchiveError) {
        try attempt { () throws(DatabaseError) in
            try row.message.withSourceJSON { (json) throws(DatabaseError) in
                try insertOther.run(
                    values: [
                        .integer(message), .integer(origin), .integer(row.platform), .flag(row.isStrict),
                        .blob(row.sha256),
                    ], lending: json)
            }
        }
    }

    /// Shows another source of a message that is there; what was shown is kept beside it.
    private func show(
        _ row: ImportBatch.Row, in candidate: Candidate, instead stored: StoredSource, _ origin: Int64
    ) throws(ArchiveError) {
        let sender = try row.columns.sender.map { sender throws(ArchiveError) in try personRow(sender) }
        let number = candidate.number
        try attempt { () throws(DatabaseError) in
            try insertOther.run(
                values: [
                    .integer(number), .integer(stored.origin), .integer(stored.platform), .flag(stored.isStrict),
                    .blob(stored.sha256),
                ], lending: stored.json.span)
            try row.message.withSourceJSON { (json) throws(DatabaseError) in
                try database.run(
                    "UPDATE source SET origin = ?2, platform = ?3, is_strict = ?4, sha256 = ?5, json = ?6 WHERE id = ?1",
                    .integer(candidate.source), .integer(origin), .integer(row.platform), .flag(row.isStrict),
                    .blob(row.sha256), lending: json)
            }
            var old = changed[number]?.old
            if changed[number] == nil, candidate.source < firstFreshSource {
                old = try Self.text(of: number, database)
            }
            let columns = row.columns
            try database.run(
                """
                UPDATE message SET sender = ?2, time = ?3, time_unit = ?4, received_at = ?5, edited_at = ?6,
                    expires_at = ?7, is_edited = ?8, body = ?9, status = ?10, reply_to = ?11, attachment = ?12,
                    attachment_type = ?13, attachment_name = ?14, direction = ?15 WHERE id = ?1
                """, .integer(number), .integer(orNull: sender), .integer(orNull: columns.time),
                .integer(columns.timeUnit.rawValue), .integer(orNull: columns.receivedAt),
                .integer(orNull: columns.editedAt), .integer(orNull: columns.expiresAt), .flag(columns.isEdited),
                .text(orNull: columns.body), .text(orNull: columns.status), .blob(orNull: columns.replyTo),
                .blob(orNull: columns.attachment), .text(orNull: columns.attachmentType),
                .text(orNull: columns.attachmentName), .integer(columns.direction.rawValue))
            changed[number] = (
                old,
                IndexedText(body: .text(orNull: columns.body), attachmentName: .text(orNull: columns.attachmentName))
            )
        }
    }

    private func insert(
        _ row: ImportBatch.Row, _ conversation: Int64, _ origin: Int64, isConflicting: Bool
    ) throws(ArchiveError) {
        let columns = row.columns
        let sender = try columns.sender.map { sender throws(ArchiveError) in try personRow(sender) }
        let before = last.map(\.number)
        // In the millisecond of the one before, or without a date, right behind it.
        var number = MessageNumber.first(at: columns.time) ?? before.map { $0 + 1 } ?? 0
        if let before, number <= before, MessageNumber.end(of: number) == MessageNumber.end(of: before) {
            number = before + 1
        }
        let body = SQLiteValue.text(orNull: columns.body)
        let name = SQLiteValue.text(orNull: columns.attachmentName)
        var (id, nameless) = (SQLiteValue.null, SQLiteValue.null)
        switch columns.key {
        case .id(let text): id = .blob(text)
        case .nameless(let digest): nameless = .blob(digest)
        }
        try attempt { () throws(DatabaseError) in
            try row.message.withSourceJSON { (json) throws(DatabaseError) in
                try insertSource.run(
                    values: [
                        .integer(nextSource), .integer(origin), .integer(row.platform), .flag(row.isStrict),
                        .blob(row.sha256),
                    ], lending: json)
            }
            while true {
                try insertMessage.run(values: [
                    .integer(number), .integer(conversation), id, nameless, .integer(columns.direction.rawValue),
                    .integer(orNull: sender), .integer(orNull: columns.time), .integer(columns.timeUnit.rawValue),
                    .integer(orNull: columns.receivedAt), .integer(orNull: columns.editedAt),
                    .integer(orNull: columns.expiresAt), .flag(columns.isEdited), body,
                    .text(orNull: columns.status), .blob(orNull: columns.replyTo),
                    .blob(orNull: columns.attachment), .text(orNull: columns.attachmentType), name,
                    .flag(isConflicting), .integer(nextSource),
                ])
                if database.changes > 0 { break }
                number = try freeNumber(from: number)
            }
        }
        nextSource += 1
        last = (conversation, number)
        fresh.append((number, IndexedText(body: body, attachmentName: name)))
    }

    /// Behind all that are in the same millisecond.
    private func freeNumber(from number: Int64) throws(DatabaseError) -> Int64 {
        let highest = try database.first(
            "SELECT max(id) FROM message WHERE id >= ? AND id < ?", .integer(number),
            .integer(MessageNumber.end(of: number))
        ) { $0.integer(0) }
        return (highest.flatMap { $0 } ?? number) + 1
    }

    // MARK: The index

    /// Brings the index up to date, in ascending order: FTS5 writes what it has gathered each time that a number is
    /// smaller than the one before.
    func flushIndex() throws(ArchiveError) {
        var entries = fresh.filter { changed[$0.number] == nil }.map {
            (number: $0.number, old: nil as IndexedText?, text: $0.text)
        }
        for (number, texts) in changed { entries.append((number, texts.old, texts.new)) }
        entries.sort { $0.number < $1.number }
        try attempt { () throws(DatabaseError) in
            for entry in entries {
                let number = SQLiteValue.integer(entry.number)
                if let old = entry.old { try deleteText.run(number, old.body, old.attachmentName) }
                try insertText.run(number, entry.text.body, entry.text.attachmentName)
            }
        }
        fresh.removeAll(keepingCapacity: true)
        changed.removeAll()
        firstFreshSource = nextSource
    }

    private static func text(of number: Int64, _ database: Database) throws(DatabaseError) -> IndexedText? {
        try database.first("SELECT body, attachment_name FROM message WHERE id = ?", .integer(number)) { row in
            IndexedText(body: row.value(0), attachmentName: row.value(1))
        }
    }

    // MARK: Tombstones

    /// Of a message of a related app the direction is known in one copy and not in another, so it does not count.
    private func wasRemoved(
        _ columns: MessageColumns, _ conversation: Int64, _ id: ConversationID
    ) throws(ArchiveError) -> Bool {
        let isRelated = RelatedNames.isRelated(id.text.bytes)
        let directions = isRelated ? [.sent, .received, .unknown] : [columns.direction]
        for direction in directions where try wasRemoved(columns, conversation, direction) { return true }
        return false
    }

    private func wasRemoved(
        _ columns: MessageColumns, _ conversation: Int64, _ direction: MessageDirection
    ) throws(ArchiveError) -> Bool {
        let (key, isNameless) =
            switch columns.key {
            case .id(let id): (id, false)
            case .nameless(let digest): (digest, true)
            }
        return try attempt { () throws(DatabaseError) in
            try findRemoved.first(
                .integer(conversation), .blob(key), .flag(isNameless), .integer(direction.rawValue),
                .integer(Removal.time(columns.time))
            ) { _ in true } ?? false
        }
    }

    /// Takes over what another archive remembers, except of messages that are here.
    func take(_ removed: [RemovedMessage], _ report: inout ImportReport) throws(ArchiveError) {
        for one in removed {
            let conversation = try conversationRow(one.conversation)
            let key: MessageColumns.Key
            switch one.key {
            case .id(let id): key = .id(id.bytes)
            case .nameless(let digest): key = .nameless(digest)
            }
            guard try candidates(key, conversation).isEmpty else { continue }
            let isNew = try attempt { () throws(DatabaseError) in
                try Removal.record(one, conversation, database)
            }
            if isNew { report.removalsLearned += 1 }
            hasRemovals = true
        }
    }

    // MARK: Rows that others refer to

    /// The row of a conversation; of its id the longest form is kept.
    func conversationRow(_ id: ConversationID) throws(ArchiveError) -> Int64 {
        let bytes = id.text.bytes
        let key = PeerIDForm.short.id(bytes)
        if let known = conversations[key], known.digits >= bytes.count { return known.row }
        let found = try attempt { () throws(DatabaseError) in
            try database.run(
                """
                INSERT INTO conversation (key, peer_id, kind) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE
                SET peer_id = excluded.peer_id WHERE length(excluded.peer_id) > length(peer_id)
                """, .blob(key), .blob(bytes), .text(id.kind.rawValue))
            return try database.first("SELECT id, length(peer_id) FROM conversation WHERE key = ?", .blob(key)) {
                row throws(DatabaseError) in (try row.requiredInteger(0), Int(try row.requiredInteger(1)))
            }
        }
        guard let found else { throw .damagedRow(table: "conversation") }
        conversations[key] = (row: found.0, digits: found.1)
        return found.0
    }

    private func personRow(_ id: [UInt8]) throws(ArchiveError) -> Int64 {
        if let known = people[id] { return known.row }
        let key = PeerIDForm.short.id(id)
        let row = try attempt { () throws(DatabaseError) in
            try database.run(
                """
                INSERT INTO person (key, peer_id) VALUES (?, ?) ON CONFLICT (key) DO UPDATE
                SET peer_id = excluded.peer_id WHERE length(excluded.peer_id) > length(peer_id)
                """, .blob(key), .blob(id))
            return try database.first("SELECT id FROM person WHERE key = ?", .blob(key)) { $0.integer(0) }
        }
        guard let row = row.flatMap({ $0 }) else { throw .damagedRow(table: "person") }
        people[id] = (row: row, digits: id.count)
        return row
    }

    /// Names and keys of people; the newest name counts, and never one of another key.
    func take(_ names: PeerNames) throws(ArchiveError) {
        for (fingerprint, name) in names.known {
            let id = Array(fingerprint.hex.utf8)
            let row = try personRow(id)
            try attempt { () throws(DatabaseError) in
                try database.run(
                    """
                    UPDATE person SET fingerprint = ?2, name = ?3
                    WHERE id = ?1 AND (fingerprint IS NULL OR fingerprint = ?2)
                    """, .integer(row), .text(id), .text(name))
            }
        }
    }

    func originRow(_ item: ByteText, _ sha256: [UInt8]?) throws(ArchiveError) -> Int64 {
        let key = OriginKey(item: item, sha256: sha256)
        if let known = origins[key] { return known }
        try attempt { () throws(DatabaseError) in
            try database.run(
                "INSERT INTO origin (import, item, sha256) VALUES (?, ?, ?)", .integer(run), .blob(item.bytes),
                .blob(orNull: sha256))
        }
        let row = database.lastInsertedRow
        origins[key] = row
        return row
    }
}

extension ImportBatch.Row {
    /// As `platform` of the tables: 1 for iOS, 2 for Android.
    var platform: Int64 { message.isAndroid ? 2 : 1 }
}
