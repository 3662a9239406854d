import History
import SophaxCore
import SophaxFiles
import TestSupport

@testable import SampleData

/// A few people and a few months of messages with all that a message may have, for tests and for looking at.
struct HTMLSample {
    static let bob = "b0b0aa11223344556677889900aabbcc"
    static let carla = "ca41a0112233445566778899aabbccdd"
    static let yusuf = "7f5e0112233445566778899aabbccdde"
    static let mei = "3e10112233445566778899aabbccddee"
    static let group = "group.7C1D6E0A-1111-4222-8333-444455556666"
    /// 2026-03-02T07:00:00Z, in seconds since 2001.
    static let start: Double = 794_127_600

    static func names(_ all: [(String, String)]) -> PeerNames {
        var names = PeerNames()
        for (peer, name) in all {
            let digits = Array((peer + String(repeating: "0", count: 64)).utf8.prefix(64))
            guard let fingerprint = try? Fingerprint(hex: digits.span) else { continue }
            names.add(Array(name.utf8), of: fingerprint)
        }
        return names
    }

    var source: ListSource {
        var source = ListSource()
        source.people = Self.names([
            (Self.bob, "Bob Kahn"), (Self.carla, "Carla Méndez"), (Self.yusuf, "يوسف حداد"), (Self.mei, "陳美玲"),
        ])
        source.conversations = [direct, groupChat, rightToLeft, chinese, notes]
        source.attachments = [
            ("A0000001-0000-4000-8000-000000000001", SamplePicture.png(side: 120)),
            ("A0000002-0000-4000-8000-000000000002", Self.tone),
            (
                "A0000003-0000-4000-8000-000000000003",
                Array("%PDF-1.4\n%%EOF\n".utf8) + [UInt8](repeating: 0x20, count: 84_000)
            ),
            (
                "A0000004-0000-4000-8000-000000000004",
                Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>document.title='hit'</script></svg>".utf8)
            ),
        ]
        return source
    }

