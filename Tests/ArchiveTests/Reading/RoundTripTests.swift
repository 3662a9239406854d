import History
import SophaxFiles
import Testing

@testable import Archive

@Suite("History of an archive")
struct RoundTripTests {
    /// Messages of all shapes, with what strict JSON does not allow, made from a seed.
    private func messages(_ seed: UInt64, _ count: Int) -> [[UInt8]] {
        var random = SplitMix(state: seed)
        let bodies: [[UInt8]] = [
            Array("plain".utf8), Array("caf\u{e9} 👋".utf8), Array("a\\u0000b".utf8), Array("\\ud800 lone".utf8),
            [0xFF, 0xFE], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F],
            Array("שלום \\u202e".utf8), Array("=HYPERLINK(1)".utf8), [],
        ]
        let dates = ["700000000", "-1", "0", "1e15", "1e400", "9007199254740993", "700000000.123456789", "7e8"]
        return (0..<count).map { number in
            let id = random.next() % 10 == 0 ? "" : "\"id\":\"m\(number)\","
            let time = random.next() % 4 == 0 ? dates[Int(random.next() % 8)] : "\(700_000_000 + number * 7 % 50)"
            var text = Array("{\(id)\"peerID\":\"0123456789abcdef\",\"direction\":\"received\",\"body\":\"".utf8)
            text += bodies[Int(random.next() % UInt64(bodies.count))]
            text += Array("\",\"timestamp\":\(time),\"number\":\(number)".utf8)
            if random.next() % 3 == 0 { text += Array(",\"status\": \"read\" ,\"unknown\":{\"a\":[1,2]}".utf8) }
            if random.next() % 5 == 0 { text += Array(",\"replyToID\":\"m\(random.next() % UInt64(count))\"".utf8) }
            return text + Array("}".utf8)
        }
    }

    private struct SplitMix {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
            return word ^ word >> 31
        }
    }

    private struct RawHistory: HistorySource {
        let origin = HistoryOrigin(.store, path: "raw", bytes: 0)
        let objects: [[UInt8]]

        func send(_ request: HistoryRequest, to sink: any HistorySink) throws(HistoryError) {
            // One by one, as a tolerant scan of the whole would give them.
            for (number, object) in objects.enumerated() {
                let (messages, isStrict) = parsed([object])
                var part = HistoryPart(
                    ConversationID(ByteText("0123456789abcdef")), messages, isStrict: isStrict, bytes: 0)
                part.isFirst = number == 0
                part.isLast = number == objects.count - 1
                try sink.take(part)
            }
        }
    }

    @Test("every source JSON comes back byte for byte, and an archive of an archive is the same", arguments: 1...4)
    func identity(seed: Int) throws {
        let objects = messages(UInt64(seed), 300)
        let made = try MadeArchive()
        let report = try made.add(RawHistory(objects: objects))
        #expect(report.read == objects.count)
        #expect(report.counts.new == objects.count)
        let collected = try made.collected()
        #expect(collected.losses.isEmpty)
        let shown = collected.conversations[0].messages.map(\.sourceJSON)
        #expect(Set(shown) == Set(objects))
        #expect(try made.archive.verify(.full).findings.isEmpty)

        let second = try MadeArchive()
        try second.add(ArchiveHistory(made.archive, path: "first"))
        #expect(try second.collected().conversations[0].messages.map(\.sourceJSON) == shown)
    }

    @Test("a long conversation comes in parts of at most 2,000, in the order of time, with replies across them")
    func parts() throws {
        let made = try MadeArchive()
        var list = (0..<4_500).map { ios("m\($0)", at: 700_000_000 + Double(4_500 - $0)) }
        list[0] = ios("m0", at: 700_004_500, more: ",\"replyToID\":\"m4499\",\"isEdited\":false")
        try made.add(GivenHistory(list))
        let collected = try made.collected()
        #expect(collected.conversations.map(\.parts) == [3])
        let ids = collected.conversations[0].messages.compactMap { $0.id?.string }
        #expect(ids == (0..<4_500).reversed().map { "m\($0)" })
        #expect(collected.replied.keys.map(\.string) == ["m4499"])
    }

    @Test("a message without a date stands behind the one before it in its source")
    func undated() throws {
        let made = try MadeArchive()
        let bare = #"{"id":"x","peerID":"0123456789abcdef","direction":"sent","body":"no date"}"#
        try made.add(
            GivenHistory([ios("a", at: 700_000_000), bare, ios("b", at: 700_000_000), ios("c", at: 700_000_001)]))
        #expect(try made.collected().conversations[0].messages.map { $0.id?.string } == ["a", "x", "b", "c"])
    }

    @Test("changed, conflicting and further sources survive an archive of an archive")
    func everything() throws {
        let made = try MadeArchive()
        try made.add(GivenHistory([ios("a", "old"), ios("1", "mine")]))
        try made.add(
            GivenHistory([
                ios("a", "new", more: ",\"isEdited\":true,\"editedAt\":700000100"), ios("1", "other", at: 700_000_009),
            ]))
        try made.add(GivenHistory([ios("1", "mine", more: "")]))
        let second = try MadeArchive()
        let report = try second.add(ArchiveHistory(made.archive, path: "first"))
        #expect(report.read == 3)
        #expect(report.counts.total == 3)
        let (one, two) = (try made.collected().conversations[0], try second.collected().conversations[0])
        #expect(one.messages.map(\.sourceJSON) == two.messages.map(\.sourceJSON))
        #expect(one.others.mapValues { $0.map(\.sourceJSON) } == two.others.mapValues { $0.map(\.sourceJSON) })
        #expect(one.conflicting == two.conflicting)
        #expect(one.conflicting.count == 2)
        #expect(one.earlier.mapValues { $0.map { $0.body?.string } } == [0: ["old"]])
    }
}
