import SQLiteDatabase
import SystemIO
import TestSupport

/// An unencrypted database in a folder of its own.
struct PlainDatabase {
    let folder = TemporaryFolder()
    let path: FilePath
    let database: Database

    init(_ schema: String = "") throws {
        path = FilePath(folder.file("plain.db"))
        database = try Database(opening: path, .create)
        try database.execute(schema)
    }

    /// Keeps the folder until here: SQLite does not write to a file that lost its name.
    func keep() { withExtendedLifetime(folder) {} }

    /// A second connection, which does not wait for locks.
    func another(_ mode: Database.OpenMode = .readWrite) throws -> Database {
        try Database(opening: path, mode, patience: 0)
    }
}

/// The database error of `body`; nil when it throws none.
func databaseError(_ body: () throws -> Void) -> DatabaseError? {
    do {
        try body()
        return nil
    } catch {
        return error as? DatabaseError
    }
}
