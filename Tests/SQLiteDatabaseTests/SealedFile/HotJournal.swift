import SystemIO
import TestSupport

@testable import SQLiteDatabase

/// Database and journal as a process leaves them that is killed inside of a transaction, after SQLite has written pages.
struct HotJournal {
    let database: [UInt8]
    let journal: [UInt8]
    /// What there was before the transaction.
    let content: SealedContent
    /// Where the segments of the journal begin, and how many records each counts.
    let segments: [(place: Int, records: Int)]

    init(notes: Int = 60, key: UInt8 = 0x42) throws {
        let fixture = SealedFixture()
        let sealed = try fixture.create(slots: [NewSlot(SealedFixture.key(key))], notes: notes)
        content = try SealedContent(of: sealed.database)
        // So few pages that SQLite must write some before the transaction ends.
        try sealed.database.execute("PRAGMA cache_size = 2")
        var found: ([UInt8], [UInt8])?
        try? sealed.database.transaction(.write) { () throws(DatabaseError) in
            try sealed.database.run("UPDATE note SET body = 'secret change ' || body")
            try sealed.database.run("INSERT INTO note(body) SELECT body FROM note")
            found = (fixture.bytes, fileBytes(fixture.journal) ?? [])
            throw .interrupted
        }
        (database, journal) = found ?? ([], [])
        segments = Self.segments(of: journal)
    }

    /// Segments that are synced, by the counts in clear.
    private static func segments(of journal: [UInt8]) -> [(place: Int, records: Int)] {
        var segments: [(Int, Int)] = []
        var place = 0
        while place + 512 <= journal.count, journal[place] == 0xd9 {
            let records = Int(journal.number(at: place + 8, bytes: 4))
            segments.append((place, records))
            place = (place + 512 + records * 4104 + 511) / 512 * 512
        }
        return segments
    }

    /// Whether a byte of the journal means something: all but what fills up to the next segment, and what is not synced.
    func isUsed(_ place: Int) -> Bool {
        segments.contains { place >= $0.place && place < $0.place + 512 + $0.records * 4104 }
    }

    enum Outcome: Equatable {
        /// The content is as it was before the transaction.
        case restored
        case failed(SealedError)
        /// What must never happen.
        case wrong
    }

    /// Opens these files in a folder of their own.
    func open(
        database: [UInt8]? = nil, journal: [UInt8]? = nil, mode: SealedDatabase.AccessMode = .readWrite
    ) throws -> (outcome: Outcome, journalIsKept: Bool) {
        let fixture = SealedFixture()
        fixture.replace(database ?? self.database)
        let journal = journal ?? self.journal
        fixture.folder.write(journal, to: "test.sxdb-journal")
        var outcome = Outcome.wrong
        do {
            let sealed = try fixture.open(mode: mode)
            if try SealedContent(of: sealed.database) == content, try sealed.verify(depth: .pages) == [] {
                outcome = .restored
            }
        } catch let error as SealedError {
            outcome = .failed(error)
        }
        return (outcome, fileBytes(fixture.journal) == journal)
    }
}
