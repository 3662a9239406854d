import CSQLite3

/// The libsqlite3 that the process runs with.
package enum SQLiteLibrary {
    /// Its version as text, such as `3.40.1`.
    package static var version: String { unsafe String(cString: sqlite3_libversion()) }

    /// Its version as one number, major × 1,000,000 + minor × 1,000 + patch.
    package static var versionNumber: Int { Int(sqlite3_libversion_number()) }
}
