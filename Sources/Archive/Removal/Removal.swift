import History
import SQLiteDatabase
import SophaxFiles

/// Tombstones: what the archive remembers of removed messages.
enum Removal {
    /// A time as `removed.time` has it: the smallest integer stands for none.
    static func time(_ time: Int64?) -> Int64 { time ?? .min }

    /// Remembers one; false when it was remembered before.
    static func record(
        _ message: RemovedMessage, _ conversation: Int64, _ database: Database
    ) throws(DatabaseError) -> Bool {
        let (key, isNameless) =
            switch message.key {
            case .id(let id): (id.bytes, false)
            case .nameless(let digest): (digest, true)
            }
        try database.run(
            """
            INSERT INTO removed (conversation, key, is_nameless, direction, time, removed_at)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, .integer(conversation), .blob(key), .flag(isNameless), .integer(message.direction.rawValue),
            .integer(time(message.time)), .integer(message.removedAt))
        return database.changes > 0
    }
}
