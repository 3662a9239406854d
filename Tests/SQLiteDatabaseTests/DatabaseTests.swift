import CryptoPrimitives
import SystemIO
import TestSupport
import Testing

@testable import SQLiteDatabase

@Suite("a database connection")
struct DatabaseTests {
    @Test("every setting is as it must be, and one that is not is found")
    func settings() throws {
        let plain = try PlainDatabase()
        try ConnectionSettings.verify(plain.database)
        for pragma in ["secure_delete = OFF", "synchronous = NORMAL", "temp_store = FILE", "foreign_keys = OFF"] {
            let other = try plain.another()
            try other.execute("PRAGMA \(pragma)")
            let name = String(pragma.prefix { $0 != " " })
            #expect(databaseError { try ConnectionSettings.verify(other) } == .setting(name))
        }
    }

    @Test("the schema cannot be written behind SQLite's back, and extensions cannot be loaded")
    func defensive() throws {
        let plain = try PlainDatabase("CREATE TABLE t(a)")
        try plain.database.execute("PRAGMA writable_schema = ON")
        #expect(databaseError { try plain.database.execute("DELETE FROM sqlite_schema") } != nil)
        #expect(databaseError { try plain.database.execute("SELECT load_extension('x')") } != nil)
        #expect(databaseError { try plain.database.execute("SELECT \"no such column\"") } != nil)
    }

    @Test(
        "a name that is special to SQLite is a file like any other",
        arguments: [":memory:", "file:x?mode=memory", "a b"])
    func names(name: String) throws {
        let folder = TemporaryFolder()
        _ = try Database(opening: FilePath(folder.file(name)), .create).execute("CREATE TABLE t(a)")
        #expect(folder.names == [name])
    }

