import SQLiteDatabase

/// Messages of years, from all devices and exports, in one sealed database that can be searched.
///
/// What there is to do with it is in an extension in a folder of its own. One archive is one connection: it stays on its
/// thread. Times are milliseconds since 1970 and come from the caller.
package final class Archive {
    /// The connection, for the extensions of this target and their tests.
    package let database: Database

    /// The file around it; nil for a plain file, in tests and benchmarks.
    package let sealed: SealedDatabase?

    /// What the running transaction may do, nil when there is none.
    private var running: TransactionKind?

    /// Pages of the file that a connection keeps in memory, in KiB; taken only as they are read.
    private static let cacheKiB = 65_536

    /// Takes an open database and brings its tables to the newest version.
    ///
    /// - Parameter isReadOnly: nothing is brought up to date; an older database is then refused as one of another kind.
    /// - Throws: `.database(.newerSchema)` with nothing touched.
    package convenience init(_ database: Database, isReadOnly: Bool = false) throws(ArchiveError) {
        try self.init(database, sealed: nil, isReadOnly: isReadOnly)
    }

    init(_ database: Database, sealed: SealedDatabase?, isReadOnly: Bool) throws(ArchiveError) {
        self.database = database
        self.sealed = sealed
        try attempt { () throws(DatabaseError) in
            try Self.prepare(database)
            try database.execute("PRAGMA cache_size = -\(Self.cacheKiB)")
            if isReadOnly {
                // An empty database is one that nobody finished making.
                guard try ArchiveSchema.migrator.version(of: database) > 0 else {
                    throw .notThisKind(found: 0, expected: ArchiveSchema.applicationID)
                }
            } else {
                try ArchiveSchema.migrator.migrate(database)
            }
        }
    }

    /// What a connection needs before it may touch the index.
    static func prepare(_ database: Database) throws(DatabaseError) {
        try FullTextTokenizer.register(on: database)
    }

    /// Does all that `body` does, or nothing of it. Inside of another `changing` it is part of that one.
    package func changing<R>(_ body: () throws(ArchiveError) -> R) throws(ArchiveError) -> R {
        if running == .write { return try body() }
        return try begin(.write, body)
    }

    /// Sees one state of the archive throughout, whatever other processes do.
    package func reading<R>(_ body: () throws(ArchiveError) -> R) throws(ArchiveError) -> R {
        if running != nil { return try body() }
        return try begin(.read, body)
    }

    private func begin<R>(
        _ kind: TransactionKind, _ body: () throws(ArchiveError) -> R
    ) throws(ArchiveError) -> R {
        let outer = running
        running = kind
        defer { running = outer }
        return try database.transaction(kind, body)
    }
}
