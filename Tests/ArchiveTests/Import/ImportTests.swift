import History
import SophaxFiles
import Testing

@testable import Archive

@Suite("Importing into an archive")
struct ImportTests {
    private func numbered(_ range: ClosedRange<Int>) -> GivenHistory {
        GivenHistory(range.map { ios("m\($0)", "body \($0)", at: 700_000_000 + Double($0)) })
    }

    @Test("two overlapping exports make one history, and the same again adds nothing")
    func overlap() throws {
        let made = try MadeArchive()
        #expect(try made.add(numbered(1...100)).counts.new == 100)
        let second = try made.add(numbered(50...150))
        #expect(second.read == 101)
        #expect(second.counts.new == 50)
        #expect(second.counts.alreadyThere == 51)
        #expect(second.counts.total == second.read)
        #expect(try made.number("SELECT count(*) FROM message") == 150)
        let again = try made.add(numbered(1...100))
        #expect(again.counts.new == 0)
        #expect(again.counts.alreadyThere == 100)
        #expect(try made.shown() == [(1...150).map { ios("m\($0)", "body \($0)", at: 700_000_000 + Double($0)) }])
    }

    @Test("what is shown does not depend on the order of the imports", arguments: [false, true])
    func order(isReversed: Bool) throws {
        let long = "0123456789abcdef0123456789abcdef"
        let first = GivenHistory([
            ios("a", "one", more: ""), ios("b", "two", status: "read"),
            ios("c", "old text", at: 700_000_001), ios("d", "me", "sent", status: "sending"),
        ])
        let second = GivenHistory(
            long,
            [
                ios("a", "one", peer: long), ios("b", "two", peer: long),
                ios("c", "new text", at: 700_000_001, peer: long, more: ",\"isEdited\":true,\"editedAt\":700000100"),
                ios(
                    "d", "me", "sent", status: "read", peer: long,
                    more: ",\"isEdited\":false,\"reactions\":{\"x\":\"y\"}"),
            ])
        let made = try MadeArchive()
        try made.add(isReversed ? second : first)
        let report = try made.add(isReversed ? first : second)
        #expect(report.counts.new == 0)
        #expect(report.counts.conflicting == 0)
        let collected = try made.collected()
        #expect(collected.conversations.count == 1)
        let conversation = try #require(collected.conversations.first)
        #expect(conversation.messages.map { $0.body?.string } == ["one", "two", "me", "new text"])
        #expect(conversation.messages.map { $0.status?.string } == ["delivered", "read", "read", "delivered"])
        #expect(conversation.earlier[3]?.map { $0.body?.string } == ["old text"])
        #expect(conversation.others.count == 4)
    }

    @Test("an iOS and an Android copy of one message are one message")
    func platforms() throws {
        let made = try MadeArchive()
        try made.add(GivenHistory([ios("a", at: 700_000_000.123)]))
        let report = try made.add(GivenHistory([android("a", at: 700_000_000.123)], platform: .android))
        #expect(report.counts.alreadyThere + report.counts.changed == 1)
        #expect(try made.number("SELECT count(*) FROM message") == 1)
        #expect(try made.collected().conversations[0].others[0]?.count == 1)
    }

    @Test("messages of one id with other content are both kept and told")
    func conflicts() throws {
        let made = try MadeArchive()
        try made.add(GivenHistory([ios("1", "mine", at: 700_000_000)]))
        let report = try made.add(GivenHistory([ios("1", "other", at: 700_000_050)]))
        #expect(report.counts.conflicting == 1)
        #expect(report.conflicts.map(\.id.string) == ["1"])
        let conversation = try made.collected().conversations[0]
        #expect(conversation.messages.map { $0.body?.string } == ["mine", "other"])
        #expect(conversation.conflicting == [0, 1])
        // The same id in another conversation is another message, and no conflict.
        let elsewhere = try made.add(GivenHistory("fedcba9876543210", [ios("1", "mine", peer: "fedcba9876543210")]))
        #expect(elsewhere.counts.new == 1)
    }

