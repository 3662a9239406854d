import CSQLite3
import CryptoPrimitives
import SystemIO

/// Errors of a layer above that one of the sealed file can be told in.
package protocol SealedErrorCarrier: DatabaseErrorCarrier {
    init(_ error: SealedError)
}

extension SealedError: SealedErrorCarrier {
    package init(_ error: SealedError) { self = error }
}

/// What a copy under a new master key needs before it is proven: cells that are sealed under a derived key are opened
/// with the old one and sealed again with the new one.
package struct Resealing: ~Copyable {
    /// Only to be read.
    package let old: Database
    package let new: Database
    private let oldKeys: SealedKeys
    private let newKeys: SealedKeys

    init(old: Database, new: Database, oldKeys: SealedKeys, newKeys: SealedKeys) {
        self.old = old
        self.new = new
        self.oldKeys = oldKeys
        self.newKeys = newKeys
    }

    package func oldKey(label: String) throws(SealedError) -> SecretBytes { try oldKeys.callerKey(label) }

    package func newKey(label: String) throws(SealedError) -> SecretBytes { try newKeys.callerKey(label) }
}

/// Runs `body` and tells an error of the sealed file as an `E`.
func told<R: ~Copyable, E: SealedErrorCarrier>(
    as error: E.Type, _ body: () throws(SealedError) -> R
) throws(E) -> R {
    do throws(SealedError) {
        return try body()
    } catch {
        throw E(error)
    }
}

// MARK: - Copying under a new key

extension SealedDatabase {
    /// Copies the database into a draft that has only a header, and proves that the copy is one. A lock must be held that
    /// keeps others from writing.
    func copy(into draft: FilePath, newKeys: SealedKeys) throws(SealedError) {
        let connection = try SealedConnection(keys: newKeys, kind: kind)
        let number = SealedRegistry.add(connection)
        defer { SealedRegistry.remove(number) }
        try carried { () throws(DatabaseError) in
            let vfs = try SealedVFS.name(above: baseVFS)
            try database.run("VACUUM INTO ?", .text(Self.uri(draft, vfs: vfs, number: number)))
        }
        let copy = try connectDraft(draft, newKeys)
        let old = try SealedContent(of: database)
        let new = try SealedContent(of: copy)
        for (index, table) in old.tables.enumerated()
        where !new.tables.indices.contains(index) || new.tables[index] != table {
            throw .proof(.content(table: table.name))
        }
        guard old == new else { throw .proof(.schema) }
    }

    /// Reseals what a layer above sealed itself, and proves that the result is whole.
    func reseal<E: SealedErrorCarrier>(
        _ draft: FilePath, newKeys: SealedKeys, _ resealing: (borrowing Resealing) throws(E) -> Void
    ) throws(E) {
        let copy: Database = try told(as: E.self) { () throws(SealedError) in try self.connectDraft(draft, newKeys) }
        try resealing(Resealing(old: database, new: copy, oldKeys: keys, newKeys: newKeys))
        try told(as: E.self) { () throws(SealedError) in try Self.prove(copy) }
    }

    private func connectDraft(_ draft: FilePath, _ newKeys: SealedKeys) throws(SealedError) -> Database {
        try Self.connect(
            draft, keys: newKeys, kind: kind, mode: .readWrite, patience: patience, baseVFS: baseVFS)
    }

    /// Every page authenticates, and SQLite finds nothing wrong. Errors: `.proof`.
    static func prove(_ database: Database) throws(SealedError) {
        try database.transaction(.read) { () throws(SealedError) in
            try readSchema(database)
            if let page = try SealedPages(database).damaged(limit: 1).first { throw .proof(.page(page)) }
            let words = try carried { () throws(DatabaseError) in
                try database.rows("PRAGMA integrity_check(1)") { row throws(DatabaseError) in row.string(0) }
            }
            guard words == ["ok"] else { throw .proof(.integrity) }
            let isBroken = try carried { () throws(DatabaseError) in
                try database.first("PRAGMA foreign_key_check") { _ throws(DatabaseError) in true } ?? false
            }
            if isBroken { throw .proof(.integrity) }
        }
    }

    /// Keeps a lock over several statements, which VACUUM INTO needs: it cannot run in a transaction.
    ///
    /// - Parameter kind: `.exclusive`, or `.read`: others may read then, and nobody can write.
    func holdLock(_ kind: TransactionKind) throws(SealedError) {
        try carried { () throws(DatabaseError) in
            try database.execute("PRAGMA main.locking_mode = EXCLUSIVE")
        }
        do throws(SealedError) {
            try database.transaction(kind) { () throws(SealedError) in try Self.readSchema(self.database) }
            let level = try lockLevel()
            guard level >= (kind == .exclusive ? SQLITE_LOCK_EXCLUSIVE : SQLITE_LOCK_SHARED) else {
                throw .database(.locked)
            }
        } catch {
            releaseLock()
            throw error
        }
    }

    /// Gives the lock of `holdLock` back. SQLite does so with the next use of the file.
    func releaseLock() {
        try? database.execute("PRAGMA main.locking_mode = NORMAL")
        try? Self.readSchema(database)
    }

    private func lockLevel() throws(SealedError) -> Int32 {
        var level: Int32 = 0
        let code = unsafe sqlite3_file_control(database.connection, "main", SQLITE_FCNTL_LOCKSTATE, &level)
        guard code == SQLITE_OK else { throw .database(DatabaseError(code: code)) }
        return level
    }
}
