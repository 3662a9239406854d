import Archive
import CommandKit
import SQLiteDatabase
import SystemIO

/// The archive as a file.
enum ArchiveNoun: SealedNoun {
    static let kind = SealedFileKind.archive

    static func make(at path: FilePath, slots: [NewSlot]) throws(CommandError) {
        do throws(SealedError) {
            _ = try SealedDatabase.create(at: path, kind: kind, slots: slots) { (database) throws(DatabaseError) in
                try ArchiveSchema.migrator.migrate(database)
            }
        } catch {
            throw .sealed(error, kind, path)
        }
    }

    static func rekey(
        _ opened: OpenedSealedFile<Self>, secrets: [Int: UnlockSecret], dropping: Set<Int>
    ) throws(CommandError) -> SealedCount {
        var messages = 0
        try opened.doing { (file) throws(SealedError) in
            try file.rekey(secrets: secrets, dropping: dropping) { (resealing) throws(SealedError) in
                messages = try count(resealing.new)
            }
        }
        return SealedCount(key: "messages", value: messages, title: "message")
    }

    static func backup(
        _ opened: OpenedSealedFile<Self>, to path: FilePath, slots: [NewSlot]
    ) throws(CommandError) -> SealedCount {
        var messages = 0
        try opened.doing { (file) throws(SealedError) in
            try file.backup(to: path, slots: slots) { (resealing) throws(SealedError) in
                messages = try count(resealing.new)
            }
        }
        return SealedCount(key: "messages", value: messages, title: "message")
    }

    /// Nothing in an archive is sealed once more under a key of its own, so there is nothing to do but to count.
    private static func count(_ database: Database) throws(SealedError) -> Int {
        do throws(DatabaseError) {
            let found = try database.first("SELECT count(*) FROM message") { row throws(DatabaseError) in
                row.integer(0) ?? 0
            }
            return Int(clamping: found ?? 0)
        } catch {
            throw SealedError(error)
        }
    }

    static let afterInit: TerminalText = "\"sxkey archive import SOURCE...\", from stores, backups and other archives"
    static let rekeyDiscussion = ""
    static let notRekeyed: TerminalText? = nil
}
