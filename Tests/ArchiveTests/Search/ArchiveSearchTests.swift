import History
import SQLiteDatabase
import SophaxFiles
import Testing

@testable import Archive

@Suite("Searching an archive")
struct ArchiveSearchTests {
    typealias Message = SearchFixture.Message

    @Test("the newest come first, or the oldest, or the best, and no more than wanted")
    func order() throws {
        let fixture = try SearchFixture([
            Message("red"), Message("red red red and many other words that make it long, so that it weighs less"),
            Message("blue"), Message("red bicycle"), Message("red red"),
        ])
        #expect(
            try fixture.bodies("red", order: .newest).map { $0.prefix(7) } == ["red red", "red bic", "red red", "red"])
        #expect(try fixture.bodies("red", order: .oldest, limit: 2).map { $0.prefix(7) } == ["red", "red red"])
        #expect(try fixture.bodies("red", order: .best, limit: 2) == ["red red", "red"])
        #expect(try fixture.bodies("red", limit: 0) == [])
        #expect(try fixture.bodies("", order: .newest, limit: 2) == ["red red", "red bicycle"])
    }

    @Test(
        "every script is found",
        arguments: [
            ("天气", "今天天气很好"), ("天", "今天天气很好"), ("気", "天気"), ("สวัส", "สวัสดีครับ"), ("학교", "학교에서"), ("ガス", "ｶﾞｽ代"),
            ("ok", "OK!"), ("strasse", "Straße"), ("STRASSE", "Straße"), ("ß", "SS"), ("istanbul", "İSTANBUL"),
            ("ISTANBUL", "ıstanbul"),
            ("İstanbul", "istanbul"), ("cafe", "café"), ("café", "cafe\u{301}"), ("شلوم", "شَلوم"), ("שלום", "שָׁלוֹם"),
            ("👍", "👍🏽"),
            ("❤", "❤️‍🔥"), ("🇩🇪", "von 🇩🇪🇫🇷"), ("moscow", "Moscow"), ("ёлка", "елка"), ("ok 1", "1️⃣ ok"),
        ])
    func scripts(typed: String, body: String) throws {
        let fixture = try SearchFixture([Message("other 別の text"), Message(body), Message("xyz")])
        #expect(try fixture.bodies(typed) == [body])
    }

    @Test("names of attachments are found, and what is excluded is not")
    func attachments() throws {
        var picture = Message("look")
        picture.attachment = "A1"
        picture.attachmentName = "red_bicycle-2026.jpg"
        let fixture = try SearchFixture([picture, Message("red"), Message("look at the bicycle")])
        #expect(try fixture.bodies("bicycle 2026") == ["look"])
        #expect(try fixture.bodies("look jpg") == ["look"])
        #expect(try fixture.bodies("bicycle -jpg") == ["look at the bicycle"])
        #expect(try fixture.bodies("-bicycle -jpg") == ["look"])
    }

    @Test("each filter takes what the same filter of an export takes")
    func filters() throws {
        var edited = Message("word e", from: SearchFixture.carol)
        edited.conversation = SearchFixture.group
        edited.isEdited = true
        var expiring = Message("word x", from: SearchFixture.bob)
        expiring.expires = 1
        var attached = Message("word a", from: SearchFixture.bob)
        attached.attachment = "A"
        var carol = Message("word c", from: SearchFixture.carol)
        carol.conversation = SearchFixture.carol
        let fixture = try SearchFixture([Message("word m"), edited, expiring, attached, carol])
        func found(_ filter: MessageFilter) throws -> String {
            let found = try fixture.bodies("word", filter).map { String($0.suffix(1)) }.joined()
            let all = try fixture.bodies("", filter).map { String($0.suffix(1)) }.joined()
            let best = try fixture.bodies("word", filter, order: .best).map { String($0.suffix(1)) }.sorted()
            #expect(found == all)
            #expect(best == found.map(String.init).sorted())
            return found
        }
        #expect(try found(MessageFilter()) == "mexac")
        #expect(try found(MessageFilter(direction: .sent)) == "m")
        #expect(try found(MessageFilter(direction: .received)) == "exac")
        #expect(try found(MessageFilter(hasAttachment: true)) == "a")
        #expect(try found(MessageFilter(isEdited: true)) == "e")
        #expect(try found(MessageFilter(noExpiring: true)) == "meac")
        #expect(try found(MessageFilter(MessageSelection(from: .me))) == "m")
        #expect(try found(MessageFilter(MessageSelection(from: .peer("0011")))) == "ec")
        #expect(try found(MessageFilter(MessageSelection(from: .peer("ff")))) == "")
        var filter = MessageFilter()
        filter.restrict(to: [ConversationID(ByteText(SearchFixture.carol))])
        #expect(try found(filter) == "c")
        filter.restrict(to: [ConversationID(ByteText(SearchFixture.group))])
        #expect(try found(filter) == "ec")
        var nobody = MessageFilter()
        nobody.restrict(to: [ConversationID("ffffffffffffffff")])
        #expect(try found(nobody) == "")
        let second = Double(SearchFixture.start) / 1000
        #expect(try found(MessageFilter(MessageSelection(since: second + 120, until: second + 240))) == "ex")
        #expect(try found(MessageFilter(MessageSelection(since: second + 120.001))) == "xac")
        #expect(try found(MessageFilter(MessageSelection(until: second + 120))) == "m")
        #expect(try found(MessageFilter(MessageSelection(since: -1e300, until: 1e300))) == "mexac")
        #expect(try found(MessageFilter(MessageSelection(since: 1e300))) == "")
    }

    @Test("a hit tells who, where and when")
    func hit() throws {
        var message = Message("hello", from: SearchFixture.bob, at: SearchFixture.start)
        message.replyTo = "m1"
        let fixture = try SearchFixture([message])
        let hit = try #require(try fixture.archive.search(SearchRequest(SearchQuery(Array("hello".utf8)))).first)
        #expect(hit.senderName == Array("Bob".utf8))
        #expect(hit.conversationName == Array("Bob".utf8))
        #expect(hit.conversation.text == ByteText(SearchFixture.bob))
        #expect(hit.direction == .received)
        #expect(hit.time == SearchFixture.start)
        #expect(hit.replyTo == Array("m1".utf8))
        #expect(hit.number == SearchFixture.start << 20)
    }

    @Test("all there is to find is counted where the index tells")
    func count() throws {
        let fixture = try SearchFixture((0..<120).map { Message($0 % 3 == 0 ? "red \($0)" : "blue") })
        let request = SearchRequest(SearchQuery(Array("red".utf8)), limit: 5)
        #expect(try fixture.archive.search(request).count == 5)
        #expect(try fixture.archive.countMatches(of: request) == 40)
        let filtered = SearchRequest(SearchQuery(Array("red".utf8)), MessageFilter(direction: .sent))
        #expect(try fixture.archive.countMatches(of: filtered) == nil)
    }

    @Test("nothing is sorted: the index leads, or the messages of a conversation in their order")
    func plans() throws {
        let fixture = try SearchFixture((0..<50).map { Message("red \($0)", from: SearchFixture.bob) })
        var one = MessageFilter(MessageSelection(since: 1_767_225_600, until: 1_867_225_600), hasAttachment: true)
        one.restrict(to: [ConversationID(ByteText(SearchFixture.bob))])
        var two = one
        two.restrict(to: [ConversationID(ByteText(SearchFixture.group))])
        for typed in ["red", ""] {
            for filter in [MessageFilter(), one, two, MessageFilter(MessageSelection(from: .peer("36")))] {
                for order in [SearchRequest.Order.newest, .oldest] {
                    let request = SearchRequest(SearchQuery(Array(typed.utf8)), filter, order: order)
                    let statement = try #require(try SearchStatement(request, fixture.archive.database))
                    var steps: [String] = []
                    try fixture.archive.database.visit(
                        "EXPLAIN QUERY PLAN \(statement.sql)", values: statement.values
                    ) { (row) throws(DatabaseError) in
                        steps.append(row.string(3) ?? "")
                        return true
                    }
                    #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
                    #expect(!steps.contains { $0.hasPrefix("SCAN m ") } || typed.isEmpty, "\(steps)")
                }
            }
        }
    }

    @Test("100 kB of text are looked for word by word")
    func longQuery() throws {
        let words = (0..<15_000).map { "w\($0)" }
        let body = words.joined(separator: " ")
        let fixture = try SearchFixture([Message(body), Message("w1 w2")])
        #expect(try fixture.bodies(body).count == 1)
        #expect(try fixture.bodies(body + " missing").isEmpty)
    }
}
