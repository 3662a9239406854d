import CryptoPrimitives

/// What a database says, as digests that do not depend on how its pages are laid out: to prove that a copy is one.
struct SealedContent: Equatable, Sendable {
    struct Table: Equatable, Sendable {
        let name: [UInt8]
        let rows: Int
        let digest: [UInt8]
    }

    /// Every table that has pages: those of virtual tables' content too, and the virtual ones themselves not.
    let tables: [Table]
    /// Names and SQL of everything in the schema, and the two numbers of the application.
    let schema: [UInt8]

    /// Reads the whole database.
    init(of database: Database) throws(SealedError) {
        self = try carried { () throws(DatabaseError) in
            try SealedContent(tables: Self.tables(of: database), schema: Self.schema(of: database))
        }
    }

    private init(tables: [Table], schema: [UInt8]) {
        self.tables = tables
        self.schema = schema
    }

    private static func tables(of database: Database) throws(DatabaseError) -> [Table] {
        let names = try database.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage <> 0 ORDER BY name"
        ) { row throws(DatabaseError) in try row.requiredText(0) }
        var tables: [Table] = []
        for name in names {
            let text = String(decoding: name, as: UTF8.self).replacing("\"", with: "\"\"")
            let (rows, digest) = try self.digest("SELECT * FROM \"\(text)\" NOT INDEXED", database)
            tables.append(Table(name: name, rows: rows, digest: digest))
        }
        return tables
    }

    private static func schema(of database: Database) throws(DatabaseError) -> [UInt8] {
        let objects = try digest("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name", database)
        let version = try digest("SELECT * FROM pragma_user_version", database)
        let application = try digest("SELECT * FROM pragma_application_id", database)
        return objects.digest + version.digest + application.digest
    }

    /// Number and SHA-256 of all rows: each value as its type, its length, and its bytes.
    private static func digest(_ sql: String, _ database: Database) throws(DatabaseError) -> (
        rows: Int, digest: [UInt8]
    ) {
        let statement = unsafe try PreparedStatement(sql, on: database.connection)
        var hash = SHA256()
        var rows = 0
        try statement.visit([]) { (row: borrowing Row) throws(DatabaseError) in
            rows += 1
            for column in 0..<row.count { Self.add(row, column, to: &hash) }
            return true
        }
        return (rows, hash.finish())
    }

    private static func add(_ row: borrowing Row, _ column: Int, to hash: inout SHA256) {
        // A blob is what may be large, so it is not copied.
        let isBlob: Void? = row.withBlob(column) { bytes in
            hash.update(beginning(type: 4, number: UInt64(bytes.count)).span)
            hash.update(bytes)
        }
        guard isBlob == nil else { return }
        switch row.value(column) {
        case .null: hash.update(beginning(type: 0, number: 0).span)
        case .integer(let value): hash.update(beginning(type: 1, number: UInt64(bitPattern: value)).span)
        case .real(let value): hash.update(beginning(type: 2, number: value.bitPattern).span)
        case .text(let bytes), .blob(let bytes):
            hash.update(beginning(type: 3, number: UInt64(bytes.count)).span)
            hash.update(bytes.span)
        }
    }

    private static func beginning(type: UInt8, number: UInt64) -> [UInt8] {
        var bytes = [UInt8](repeating: type, count: 9)
        bytes.setNumber(number, at: 1, bytes: 8)
        return bytes
    }
}
