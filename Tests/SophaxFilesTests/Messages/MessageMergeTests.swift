import JSONCoding
import Testing

@testable import SophaxFiles

@Suite("Merging two lists of messages")
struct MessageMergeTests {
    private typealias S = MessageSources
    private static let here = ConversationID(ByteText("b"))

    private static func merge(_ first: [String], _ second: [String], peerIDs: PeerIDForm? = nil) throws -> MessageMerge
    {
        try merge(RandomHistory.list(first), RandomHistory.list(second), peerIDs: peerIDs)
    }

    private static func merge(_ first: [UInt8], _ second: [UInt8], peerIDs: PeerIDForm? = nil) throws -> MessageMerge {
        let (one, two) = try (S.read(first), S.read(second))
        return MessageMerge(
            .init(one.messages, isStrict: one.isStrict, conversation: here),
            .init(two.messages, isStrict: two.isStrict, conversation: here), peerIDs: peerIDs)
    }

    private static func texts(_ merge: MessageMerge) -> [String] {
        merge.items.map { String(decoding: $0.json, as: UTF8.self) }
    }

    private static func canonical(_ texts: [String]) -> [[UInt8]] {
        texts.map { CanonicalMessage(source: Array($0.utf8), peerIDs: .short).bytes }
    }

    private static func counts(_ merge: MessageMerge) -> [Int] {
        let counts = merge.counts
        return [counts.new, counts.alreadyThere, counts.changed, counts.conflicting]
    }

    @Test("that overlap gives each message once, and nothing when it is repeated")
    func overlap() throws {
        let all = (1...150).map { S.json("m\($0)", time: "\(795_000_000 + $0)") }
        let first = Array(all[..<100])
        let merged = try Self.merge(first, Array(all[49...]))
        #expect(Self.counts(merged) == [50, 51, 0, 0])
        #expect(Self.texts(merged) == all)
        let again = try Self.merge(Self.texts(merged), first)
        #expect(Self.counts(again) == [0, 100, 0, 0])
        #expect(Self.texts(again) == all)
        #expect(try Self.texts(Self.merge([], all)) == all)
    }

    @Test("puts new messages between the old ones by time, whatever one wrong clock says")
    func order() throws {
        func message(_ id: String, _ time: Int) -> String { S.json(id, time: "\(795_000_000 + time)") }
        let first = [message("a", 10), message("b", 20), message("wrong", 90_000), message("c", 30), message("d", 40)]
        let second = [
            message("x", 5), message("y", 25), message("early", -90_000), message("z", 35), message("end", 50),
        ]
        let ids = try Self.merge(first, second).items.compactMap { $0.message.id?.string }
        #expect(ids == ["x", "a", "b", "wrong", "y", "early", "c", "z", "d", "end"])
    }

