import CryptoPrimitives
import SQLiteDatabase
import Testing

@Suite("values and rows")
struct RowTests {
    private static let values: [SQLiteValue] = [
        .null, .integer(0 as Int64), .integer(Int64.min), .integer(Int64.max), .real(0.1), .real(-.infinity), .text(""),
        .text("a\0b"), .text([0]), .text("padm\u{E9} \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"),
        .text([0xFF, 0xFE]), .blob([]),
        .blob([0]), .blob([UInt8](0...255)), .blob([UInt8](repeating: 7, count: 100_000)),
    ]

    @Test("a value comes back as it went in, and SQLite sees its bytes", arguments: values)
    func roundTrip(value: SQLiteValue) throws {
        let plain = try PlainDatabase("CREATE TABLE t(a)")
        try plain.database.run("INSERT INTO t VALUES(?)", value)
        // Another connection reads it from the file.
        let other = try plain.another(.readOnly)
        #expect(try other.first("SELECT a FROM t") { $0.value(0) } == value)
        let length = try other.first("SELECT length(CAST(a AS BLOB)) FROM t") { $0.integer(0) }
        switch value {
        case .text(let bytes), .blob(let bytes): #expect(length == Int64(bytes.count))
        default: break
        }
    }

    @Test("a lent blob is stored, and read back without a copy")
    func lentBlobs() throws {
        let plain = try PlainDatabase("CREATE TABLE t(id INTEGER PRIMARY KEY, a)")
        defer { plain.keep() }
        let database = plain.database
        let secret = try SecretBytes(randomCount: 5000)
        try secret.withSpan { bytes throws(DatabaseError) in
            try database.run("INSERT INTO t VALUES(?, ?)", 1, lending: bytes)
        }
        let nothing: [UInt8] = []
        try database.run("INSERT INTO t VALUES(?, ?)", 2, lending: nothing.span)
        let isEqual = try database.first("SELECT a FROM t WHERE id = 1") { row in
            row.withBlob(0) { secret.isEqual(to: $0) }
        }
        #expect(isEqual == true)
        let count = try database.first("SELECT a FROM t WHERE id = 2") { row in row.withBlob(0) { $0.count } }
        #expect(count == 0)
        #expect(try database.first("SELECT typeof(a) FROM t WHERE id = 2") { $0.string(0) } == "blob")
        #expect(try database.first("SELECT id FROM t") { row in row.withBlob(0) { $0.count } } == .some(nil))
    }

    @Test("a secret is made straight from a row")
    func secretFromRow() throws {
        let plain = try PlainDatabase()
        defer { plain.keep() }
        let database = plain.database
        let found = try database.first("SELECT x'010203'") { row in
            row.withBlob(0) { bytes in try? SecretBytes(copying: bytes) } ?? nil
        }
        switch consume found {
        case .some(.some(let secret)): #expect(secret.count == 3)
        default: Issue.record("no secret")
        }
    }

    @Test("an accessor gives nothing for another type, and the required ones throw, without the value")
    func types() throws {
        let plain = try PlainDatabase()
        defer { plain.keep() }
        let database = plain.database
        let sql = "SELECT 1, 2.5, 'three', x'04', NULL"
        let seen = try database.first(sql) { row in
            [
                (0..<5).map { row.integer($0) != nil }, (0..<5).map { row.real($0) != nil },
                (0..<5).map { row.text($0) != nil }, (0..<5).map { row.blob($0) != nil },
                (0..<5).map { row.isNull($0) },
            ]
        }
        #expect(
            seen == [
                [true, false, false, false, false], [true, true, false, false, false],
                [false, false, true, false, false],
                [false, false, false, true, false], [false, false, false, false, true],
            ])
        let numbers = try database.first(sql) { row throws(DatabaseError) in
            (try row.requiredInteger(0), try row.requiredReal(1), try row.requiredString(2), try row.requiredBlob(3))
        }
        #expect(try #require(numbers) == (1, 2.5, "three", [4]))
        let error = databaseError {
            _ = try database.first("SELECT 'secret' AS age") { row throws(DatabaseError) in try row.requiredInteger(0) }
        }
        #expect(error == .damaged("age has a value of another type"))
    }
}
