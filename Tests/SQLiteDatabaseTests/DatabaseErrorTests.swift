import Glibc
import SystemIO
import TestSupport
import Testing

@testable import SQLiteDatabase

@Suite("errors of a database")
struct DatabaseErrorTests {
    @Test("a broken rule is told with its table and column, not with the value")
    func constraints() throws {
        let plain = try PlainDatabase(
            """
            CREATE TABLE p(id INTEGER PRIMARY KEY);
            CREATE TABLE t(a TEXT UNIQUE, b INTEGER NOT NULL, c INTEGER CHECK(c > 0), d REFERENCES p(id)) STRICT
            """.replacing("d REFERENCES", with: "d INTEGER REFERENCES")
        )
        defer { plain.keep() }
        let database = plain.database
        let insert = "INSERT INTO t VALUES(?, ?, ?, ?)"
        try database.run(insert, "secret", 1, 1, nil)
        #expect(
            databaseError { try database.run(insert, "secret", 1, 1, nil) }
                == .constraint(.unique, rule: "UNIQUE constraint failed: t.a"))
        #expect(
            databaseError { try database.run(insert, "x", nil, 1, nil) }
                == .constraint(.notNull, rule: "NOT NULL constraint failed: t.b"))
        #expect(
            databaseError { try database.run(insert, "x", 1, 0, nil) }
                == .constraint(.check, rule: "CHECK constraint failed: c > 0"))
        #expect(
            databaseError { try database.run(insert, "x", 1, 1, 5) }
                == .constraint(.foreignKey, rule: "FOREIGN KEY constraint failed"))
        #expect(
            databaseError { try database.run(insert, "x", "secret", 1, nil) }
                == .constraint(.type, rule: "cannot store TEXT value in INTEGER column t.b"))
    }

    @Test("what was bound is in no error, also where SQLite quotes it")
    func noValues() throws {
        let plain = try PlainDatabase("CREATE VIRTUAL TABLE f USING fts5(a)")
        defer { plain.keep() }
        let database = plain.database
        let error = databaseError {
            _ = try database.rows("SELECT rowid FROM f WHERE f MATCH ?", "secret \" words") { $0.integer(0) }
        }
        #expect(error == .sql(code: 1, message: "SQL logic error"))
        let json = databaseError { _ = try database.first("SELECT json(?)", "secret") { $0.string(0) } }
        #expect(json == .sql(code: 1, message: "SQL logic error"))
    }

    @Test("wrong SQL is told in SQLite's words")
    func wrongSQL() throws {
        let plain = try PlainDatabase()
        defer { plain.keep() }
        let database = plain.database
        #expect(
            databaseError { try database.run("SELECT * FROM nowhere") }
                == .sql(code: 1, message: "no such table: nowhere"))
    }

    @Test("a lock of another connection is locked, not a failure")
    func locked() throws {
        let plain = try PlainDatabase("CREATE TABLE t(a)")
        let other = try plain.another()
        try plain.database.transaction(.exclusive) {
            #expect(databaseError { _ = try other.rows("SELECT a FROM t") { $0.integer(0) } } == .locked)
            #expect(databaseError { try other.run("INSERT INTO t VALUES(1)") } == .locked)
            #expect(databaseError { _ = try plain.another() } == .locked)
        }
        try other.run("INSERT INTO t VALUES(1)")
    }

    @Test("a value above SQLite's limit is too big")
    func tooBig() throws {
        let plain = try PlainDatabase()
        defer { plain.keep() }
        let database = plain.database
        #expect(databaseError { _ = try database.first("SELECT zeroblob(2000000000)") { $0.isNull(0) } } == .tooBig)
    }

    @Test("codes become the errors that a caller can act on")
    func codes() {
        func error(_ code: Int32) -> DatabaseError { DatabaseError(code: code, connection: nil, stage: .running) }
        #expect(error(5) == .locked && error(261) == .locked && error(6) == .locked && error(3850) == .locked)
        #expect(error(8) == .readOnly && error(776) == .unfinishedChange)
        #expect(error(13) == .full)
        #expect(error(10 | 3 << 8) == .inputOutput(code: 778, errno: 0))
        #expect(error(10 | 32 << 8) == .damaged("a page does not fit its check value"))
        #expect(error(11) == .damaged("database disk image is malformed"))
        #expect(error(10 | 12 << 8) == .outOfMemory && error(7) == .outOfMemory)
        #expect(error(9) == .interrupted && error(18) == .tooBig)
    }
}