    @Test(
        "takes of one message at two times what is newer",
        arguments: [
            (#","isEdited":false"#, "sending", #","isEdited":false"#, "read", #""status":"read""#),
            (#","isEdited":false"#, "delivered", #","isEdited":false"#, "failed", #""status":"delivered""#),
            ("", "read", #","isEdited":true,"editedAt":7.95e8"#, "delivered", #""isEdited":true"#),
            (
                #","isEdited":false,"readBy":["x"]"#, "read", #","isEdited":false,"readBy":["y","x"]"#, "read",
                #""readBy":["x","y"]"#
            ),
            (
                #","isEdited":false,"reactions":{"x":"1"}"#, "read", #","isEdited":false,"reactions":{"y":"2"}"#,
                "read", #""reactions":{"x":"1","y":"2"}"#
            ),
            (
                #","isEdited":false,"reactions":{"x":"1"}"#, "delivered", #","isEdited":false,"reactions":{"x":"2"}"#,
                "read", #""reactions":{"x":"2"}"#
            ),
            (
                #","isEdited":false,"reactions":{"x":"2"}"#, "read", #","isEdited":false,"reactions":{"x":"1"}"#,
                "delivered", #""reactions":{"x":"2"}"#
            ),
            (
                #","isEdited":false,"expiresAt":9e8"#, "delivered", #","isEdited":false,"expiresAt":8e8"#, "read",
                #""expiresAt":800000000"#
            ),
            (
                #","isEdited":false,"new":{"a":1}"#, "read", #","isEdited":false,"other":[]"#, "read",
                #""new":{"a":1},"other":[]"#
            ),
        ])
    func changed(_ first: String, _ status: String, _ second: String, _ other: String, _ expected: String) throws {
        let one = S.json(status: status, extra: first)
        let two = S.json(status: other, extra: second)
        let merged = try Self.merge([one], [two])
        #expect(merged.items.count == 1)
        #expect(merged.counts.conflicting == 0)
        #expect(Self.texts(merged)[0].contains(expected))
        // The other way round it says the same, up to the order of people.
        let mirrored = try Self.merge([two], [one])
        if !expected.contains("readBy") {
            #expect(Self.canonical(Self.texts(mirrored)) == Self.canonical(Self.texts(merged)))
        }
    }

    @Test("takes the body of the later edit")
    func edits() throws {
        let original = S.json(body: "first", status: "read")
        let second = S.json(body: "second", status: "delivered", extra: #","isEdited":true,"editedAt":795000100"#)
        let third = S.json(body: "third", status: "sending", extra: #","isEdited":true,"editedAt":795000200"#)
        for (one, two) in [(original, third), (third, original), (second, third), (third, second)] {
            let merged = try Self.merge([one], [two])
            #expect(Self.texts(merged).count == 1)
            #expect(Self.texts(merged)[0].contains(#""body":"third""#))
            #expect(Self.texts(merged)[0].contains(#""editedAt":795000200"#))
        }
        // Two bodies of one time: nobody can tell which is right.
        let twin = S.json(body: "other", status: "sending", extra: #","isEdited":true,"editedAt":795000200"#)
        let merged = try Self.merge([third], [twin])
        #expect(Self.counts(merged) == [0, 0, 0, 1])
        #expect(merged.items.count == 2)
    }

    @Test(
        "keeps both of two messages that share an id",
        arguments: [
            S.json(body: "another"), S.json(time: "795000002"), S.json(direction: "sent"),
            S.json(extra: #","isEdited":false,"senderID":"y""#),
            S.json(extra: #","isEdited":false,"attachmentID":"2""#),
            S.json(extra: #","isEdited":false,"new":2"#),
        ])
    func conflicting(_ other: String) throws {
        let first = S.json(extra: #","isEdited":false,"senderID":"x","attachmentID":"1","new":1"#)
        let merged = try Self.merge([first], [other])
        #expect(Self.counts(merged) == [0, 0, 0, 1])
        #expect(Self.texts(merged).sorted() == [first, other].sorted())
        #expect(merged.conflicts.map(\.id.string) == ["A"])
        let again = try Self.merge(Self.texts(merged), [other, first])
        #expect(Self.counts(again) == [0, 2, 0, 0])
    }

    @Test("takes peer ids of 16 and 32 digits for one person, and writes the form of the first")
    func peerIDs() throws {
        let long = "3619e750a2dd52ba978807b2a00df56d"
        let short = "3619e750a2dd52ba"
        func message(_ id: String, _ peer: String, _ status: String) -> String {
            S.json(
                id, peer: peer, status: status,
                extra: #","isEdited":false,"readBy":["\#(peer)"],"reactions":{"\#(peer)":"x"}"#)
        }
        let merged = try Self.merge(
            [message("1", short, "read")], [message("1", long, "delivered"), message("2", long, "read")],
            peerIDs: .short)
        #expect(Self.counts(merged) == [1, 1, 0, 0])
        #expect(Self.texts(merged) == [message("1", short, "read"), message("2", short, "read")])
    }

    @Test("keeps messages without an id once, and broken ones as they stand")
    func withoutID() throws {
        let nameless = #"{"peerID":"b","body":"x"}"#
        let first = try Self.merge([nameless], [nameless, #"{"id":"","peerID":"b","body":"x"}"#])
        #expect(Self.counts(first) == [1, 1, 0, 0])
        let broken = Array(S.json(body: "@").utf8).split(separator: UInt8(ascii: "@")).joined(separator: [0xFF])
        let list = [UInt8(ascii: "[")] + broken + [UInt8(ascii: "]")]
        let merged = try Self.merge(list, list)
        #expect(Self.counts(merged) == [0, 1, 0, 0])
        let other = try Self.merge(RandomHistory.list([S.json(body: "x")]), list)
        #expect(Self.counts(other) == [0, 0, 0, 1])
        #expect(other.items.last?.json == Array(broken))
    }

    @Test("of Android's shape goes by the same rules")
    func android() throws {
        func message(_ extra: String) -> String {
            #"{"id":"a","peerID":"b","direction":"sent","body":"x","timestampMs":1770000000000\#(extra)}"#
        }
        let merged = try Self.merge([message("")], [message(#","status":"read""#)])
        #expect(Self.counts(merged) == [0, 0, 1, 0])
        #expect(Self.texts(merged)[0] == message(#","status":"read""#))
    }

    @Test("knows one message in the shapes of both platforms, and keeps what each alone has")
    func platforms() throws {
        let android =
            #"{"id":"a","peerID":"b","direction":"sent","body":"x","timestampMs":1773307213251,"status":"read"}"#
        let ios = S.json(
            "a", body: "x", time: "795000013.2508", status: "delivered", direction: "sent",
            extra: #","isEdited":false,"hopCount":2"#)
        let known = try S.read(RandomHistory.list([android]), platform: .android)
        let phone = try S.read(RandomHistory.list([ios]))
        let sides = [known, phone].map {
            MessageMerge.Side($0.messages, isStrict: $0.isStrict, conversation: Self.here)
        }
        var forms: Set<CanonicalMessage> = []
        for (first, second) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            let merged = MessageMerge(first, second)
            #expect(Self.counts(merged) == [0, 0, 1, 0])
            forms.insert(CanonicalMessage(source: merged.items[0].json))
            #expect(Self.texts(merged)[0].contains("795000013.2508"))
            var again = merged
            again.add(first)
            again.add(second)
            #expect(Self.counts(again) == [0, 2, 1, 0])
        }
        #expect(forms.count == 1)
        let later = android.replacing("251,", with: "252,")
        let other = try S.read(RandomHistory.list([later]), platform: .android)
        let apart = MessageMerge(
            sides[1], .init(other.messages, isStrict: other.isStrict, conversation: Self.here))
        #expect(Self.counts(apart) == [0, 0, 0, 1])
    }

    @Test(
        "of random histories loses nothing, is the same the other way round, and adds nothing when repeated",
        arguments: 0..<20)
    func laws(_ seed: Int) throws {
        var random = RandomHistory(seed: UInt64(seed))
        var first: [String] = []
        var second: [String] = []
        for _ in 0..<25 {
            let message = random.message("b")
            let place = random.below(4)
            if place != 0 { first.append(message) }
            if place != 1 { second.append(place == 3 ? random.later(message) : message) }
        }
        let merged = try Self.merge(first, second)
        #expect(merged.counts.total == second.count)
        let result = Self.texts(merged)
        // The first list's order stays.
        let own = merged.items.filter { !$0.isFromSecond }.map(\.message.sourceJSON)
        #expect(own == first.map { Array($0.utf8) })
        // merge(A, A) = A.
        let same = try Self.merge(first, first)
        #expect(same.counts.alreadyThere == first.count)
        #expect(Self.texts(same) == first)
        // merge(merge(A, B), B) = merge(A, B), and with A too.
        for side in [second, first] {
            let again = try Self.merge(result, side)
            #expect(again.counts.alreadyThere == side.count)
            #expect(Self.texts(again) == result)
        }
        // merge(A, B) and merge(B, A) hold the same, up to the order of messages and of people.
        func content(_ texts: [String]) -> [[UInt8]] {
            Self.canonical(texts).map { $0.sorted() }.sorted { $0.lexicographicallyPrecedes($1) }
        }
        #expect(try content(Self.texts(Self.merge(second, first))) == content(result))
        for text in result { #expect(StrictJSON.isObject(Array(text.utf8))) }
    }
}
