import CSQLite3

/// What a transaction may do.
package enum TransactionKind: Hashable, Sendable {
    /// Reads, and sees one state of the file; a change inside is refused.
    case read
    /// Changes; the only one that does at a time.
    case write
    /// Changes, and nobody else even reads.
    case exclusive
}

extension Database {
    /// Runs `body` in a transaction: committed when it returns, undone when it throws.
    ///
    /// Errors, `body`'s aside: `.nestedTransaction`, `.locked`, `.readOnly`, and what the disk says. After an error nothing
    /// of the transaction is in the file.
    package func transaction<R: ~Copyable>(
        _ kind: TransactionKind, _ body: () throws(DatabaseError) -> R
    ) throws(DatabaseError) -> R {
        try inTransaction(kind, body)
    }

    /// Runs `body`, with errors of its own, in a transaction.
    package func transaction<R: ~Copyable, E: DatabaseErrorCarrier>(
        _ kind: TransactionKind, _ body: () throws(E) -> R
    ) throws(E) -> R {
        try inTransaction(kind, body)
    }

    private func inTransaction<R: ~Copyable, E: DatabaseErrorCarrier>(
        _ kind: TransactionKind, _ body: () throws(E) -> R
    ) throws(E) -> R {
        guard !isInTransaction else { throw E(.nestedTransaction) }
        try carried(as: E.self) { () throws(DatabaseError) in try begin(kind) }
        isInTransaction = true
        defer { isInTransaction = false }
        do throws(E) {
            let result = try body()
            try carried(as: E.self) { () throws(DatabaseError) in
                if kind == .read { try execute("PRAGMA query_only = OFF") }
                try run("COMMIT")
            }
            return result
        } catch {
            rollBack(kind)
            throw error
        }
    }

    private func begin(_ kind: TransactionKind) throws(DatabaseError) {
        switch kind {
        case .write: try run("BEGIN IMMEDIATE")
        case .exclusive: try run("BEGIN EXCLUSIVE")
        case .read:
            try run("BEGIN")
            do throws(DatabaseError) {
                try execute("PRAGMA query_only = ON")
            } catch {
                rollBack(kind)
                throw error
            }
        }
    }

    /// Nothing can be done about an error here: the first one is told, and SQLite undoes the rest when the file is opened
    /// again. Some errors end the transaction by themselves.
    private func rollBack(_ kind: TransactionKind) {
        if kind == .read { try? execute("PRAGMA query_only = OFF") }
        if unsafe sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
    }
}
