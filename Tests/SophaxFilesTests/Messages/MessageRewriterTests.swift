import Testing

@testable import SophaxFiles

@Suite("Rewriting a message for the newest app")
struct MessageRewriterTests {
    private typealias S = MessageSources
    private static let required = #","isEdited":false"#

    private func decodes(_ json: [UInt8]) throws {
        let list = [UInt8(ascii: "[")] + json + [UInt8(ascii: "]")]
        _ = try AppDecoders.decode([AppDecoders.NewestMessage].self, list)
    }

    @Test("leaves every byte of a message that it reads already")
    func unchanged() throws {
        for extra in [
            Self.required, #", "isEdited" : true , "editedAt":7.5e8, "hopCount":3.0"#,
            #","isEdited":false,"reactions":{"b":"👍"},"readBy":[],"fromTheFuture":{"a":[1,null]}"#,
        ] {
            let json = S.json(body: #"a\/b \u00e9 \u0000"#, extra: extra)
            #expect(try S.rewrite(json).isUnchanged)
            try decodes(Array(json.utf8))
        }
    }

    @Test("adds isEdited before the last bracket, and changes no other byte")
    func missingIsEdited() throws {
        let json = S.json(body: #"a\/b"#, extra: #" , "hopCount" : 2 "#)
        let result = try S.rewrite(json)
        #expect(result.text == String(json.dropLast()) + #","isEdited":false}"#)
        #expect(result.changes == ["added-is-edited isEdited"])
        try decodes(Array(#require(result.text).utf8))
    }

    @Test(
        "says the same after a change that loses nothing",
        arguments: [
            (#","replyToID":null,"isEdited":true"#, "dropped-null replyToID"),
            (#","isEdited":true,"isEdited":true"#, "dropped-copy isEdited"),
            (#","isEdited":false,"expiresAt":1e-400"#, "respelled-number expiresAt"),
        ])
    func harmless(_ extra: String, _ change: String) throws {
        let json = S.json(extra: extra)
        let result = try S.rewrite(json)
        #expect(result.changes == [change])
        #expect(!result.isLossy)
        let text = try #require(result.text)
        try decodes(Array(text.utf8))
        if !change.hasPrefix("dropped-copy") { #expect(S.canonical(text) == S.canonical(json)) }
    }

    @Test(
        "leaves out what the app refuses, and says so",
        arguments: [
            (#","isEdited":1"#, "dropped-value isEdited"),
            (#","isEdited":false,"hopCount":256"#, "dropped-value hopCount"),
            (#","isEdited":false,"hopCount":0.5"#, "dropped-value hopCount"),
            (#","isEdited":false,"replyToID":7"#, "dropped-value replyToID"),
            (#","isEdited":false,"expiresAt":"soon""#, "dropped-value expiresAt"),
            (#","isEdited":false,"editedAt":1e999"#, "dropped-value editedAt"),
            (#","isEdited":false,"reactions":{"a":null,"b":"👍"}"#, "dropped-value reactions"),
            (#","isEdited":false,"readBy":["a",5]"#, "dropped-value readBy"),
            (#","isEdited":false,"readBy":"a""#, "dropped-value readBy"),
            (#","isEdited":false,"isEdited":true"#, "dropped-other isEdited"),
            (#","isEdited":false,"new":fal"#, "dropped-value new"),
            (#","isEdited":false,"replyToID":"\ud83d""#, "dropped-value replyToID"),
            (#","isEdited":false,"attachmentFilename":"\ud83d.jpg""#, "replaced-text attachmentFilename"),
        ])
    func losses(_ extra: String, _ change: String) throws {
        let result = try S.rewrite(S.json(extra: extra))
        #expect(result.changes.subtracting(["added-is-edited isEdited"]) == [change])
        #expect(result.isLossy)
        try decodes(Array(#require(result.text).utf8))
    }

    @Test(
        "refuses what it would have to invent",
        arguments: [
            (#"{"peerID":"b","direction":"sent","body":"x","timestamp":1,"status":"read"}"#, StoredMessage.Field.id),
            (#"{"id":"A","direction":"sent","body":"x","timestamp":1,"status":"read"}"#, .peerID),
            (#"{"id":"A","peerID":"b","direction":"up","body":"x","timestamp":1,"status":"read"}"#, .direction),
            (#"{"id":"A","peerID":"b","direction":"sent","body":"x","timestamp":"1","status":"read"}"#, .timestamp),
            (#"{"id":"A","peerID":"b","direction":"sent","body":"x","timestamp":1e999,"status":"read"}"#, .timestamp),
            (#"{"id":"A","peerID":"b","direction":"sent","body":"x","timestamp":1,"status":"seen"}"#, .status),
            (#"{"id":"A","peerID":"b","direction":"sent","body":"x","timestampMs":1,"status":"read"}"#, .timestamp),
        ])
    func refused(_ json: String, _ field: StoredMessage.Field) throws {
        #expect(try S.rewrite(json).refusal == .unusable(field))
    }

    @Test("takes the conversation that the file names where a message has none")
    func conversation() throws {
        let json = #"{"id":"A","direction":"sent","body":null,"timestamp":1,"status":"read"}"#
        let result = try S.rewrite(json, in: ConversationID(ByteText("group.7")))
        #expect(
            result.changes == ["added-conversation peerID", "empty-body body", "added-is-edited isEdited"])
        try decodes(Array(#require(result.text).utf8))
    }

    @Test("makes strict JSON of text that is not, without a loss that it does not name")
    func brokenText() throws {
        let raw = Array(S.json(body: "a\u{1}b\nc\\q", extra: Self.required).utf8)
        let escaped = try S.rewrite(raw)
        #expect(escaped.changes == ["escaped-text body"])
        #expect(escaped.text?.contains(#""body":"a\u0001b\nc\\q""#) == true)
        try decodes(Array(#require(escaped.text).utf8))
        for bytes in [
            [0xFF, 0xFE], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0x98],
        ] {
            let bytes = bytes.map { UInt8($0) }
            let text = Array(S.json(body: "@", extra: Self.required).utf8)
            let body = Array(text.split(separator: UInt8(ascii: "@")).joined(separator: bytes))
            let result = try S.rewrite(body)
            #expect(result.changes == ["replaced-text body"])
            try decodes(Array(#require(result.text).utf8))
            let id = Array(S.json("@", extra: Self.required).utf8)
            let broken = Array(id.split(separator: UInt8(ascii: "@")).joined(separator: bytes))
            #expect(try S.rewrite(broken).refusal == .brokenID(.id))
        }
    }

    @Test("keeps values that it does not know as deep as the scanner reads, which Foundation does too")
    func depth() throws {
        for (depth, isKept) in [(60, true), (600, false)] {
            let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let json = S.json(extra: Self.required + #","new":\#(nested)"#)
            let result = try S.rewrite(json)
            #expect(result.isUnchanged == isKept)
            if isKept { try decodes(Array(json.utf8)) } else { #expect(result.refusal == .unreadable) }
        }
    }

    @Test("changes the length of peer ids everywhere, as far as the rest of an id is known")
    func peerIDs() throws {
        let long = "3619e750a2dd52ba978807b2a00df56d"
        let other = "9e6fbd6f40ba2b58b3c3bbf1d3ea0d32"
        let json = S.json(
            peer: long,
            extra: #","isEdited":false,"senderID":"\#(other)","reactions":{"\#(long)":"👍"},"readBy":["\#(other)"]"#)
        let short = try #require(try S.rewrite(json, peerIDs: .short).text)
        #expect(!short.contains(long) && !short.contains(other))
        #expect(try S.rewrite(short, peerIDs: .short).isUnchanged)
        let back = try S.rewrite(short, peerIDs: .long(known: [.init(long), .init(other)]))
        #expect(back.text == json)
        let half = try #require(try S.rewrite(short, peerIDs: .long(known: [.init(long)])).text)
        #expect(half.contains(long) && !half.contains(other))
        let twins = PeerIDForm.long(known: [.init(long), .init(String(long.prefix(31)) + "0")])
        #expect(twins.answer(for: Array(long.utf8.prefix(16))) == .unknown)
        #expect(try S.rewrite(S.json(peer: "group.3619e750a2dd52ba"), peerIDs: .short).isUnchanged)
    }

    @Test("for Android keeps the keys that Kotlin knows, and dates as integers")
    func android() throws {
        let known = #"{"id":"a","peerID":"b","direction":"sent","body":"x","timestampMs":1770000000123"#
        #expect(try S.rewrite(known + "}", platform: .android).isUnchanged)
        let result = try S.rewrite(
            known + #","isEdited":true,"senderID":null,"expiresAt":1.77e12,"editedAt":1.5,"new":1}"#, platform: .android
        )
        #expect(
            result.changes == [
                "dropped-key isEdited", "dropped-null senderID", "respelled-number expiresAt", "dropped-value editedAt",
                "dropped-key new",
            ])
        let message = try AppDecoders.decode(AppDecoders.AndroidMessage.self, Array(#require(result.text).utf8))
        #expect(message.expiresAt == 1_770_000_000_000)
    }

    @Test("writes a list that the app decodes, and one message as one line")
    func lists() throws {
        var list = AppMessageList()
        #expect(AppMessageList().finished() == Array("[]".utf8))
        let source = "[ {\n\"id\":\"A\",\r\n \"body\":\"a\\nb\"} , \(S.json()) ]"
        for message in try S.read(source) { list.append(message) }
        list.append(Array(S.json("B").utf8))
        let text = list.finished()
        #expect(try S.read(text).messages.count == 3)
        #expect(try S.read(text).isStrict)
        let line = AppMessageList.line(Array("{\n\"id\":\"A\",\r\n \"body\":\"a\\nb\u{A}c\"}".utf8))
        #expect(String(decoding: line, as: UTF8.self) == #"{"id":"A", "body":"a\nb\nc"}"#)
    }
}
