import CryptoPrimitives
import SystemIO
import TestSupport
import Testing

@testable import SQLiteDatabase

@Suite("sealed databases that somebody changed or left behind")
struct SealedHostileTests {
    private let fixture = SealedFixture()

    private func nothing(_ resealing: borrowing Resealing) throws(SealedError) {}

    /// Bytes that no header has.
    private func filled(_ bytes: [UInt8], _ range: Range<Int>, _ byte: UInt8) -> [UInt8] {
        var bytes = bytes
        bytes.replaceSubrange(range, with: repeatElement(byte, count: range.count))
        return bytes
    }

    @Test("a header destroyed beyond recognition is damage when the database has been written")
    func destroyedHeaders() throws {
        let hot = try HotJournal(notes: 60)
        let second = hot.segments[1].place
        for (place, byte) in [(0, 0xA5 as UInt8), (second, 0xA5), (second, 0)] {
            let (outcome, journalIsKept) = try hot.open(journal: filled(hot.journal, place..<(place + 512), byte))
            #expect(outcome == .failed(.database(.damaged("header at byte \(place) of the journal"))))
            #expect(journalIsKept)
        }
    }

    @Test("a header that never reached the disk is none: the database has not been written")
    func headersThatNeverWere() throws {
        let hot = try HotJournal(notes: 60)
        // The database that was before, as whole as the journal says.
        let before = SealedFixture()
        before.replace(hot.database)
        before.folder.write(hot.journal, to: "test.sxdb-journal")
        do { _ = try before.open() }
        let (outcome, journalIsKept) = try hot.open(
            database: before.bytes, journal: filled(hot.journal, 0..<512, 0xA5))
        #expect(outcome == .restored)
        #expect(!journalIsKept)
    }

    @Test("an earlier copy of the file is not mixed with the journal of a later state")
    func earlierCopy() throws {
        let sealed = try fixture.create(notes: 60)
        let earlier = fixture.bytes
        try sealed.database.run("DELETE FROM note WHERE id % 2 = 0")
        try SealedFixture.fill(sealed, 90)
        try sealed.database.execute("PRAGMA cache_size = 2")
        let content = try SealedContent(of: sealed.database)
        var hot: (database: [UInt8], journal: [UInt8]) = ([], [])
        try? sealed.database.transaction(.write) { () throws(DatabaseError) in
            try sealed.database.run("INSERT INTO note(body) SELECT body FROM note")
            try sealed.database.run("UPDATE note SET body = 'other ' || body")
            hot = (fixture.bytes, fileBytes(fixture.journal) ?? [])
            throw .interrupted
        }
        let copy = SealedFixture()
        copy.folder.write(hot.journal, to: "test.sxdb-journal")
        copy.replace(earlier)
        #expect(sealedError { _ = try copy.open() } == .database(.laterJournal))
        #expect(copy.bytes == earlier && fileBytes(copy.journal) == hot.journal)
        // The file that the journal belongs to, put back, is as it was before the change.
        copy.replace(hot.database)
        #expect(try SealedContent(of: copy.open().database) == content)
        #expect(copy.folder.names == ["test.sxdb"])
    }

    @Test("nothing is made beside the journal of a file that is gone")
    func journalOfAnother() throws {
        let journal = try HotJournal(key: 7).journal
        fixture.folder.write(journal, to: "test.sxdb-journal")
        let found = FileError(.create, FilePath(fixture.journal), .exists)
        #expect(sealedError { _ = try fixture.create() } == .file(found))
        #expect(fixture.folder.names == ["test.sxdb-journal"])
        let other = SealedFixture("other.sxdb")
        let sealed = try other.create()
        let error = sealedError {
            try sealed.backup(to: fixture.path, slots: [NewSlot(SealedFixture.key())], resealing: nothing)
        }
        #expect(error == .file(found))
        #expect(fixture.folder.names == ["test.sxdb-journal"])
        #expect(fileBytes(fixture.journal) == journal)
    }

    @Test("a file that is called as a WAL is left alone")
    func writeAheadLog() throws {
        do { _ = try fixture.create(notes: 3) }
        fixture.folder.write([1, 2, 3], to: "test.sxdb-wal")
        #expect(try SealedFixture.count(fixture.open()) == 3)
        #expect(fixture.folder.names == ["test.sxdb", "test.sxdb-wal"])
    }

    @Test("the greatest generation is the end of changes, and no crash")
    func generation() throws {
        let keys = try fixture.create().keys
        fixture.replace(Self.sealed(fixture.bytes, keys) { $0.setNumber(.max, at: 16, bytes: 8) })
        let sealed = try fixture.open()
        #expect(sealedError { _ = try sealed.addSlot(NewSlot(SealedFixture.key(2))) } == .headerTampered)
        #expect(try SealedFixture.count(sealed) == 0)
    }

    @Test("whatever the bytes are, it is opened or refused")
    func mutations() throws {
        let hot = try HotJournal(notes: 40)
        let keys: SealedKeys
        do { keys = try fixture.create(notes: 40).keys }
        let whole = fixture.bytes
        var random = SeededNumbers(7)
        var refused = 0
        for round in 0..<(LongTests.areWanted ? 6000 : 300) {
            var bytes = whole
            try? removeFile(FilePath(fixture.journal))
            switch round % 4 {
            case 0: Self.mutate(&bytes, 0..<8192, &random)
            case 1: bytes = Self.sealed(bytes, keys) { Self.mutate(&$0, 0..<4032, &random) }
            case 2: Self.mutate(&bytes, 8192..<bytes.count, &random)
            default:
                bytes = hot.database
                var journal = hot.journal
                Self.mutate(&journal, 0..<journal.count, &random)
                fixture.folder.write(journal, to: "test.sxdb-journal")
            }
            fixture.replace(bytes)
            _ = try? SealedDatabase.inspect(fixture.path)
            do {
                let sealed = try fixture.open()
                _ = try? sealed.verify(depth: .full)
                _ = try? sealed.changeSecret(slot: 0, to: NewSlot(SealedFixture.key(3)))
                _ = try? sealed.database.run("INSERT INTO note(body) VALUES ('more')")
            } catch is SealedError {
                refused += 1
            }
        }
        #expect(refused > 20)
    }

    /// Both copies of the header with the same change, and digest and code as they must be.
    private static func sealed(_ bytes: [UInt8], _ keys: SealedKeys, _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var copy = Array(bytes[..<4096])
        change(&copy)
        copy.replaceSubrange(4032..<4064, with: keys.headerCode(copy.span.extracting(first: 4032)))
        copy.replaceSubrange(4064..<4096, with: SHA256.hash(copy.span.extracting(first: 4064)))
        return copy + copy + bytes[8192...]
    }

    /// A few bytes changed, runs of one byte, or the end cut off or grown.
    private static func mutate(_ bytes: inout [UInt8], _ range: Range<Int>, _ random: inout SeededNumbers) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: range, using: &random)
            let byte = [0, 1, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random)
            let length = Bool.random(using: &random) ? 1 : Int.random(in: 1...600, using: &random)
            for index in place..<min(place + length, range.upperBound) { bytes[index] = byte ?? 0 }
        }
        if range.upperBound == bytes.count, Int.random(in: 0..<4, using: &random) == 0 {
            bytes.removeLast(Int.random(in: 0..<(bytes.count - range.lowerBound), using: &random))
        }
    }
}