    @Test("what cannot be opened says so")
    func cannotOpen() throws {
        let folder = TemporaryFolder()
        let missing = FilePath(folder.file("missing.db"))
        #expect(databaseError { _ = try Database(opening: missing, .readWrite) } == .cannotOpen(errno: 2))
        #expect(databaseError { _ = try Database(opening: missing, .readOnly) } == .cannotOpen(errno: 2))
        #expect(databaseError { _ = try Database(opening: "", .create) } == .cannotOpen(errno: 0))
        #expect(
            databaseError { _ = try Database(opening: FilePath(bytes: [65, 0]), .create) } == .cannotOpen(errno: 0))
        #expect(folder.names == [])
    }

    @Test("a file that is no database is damage, and stays as it is")
    func noDatabase() throws {
        let folder = TemporaryFolder()
        let bytes = [UInt8](repeating: 0x5A, count: 8192)
        let path = folder.write(bytes, to: "a.db")
        let error = databaseError { _ = try Database(opening: FilePath(path), .readWrite) }
        #expect(error == .damaged("file is not a database"))
        #expect(fileBytes(path) == bytes)
    }

    @Test("a connection for reading changes nothing")
    func readOnly() throws {
        let plain = try PlainDatabase("CREATE TABLE t(a)")
        let reader = try plain.another(.readOnly)
        #expect(reader.isReadOnly && !plain.database.isReadOnly)
        #expect(databaseError { try reader.run("INSERT INTO t VALUES(1)") } == .readOnly)
    }

    @Test("changed rows and the last row number are told")
    func counts() throws {
        let plain = try PlainDatabase("CREATE TABLE t(id INTEGER PRIMARY KEY, a)")
        defer { plain.keep() }
        let database = plain.database
        try database.run("INSERT INTO t VALUES(7, 1), (8, 2)")
        #expect(database.changes == 2 && database.lastInsertedRow == 8)
        try database.run("UPDATE t SET a = a + ? WHERE a >= ?", 10, 2)
        #expect(database.changes == 1)
        #expect(try database.rows("SELECT a FROM t ORDER BY id") { $0.integer(0) } == [1, 12])
        #expect(try database.first("SELECT a FROM t WHERE id = ?", 9) { $0.integer(0) } == nil)
    }

    @Test("a query runs inside the same query")
    func nestedQueries() throws {
        let plain = try PlainDatabase("CREATE TABLE t(a); INSERT INTO t VALUES(1), (2), (3)")
        defer { plain.keep() }
        let database = plain.database
        let sql = "SELECT a FROM t ORDER BY a"
        let pairs = try database.rows(sql) { outer throws(DatabaseError) in
            try database.rows(sql) { inner in (outer.integer(0) ?? 0) * 10 + (inner.integer(0) ?? 0) }
        }
        #expect(pairs == [[11, 12, 13], [21, 22, 23], [31, 32, 33]])
        var seen = 0
        try database.visit(sql) { (row) throws(DatabaseError) in
            seen += 1
            return row.integer(0) != 2
        }
        #expect(seen == 2)
    }

    @Test("texts that only look equal are different statements")
    func statementsByBytes() throws {
        let plain = try PlainDatabase()
        defer { plain.keep() }
        let database = plain.database
        let composed = try database.first("SELECT hex('\u{E9}')") { $0.string(0) }
        let decomposed = try database.first("SELECT hex('e\u{301}')") { $0.string(0) }
        #expect(composed == "C3A9" && decomposed == "65CC81")
    }

    @Test("more statements than are kept still run, and a kept one sees a new schema")
    func cache() throws {
        let plain = try PlainDatabase("CREATE TABLE t(a)")
        defer { plain.keep() }
        let database = plain.database
        for number in 0..<300 {
            #expect(try database.first("SELECT ? + \(number)", 1) { $0.integer(0) } == Int64(number + 1))
        }
        #expect(try database.first("SELECT count(*) FROM pragma_table_info('t')") { $0.integer(0) } == 1)
        try database.execute("ALTER TABLE t ADD COLUMN b")
        #expect(try database.first("SELECT count(*) FROM pragma_table_info('t')") { $0.integer(0) } == 2)
    }

    @Test("a statement keeps its database open")
    func statement() throws {
        let folder = TemporaryFolder()
        var database: Database? = try Database(opening: FilePath(folder.file("a.db")), .create)
        try database?.execute("CREATE TABLE t(a, b)")
        let insert = try #require(try database?.prepare("INSERT INTO t VALUES(?, ?)"))
        let count = try #require(try database?.prepare("SELECT count(*) FROM t WHERE a >= ?"))
        database = nil
        for number in 0..<5 { try insert.run(.integer(number), "x") }
        #expect(try count.first(2) { $0.integer(0) } == 3)
        let bytes: [UInt8] = [1, 2, 3]
        try insert.run(9, lending: bytes.span)
        #expect(try count.first(9) { $0.integer(0) } == 1)
    }

    @Test("SQL that is not one statement, or takes another number of values, is refused")
    func misuse() throws {
        let plain = try PlainDatabase("CREATE TABLE t(a)")
        defer { plain.keep() }
        let database = plain.database
        for sql in ["", " ", "SELECT 1; SELECT 2", "SELECT 1\0", "-- nothing"] {
            #expect(databaseError { try database.run(sql) } != nil, "\(sql)")
        }
        try database.run("SELECT 1;\n")
        #expect(databaseError { try database.run("INSERT INTO t VALUES(?)") } != nil)
        #expect(databaseError { try database.run("INSERT INTO t VALUES(?)", 1, 2) } != nil)
        #expect(databaseError { try database.execute("SELECT 1\0 FROM nowhere") } != nil)
        #expect(try database.first("SELECT count(*) FROM t") { $0.integer(0) } == 0)
    }

    @Test("full text search is there")
    func fullText() throws {
        let plain = try PlainDatabase("CREATE VIRTUAL TABLE f USING fts5(a)")
        defer { plain.keep() }
        let database = plain.database
        try database.run("INSERT INTO f VALUES(?)", "the quick brown fox")
        #expect(try database.rows("SELECT rowid FROM f WHERE f MATCH ?", "quick") { $0.integer(0) } == [1])
    }
}
