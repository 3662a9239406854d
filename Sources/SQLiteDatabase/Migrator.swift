/// One step of a schema: from the version before to `version`.
package struct Migration: Sendable {
    /// The version that the schema has afterwards; the first is 1, each other one more than that before it.
    package let version: Int
    /// What it does, in a few words.
    package let name: String
    package let body: @Sendable (Database) throws(DatabaseError) -> Void

    package init(
        version: Int, name: String, body: @escaping @Sendable (Database) throws(DatabaseError) -> Void
    ) {
        self.version = version
        self.name = name
        self.body = body
    }
}

/// Brings a schema up to date, in one transaction: all of it, or nothing.
///
/// The version is SQLite's `user_version`, the application its `application_id`.
package struct Migrator: Sendable {
    package let applicationID: Int32
    package let migrations: [Migration]

    package init(applicationID: Int32, migrations: [Migration]) {
        precondition(applicationID != 0, "0 is the application id of no application")
        precondition(migrations.map(\.version) == Array(1...max(1, migrations.count)), "versions count from 1")
        self.applicationID = applicationID
        self.migrations = migrations
    }

    /// The newest version known.
    package var newestVersion: Int { migrations.count }

    /// The version of the schema that `database` has, 0 when it is empty; writes nothing.
    ///
    /// Errors: `.newerSchema`, `.notThisKind`.
    package func version(of database: Database) throws(DatabaseError) -> Int {
        let application = Int32(truncatingIfNeeded: try number("PRAGMA application_id", database))
        let version = Int(try number("PRAGMA user_version", database))
        if application == 0, version == 0 {
            let objects = try number("SELECT count(*) FROM sqlite_schema", database)
            guard objects == 0 else { throw .notThisKind(found: 0, expected: applicationID) }
            return 0
        }
        guard application == applicationID else {
            throw .notThisKind(found: application, expected: applicationID)
        }
        guard version <= newestVersion else { throw .newerSchema(found: version, known: newestVersion) }
        guard version > 0 else { throw .damaged("the version of the schema is \(version)") }
        return version
    }

    /// Runs the migrations that `database` lacks. A schema that is newer, or not this application's, is not touched.
    ///
    /// Errors: those of `version(of:)`, `.readOnly`, `.locked`, `.constraint` when a foreign key leads nowhere afterwards,
    /// and those of the migrations.
    package func migrate(_ database: Database) throws(DatabaseError) {
        guard try version(of: database) < newestVersion else { return }
        // Tables may be made anew and renamed, so whether foreign keys fit is looked at once, at the end. SQLite ignores
        // this setting inside a transaction.
        try database.execute("PRAGMA foreign_keys = OFF")
        do throws(DatabaseError) {
            try database.transaction(.write) { () throws(DatabaseError) in try runMigrations(on: database) }
        } catch {
            try? database.execute("PRAGMA foreign_keys = ON")
            throw error
        }
        try database.execute("PRAGMA foreign_keys = ON")
        try ConnectionSettings.verify(database)
    }

    private func runMigrations(on database: Database) throws(DatabaseError) {
        // Another process may have been faster.
        let version = try version(of: database)
        guard version < newestVersion else { return }
        for migration in migrations where migration.version > version {
            try migration.body(database)
        }
        let astray = try database.first("PRAGMA foreign_key_check") { $0.string(0) ?? "" }
        if let astray { throw .constraint(.foreignKey, rule: astray) }
        try database.execute("PRAGMA application_id = \(applicationID)")
        try database.execute("PRAGMA user_version = \(newestVersion)")
    }

    private func number(_ sql: String, _ database: Database) throws(DatabaseError) -> Int64 {
        guard let number = try database.first(sql, read: { $0.integer(0) }), let number else {
            throw .damaged("the head of the database cannot be read")
        }
        return number
    }
}
