import CSQLite3

/// A row of a result while its statement stands on it; it cannot leave the closure that it is lent to.
///
/// Columns count from 0. An accessor gives nil for NULL and for a value of another type; the `required` ones throw then,
/// for columns that the schema says are never NULL.
@safe
package struct Row: ~Copyable {
    private let statement: OpaquePointer

    init(statement: OpaquePointer) {
        unsafe self.statement = statement
    }

    /// Number of columns.
    package var count: Int { Int(unsafe sqlite3_data_count(statement)) }

    package func isNull(_ column: Int) -> Bool {
        type(column) == SQLITE_NULL
    }

    package func integer(_ column: Int) -> Int64? {
        guard type(column) == SQLITE_INTEGER else { return nil }
        return unsafe sqlite3_column_int64(statement, Int32(column))
    }

    /// A number, integers too.
    package func real(_ column: Int) -> Double? {
        let type = type(column)
        guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return nil }
        return unsafe sqlite3_column_double(statement, Int32(column))
    }

    /// The UTF-8 bytes of a text, NUL bytes too.
    package func text(_ column: Int) -> [UInt8]? {
        guard type(column) == SQLITE_TEXT else { return nil }
        return unsafe lend(sqlite3_column_text(statement, Int32(column)), of: column) { Array(copying: $0) }
    }

    /// Lends the UTF-8 bytes of a text without copying them; nil, and no call, when it is none.
    package func withText<R: ~Copyable, E: Error>(
        _ column: Int, _ body: (Span<UInt8>) throws(E) -> R
    ) throws(E) -> R? {
        guard type(column) == SQLITE_TEXT else { return nil }
        return unsafe try lend(sqlite3_column_text(statement, Int32(column)), of: column, body)
    }

    /// A text as `String`, with U+FFFD where it is not UTF-8; for showing, not for comparing.
    package func string(_ column: Int) -> String? {
        text(column).map { String(decoding: $0, as: UTF8.self) }
    }

    package func blob(_ column: Int) -> [UInt8]? {
        withBlob(column) { Array(copying: $0) }
    }

    /// Lends the bytes of a blob without copying them; nil, and no call, when it is none.
    package func withBlob<R: ~Copyable, E: Error>(
        _ column: Int, _ body: (Span<UInt8>) throws(E) -> R
    ) throws(E) -> R? {
        guard type(column) == SQLITE_BLOB else { return nil }
        let bytes = unsafe sqlite3_column_blob(statement, Int32(column))
        return unsafe try lend(bytes?.assumingMemoryBound(to: UInt8.self), of: column, body)
    }

    package func value(_ column: Int) -> SQLiteValue {
        switch type(column) {
        case SQLITE_INTEGER: .integer(orNull: integer(column))
        case SQLITE_FLOAT: .real(orNull: real(column))
        case SQLITE_TEXT: .text(orNull: text(column))
        case SQLITE_BLOB: .blob(orNull: blob(column))
        default: .null
        }
    }

    private func type(_ column: Int) -> Int32 {
        precondition(column >= 0 && column < count, "the statement has no such column")
        return unsafe sqlite3_column_type(statement, Int32(column))
    }

    /// SQLite gives no address for an empty value.
    private func lend<R: ~Copyable, E: Error>(
        _ start: UnsafePointer<UInt8>?, of column: Int, _ body: (Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        let count = Int(unsafe sqlite3_column_bytes(statement, Int32(column)))
        let bytes = unsafe UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
        return try body(unsafe bytes.span)
    }
}

// MARK: - Columns that are never NULL

extension Row {
    /// Error: `.damaged`, as of the other `required` ones.
    package func requiredInteger(_ column: Int) throws(DatabaseError) -> Int64 {
        guard let value = integer(column) else { throw wrongType(column) }
        return value
    }

    package func requiredReal(_ column: Int) throws(DatabaseError) -> Double {
        guard let value = real(column) else { throw wrongType(column) }
        return value
    }

    package func requiredText(_ column: Int) throws(DatabaseError) -> [UInt8] {
        guard let value = text(column) else { throw wrongType(column) }
        return value
    }

    package func requiredString(_ column: Int) throws(DatabaseError) -> String {
        guard let value = string(column) else { throw wrongType(column) }
        return value
    }

    package func requiredBlob(_ column: Int) throws(DatabaseError) -> [UInt8] {
        guard let value = blob(column) else { throw wrongType(column) }
        return value
    }

    /// SQL has no booleans: false for 0, true for any other number.
    package func requiredFlag(_ column: Int) throws(DatabaseError) -> Bool {
        try requiredInteger(column) != 0
    }

    private func wrongType(_ column: Int) -> DatabaseError {
        let name = unsafe sqlite3_column_name(statement, Int32(column)).map { unsafe String(cString: $0) }
        return .damaged("\(name ?? "a column") has a value of another type")
    }
}

extension Array<UInt8> {
    init(copying bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }
}
