import CryptoPrimitives
import SystemIO
import TestSupport
import Testing

@testable import SQLiteDatabase

@Suite("the journal of a sealed database")
struct SealedJournalTests {
    @Test("a journal that a kill left is rolled back")
    func rollBack() throws {
        let hot = try HotJournal(notes: 300)
        // The proof is worth something only with several segments, and with pages that were really changed.
        #expect(hot.segments.count > 2)
        #expect(hot.segments.allSatisfy { $0.records > 0 })
        #expect(try hot.open().outcome == .restored)
        #expect(try hot.open().journalIsKept == false)
        #expect(try hot.open(journal: []).outcome != .restored)
    }

    @Test("opened for reading only, it must be rolled back first")
    func readOnly() throws {
        let (outcome, journalIsKept) = try HotJournal().open(mode: .readOnly)
        #expect(outcome == .failed(.database(.unfinishedChange)))
        #expect(journalIsKept)
    }

    @Test("any changed bit in it is damage or without meaning, and is never skipped")
    func flippedBits() throws {
        let hot = try HotJournal(notes: 60)
        let step = LongTests.areWanted ? 1 : 97
        var damaged = 0
        // The first byte says whether there is anything to roll back; see the test below.
        let last = try #require(hot.segments.last)
        // The header of the segment that was not synced, of which only zeros count.
        let unsynced = (last.place + 512 + last.records * 4104 + 511) / 512 * 512
        for place in Array(stride(from: 1, to: hot.journal.count, by: step)) + Array(unsynced..<(unsynced + 12)) {
            var journal = hot.journal
            journal[place] ^= 1 << UInt8(place % 8)
            let (outcome, journalIsKept) = try hot.open(journal: journal)
            if hot.isUsed(place) {
                guard case .failed(.database(.damaged(let what))) = outcome, what.contains("journal") else {
                    Issue.record("byte \(place) of the journal: \(outcome)")
                    continue
                }
                #expect(journalIsKept)
                damaged += 1
            } else {
                #expect(
                    outcome == .restored
                        || outcome == .failed(.database(.damaged("header at byte \(unsynced) of the journal"))))
            }
        }
        #expect(damaged > 100)
    }

    @Test("every bit of every header counts")
    func headers() throws {
        let hot = try HotJournal(notes: 60)
        let last = try #require(hot.segments.last)
        for segment in [hot.segments[0], last] {
            for offset in stride(from: 0, to: 512, by: LongTests.areWanted ? 1 : offsetStep) {
                for bit in offset < 28 ? 0..<8 : (offset % 8)..<(offset % 8 + 1) {
                    var journal = hot.journal
                    journal[segment.place + offset] ^= 1 << UInt8(bit)
                    let (outcome, journalIsKept) = try hot.open(journal: journal)
                    #expect(
                        outcome == .failed(.database(.damaged("header at byte \(segment.place) of the journal"))),
                        "byte \(segment.place + offset), bit \(bit)")
                    #expect(journalIsKept)
                }
            }
        }
    }
    private let offsetStep = 11

    @Test("cut off anywhere inside of what was synced, it is damage")
    func truncation() throws {
        let hot = try HotJournal(notes: 60)
        let ends = hot.segments.map { $0.place + 512 + $0.records * 4104 }
        var checked = 0
        for length in stride(from: 1, to: hot.journal.count, by: LongTests.areWanted ? 7 : 211) {
            let (outcome, journalIsKept) = try hot.open(journal: Array(hot.journal[..<length]))
            guard let segment = hot.segments.last(where: { $0.place < length }) else { continue }
            let isInside = length < segment.place + 512 + segment.records * 4104
            // A journal that ends between two segments is one whose later segments were never written.
            let isBetween = segment.place > 0 && length < segment.place + 512
            if isInside, !isBetween {
                guard case .failed(.database(.damaged)) = outcome else {
                    Issue.record("\(length) bytes of the journal: \(outcome)")
                    continue
                }
                #expect(journalIsKept)
                checked += 1
            }
        }
        #expect(checked > 20)
        #expect(try hot.open(journal: Array(hot.journal[..<(try #require(ends.last))])).outcome == .restored)
    }

    @Test("records and headers only count where they were written")
    func moved() throws {
        let hot = try HotJournal(notes: 60)
        let record = 512..<(512 + 4104)
        let second = record.upperBound..<(record.upperBound + 4104)
        try #require(hot.segments[0].records > 1)
        var journal = hot.journal
        journal.replaceSubrange(record, with: hot.journal[second])
        journal.replaceSubrange(second, with: hot.journal[record])
        // Two whole records that change places say the same.
        #expect(try hot.open(journal: journal).outcome == .restored)
        journal = hot.journal
        journal.replaceSubrange(516..<4612, with: hot.journal[(second.lowerBound + 4)..<(second.lowerBound + 4100)])
        #expect(
            try hot.open(journal: journal).outcome == .failed(.database(.damaged("record at byte 512 of the journal"))))
        journal = hot.journal
        let other = hot.segments[1].place
        journal.replaceSubrange(other..<(other + 512), with: hot.journal[..<512])
        #expect(
            try hot.open(journal: journal).outcome
                == .failed(.database(.damaged("header at byte \(other) of the journal"))))
    }

    @Test("the journal of another database is damage")
    func foreign() throws {
        let hot = try HotJournal()
        let (outcome, journalIsKept) = try hot.open(journal: HotJournal().journal)
        #expect(outcome == .failed(.database(.damaged("header at byte 0 of the journal"))))
        #expect(journalIsKept)
    }

    @Test("SQLite's own journal of an unencrypted database is damage")
    func plain() throws {
        let folder = TemporaryFolder()
        let database = try Database(opening: FilePath(folder.file("plain.db")), .create)
        try database.execute("PRAGMA cache_size = 2; CREATE TABLE note(id INTEGER PRIMARY KEY, body TEXT)")
        var journal: [UInt8] = []
        try? database.transaction(.write) { () throws(DatabaseError) in
            for number in 0..<200 {
                try database.run("INSERT INTO note(body) VALUES (?)", .text(SealedFixture.text(number, 900)))
            }
            journal = fileBytes(folder.file("plain.db-journal")) ?? []
            throw .interrupted
        }
        try #require(journal.first == 0xd9)
        let (outcome, journalIsKept) = try HotJournal().open(journal: journal)
        #expect(outcome == .failed(.database(.damaged("header at byte 0 of the journal"))))
        #expect(journalIsKept)
    }

    @Test("a journal that was never synced changes nothing, and is no part of the next one")
    func neverSynced() throws {
        let hot = try HotJournal()
        let fixture = SealedFixture()
        let sealed = try fixture.create(notes: 60)
        var stale = hot.journal
        stale.replaceSubrange(0..<12, with: [UInt8](repeating: 0, count: 12))
        fixture.folder.write(stale, to: "test.sxdb-journal")
        #expect(try SealedFixture.count(sealed) == 60)
        try sealed.database.execute("PRAGMA cache_size = 2")
        try? sealed.database.transaction(.write) { () throws(DatabaseError) in
            try sealed.database.run("UPDATE note SET body = body || 'x' WHERE id < 20")
            #expect((fileBytes(fixture.journal) ?? []).count < stale.count)
            throw .interrupted
        }
        #expect(try SealedFixture.count(sealed) == 60)
        #expect(try sealed.verify(depth: .full) == [])
        #expect(fixture.folder.names == ["test.sxdb"])
    }

    @Test("a file without a page is truncated, and its journal stays")
    func noPage() throws {
        let hot = try HotJournal()
        let (outcome, journalIsKept) = try hot.open(database: Array(hot.database[..<8192]))
        #expect(outcome == .failed(.truncated(expected: 12288, found: 8192)))
        #expect(journalIsKept)
    }

    @Test("neither file holds plaintext at any moment of a transaction")
    func noPlaintext() throws {
        let fixture = SealedFixture()
        let sealed = try fixture.create(notes: 100)
        try sealed.database.execute("PRAGMA cache_size = 2")
        let words = ["plaintext", "marker", "CREATE TABLE", "SQLite format", "note", "xxxxxxxx"].map { Array($0.utf8) }
        func check() {
            for name in fixture.folder.names {
                let bytes = fileBytes(fixture.folder.file(name)) ?? []
                for word in words {
                    #expect(!contains(bytes, word), "\(name): \(String(decoding: word, as: UTF8.self))")
                }
            }
        }
        check()
        try sealed.database.transaction(.write) { () throws(DatabaseError) in
            try sealed.database.run("UPDATE note SET body = body || 'again'")
            #expect(fixture.folder.names == ["test.sxdb", "test.sxdb-journal"])
            check()
            try sealed.database.run("DELETE FROM note WHERE id < 50")
            check()
        }
        check()
    }
}

/// Whether `bytes` hold `word` somewhere.
func contains(_ bytes: [UInt8], _ word: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
        word.withUnsafeBufferPointer { word in
            guard bytes.count >= word.count else { return false }
            return (0...(bytes.count - word.count)).contains { start in
                bytes[start] == word[0] && (1..<word.count).allSatisfy { bytes[start + $0] == word[$0] }
            }
        }
    }
}
