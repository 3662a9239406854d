import CSQLite3

/// What every connection is set to, and asked for afterwards: a pragma that SQLite does not know, or refuses, is silent.
///
/// - `secure_delete`: with it every page of the file is written, which the encryption of a sealed file needs.
/// - `temp_store`: nothing of a query is ever written to a temporary file.
/// - `trusted_schema`, `DEFENSIVE`, `cell_size_check`: the file may come from somebody else.
/// - `journal_mode`, `synchronous`: a commit is on the disk, and its journal gone from it, before success is said.
enum ConnectionSettings {
    /// Pragma, the value to set, and how it reads back.
    private static let pragmas: [(name: String, value: String, expected: SQLiteValue)] = [
        ("temp_store", "MEMORY", 2),
        ("foreign_keys", "ON", 1),
        ("trusted_schema", "OFF", 0),
        ("cell_size_check", "ON", 1),
        ("secure_delete", "ON", 1),
        ("mmap_size", "0", 0),
        ("synchronous", "EXTRA", 3),
        ("journal_mode", "DELETE", "delete"),
    ]

    private static let flags: [(name: String, setting: Int32, on: Int32)] = [
        ("defensive", SQLITE_DBCONFIG_DEFENSIVE, 1),
        ("load_extension", SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
        // A misspelt name in double quotes is an error, not a text.
        ("dqs_ddl", SQLITE_DBCONFIG_DQS_DDL, 0),
        ("dqs_dml", SQLITE_DBCONFIG_DQS_DML, 0),
    ]

    static func apply(to database: Database) throws(DatabaseError) {
        for flag in flags {
            var result: Int32 = -1
            let code = unsafe sx_sqlite3_set_flag(database.connection, flag.setting, flag.on, &result)
            guard code == SQLITE_OK, result == flag.on else { throw .setting(flag.name) }
        }
        for pragma in pragmas {
            try database.execute("PRAGMA \(pragma.name) = \(pragma.value)")
        }
        try verify(database)
    }

    /// Error: `.setting` with the name of the first one that is not as it should be.
    static func verify(_ database: Database) throws(DatabaseError) {
        for pragma in pragmas {
            let found = try database.first("PRAGMA \(pragma.name)") { $0.value(0) }
            // A VFS that has no mapped memory does not answer.
            if pragma.name == "mmap_size", found == nil { continue }
            guard found == pragma.expected else { throw .setting(pragma.name) }
        }
    }
}
