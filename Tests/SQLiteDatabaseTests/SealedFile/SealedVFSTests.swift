import CryptoPrimitives
import SystemIO
import TestSupport
import Testing

@testable import SQLiteDatabase

@Suite("the file layer of a sealed database")
struct SealedVFSTests {
    private let fixture = SealedFixture()

    private func text(_ sealed: SealedDatabase, _ sql: String) throws -> String? {
        try sealed.database.first(sql) { row throws(DatabaseError) in row.string(0) ?? "\(row.integer(0) ?? -1)" }
    }

    @Test("no temporary file is ever opened: what would need one fails")
    func temporaryFiles() throws {
        let sealed = try fixture.create(notes: 400)
        try sealed.database.execute("PRAGMA temp_store = FILE")
        #expect(throws: DatabaseError.self) {
            try sealed.database.execute(
                "PRAGMA cache_size = 2; CREATE TEMP TABLE t AS SELECT * FROM note AS a, note AS b")
        }
        try sealed.database.execute("PRAGMA temp_store = MEMORY")
        try sealed.database.execute("CREATE TEMP TABLE t AS SELECT * FROM note")
        #expect(fixture.folder.names == ["test.sxdb"])
    }

    @Test("no WAL, no mapped memory, no other file beside it")
    func modes() throws {
        let sealed = try fixture.create(notes: 4)
        #expect(try text(sealed, "PRAGMA journal_mode = WAL") == "delete")
        #expect(try text(sealed, "PRAGMA mmap_size = 1000000") == nil)
        _ = try Database(opening: FilePath(fixture.folder.file("plain.db")), .create).execute("CREATE TABLE t(a)")
        #expect(throws: DatabaseError.cannotOpen(errno: 0)) {
            do throws(DatabaseError) {
                try sealed.database.run("ATTACH ? AS other", .text(fixture.folder.file("plain.db")))
            } catch .cannotOpen {
                throw DatabaseError.cannotOpen(errno: 0)
            }
        }
        #expect(throws: DatabaseError.self) {
            try sealed.database.run("VACUUM INTO ?", .text(fixture.folder.file("leak.db")))
        }
        #expect(fileBytes(fixture.folder.file("leak.db")) ?? [] == [])
    }

    @Test("a journal that is not synced is refused, and so the transaction is not made")
    func unsynced() throws {
        let sealed = try fixture.create(notes: 4)
        try sealed.database.execute("PRAGMA synchronous = OFF")
        #expect(throws: DatabaseError.self) { try sealed.database.run("DELETE FROM note") }
        try sealed.database.execute("PRAGMA synchronous = EXTRA")
        #expect(try SealedFixture.count(sealed) == 4)
        try sealed.database.run("DELETE FROM note")
    }

    @Test("journals that are kept or cut instead of removed work, and hold nothing to roll back")
    func keptJournals() throws {
        for mode in ["PERSIST", "TRUNCATE"] {
            let fixture = SealedFixture()
            let sealed = try fixture.create(notes: 50)
            #expect(try text(sealed, "PRAGMA journal_mode = \(mode)") == mode.lowercased())
            for _ in 0..<3 {
                try sealed.database.run("UPDATE note SET body = body || 'x'")
                #expect(try sealed.verify(depth: .full) == [])
            }
            try? sealed.database.transaction(.write) { () throws(DatabaseError) in
                try sealed.database.run("DELETE FROM note")
                throw .interrupted
            }
            #expect(try SealedFixture.count(sealed) == 50)
        }
    }

    @Test("a page whose reserved bytes are not zero is not written, and its plaintext is not either")
    func reservedBytes() throws {
        let keys = try SealedKeys.random()
        let connection = try SealedConnection(keys: keys, kind: .keyring)
        let page = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 64)
        defer { page.deallocate() }
        for place in 4064..<4096 {
            page.initializeMemory(as: UInt8.self, repeating: 0, count: 4096)
            let isSealed = connection.sealer.pointee.seal(page, number: 1, for: .database)
            #expect(isSealed)
            page.storeBytes(of: 1, toByteOffset: place, as: UInt8.self)
            let isRefused = !connection.sealer.pointee.seal(page, number: 1, for: .database)
            #expect(isRefused)
        }
    }

    @Test("a page opens under its number, kind, target and key only, and otherwise leaves no plaintext")
    func binding() throws {
        let keys = try SealedKeys.random()
        let one = try SealedConnection(keys: keys, kind: .keyring)
        let otherKind = try SealedConnection(keys: keys, kind: .archive)
        let otherKey = try SealedConnection(keys: SealedKeys.random(), kind: .keyring)
        let page = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 64)
        defer { page.deallocate() }
        func sealed() {
            page.initializeMemory(as: UInt8.self, repeating: 0x61, count: 4064)
            (page + 4064).initializeMemory(as: UInt8.self, repeating: 0, count: 32)
            let isSealed = one.sealer.pointee.seal(page, number: 7, for: .database)
            #expect(isSealed)
            page.copyMemory(from: one.sealer.pointee.scratch, byteCount: 4096)
        }
        func bytes() -> [UInt8] { Array(UnsafeRawBufferPointer(start: page, count: 4096)) }
        sealed()
        #expect(!contains(bytes(), [0x61, 0x61, 0x61, 0x61]))
        let isOpened = one.sealer.pointee.open(page, number: 7, of: .database)
        #expect(isOpened)
        #expect(bytes() == [UInt8](repeating: 0x61, count: 4064) + [UInt8](repeating: 0, count: 32))
        let nothing = [UInt8](repeating: 0, count: 4096)
        for (connection, number, target) in [
            (one, UInt32(8), PageSealer.Target.database), (one, 7, .journal), (otherKind, 7, .database),
            (otherKey, 7, .database),
        ] {
            sealed()
            let isRefused = !connection.sealer.pointee.open(page, number: number, of: target)
            #expect(isRefused)
            #expect(bytes() == nothing)
        }
        sealed()
        page.storeBytes(of: 1, toByteOffset: 4095, as: UInt8.self)
        let isWhole = one.sealer.pointee.open(page, number: 7, of: .database)
        #expect(!isWhole)
        #expect(bytes() == nothing)
    }

    @Test("no nonce comes twice")
    func nonces() throws {
        var pool = NoncePool()
        var seen: Set<[UInt8]> = []
        for _ in 0..<2000 {
            seen.insert(Array(UnsafeRawBufferPointer(start: pool.next(), count: 12)))
        }
        #expect(seen.count == 2000)
    }

    @Test("a removed or replaced file is not written to any more")
    func replaced() throws {
        let sealed = try fixture.create(notes: 4)
        let other = SealedFixture()
        do { _ = try other.create(notes: 9) }
        fixture.folder.write(other.bytes, to: "put in its place")
        #expect(ChildProcess.run(["mv", fixture.folder.file("put in its place"), fixture.path.text]).status == 0)
        #expect(throws: DatabaseError.replaced) { try SealedFixture.count(sealed) }
        try removeFile(fixture.path)
        #expect(throws: DatabaseError.replaced) { try sealed.database.run("DELETE FROM note") }
        #expect(fixture.folder.names == [])
    }

    @Test("making a file replaces none, and a failure on the way leaves nothing")
    func creation() throws {
        fixture.folder.write("mine", to: "test.sxdb")
        #expect(sealedError { _ = try fixture.create() } == .file(FileError(.create, fixture.path, .exists)))
        #expect(fixture.bytes == Array("mine".utf8))
        try removeFile(fixture.path)
        let key = NewSlot(try SealedFixture.key())
        let error = sealedError {
            _ = try SealedDatabase.create(at: fixture.path, kind: .keyring, slots: [key]) {
                database throws(DatabaseError) in
                try database.execute("CREATE TABLE t(a)")
                #expect(fixture.folder.names.count == 1)
                throw .tooBig
            }
        }
        #expect(error == .database(.tooBig))
        #expect(sealedError { _ = try fixture.create(slots: []) } == .noSlots)
        let nine = [NewSlot](repeating: key, count: 9)
        #expect(sealedError { _ = try fixture.create(slots: nine) } == .noFreeSlot)
        #expect(fixture.folder.names == [])
        #expect(sealedError { _ = try SealedFixture("no/folder.sxdb").create() } != nil)
    }

    @Test("a link to a file opens the file, with its journal beside it")
    func links() throws {
        do { _ = try fixture.create(notes: 3) }
        let folder = fixture.folder.makeFolder("links")
        let link = FilePath(folder + "/link.sxdb")
        #expect(ChildProcess.run(["ln", "-s", fixture.path.text, link.text]).status == 0)
        let sealed = try SealedDatabase(opening: link, kind: .keyring, mode: .readWrite, unlocking: SealedFixture.key())
        try sealed.database.transaction(.write) { () throws(DatabaseError) in
            try sealed.database.run("DELETE FROM note")
            #expect(fixture.folder.names.contains("test.sxdb-journal"))
        }
        try sealed.rekey(secrets: [0: SealedFixture.key()]) { _ throws(SealedError) in }
        #expect(try fileStatus(at: link, followingLinks: false).kind == .link)
        #expect(try SealedFixture.count(fixture.open()) == 0)
    }

    @Test("names with every kind of byte")
    func names() throws {
        for name in ["a b.sxdb", "q?x=1&y#z%41.sxdb", "ümlaut\u{301}.sxdb", "file:x", "+:;'\"\\.sxdb", "-journal"] {
            let fixture = SealedFixture(name)
            do { _ = try fixture.create(notes: 2) }
            #expect(try SealedFixture.count(fixture.open()) == 2, "\(name)")
            #expect(fixture.folder.names == [name])
        }
    }
}
