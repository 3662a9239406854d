import History
import SQLiteDatabase
import SophaxFiles
import TestSupport
import Testing

@testable import Archive

@Suite("Removing from an archive")
struct RemovalTests {
    private func history(_ range: ClosedRange<Int>) -> GivenHistory {
        GivenHistory(range.map { ios("m\($0)", "secretword\($0) common", at: 700_000_000 + Double($0)) })
    }

    private func chosen(_ ids: String...) -> RemovalSelection {
        RemovalSelection(MessageFilter(), ids: Set(ids.map { ByteText($0) }))
    }

    private func matches(_ made: MadeArchive, _ word: String) throws -> Int64? {
        try made.archive.database.first(
            "SELECT count(*) FROM message_text WHERE message_text MATCH ?", .text(word)
        ) { $0.integer(0) } ?? nil
    }

    @Test("a removed message is not found any more, and no import brings it back")
    func tombstone() throws {
        let made = try MadeArchive()
        try made.add(history(1...5))
        #expect(try matches(made, "common") == 5)
        #expect(try made.archive.removable(chosen("m2", "m4")).messages == 2)
        let report = try made.archive.remove(chosen("m2", "m4"), now: 1)
        #expect(report.messages == 2)
        #expect(try matches(made, "common") == 3)
        #expect(try matches(made, "secretword2") == 0)
        let again = try made.add(history(1...5))
        #expect(again.counts.removedBefore == 2)
        #expect(again.counts.alreadyThere == 3)
        #expect(again.counts.total == again.read)
        // Another message that happens to have the id is none of those.
        let other = try made.add(GivenHistory([ios("m2", "later", at: 800_000_000)]))
        #expect(other.counts.new == 1)
        #expect(try made.archive.verify(.full).findings.isEmpty)
    }

    @Test("no page of the file holds the text afterwards")
    func text() throws {
        let made = try MadeArchive()
        try made.add(history(1...400))
        // An edit leaves an older body, and a second part of the index.
        try made.add(
            GivenHistory([
                ios("m7", "secretword7 altered", at: 700_000_007, more: ",\"isEdited\":true,\"editedAt\":700000100")
            ]))
        let file = made.folder.file("archive")
        func holds(_ word: String) -> Bool {
            guard let bytes = fileBytes(file) else { return false }
            let word = Array(word.utf8)
            return (0...bytes.count - word.count).contains { start in
                bytes[start] == word[0] && bytes[start..<start + word.count].elementsEqual(word)
            }
        }
        #expect(holds("secretword399"))
        var filter = MessageFilter()
        filter.messages.until = 978_307_200 + 700_000_000 + 1_000
        #expect(try made.archive.remove(RemovalSelection(filter), now: 1).messages == 400)
        // Words of the index share their beginnings, so both halves are looked for.
        #expect(!holds("secretword"))
        #expect(!holds("altered"))
        #expect(!holds("common"))
        #expect(try made.archive.verify(.full).findings.isEmpty)
    }

    @Test("attachments that only removed messages mention go, others stay")
    func attachments() throws {
        let made = try MadeArchive()
        func message(_ id: String, _ attachment: String) -> String {
            ios(id, more: ",\"attachmentID\":\"\(attachment)\",\"isEdited\":false")
        }
        var history = GivenHistory([message("1", "a"), message("2", "a"), message("3", "b"), message("4", "c")])
        history.attachments = ["a": [1], "b": [2], "c": [3], "d": [3], "e": [5]].sorted { $0.key < $1.key }.map {
            GivenHistory.Attachment(id: $0.key, bytes: $0.value)
        }
        try made.add(history)
        // 1 leaves a to 2; c has the bytes of d; e was never mentioned.
        let report = try made.archive.remove(chosen("1", "3", "4"), now: 1)
        #expect(report.attachments == 1)
        #expect(report.attachmentBytes == 1)
        #expect(
            try made.collected(HistoryRequest(attachments: .all)).attachments.map(\.id.string) == ["a", "d", "e"])
    }

    @Test("tombstones travel to another archive, and keep a message out there")
    func travel() throws {
        let made = try MadeArchive()
        try made.add(history(1...3))
        _ = try made.archive.remove(chosen("m2"), now: 5)
        let second = try MadeArchive()
        let report = try second.add(ArchiveHistory(made.archive, path: "first"))
        #expect(report.removalsLearned == 1)
        #expect(try second.add(history(1...3)).counts.removedBefore == 1)
        #expect(try second.collected().removed == made.collected().removed)
        // What is there already is not taken away by somebody else's tombstone.
        let third = try MadeArchive()
        try third.add(history(1...3))
        #expect(try third.add(ArchiveHistory(made.archive, path: "first")).removalsLearned == 0)
        #expect(try third.number("SELECT count(*) FROM message") == 3)
    }
}
