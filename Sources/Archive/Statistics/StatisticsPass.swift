import History
import SQLiteDatabase
import SophaxFiles
import SystemIO

extension Archive {
    /// One pass over the messages in the order of time, with memory that does not depend on their number.
    ///
    /// - Parameters:
    ///   - zone: where months, weekdays and hours are counted.
    ///   - words: so many of the most used words.
    package func statistics(
        _ filter: MessageFilter = MessageFilter(), zone: LocalZone, words: Int
    ) throws(ArchiveError) -> ArchiveStatistics {
        try reading { () throws(ArchiveError) in
            try attempt { () throws(DatabaseError) in
                var pass = try StatisticsPass(database, filter, zone: zone, words: words)
                try pass.run()
                return pass.result
            }
        }
    }
}

/// What is counted on the way.
private struct StatisticsPass {
    private let database: Database
    private let filter: FilterSQL
    private let wordLimit: Int
    private var calendar: StatisticsCalendar
    private(set) var result = ArchiveStatistics()

    private var words = WordCounts()
    private var tokenizer = TextTokenizer()
    /// By the row of the person; 0 for oneself, -1 for nobody.
    private var people: [Int64: ArchiveStatistics.Person] = [:]
    private var conversations: [Int64: ArchiveStatistics.Conversation] = [:]
    private var lastTime: Int64?
    private var lastDay: Int?

    init(_ database: Database, _ filter: MessageFilter, zone: LocalZone, words: Int) throws(DatabaseError) {
        self.database = database
        self.filter = try FilterSQL(filter, database)
        wordLimit = words
        calendar = StatisticsCalendar(zone)
    }

    mutating func run() throws(DatabaseError) {
        guard !filter.isNever else { return }
        try readNames()
        try readMessages()
        try readAttachments()
        result.words = words.top(wordLimit)
        result.wordTotal = words.total
        result.areWordsExact = words.isExact
        result.months.sort { ($0.year, $0.month) < ($1.year, $1.month) }
        result.people = people.values.filter { $0.messages > 0 }.sorted { first, second in
            first.messages != second.messages
                ? first.messages > second.messages
                : (first.id ?? []).lexicographicallyPrecedes(second.id ?? [])
        }
        result.conversations = conversations.values.filter { $0.count.total > 0 }.sorted { first, second in
            first.count.total != second.count.total
                ? first.count.total > second.count.total : first.id.text < second.id.text
        }
    }

    private var choice: (sql: String, values: [SQLiteValue]) {
        let numbers = filter.numberConditions("m.id")
        let conditions = numbers.conditions + filter.conditions
        return (
            conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "), numbers.values + filter.values
        )
    }

    private mutating func readNames() throws(DatabaseError) {
        people[0] = ArchiveStatistics.Person(id: nil, name: nil, isMe: true)
        people[-1] = ArchiveStatistics.Person(id: nil, name: nil, isMe: false)
        let known = try database.rows("SELECT id, peer_id, name FROM person") { (row) throws(DatabaseError) in
            (row: try row.requiredInteger(0), id: try row.requiredBlob(1), name: row.text(2))
        }
        for one in known {
            people[one.row] = ArchiveStatistics.Person(id: one.id, name: one.name, isMe: false)
        }
        let talks = try database.rows(
            """
            SELECT c.id, c.peer_id, CASE WHEN c.kind = 'direct' THEN p.name END
            FROM conversation c LEFT JOIN person p ON p.key = c.key
            """
        ) { (row) throws(DatabaseError) in
            (row: try row.requiredInteger(0), id: try row.requiredBlob(1), name: row.text(2))
        }
        for one in talks {
            conversations[one.row] = ArchiveStatistics.Conversation(
                id: ConversationID(ByteText(one.id)), name: one.name)
        }
    }

    private mutating func readMessages() throws(DatabaseError) {
        let (conditions, values) = choice
        let sql = """
            SELECT m.conversation, m.direction, m.sender, m.time, m.is_edited, m.reply_to IS NOT NULL,
                m.attachment IS NOT NULL, m.body
            FROM message m \(conditions) ORDER BY m.id
            """
        try database.visit(sql, values: values) { (row) throws(DatabaseError) in
            try take(row)
            return true
        }
    }

    private mutating func take(_ row: borrowing Row) throws(DatabaseError) {
        let conversation = try row.requiredInteger(0)
        let direction = MessageDirection(rawValue: try row.requiredInteger(1)) ?? .unknown
        let person = direction == .sent ? 0 : row.integer(2) ?? -1
        let time = row.integer(3)
        let hasAttachment = try row.requiredFlag(6)
        result.count.add(direction)
        if try row.requiredFlag(4) { result.edited += 1 }
        if try row.requiredFlag(5) { result.replies += 1 }
        if hasAttachment { result.withAttachment += 1 }
        let before = words.total
        if wordLimit > 0 { row.withText(7) { count($0) } }
        people[person]?.messages += 1
        people[person]?.words += words.total - before
        if hasAttachment { people[person]?.attachments += 1 }
        conversations[conversation]?.count.add(direction)
        // Other dates are a clock's or a unit's fault; such a message stands where its source had it.
        guard let time, MessageNumber.first(at: time) != nil, let place = calendar.place(of: time) else {
            result.withoutDate += 1
            return
        }
        take(time, place, direction, in: conversation)
    }

