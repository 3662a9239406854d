import SQLiteDatabase
import Testing

@Suite("transactions")
struct TransactionTests {
    /// An error of another layer.
    private enum OtherError: DatabaseErrorCarrier, Equatable {
        case database(DatabaseError)
        case own(Int)

        init(_ error: DatabaseError) { self = .database(error) }
    }

    private func count(_ database: Database) throws -> Int64? {
        try database.first("SELECT count(*) FROM t") { $0.integer(0) } ?? nil
    }

    @Test("what is done stays, what throws leaves nothing", arguments: [TransactionKind.write, .exclusive])
    func commitAndRollback(kind: TransactionKind) throws {
        let plain = try PlainDatabase("CREATE TABLE t(a UNIQUE)")
        let database = plain.database
        let result = try database.transaction(kind) { () throws(DatabaseError) in
            try database.run("INSERT INTO t VALUES(1)")
            return database.changes
        }
        #expect(result == 1)
        #expect(throws: OtherError.own(3)) {
            try database.transaction(kind) { () throws(OtherError) in
                _ = try? database.run("INSERT INTO t VALUES(2)")
                throw .own(3)
            }
        }
        #expect(
            databaseError {
                try database.transaction(kind) { () throws(DatabaseError) in
                    try database.run("INSERT INTO t VALUES(2)")
                    try database.run("INSERT INTO t VALUES(1)")
                }
            } != nil)
        #expect(try count(plain.another()) == 1)
        try database.transaction(kind) { () throws(DatabaseError) in try database.run("INSERT INTO t VALUES(2)") }
        #expect(try count(plain.another()) == 2)
    }

    @Test("one inside another is refused, and the outer one goes on")
    func nested() throws {
        let plain = try PlainDatabase("CREATE TABLE t(a)")
        defer { plain.keep() }
        let database = plain.database
        try database.transaction(.write) { () throws(DatabaseError) in
            try database.run("INSERT INTO t VALUES(1)")
            #expect(databaseError { try database.transaction(.read) {} } == .nestedTransaction)
            #expect(throws: OtherError.database(.nestedTransaction)) {
                try database.transaction(.write) { () throws(OtherError) in throw .own(1) }
            }
        }
        #expect(try count(database) == 1)
    }

    @Test("one for reading sees one state and changes nothing")
    func reading() throws {
        let plain = try PlainDatabase("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
        let database = plain.database
        let other = try plain.another()
        try database.transaction(.read) { () throws(DatabaseError) in
            _ = try? count(database)
            // The reader's lock is in the writer's way.
            #expect(databaseError { try other.run("INSERT INTO t VALUES(2)") } == .locked)
            #expect(databaseError { try database.run("INSERT INTO t VALUES(3)") } == .readOnly)
        }
        try database.run("INSERT INTO t VALUES(4)")
        try other.run("INSERT INTO t VALUES(5)")
        #expect(databaseError { try database.transaction(.read) { () throws(DatabaseError) in throw .full } } == .full)
        try database.run("INSERT INTO t VALUES(6)")
        #expect(try count(database) == 4)
    }

    @Test("a commit that a reader stands in the way of is locked, and leaves nothing")
    func blockedCommit() throws {
        let plain = try PlainDatabase("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
        let writer = try plain.another()
        try plain.database.transaction(.read) { () throws(DatabaseError) in
            _ = try? count(plain.database)
            let error = databaseError {
                try writer.transaction(.write) { () throws(DatabaseError) in try writer.run("INSERT INTO t VALUES(2)") }
            }
            #expect(error == .locked)
        }
        #expect(try count(plain.database) == 1)
        try writer.transaction(.write) { () throws(DatabaseError) in try writer.run("INSERT INTO t VALUES(2)") }
        #expect(try count(plain.database) == 2)
    }
}
