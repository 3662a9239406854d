import CSQLite3
import SystemIO

/// One connection to a database. Closed when it, and every `Statement` of it, is gone.
///
/// Statements are compiled once and kept by their text. Values are only ever bound, never pasted into SQL.
@safe
package final class Database {
    package enum OpenMode: Hashable, Sendable {
        case readOnly, readWrite
        /// Opened for writing, and made when it is not there.
        case create
    }

    /// How long a lock of somebody else is waited for.
    package static let defaultPatience: Int32 = 5_000

    /// At most this many compiled statements are kept.
    private static let cacheCapacity = 128

    let connection: OpaquePointer
    private var cache: [String: PreparedStatement] = [:]
    /// True while `transaction` runs.
    var isInTransaction = false

    /// Opens an unencrypted file, for tests and benchmarks.
    ///
    /// - Parameter patience: milliseconds to wait for a lock of somebody else.
    ///
    /// Errors: `.libraryTooOld`, `.libraryLacks`, `.cannotOpen`, `.readOnly`, `.damaged`, `.locked`, `.setting`.
    package convenience init(
        opening path: FilePath, _ mode: OpenMode, patience: Int32 = Database.defaultPatience
    ) throws(DatabaseError) {
        guard !path.bytes.isEmpty, !path.bytes.contains(0) else { throw .cannotOpen(errno: 0) }
        // With a slash in front no name is special to SQLite, such as ":memory:" and "file:".
        let name = path.isAbsolute ? path : FilePath(bytes: Array("./".utf8) + path.bytes)
        try self.init(name: name.bytes, isURI: false, vfs: nil, mode, patience: patience) { _ in }
    }

    /// Opens `name`, a path or a URI, through the VFS called `vfs`, the system's for nil.
    ///
    /// - Parameter beforeUse: runs before anything is read from the file, for what must be set first.
    init(
        name: [UInt8], isURI: Bool, vfs: String?, _ mode: OpenMode, patience: Int32 = Database.defaultPatience,
        beforeUse: (Database) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        try SQLiteLibrary.check()
        let access =
            switch mode {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        // A connection is not Sendable, so SQLite need not lock it; EXRESCODE turns extended result codes on.
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | (isURI ? SQLITE_OPEN_URI : 0)
        var opened: OpaquePointer?
        let code = unsafe (name + [0]).withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let vfs else { return unsafe sqlite3_open_v2(characters.baseAddress, &opened, flags, nil) }
                return unsafe sqlite3_open_v2(characters.baseAddress, &opened, flags, vfs)
            }
        }
        guard code == SQLITE_OK, let connection = unsafe opened else {
            let error = unsafe DatabaseError(code: code, connection: opened, stage: .running)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe self.connection = connection
        let patienceCode = unsafe sqlite3_busy_timeout(connection, patience)
        guard patienceCode == SQLITE_OK else { throw .setting("busy_timeout") }
        try beforeUse(self)
        try ConnectionSettings.apply(to: self)
        // SQLite opens a file that may not be written for reading only, and says nothing.
        if mode != .readOnly, unsafe sqlite3_db_readonly(connection, "main") != 0 { throw .readOnly }
    }

    deinit {
        cache.removeAll()
        unsafe sqlite3_close_v2(connection)
    }
}

// MARK: - Running SQL

