import SQLiteDatabase
import SystemIO

extension Archive {
    /// Makes an archive with empty tables at `path`, where nothing may be, and opens it.
    package static func make(at path: FilePath, slots: [NewSlot]) throws(ArchiveError) -> Archive {
        let file = try sealing { () throws(SealedError) in
            try SealedDatabase.create(at: path, kind: .archive, slots: slots) { (database) throws(DatabaseError) in
                try prepare(database)
                try ArchiveSchema.migrator.migrate(database)
            }
        }
        return try Archive(file)
    }

    /// Opens an archive with one of its secrets. Reading changes nothing on the disk.
    package convenience init(
        opening path: FilePath, _ mode: SealedDatabase.AccessMode, unlocking secret: UnlockSecret
    ) throws(ArchiveError) {
        let file = try sealing { () throws(SealedError) in
            try SealedDatabase(opening: path, kind: .archive, mode: mode, unlocking: secret)
        }
        try self.init(file, isReadOnly: mode == .readOnly)
    }

    /// Takes a sealed database that is open.
    package convenience init(_ file: SealedDatabase, isReadOnly: Bool = false) throws(ArchiveError) {
        try self.init(file.database, sealed: file, isReadOnly: isReadOnly)
    }

    /// Encrypts everything anew under a new master key, and gives the number of messages.
    ///
    /// What `file.database` was is of no use afterwards, nor is an `Archive` on it. Errors: those of `SealedDatabase.rekey`.
    package static func rekey(
        _ file: SealedDatabase, secrets: [Int: UnlockSecret], dropping: Set<Int>
    ) throws(ArchiveError) -> Int {
        var messages = 0
        try file.rekey(secrets: secrets, dropping: dropping) { (resealing) throws(ArchiveError) in
            messages = try count(resealing.new)
        }
        return messages
    }

    /// Writes a copy with a master key of its own, and gives the number of messages in it.
    package static func backup(
        _ file: SealedDatabase, to path: FilePath, slots: [NewSlot]
    ) throws(ArchiveError) -> Int {
        var messages = 0
        try file.backup(to: path, slots: slots) { (resealing) throws(ArchiveError) in
            messages = try count(resealing.new)
        }
        return messages
    }

    private static func count(_ database: Database) throws(ArchiveError) -> Int {
        let count = try attempt { () throws(DatabaseError) in
            try database.first("SELECT count(*) FROM message") { row throws(DatabaseError) in
                try row.requiredInteger(0)
            }
        }
        return Int(count ?? 0)
    }
}
