import History
import JSONCoding
import SQLiteDatabase
import SophaxFiles

/// The messages of one conversation, a part at a time.
struct ConversationParts {
    /// A part, and messages that could not be read.
    struct Piece {
        let part: HistoryPart
        /// Of the messages in the part.
        let numbers: [Int64]
        let lost: Int
        let bytes: Int
    }

    /// Messages of a part.
    static let maximumMessages = 2_000
    /// A part ends behind the message that goes beyond.
    static let maximumBytes = 4 << 20

    private struct Row {
        let number: Int64
        let isConflicting: Bool
        let json: [UInt8]
        let platform: Int64
        let isStrict: Bool
    }

    private let database: Database
    private let row: Int64
    private let id: ConversationID
    private var after: Int64 = .min
    private var isFirst = true
    private var hasEnded = false
    private let hasOthers: Bool

    init(_ database: Database, _ row: Int64, _ id: ConversationID) throws(ArchiveError) {
        self.database = database
        self.row = row
        self.id = id
        hasOthers = try attempt { () throws(DatabaseError) in
            try database.first("SELECT 1 FROM other_source LIMIT 1") { _ in true } ?? false
        }
    }

    /// The next part; a conversation without messages has one that is empty.
    mutating func next() throws(ArchiveError) -> Piece? {
        guard !hasEnded else { return nil }
        var rows: [Row] = []
        var bytes = 0
        var isLast = true
        let (database, conversation, start) = (database, row, after)
        try attempt { () throws(DatabaseError) in
            try database.visit(
                """
                SELECT m.id, m.is_conflicting, s.json, s.platform, s.is_strict
                FROM message m LEFT JOIN source s ON s.id = m.source
                WHERE m.conversation = ? AND m.id > ? ORDER BY m.id
                """, .integer(conversation), .integer(start)
            ) { (row: borrowing SQLiteDatabase.Row) throws(DatabaseError) in
                // One more tells that this part is not the last.
                guard rows.count < Self.maximumMessages, bytes < Self.maximumBytes else {
                    isLast = false
                    return false
                }
                // A message whose text is gone is one that cannot be read, not one that was never there.
                let hasSource = row.blob(2) != nil
                let json = hasSource ? try row.requiredBlob(2) : []
                bytes += json.count
                rows.append(
                    Row(
                        number: try row.requiredInteger(0), isConflicting: try row.requiredFlag(1), json: json,
                        platform: hasSource ? try row.requiredInteger(3) : 1,
                        isStrict: hasSource ? try row.requiredFlag(4) : false))
                return true
            }
        }
        if let last = rows.last { after = last.number }
        hasEnded = isLast
        let piece = try part(rows, bytes, isLast: isLast)
        isFirst = false
        return piece
    }

    private func part(_ rows: [Row], _ bytes: Int, isLast: Bool) throws(ArchiveError) -> Piece {
        let (messages, numbers) = try read(rows)
        var part = HistoryPart(id, messages, isStrict: rows.allSatisfy(\.isStrict), bytes: bytes)
        part.isFirst = isFirst
        part.isLast = isLast
        var places: [Int64: Int] = [:]
        for (place, number) in numbers.enumerated() { places[number] = place }
        for row in rows where row.isConflicting {
            if let place = places[row.number] { part.conflicting.insert(place) }
        }
        if hasOthers, let first = rows.first, let last = rows.last {
            part.others = try others(first.number...last.number, places)
            part.earlier = part.earlierBodies()
        }
        part.replied = try replied(messages)
        return Piece(part: part, numbers: numbers, lost: rows.count - messages.count, bytes: bytes)
    }

    private func read(_ rows: [Row]) throws(ArchiveError) -> ([StoredMessage], [Int64]) {
        let found = try scanning { (scanner) throws(OutOfMemory) in
            try scanner.messages(
                rows.map {
                    SourceScanner.Source(
                        json: $0.json, platform: MessagePlatform(stored: $0.platform), isStrict: $0.isStrict)
                })
        }
        var messages: [StoredMessage] = []
        var numbers: [Int64] = []
        messages.reserveCapacity(rows.count)
        for (row, message) in zip(rows, found) {
            guard let message else { continue }
            messages.append(message)
            numbers.append(row.number)
        }
        return (messages, numbers)
    }

    private func others(
        _ numbers: ClosedRange<Int64>, _ places: [Int64: Int]
    ) throws(ArchiveError) -> [Int: [StoredMessage]] {
        let (database, conversation) = (database, row)
        let found = try attempt { () throws(DatabaseError) in
            var found: [(place: Int, id: Int64, json: [UInt8], platform: Int64, isStrict: Bool)] = []
            try database.visit(
                """
                SELECT o.message, o.id, o.json, o.platform, o.is_strict
                FROM message m CROSS JOIN other_source o ON o.message = m.id
                WHERE m.conversation = ? AND m.id BETWEEN ? AND ?
                """, .integer(conversation), .integer(numbers.lowerBound), .integer(numbers.upperBound)
            ) { (row: borrowing SQLiteDatabase.Row) throws(DatabaseError) in
                if let place = places[try row.requiredInteger(0)] {
                    found.append(
                        (
                            place, try row.requiredInteger(1), try row.requiredBlob(2), try row.requiredInteger(3),
                            try row.requiredFlag(4)
                        ))
                }
                return true
            }
            return found
        }
        var others: [Int: [StoredMessage]] = [:]
        guard !found.isEmpty else { return others }
        let sorted = found.sorted { $0.id < $1.id }
        let read = try scanning { (scanner) throws(OutOfMemory) in
            try scanner.messages(
                sorted.map {
                    SourceScanner.Source(
                        json: $0.json, platform: MessagePlatform(stored: $0.platform), isStrict: $0.isStrict)
                })
        }
        for (other, message) in zip(sorted, read) {
            if let message { others[other.place, default: []].append(message) }
        }
        return others
    }

    /// What is replied to and stands in another part.
    private func replied(_ messages: [StoredMessage]) throws(ArchiveError) -> [ByteText: StoredMessage] {
        var wanted: Set<ByteText> = []
        for message in messages {
            if let id = message.text(.replyToID)?.byteText, !id.bytes.isEmpty { wanted.insert(id) }
        }
        guard !wanted.isEmpty else { return [:] }
        for message in messages {
            if let id = message.id?.byteText { wanted.remove(id) }
        }
        var replied: [ByteText: StoredMessage] = [:]
        let (database, conversation) = (database, row)
        for id in wanted {
            let source = try attempt { () throws(DatabaseError) in
                try database.first(
                    "SELECT source FROM message WHERE conversation = ? AND app_id = ? ORDER BY id LIMIT 1",
                    .integer(conversation), .blob(id.bytes)
                ) { row throws(DatabaseError) in try row.requiredInteger(0) }
            }
            guard let source else { continue }
            do throws(ArchiveError) {
                replied[id] = try StoredSource.read(source, database).message()
            } catch .damagedRow {
                // The reply itself is whole; its own text is reported where its turn comes.
                continue
            }
        }
        return replied
    }
}
