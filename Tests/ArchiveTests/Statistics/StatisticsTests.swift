import History
import SQLiteDatabase
import SophaxFiles
import SystemIO
import Testing

@testable import Archive

@Suite("Statistics of an archive")
struct StatisticsTests {
    typealias Message = SearchFixture.Message

    private static let minute: Int64 = 60_000
    private static let day: Int64 = 86_400_000

    @Test("messages are counted by month, person, conversation, weekday and hour")
    func counts() throws {
        let start = SearchFixture.start
        var group = Message("gruppe", from: SearchFixture.carol, at: start + 40 * Self.day)
        group.conversation = SearchFixture.group
        group.isEdited = true
        // 2026-01-01 was a Thursday; 40 days later it is Tuesday, 2026-02-10.
        let fixture = try SearchFixture([
            Message("eins zwei", at: start), Message("drei", from: SearchFixture.bob, at: start + Self.minute),
            Message("vier", from: SearchFixture.bob, at: start + 5 * 3_600_000), group,
        ])
        let found = try fixture.archive.statistics(zone: LocalZone(), words: 10)
        #expect(found.count == .init(sent: 1, received: 3, unknown: 0))
        #expect(found.edited == 1)
        #expect(found.days == 2)
        #expect(found.first == start)
        #expect(found.last == start + 40 * Self.day)
        #expect(found.longestSilence == .init(from: start + 5 * 3_600_000, until: start + 40 * Self.day))
        #expect(found.people.map { $0.name.map { String(decoding: $0, as: UTF8.self) } } == ["Bob", nil, "Carol"])
        #expect(found.people.map(\.messages) == [2, 1, 1])
        #expect(found.people.map(\.words) == [2, 2, 1])
        #expect(found.people.map(\.isMe) == [false, true, false])
        #expect(found.conversations.map(\.count.total) == [3, 1])
        #expect(found.wordTotal == 5)
        #expect(found.hours.reduce(0, +) == 4)
        // The tests run in UTC or not; months and hours of the C library are those that the zone says.
        let zone = LocalZone()
        let local = try #require(zone.time(at: Double(start) / 1000))
        #expect(found.months.first?.year == local.date.year)
        #expect(found.months.first?.month == local.date.month)
        #expect(found.hourTotal(local.date.hour) >= 2)
        let isSameDay = local.date.day == 1
        #expect(found.weekdayTotal(isSameDay ? 3 : 2) >= 2)
    }

    @Test("words are the folded ones, most used first, without the halves of pairs")
    func words() throws {
        let fixture = try SearchFixture([Message("Rot rot ROT blau"), Message("天气 rot"), Message("👍 👍🏽")])
        let found = try fixture.archive.statistics(zone: LocalZone(), words: 4)
        #expect(found.words.map { String(decoding: $0.word, as: UTF8.self) } == ["rot", "👍", "blau", "天气"])
        #expect(found.words.map(\.count) == [4, 2, 1, 1])
        #expect(found.areWordsExact)
        #expect(try fixture.archive.statistics(zone: LocalZone(), words: 0).words.isEmpty)
    }

    @Test("attachments are counted by kind, and stored ones once, with their bytes")
    func attachments() throws {
        func picture(_ id: String, _ type: String?) -> Message {
            var message = Message(nil)
            message.attachment = id
            message.attachmentType = type
            return message
        }
        let fixture = try SearchFixture([
            picture("A", "image/jpeg"), picture("B", "image/jpeg"), picture("A", "image/jpeg"), picture("C", nil),
        ])
        let database = fixture.archive.database
        for (id, size) in [("A", 50_000), ("B", 2_000_000)] {
            try database.run(
                "INSERT INTO attachment (sha256, size, kind) VALUES (?, ?, 'jpeg')",
                .blob([UInt8](repeating: UInt8(id.utf8.first ?? 0), count: 32)), .integer(size))
            try database.run(
                "INSERT INTO attachment_link (app_id, attachment, origin) VALUES (?, last_insert_rowid(), 1)",
                .blob(Array(id.utf8)))
        }
        let found = try fixture.archive.statistics(zone: LocalZone(), words: 0)
        #expect(found.withAttachment == 4)
        #expect(
            found.attachmentKinds.map { $0.type.map { String(decoding: $0, as: UTF8.self) } } == ["image/jpeg", nil])
        #expect(found.attachmentKinds.map(\.messages) == [3, 1])
        #expect(found.attachmentKinds.map(\.stored) == [2, 0])
        #expect(found.attachmentKinds.map(\.bytes) == [2_050_000, 0])
        #expect(found.attachmentSizes.map(\.stored) == [1, 0, 1, 0, 0])
    }

    @Test("a filter counts only what it takes, and nothing is nothing")
    func filtered() throws {
        let fixture = try SearchFixture([Message("a"), Message("b", from: SearchFixture.bob)])
        let sent = try fixture.archive.statistics(MessageFilter(direction: .sent), zone: LocalZone(), words: 5)
        #expect(sent.count == .init(sent: 1))
        #expect(sent.words.map(\.count) == [1])
        var nobody = MessageFilter()
        nobody.restrict(to: [ConversationID("ffffffffffffffff")])
        let none = try fixture.archive.statistics(nobody, zone: LocalZone(), words: 5)
        #expect(none.count.total == 0)
        #expect(none.first == nil)
        #expect(none.longestSilence == nil)
        #expect(none.months.isEmpty)
    }

    @Test("times that no calendar has are counted as without a date")
    func strangeTimes() throws {
        let fixture = try SearchFixture([Message("a"), Message("b")])
        try fixture.archive.database.run("UPDATE message SET time = ? WHERE body = 'a'", .integer(Int64.max))
        try fixture.archive.database.run("UPDATE message SET time = ? WHERE body = 'b'", .integer(Int64.min))
        let found = try fixture.archive.statistics(zone: LocalZone(), words: 0)
        #expect(found.withoutDate == 2)
        #expect(found.days == 0)
    }
}

@Suite("Counting words")
struct WordCountsTests {
    @Test("equal words are counted, and the most used come first")
    func top() {
        var counts = WordCounts(capacity: 64)
        for word in ["b", "a", "c", "a", "b", "a"] { counts.add(Array(word.utf8)[...]) }
        #expect(counts.top(2).map { String(decoding: $0.word, as: UTF8.self) } == ["a", "b"])
        #expect(counts.top(9).map(\.count) == [3, 2, 1])
        #expect(counts.isExact)
        #expect(counts.total == 6)
    }

    @Test("with more different words than have room the most used stay right")
    func forgets() {
        var counts = WordCounts(capacity: 64)
        for number in 0..<10_000 {
            counts.add(Array("rare\(number)".utf8)[...])
            if number % 3 == 0 { counts.add(Array("often".utf8)[...]) }
        }
        #expect(!counts.isExact)
        #expect(counts.top(1).map { String(decoding: $0.word, as: UTF8.self) } == ["often"])
        #expect(counts.top(1).map(\.count) == [3334])
        #expect(counts.total == 13_334)
    }
}