    /// One second of a quiet tone: WAV, 8 kHz, 8 bits.
    static let tone: [UInt8] = {
        let samples = (0..<8_000).map { UInt8(128 + ($0 / 9 % 2 == 0 ? 12 : -12)) }
        func word(_ value: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> (8 * $0) & 0xFF) } }
        return Array("RIFF".utf8) + word(36 + samples.count, 4) + Array("WAVEfmt ".utf8) + word(16, 4) + word(1, 2)
            + word(1, 2)
            + word(8_000, 4) + word(8_000, 4) + word(1, 2) + word(8, 2) + Array("data".utf8) + word(samples.count, 4)
            + samples
    }()

    private var direct: ListSource.Conversation {
        let id = Self.bob
        var list: [MessageSpelling] = []
        func say(_ body: String?, _ after: Double, me: Bool = false) -> MessageSpelling {
            MessageSpelling("d\(list.count)", in: id, body, at: Self.start + after, isSent: me)
        }
        let lines: [(String, Double, Bool)] = [
            ("Morning! Did you get home all right last night?", 0, false),
            ("Yes, the last tram was late, as always 🙄", 95, true),
            (
                "Listen, I have been thinking about the trip to the coast. We could leave on Friday after work, sleep at my sister's in Porto, and be at the lighthouse by noon on Saturday. Her sofa is terrible, but the breakfast makes up for it.",
                140, false
            ),
            ("That sounds wonderful", 210, true),
            ("I am in.", 216, true),
            ("🎉🎉", 240, false),
        ]
        for (body, after, me) in lines { list.append(say(body, after, me: me)) }
        list.append(
            say("📷 Photo", 3_600).with("attachmentID", "A0000001-0000-4000-8000-000000000001")
                .with("attachmentMimeType", "image/png").with("attachmentFilename", "sea at dusk.png"))
        list.append(say("wow, where is that?", 3_660, me: true).with("replyToID", "d6").with("status", "read"))
        list.append(
            say(
                "Behind the old lighthouse: https://www.openstreetmap.org/?mlat=41.15&mlon=-8.68#map=15/41.15/-8.68 (the second bay, not the first).",
                3_720
            )
            .with("isEdited", json: "true").with("editedAt", json: "\(Self.start + 3_900)").reaction([
                (Self.bob, "🌊"), ("me", "❤️"),
            ]))
        list.append(
            say("🎤 Voice message", 90_000).with("attachmentID", "A0000002-0000-4000-8000-000000000002")
                .with("attachmentMimeType", "audio/wav").with("audioDuration", json: "1.0"))
        list.append(
            say("the door code is 4711, this message disappears", 90_300).with(
                "expiresAt", json: "\(Self.start + 95_000)"))
        list.append(
            say("Here is the booking. Please check the names!", 90_600, me: true).with(
                "attachmentID", "A0000003-0000-4000-8000-000000000003"
            )
            .with("attachmentMimeType", "application/pdf").with("attachmentFilename", "Booking Casa do Farol.pdf").with(
                "status", "read"))
        list.append(
            say("📷 Photo", 91_000).with("attachmentID", "A0000009-0000-4000-8000-000000000009").with(
                "attachmentMimeType", "image/jpeg"
            )
            .with("attachmentFilename", "IMG_4410.jpeg"))
        list.append(
            say("diagram for the tent", 91_100).with("attachmentID", "A0000004-0000-4000-8000-000000000004")
                .with("attachmentMimeType", "image/svg+xml").with("attachmentFilename", "tent.svg"))
        list.append(say("are you there already?", 400_000, me: true).with("status", "failed"))
        list.append(say("just getting off the train 🚂", 400_400))
        list.append(say("two bridges, then left. If you see the bakery with the blue door you went too far.", 400_460))
        list.append(
            say(nil, 500_000).with("systemEvent", json: "{\"kind\":\"safetyNumberChanged\",\"peer\":\"b0b0aa11\"}"))
        list.append(say("new phone, same me", 500_060).with("replyToID", "gone"))
        for day in 0..<240 {
            let words = [
                "See you at eight", "The keys are under the mat", "ok", "Did you call the plumber?",
                "Yes, he comes on Tuesday between ten and noon",
                "Perfect", "I left the umbrella on the train again", "😂", "What about the cinema tonight?",
                "Only if it is not the one with subtitles in Latin",
            ]
            for turn in 0..<(day % 7 + 2) {
                list.append(
                    say(
                        words[(day * 3 + turn) % words.count],
                        700_000 + Double(day) * 86_400 + Double(turn) * 130 + Double(day % 12) * 2_900,
                        me: (day + turn) % 2 == 0))
            }
        }
        list.append(
            say("Final version of the packing list is done", 21_700_000, me: true).with("isEdited", json: "true").with(
                "editedAt", json: "\(Self.start + 21_700_500)"
            ).with("status", "read"))
        list.append(say("Great. See you on Friday!", 21_700_600).reaction([("me", "👍")]))
        var conversation = ListSource.Conversation(id: ConversationID(ByteText(id)), messages: list.map(\.json))
        conversation.earlier[list.count - 2] = [
            MessageSpelling("x", in: id, "Final verison of the packing list", at: Self.start + 21_700_000, isSent: true)
                .json,
            MessageSpelling("x", in: id, "Final version of the packing list", at: Self.start + 21_700_000, isSent: true)
                .with("editedAt", json: "\(Self.start + 21_700_200)").json,
        ]
        return conversation
    }

    private var groupChat: ListSource.Conversation {
        var list: [MessageSpelling] = []
        let lines: [(String?, String)] = [
            (Self.carla, "I made a group for the climbing hall 🧗"), (nil, "great idea"), (Self.bob, "Thursdays?"),
            (Self.carla, "Thursdays it is"), (Self.carla, "Seven o'clock, I bring the rope"), (Self.mei, "可以带我弟弟来吗?"),
            (nil, "Of course!"), (Self.yusuf, "أنا قادم أيضا، سأصل الساعة 19:15"),
            (Self.bob, "Has anybody seen my blue shoes?"),
            (Self.carla, "In my bag. Sorry! 🙈"), (Self.bob, "🤦"), ("ffff000011112222", "who is this?"),
        ]
        for (index, line) in lines.enumerated() {
            var message = MessageSpelling(
                "g\(index)", in: Self.group, line.1, at: Self.start + 1_000_000 + Double(index) * 400,
                isSent: line.0 == nil)
            if let sender = line.0 { message = message.with("senderID", sender) }
            if index == 9 {
                message = message.with("replyToID", "g8").reaction([
                    (Self.bob, "😂"), (Self.mei, "😂"), (Self.yusuf, "🙏"),
                ])
            }
            if index == 6 {
                message = message.with("status", "read").with("readBy", json: "[\"\(Self.mei)\",\"\(Self.bob)\"]")
            }
            list.append(message)
        }
        return ListSource.Conversation(id: ConversationID(ByteText(Self.group)), messages: list.map(\.json))
    }

    private var rightToLeft: ListSource.Conversation {
        let lines: [(Bool, String)] = [
            (false, "مساء الخير! كيف كانت الرحلة؟"), (true, "Very good, thank you! وصلنا في الساعة 18:40"),
            (false, "هل رأيت الرابط https://example.org/صور الذي أرسلته أمس (الصفحة 12)؟"),
            (true, "נראה לי שכן, 3 תמונות"), (false, "ممتاز 👍"),
            (true, "The file is called \"report (final).pdf\", version 2.0"),
            (false, "1. خبز\n2. milk\n3. زيتون"),
        ]
        let list = lines.enumerated().map { index, line in
            var message = MessageSpelling(
                "r\(index)", in: Self.yusuf, line.1, at: Self.start + 2_000_000 + Double(index) * 210, isSent: line.0)
            if index == 3 { message = message.with("replyToID", "r2") }
            return message
        }
        return ListSource.Conversation(id: ConversationID(ByteText(Self.yusuf)), messages: list.map(\.json))
    }

    private var chinese: ListSource.Conversation {
        let lines: [(Bool, String)] = [
            (false, "今天天气很好，要不要去公园?"), (true, "好啊！几点?"), (false, "下午三点，在東門"), (true, "👌"),
            (false, "東京タワーの写真も見せてね"), (true, "내일 보여줄게"),
        ]
        let list = lines.enumerated().map { index, line in
            MessageSpelling(
                "z\(index)", in: Self.mei, line.1, at: Self.start + 1_500_000 + Double(index) * 300, isSent: line.0)
        }
        return ListSource.Conversation(id: ConversationID(ByteText(Self.mei)), messages: list.map(\.json))
    }

    private var notes: ListSource.Conversation {
        let list = [
            "milk, eggs, coffee", "return the library books (due 20 May)", "Straße 12, Café Zoë: table for four",
        ].enumerated().map {
            MessageSpelling(
                "n\($0)", in: "__note_to_self__", $1, at: Self.start + 3_000_000 + Double($0) * 90_000, isSent: true)
        }
        return ListSource.Conversation(id: .notesToSelf, messages: list.map(\.json))
    }
}