    @Test("messages without an id are told by what they say")
    func nameless() throws {
        let made = try MadeArchive()
        let one = #"{"peerID":"0123456789abcdef","direction":"sent","body":"a","timestamp":1,"status":"read"}"#
        let spelled =
            #"{"peerID":"0123456789abcdef","direction":"sent","body":"\u0061","timestamp":1.0,"status":"read"}"#
        let other = one.replacing("\"a\"", with: "\"b\"")
        let report = try made.add(GivenHistory([one, other, one, spelled]))
        #expect(report.counts.new == 2)
        #expect(report.counts.alreadyThere == 2)
    }

    @Test("every date is kept as it stands, whatever it is")
    func dates() throws {
        let dates = [
            "-1", "0", "1e15", "9007199254740992", "9223372036854775807", "-9223372036854775808", "1e400", "NaN",
            "null",
            "\"0123\"", "700000000.5",
        ]
        let messages = dates.enumerated().map { number, date in
            #"{"id":"d\#(number)","peerID":"0123456789abcdef","direction":"sent","body":"x","timestamp":\#(date)}"#
        }
        let made = try MadeArchive()
        let report = try made.add(GivenHistory(messages))
        #expect(report.counts.new == dates.count)
        #expect(Set(try made.shown().joined()) == Set(messages))
        // 1e400, NaN, null, a text, and the two whose milliseconds need more than 64 bits.
        #expect(try made.number("SELECT count(*) FROM message WHERE time IS NULL") == 6)
    }

    @Test("people in both lengths of their ids are one: sender, reactions, receipts")
    func lengths() throws {
        let (one, two) = ("aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb")
        func message(_ suffix: String) -> String {
            ios(
                "a", peer: "group.X",
                more: ",\"isEdited\":false,\"senderID\":\"\(one + suffix)\",\"reactions\":{\"\(two + suffix)\":\"x\"},"
                    + "\"deliveredBy\":[\"\(two + suffix)\"],\"readBy\":[\"\(one + suffix)\"]")
        }
        let made = try MadeArchive()
        try made.add(GivenHistory("group.X", [message("")]))
        let report = try made.add(GivenHistory("group.X", [message("0123456789abcdef")]))
        #expect(report.counts.alreadyThere == 1)
        #expect(try made.number("SELECT count(*) FROM person") == 1)
        #expect(try made.number("SELECT length(peer_id) FROM person") == 32)
    }

    @Test("conversations and ids that differ only behind a NUL are two")
    func nul() throws {
        let made = try MadeArchive()
        var history = GivenHistory("x\0a", [ios("m\\u0000a", peer: "x\\u0000a"), ios("m\\u0000b", peer: "x\\u0000a")])
        history.conversations.append((id: "x\0b", messages: [ios("m\\u0000a", "a\\u0000b", peer: "x\\u0000b")]))
        #expect(try made.add(history).counts.new == 3)
        #expect(try made.number("SELECT count(*) FROM conversation") == 2)
        #expect(
            try made.archive.database.first("SELECT body FROM message WHERE length(CAST(body AS BLOB)) = 3") {
                $0.text(0)
            } == [0x61, 0, 0x62])
        var filter = MessageFilter()
        filter.restrict(to: [ConversationID(ByteText("x\0a"))])
        let chosen = RemovalSelection(filter, ids: [ByteText("m\0a")])
        #expect(try made.archive.remove(chosen, now: 1).messages == 1)
        #expect(try made.shown().map(\.count) == [1, 1])
        #expect(try made.archive.verify(.full).findings.isEmpty)
    }

    @Test("a message that stands twice in one source is one")
    func twice() throws {
        let made = try MadeArchive()
        let report = try made.add(GivenHistory([ios("a"), ios("a"), ios("a", status: "read"), ios("a", more: "")]))
        #expect(report.counts.new == 1)
        #expect(report.counts.alreadyThere == 2)
        #expect(report.counts.changed == 1)
        #expect(try made.collected().conversations[0].messages.map { $0.status?.string } == ["read"])
    }
}