extension Database {
    /// Runs statements that take no values and whose rows, if any, do not matter.
    package func execute(_ sql: String) throws(DatabaseError) {
        guard !sql.utf8.contains(0) else { throw .sql(code: SQLITE_MISUSE, message: "SQL with a NUL byte") }
        let code = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw unsafe DatabaseError(code: code, connection: connection, stage: .running) }
    }

    /// Runs one statement with `values` bound to its parameters.
    package func run(_ sql: String, _ values: SQLiteValue...) throws(DatabaseError) {
        try run(sql, values: values)
    }

    package func run(_ sql: String, values: [SQLiteValue]) throws(DatabaseError) {
        try withPrepared(sql) { statement throws(DatabaseError) in try statement.run(values) }
    }

    /// Runs one statement with `values`, and `blob` bound, without a copy, to the parameter after them.
    package func run(_ sql: String, _ values: SQLiteValue..., lending blob: Span<UInt8>) throws(DatabaseError) {
        let statement = try checkOut(sql)
        defer { checkIn(statement) }
        try statement.run(values, lending: blob)
    }

    /// What `body` makes of each row.
    package func rows<R>(
        _ sql: String, _ values: SQLiteValue..., each body: (borrowing Row) throws(DatabaseError) -> R
    ) throws(DatabaseError) -> [R] {
        try collect(sql, values, body)
    }

    /// What `body`, with errors of its own, makes of each row.
    package func rows<R, E: DatabaseErrorCarrier>(
        _ sql: String, _ values: SQLiteValue..., each body: (borrowing Row) throws(E) -> R
    ) throws(E) -> [R] {
        try collect(sql, values, body)
    }

    /// What `body` makes of the first row; nil when there is none.
    package func first<R: ~Copyable>(
        _ sql: String, _ values: SQLiteValue..., read body: (borrowing Row) throws(DatabaseError) -> R
    ) throws(DatabaseError) -> R? {
        try readFirst(sql, values, body)
    }

    /// What `body`, with errors of its own, makes of the first row; nil when there is none.
    package func first<R: ~Copyable, E: DatabaseErrorCarrier>(
        _ sql: String, _ values: SQLiteValue..., read body: (borrowing Row) throws(E) -> R
    ) throws(E) -> R? {
        try readFirst(sql, values, body)
    }

    /// Lends each row to `body` and keeps nothing, until it says no.
    package func visit<E: DatabaseErrorCarrier>(
        _ sql: String, _ values: SQLiteValue..., while body: (borrowing Row) throws(E) -> Bool
    ) throws(E) {
        try visit(sql, values: values, while: body)
    }

    package func visit<E: DatabaseErrorCarrier>(
        _ sql: String, values: [SQLiteValue], while body: (borrowing Row) throws(E) -> Bool
    ) throws(E) {
        try withPrepared(sql) { statement throws(E) in try statement.visit(values, body) }
    }

    /// A statement to keep, for loops over many rows.
    package func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        Statement(unsafe try PreparedStatement(sql, on: connection), of: self)
    }

    /// Rows that the last INSERT, UPDATE or DELETE changed.
    package var changes: Int64 { unsafe sqlite3_changes64(connection) }

    /// The row number of the last row inserted.
    package var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(connection) }

    /// True when the file cannot be written through this connection.
    package var isReadOnly: Bool { unsafe sqlite3_db_readonly(connection, "main") != 0 }
}

// MARK: - Compiled statements

extension Database {
    private func collect<R, E: DatabaseErrorCarrier>(
        _ sql: String, _ values: [SQLiteValue], _ body: (borrowing Row) throws(E) -> R
    ) throws(E) -> [R] {
        var result: [R] = []
        try withPrepared(sql) { statement throws(E) in
            try statement.visit(values) { row throws(E) in
                result.append(try body(row))
                return true
            }
        }
        return result
    }

    private func readFirst<R: ~Copyable, E: DatabaseErrorCarrier>(
        _ sql: String, _ values: [SQLiteValue], _ body: (borrowing Row) throws(E) -> R
    ) throws(E) -> R? {
        var result: R?
        try withPrepared(sql) { statement throws(E) in
            try statement.visit(values) { row throws(E) in
                result = try body(row)
                return false
            }
        }
        return result
    }

    func withPrepared<E: DatabaseErrorCarrier>(
        _ sql: String, _ body: (PreparedStatement) throws(E) -> Void
    ) throws(E) {
        let statement: PreparedStatement = try carried(as: E.self) { () throws(DatabaseError) in
            try checkOut(sql)
        }
        defer { checkIn(statement) }
        try body(statement)
    }

    /// Takes a statement out of the cache while it runs, so that a query inside a query gets one of its own.
    private func checkOut(_ sql: String) throws(DatabaseError) -> PreparedStatement {
        // Texts that are equal to Swift may differ in their bytes.
        if let kept = cache.removeValue(forKey: sql), kept.sql.utf8.elementsEqual(sql.utf8) { return kept }
        return unsafe try PreparedStatement(sql, on: connection)
    }

    private func checkIn(_ statement: PreparedStatement) {
        if cache.count >= Self.cacheCapacity { cache.removeAll() }
        cache[statement.sql] = statement
    }
}
