import CryptoPrimitives
import SystemIO
import TestSupport
import Testing

@testable import SQLiteDatabase

@Suite("a sealed database")
struct SealedDatabaseTests {
    @Test("what is written is there when it is opened again")
    func roundTrip() throws {
        let fixture = SealedFixture()
        do {
            let sealed = try fixture.create()
            try SealedFixture.fill(sealed, 500)
            #expect(try SealedFixture.count(sealed) == 500)
        }
        let again = try fixture.open()
        #expect(try SealedFixture.count(again) == 500)
        #expect(fixture.folder.names == ["test.sxdb"])
        let check = try again.database.first("PRAGMA integrity_check") { row throws(DatabaseError) in row.string(0) }
        #expect(check == "ok")
        #expect(try fileStatus(at: fixture.path).permissions == 0o600)
    }

    @Test("an empty one has a page")
    func empty() throws {
        let fixture = SealedFixture()
        let key = NewSlot(try SealedFixture.key())
        _ = try SealedDatabase.create(at: fixture.path, kind: .archive, slots: [key]) { _ in }
        #expect(fixture.bytes.count == 8192 + 4096)
        #expect(try SealedDatabase.inspect(fixture.path).kind == .archive)
    }

    @Test("the tail of a transaction that fails is undone")
    func rollBack() throws {
        let fixture = SealedFixture()
        let sealed = try fixture.create()
        try sealed.database.execute("PRAGMA cache_size = 10")
        try SealedFixture.fill(sealed, 2000)
        let before = fixture.bytes
        #expect(throws: DatabaseError.tooBig) {
            try sealed.database.transaction(.write) { () throws(DatabaseError) in
                try sealed.database.run("UPDATE note SET body = body || 'changed'")
                try sealed.database.run("SAVEPOINT inner")
                try sealed.database.run("DELETE FROM note WHERE id % 3 = 0")
                try sealed.database.run("ROLLBACK TO inner")
                throw .tooBig
            }
        }
        #expect(try SealedFixture.count(sealed) == 2000)
        let changed = try sealed.database.first("SELECT count(*) FROM note WHERE body LIKE '%changed'") {
            row throws(DatabaseError) in row.integer(0)
        }
        #expect(changed == 0)
        // The cache was too small, so pages had been written and were restored; only their nonces differ.
        #expect(fixture.bytes.count == before.count)
        #expect(fixture.bytes != before)
        #expect(
            try sealed.database.first("PRAGMA integrity_check") { row throws(DatabaseError) in row.string(0) } == "ok")
    }
}
