import History
import SQLiteDatabase
import SophaxCore
import SophaxFiles

/// A `MessageFilter` as conditions on the rows of `message`, which the statement calls `m`.
struct FilterSQL {
    private(set) var conditions: [String] = []
    private(set) var values: [SQLiteValue] = []
    /// The numbers of messages in the wanted time.
    private(set) var numbers: (first: Int64?, end: Int64?)
    /// No message can be taken.
    private(set) var isNever = false
    /// Which conversation, when it is only one.
    private(set) var conversation: Int64?

    /// Looks up the rows of people and conversations. Text that a body must hold (`grep`) is the caller's to look for.
    init(_ filter: MessageFilter, _ database: Database) throws(DatabaseError) {
        if let direction = filter.direction { add("m.direction = \(direction == .sent ? 0 : 1)") }
        // The sign keeps SQLite from an index that has another order than that of the numbers.
        if filter.hasAttachment { add("+m.attachment IS NOT NULL") }
        if filter.isEdited { add("m.is_edited = 1") }
        if filter.noExpiring { add("m.expires_at IS NULL") }
        try addTimes(filter.messages)
        switch filter.messages.from {
        case .me: add("m.direction = 0")
        case .some(let sender):
            add("m.direction <> 0")
            let rows = try database.rows("SELECT id, peer_id FROM person") { (row) throws(DatabaseError) in
                sender.isPeer(try row.requiredBlob(1)) ? try row.requiredInteger(0) : nil
            }
            addChoice("m.sender", rows.compactMap { $0 })
        case nil: break
        }
        if let conversations = filter.conversations {
            let rows = try database.rows("SELECT id, key FROM conversation") { (row) throws(DatabaseError) in
                let id = PeerIDForm.short.conversation(ConversationID(ByteText(try row.requiredBlob(1))))
                return conversations.contains(id) ? try row.requiredInteger(0) : nil
            }
            let chosen = rows.compactMap { $0 }
            addChoice("m.conversation", chosen)
            conversation = chosen.count == 1 ? chosen[0] : nil
        }
    }

    /// Whether it takes every message.
    var isEmpty: Bool { conditions.isEmpty && !isNever }

    /// Takes only numbers in the wanted time, of the column `name`.
    func numberConditions(_ name: String) -> (conditions: [String], values: [SQLiteValue]) {
        var result: (conditions: [String], values: [SQLiteValue]) = ([], [])
        if let first = numbers.first {
            result.conditions.append("\(name) >= ?")
            result.values.append(.integer(first))
        }
        if let end = numbers.end {
            result.conditions.append("\(name) < ?")
            result.values.append(.integer(end))
        }
        return result
    }

    private mutating func addTimes(_ selection: MessageSelection) throws(DatabaseError) {
        if let since = selection.since {
            let milliseconds = Self.milliseconds((since * 1_000).rounded(.up))
            add("m.time >= ?", .integer(milliseconds))
            // Messages that had no room in their millisecond are in a later one, never in an earlier one.
            numbers.first = MessageNumber.first(at: milliseconds)
        }
        if let until = selection.until {
            let milliseconds = Self.milliseconds((until * 1_000).rounded(.up))
            add("m.time < ?", .integer(milliseconds))
            numbers.end = MessageNumber.first(at: milliseconds &+ 1_000)
        }
    }

    private static func milliseconds(_ value: Double) -> Int64 {
        Int64(exactly: value) ?? (value < 0 ? .min : .max - 1_000)
    }

    private mutating func add(_ condition: String, _ more: SQLiteValue...) {
        conditions.append(condition)
        values += more
    }

    private mutating func addChoice(_ column: String, _ rows: [Int64]) {
        if rows.isEmpty { isNever = true }
        // Row numbers are ours, so they may stand in the text; there may be more than SQLite has parameters.
        // One conversation's messages are in the order of their numbers in its index, those of several are not.
        if rows.count == 1 {
            add("\(column) = \(rows[0])")
        } else {
            add("+\(column) IN (\(rows.map(String.init).joined(separator: ",")))")
        }
    }
}
