import CSQLite3

/// The libsqlite3 that the process runs with.
package enum SQLiteLibrary {
    /// The oldest that knows all the SQL in use (STRICT tables, RETURNING, JSON built in): 3.38.0.
    package static let oldestVersionNumber = 3_038_000

    /// Its version as text, such as `3.40.1`.
    package static var version: String { unsafe String(cString: sqlite3_libversion()) }

    /// Its version as one number, major × 1,000,000 + minor × 1,000 + patch.
    package static var versionNumber: Int { Int(sqlite3_libversion_number()) }

    /// True when it was compiled with full text search.
    package static var hasFullTextSearch: Bool { unsafe sqlite3_compileoption_used("ENABLE_FTS5") == 1 }

    /// Whether the library does for sxkey; asked once a process, and before every connection.
    ///
    /// Errors: `.libraryTooOld`, `.libraryLacks`.
    package static func check() throws(DatabaseError) {
        if let problem { throw problem }
    }

    private static let problem: DatabaseError? = {
        // Where something else has begun to use SQLite it goes on counting, which only costs time.
        _ = sx_sqlite3_count_no_memory()
        return problem(
            versionNumber: versionNumber, hasFullTextSearch: hasFullTextSearch, isThreadSafe: sqlite3_threadsafe() != 0)
    }()

    static func problem(versionNumber: Int, hasFullTextSearch: Bool, isThreadSafe: Bool) -> DatabaseError? {
        if versionNumber < oldestVersionNumber {
            return .libraryTooOld(found: versionNumber, needed: oldestVersionNumber)
        }
        if !hasFullTextSearch { return .libraryLacks("FTS5") }
        if !isThreadSafe { return .libraryLacks("threads") }
        return nil
    }

    /// A version number as people write it, such as `3.38.0`.
    package static func text(ofVersionNumber number: Int) -> String {
        "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
    }
}
