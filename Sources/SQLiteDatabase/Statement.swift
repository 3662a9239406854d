/// A statement that runs many times, compiled once: for loops over many rows, where even looking it up counts.
///
/// It holds its database open.
package final class Statement {
    private let database: Database
    private let prepared: PreparedStatement

    init(_ prepared: PreparedStatement, of database: Database) {
        self.database = database
        self.prepared = prepared
    }

    /// Runs it with `values` bound to its parameters. The same statement cannot run while it is running.
    package func run(_ values: SQLiteValue...) throws(DatabaseError) {
        try prepared.run(values)
    }

    /// Runs it with `values`, and `blob` bound, without a copy, to the parameter after them.
    package func run(_ values: SQLiteValue..., lending blob: Span<UInt8>) throws(DatabaseError) {
        try prepared.run(values, lending: blob)
    }

    package func run(values: [SQLiteValue]) throws(DatabaseError) {
        try prepared.run(values)
    }

    package func run(values: [SQLiteValue], lending blob: Span<UInt8>) throws(DatabaseError) {
        try prepared.run(values, lending: blob)
    }

    /// Lends each row to `body` and keeps nothing, until it says no.
    package func visit<E: DatabaseErrorCarrier>(
        _ values: SQLiteValue..., while body: (borrowing Row) throws(E) -> Bool
    ) throws(E) {
        try prepared.visit(values, body)
    }

    /// The first row, given to `body`; nil when there is none.
    package func first<R>(
        _ values: SQLiteValue..., read body: (borrowing Row) throws(DatabaseError) -> R
    ) throws(DatabaseError) -> R? {
        var result: R?
        try prepared.visit(values) { (row) throws(DatabaseError) in
            result = try body(row)
            return false
        }
        return result
    }
}