    private mutating func take(
        _ time: Int64, _ place: StatisticsCalendar.Place, _ direction: MessageDirection, in conversation: Int64
    ) {
        result.first = min(result.first ?? time, time)
        result.last = max(result.last ?? time, time)
        conversations[conversation]?.include(time)
        if let lastTime, time > lastTime {
            let longest = result.longestSilence.map { $0.until - $0.from } ?? 0
            if time - lastTime > longest { result.longestSilence = .init(from: lastTime, until: time) }
        }
        lastTime = max(lastTime ?? time, time)
        if lastDay.map({ place.day > $0 }) ?? true {
            result.days += 1
            lastDay = place.day
        }
        result.hours[place.weekday * 24 + place.hour] += 1
        let last = result.months.count - 1
        if last >= 0, result.months[last].year == place.year, result.months[last].month == place.month {
            result.months[last].count.add(direction)
            return
        }
        let known = result.months.lastIndex { $0.year == place.year && $0.month == place.month }
        if known == nil { result.months.append(.init(year: place.year, month: place.month)) }
        result.months[known ?? last + 1].count.add(direction)
    }

    private mutating func count(_ text: Span<UInt8>) {
        tokenizer.begin(.index)
        while tokenizer.step(text) {
            // The last letter of a run of pairs is in its pair already.
            for token in tokenizer.tokens where !token.isSingleUnit { words.add(tokenizer.bytes[token.bytes]) }
        }
    }

    // MARK: Attachments

    private mutating func readAttachments() throws(DatabaseError) {
        let (conditions, values) = choice
        var kinds: [ByteText: ArchiveStatistics.AttachmentKind] = [:]
        var unnamed = ArchiveStatistics.AttachmentKind(type: nil)
        var sizes = result.attachmentSizes
        var seen: Set<Int64> = []
        var lastMessage: Int64?
        let sql = """
            SELECT m.id, m.attachment_type, a.id, a.size
            FROM message m LEFT JOIN attachment_link l ON l.app_id = m.attachment LEFT JOIN attachment a ON a.id = l.attachment
            \(conditions.isEmpty ? "WHERE" : conditions + " AND") m.attachment IS NOT NULL
            """
        try database.visit(sql, values: values) { (row) throws(DatabaseError) in
            let type = row.text(1)
            var kind = type.flatMap { kinds[ByteText($0)] } ?? .init(type: type)
            if type == nil { kind = unnamed }
            // A message with several contents of its attachment comes several times.
            let message = try row.requiredInteger(0)
            if message != lastMessage { kind.messages += 1 }
            lastMessage = message
            if let attachment = row.integer(2), let size = row.integer(3), seen.insert(attachment).inserted {
                let bytes = Int(clamping: size)
                kind.stored += 1
                kind.bytes += bytes
                let place = sizes.firstIndex { $0.below.map { bytes < $0 } ?? true } ?? sizes.count - 1
                sizes[place].stored += 1
                sizes[place].bytes += bytes
            }
            if let type { kinds[ByteText(type)] = kind } else { unnamed = kind }
            return true
        }
        result.attachmentSizes = sizes
        result.attachmentKinds = (kinds.values + [unnamed]).filter { $0.messages > 0 }.sorted { first, second in
            first.messages != second.messages
                ? first.messages > second.messages
                : (first.type ?? []).lexicographicallyPrecedes(second.type ?? [])
        }
    }
}

/// Local days and hours. Messages come in the order of time, so most are in the quarter of an hour of the one before; no zone
/// changes its offset within one.
private struct StatisticsCalendar {
    struct Place {
        let year: Int
        let month: Int
        /// Days since 1970-01-01.
        let day: Int
        /// 0 is Monday.
        let weekday: Int
        let hour: Int
    }

    private static let quarter: Int64 = 900_000

    private let zone: LocalZone
    private var quarter: Int64?
    private var last: Place?

    init(_ zone: LocalZone) {
        self.zone = zone
    }

    /// Nil outside of the years 1…9999.
    mutating func place(of milliseconds: Int64) -> Place? {
        let quarter = milliseconds / Self.quarter - (milliseconds % Self.quarter < 0 ? 1 : 0)
        if quarter == self.quarter { return last }
        self.quarter = quarter
        last = zone.time(at: Double(quarter * (Self.quarter / 1_000))).map { local in
            let seconds = Int(quarter * (Self.quarter / 1_000)) + local.offsetSeconds
            let day = seconds / 86_400 - (seconds % 86_400 < 0 ? 1 : 0)
            // The first day of 1970 was a Thursday.
            let weekday = (day + 3) % 7
            return Place(
                year: local.date.year, month: local.date.month, day: day, weekday: weekday < 0 ? weekday + 7 : weekday,
                hour: local.date.hour)
        }
        return last
    }
}
