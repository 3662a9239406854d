import CryptoPrimitives
import SQLiteDatabase

/// Identities, their private items, contacts and verified marks, in one sealed database.
///
/// What there is to do with each noun is in an extension in the noun's folder. One keyring is one connection: it stays on
/// its thread. Times are Unix seconds and come from the caller.
package final class Keyring {
    /// The label of the key that private values are sealed under, derived from the master key of the sealed file.
    package static let itemKeyLabel = "keyring items"

    /// The connection, for the extensions of this target and their tests.
    package let database: Database

    /// AES-256 key of the cells in `item.value`.
    let itemKey: SecretBytes

    /// What the running transaction may do, nil when there is none.
    private var running: TransactionKind?

    /// Takes an open database and brings its tables to the newest version.
    ///
    /// - Parameters:
    ///   - itemKey: 32 bytes, derived with `itemKeyLabel`.
    ///   - isReadOnly: nothing is brought up to date; an older database is then refused as one of another kind.
    /// - Throws: `.database(.newerSchema)` with nothing touched.
    package init(
        _ database: Database, itemKey: consuming SecretBytes, isReadOnly: Bool = false
    ) throws(KeyringError) {
        self.database = database
        self.itemKey = itemKey
        try attempt { () throws(DatabaseError) in
            if isReadOnly {
                // An empty database is one that nobody finished making.
                guard try KeyringSchema.migrator.version(of: database) > 0 else {
                    throw .notThisKind(found: 0, expected: KeyringSchema.applicationID)
                }
            } else {
                try KeyringSchema.migrator.migrate(database)
            }
        }
    }

    /// Does all that `body` does, or nothing of it. Inside of another `changing` it is part of that one.
    package func changing<R>(_ body: () throws(KeyringError) -> R) throws(KeyringError) -> R {
        if running == .write { return try body() }
        return try begin(.write, body)
    }

    /// Sees one state of the keyring throughout, whatever other processes do.
    package func reading<R>(_ body: () throws(KeyringError) -> R) throws(KeyringError) -> R {
        if running != nil { return try body() }
        return try begin(.read, body)
    }

    private func begin<R>(
        _ kind: TransactionKind, _ body: () throws(KeyringError) -> R
    ) throws(KeyringError) -> R {
        let outer = running
        running = kind
        defer { running = outer }
        return try database.transaction(kind, body)
    }
}

/// Runs work on the database and says its error in the keyring's words.
package func attempt<R: ~Copyable>(_ body: () throws(DatabaseError) -> R) throws(KeyringError) -> R {
    do throws(DatabaseError) { return try body() } catch { throw .database(error) }
}
