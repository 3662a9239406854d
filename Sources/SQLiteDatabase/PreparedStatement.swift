import CSQLite3

/// Alone owner of a compiled statement of SQLite; finalized when it goes.
///
/// It does not hold its connection, which would be a circle with the connection's cache: `sqlite3_close_v2` waits for the
/// last statement.
@safe
final class PreparedStatement {
    /// The SQL as it was given.
    let sql: String
    private let handle: OpaquePointer

    /// Compiles `sql`, which must be one statement.
    init(_ sql: String, on connection: OpaquePointer) throws(DatabaseError) {
        var text = sql
        var handle: OpaquePointer?
        var isWhole = true
        let code = text.withUTF8 { bytes in
            guard let count = Int32(exactly: bytes.count), unsafe !bytes.contains(0) else { return SQLITE_TOOBIG }
            return unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                var rest: UnsafePointer<CChar>?
                let code = unsafe sqlite3_prepare_v3(
                    connection, characters.baseAddress, count, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &rest)
                if let start = characters.baseAddress, let rest = unsafe rest {
                    let tail = unsafe characters[(rest - start)...]
                    isWhole = unsafe tail.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x3B }
                }
                return code
            }
        }
        guard code == SQLITE_OK else {
            throw unsafe DatabaseError(code: code, connection: connection, stage: .preparing)
        }
        guard let handle = unsafe handle, isWhole else {
            unsafe sqlite3_finalize(handle)
            throw .sql(code: SQLITE_MISUSE, message: "this must be one statement")
        }
        self.sql = sql
        unsafe self.handle = handle
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    /// Binds `values` to the parameters from the first on; there must be as many, `extra` aside.
    func bind(_ values: [SQLiteValue], extra: Int = 0) throws(DatabaseError) {
        guard Int(unsafe sqlite3_bind_parameter_count(handle)) == values.count + extra else {
            throw .sql(code: SQLITE_RANGE, message: "the number of values is not that of the parameters")
        }
        for (index, value) in values.enumerated() {
            try check(bind(value, at: Int32(index) + 1))
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        switch value {
        case .null:
            unsafe sqlite3_bind_null(handle, index)
        case .integer(let number):
            unsafe sqlite3_bind_int64(handle, index, number)
        case .real(let number):
            unsafe sqlite3_bind_double(handle, index, number)
        case .text(let bytes):
            unsafe bytes.withUnsafeBytes { buffer in
                unsafe buffer.count == 0
                    ? sx_sqlite3_bind_text(handle, index, "", 0)
                    : sx_sqlite3_bind_text(handle, index, buffer.baseAddress, UInt64(buffer.count))
            }
        case .blob(let bytes):
            unsafe bytes.withUnsafeBytes { buffer in
                // Without an address it would be NULL.
                unsafe buffer.count == 0
                    ? sqlite3_bind_zeroblob(handle, index, 0)
                    : sx_sqlite3_bind_blob(handle, index, buffer.baseAddress, UInt64(buffer.count))
            }
        }
    }

    /// Binds `blob` to parameter `index` (from 1) without copying it, for as long as `body` runs; `body` resets.
    func lending<R>(
        _ blob: Span<UInt8>, at index: Int, _ body: () throws(DatabaseError) -> R
    ) throws(DatabaseError) -> R {
        try unsafe blob.withUnsafeBytes { buffer throws(DatabaseError) in
            let code =
                unsafe buffer.count == 0
                ? sqlite3_bind_zeroblob(handle, Int32(index), 0)
                : sx_sqlite3_lend_blob(handle, Int32(index), buffer.baseAddress, UInt64(buffer.count))
            try check(code)
            defer { reset() }
            return try body()
        }
    }

    /// Goes on to the next row; false at the end.
    func step() throws(DatabaseError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw unsafe DatabaseError(code: code, connection: sqlite3_db_handle(handle), stage: .running)
    }

    /// The row that the last `step` came to.
    func withRow<R: ~Copyable, E: Error>(_ body: (borrowing Row) throws(E) -> R) throws(E) -> R {
        try body(unsafe Row(statement: handle))
    }

    /// Ready to run again, holding no lock and no value. What `sqlite3_reset` gives is the error that `step` threw already.
    func reset() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    private func check(_ code: Int32) throws(DatabaseError) {
        guard code == SQLITE_OK else {
            throw unsafe DatabaseError(code: code, connection: sqlite3_db_handle(handle), stage: .running)
        }
    }
}

// MARK: - Running

extension PreparedStatement {
    /// Runs to the end; rows, if any, are passed over.
    func run(_ values: [SQLiteValue]) throws(DatabaseError) {
        defer { reset() }
        try bind(values)
        while try step() {}
    }

    /// Runs with `blob` bound to the parameter after `values`.
    func run(_ values: [SQLiteValue], lending blob: Span<UInt8>) throws(DatabaseError) {
        defer { reset() }
        try bind(values, extra: 1)
        try lending(blob, at: values.count + 1) { () throws(DatabaseError) in
            while try step() {}
        }
    }

    /// Lends each row to `body` until it says no.
    func visit<E: DatabaseErrorCarrier>(
        _ values: [SQLiteValue], _ body: (borrowing Row) throws(E) -> Bool
    ) throws(E) {
        defer { reset() }
        try carried(as: E.self) { () throws(DatabaseError) in try bind(values) }
        while try carried(as: E.self, { () throws(DatabaseError) in try step() }) {
            guard try withRow(body) else { return }
        }
    }
}
