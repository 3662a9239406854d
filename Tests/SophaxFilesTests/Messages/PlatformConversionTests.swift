import Testing

@testable import SophaxFiles

@Suite("Converting messages between the platforms")
struct PlatformConversionTests {
    private typealias S = MessageSources
    private static let long = "3619e750a2dd52ba978807b2a00df56d"
    private static let short = "3619e750a2dd52ba"

    private func toAndroid(_ json: String) throws -> RewrittenMessage {
        let list = try S.read(Array("[\(json)]".utf8))
        let message = try #require(list.messages.first)
        return PlatformConversion.toAndroid.convert(message, isStrict: list.isStrict)
    }

    private func toIOS(_ json: String, peerIDs: PeerIDForm? = nil, readAt: Double? = nil) throws -> RewrittenMessage {
        let list = try S.read(Array("[\(json)]".utf8), platform: .android)
        let message = try #require(list.messages.first)
        return PlatformConversion.toIOS(peerIDs: peerIDs, readAt: readAt).convert(message, isStrict: list.isStrict)
    }

    @Test("names every key that Android has no place for")
    func losses() throws {
        let json = S.json(
            peer: Self.long, time: "795000013.25", status: "delivered",
            extra: #","replyToID":"R","expiresAt":795000100,"hopCount":2,"attachmentID":"X","#
                + #""attachmentMimeType":"image\/jpeg","attachmentFilename":"a.jpg","audioDuration":1.5,"#
                + #""reactions":{"\#(Self.long)":"👍"},"senderID":"\#(Self.long)","receivedAt":795000014,"#
                + #""deliveredBy":["x"],"readBy":[],"isEdited":true,"editedAt":795000020.5,"fromTheFuture":1"#)
        let result = try toAndroid(json)
        #expect(
            result.text
                == #"{"id":"A","peerID":"\#(Self.short)","direction":"received","body":"hi","timestampMs":1773307213250,"#
                + #""status":"delivered","replyToID":"R","attachmentMimeType":"image\/jpeg","expiresAt":1773307300000,"#
                + #""reactions":{"\#(Self.short)":"👍"},"editedAt":1773307220500}"#)
        #expect(
            result.changes == [
                "dropped-key hopCount", "dropped-key attachmentID", "dropped-key attachmentFilename",
                "dropped-key audioDuration", "dropped-key senderID", "dropped-key receivedAt",
                "dropped-key deliveredBy",
                "dropped-key readBy", "dropped-key fromTheFuture", "changed-peer-id ",
            ])
        let message = try AppDecoders.decode(AppDecoders.AndroidMessage.self, Array(#require(result.text).utf8))
        #expect(message.editedAt == 1_773_307_220_500)
    }

    @Test(
        "counts milliseconds and seconds exactly, and says where it cannot",
        arguments: [
            ("795000013.25", 1_773_307_213_250, true), ("795000013.001", 1_773_307_213_001, true),
            ("795000013.0009", 1_773_307_213_001, false), ("-1000000000.5", -21_692_800_500, true),
            ("0", 978_307_200_000, true), ("1e-9", 978_307_200_000, false),
        ])
    func times(_ seconds: String, _ milliseconds: Int, _ isExact: Bool) throws {
        let result = try toAndroid(S.json(time: seconds))
        let text = try #require(result.text)
        #expect(text.contains(#""timestampMs":\#(milliseconds),"#))
        #expect(result.changes.contains("rounded-time timestamp") == !isExact)
        let back = try toIOS(text)
        #expect(!back.changes.contains("rounded-time timestampMs"))
        if isExact { #expect(try S.canonical(#require(back.text)) == S.canonical(S.json(time: seconds))) }
    }

    @Test("refuses a time that the other platform cannot hold")
    func hugeTimes() throws {
        #expect(try toAndroid(S.json(time: "1e300")).refusal == .unusable(.timestamp))
        #expect(try toAndroid(S.json(time: "9.223372036854775e15")).refusal == .unusable(.timestamp))
        let android = #"{"id":"a","peerID":"b","direction":"sent","body":"x","timestampMs":-9223372036854775808}"#
        #expect(try toIOS(android).refusal == .unusable(.timestampMs))
        let rounded = try toIOS(android.replacing("-9223372036854775808", with: "9007199254740993"))
        #expect(rounded.changes == ["rounded-time timestampMs"])
    }

    @Test("of Android's fills in what Kotlin leaves out")
    func fromAndroid() throws {
        let json = #"{"id":"a","peerID":"\#(Self.short)","direction":"sent","body":"x","timestampMs":1773307213250}"#
        let result = try toIOS(json)
        #expect(
            result.text
                == #"{"id":"a","peerID":"\#(Self.short)","direction":"sent","body":"x","timestamp":795000013.25,"#
                + #""status":"sending","isEdited":false}"#)
        #expect(!result.isLossy)
        let message = try AppDecoders.decode(AppDecoders.NewestMessage.self, Array(#require(result.text).utf8))
        #expect(message.timestamp.timeIntervalSinceReferenceDate == 795_000_013.25)
        let long = try toIOS(json, peerIDs: .long(known: [.init(Self.long)]))
        #expect(long.text?.contains(Self.long) == true)
        let timeless = json.replacing(#","timestampMs":1773307213250"#, with: "")
        #expect(try toIOS(timeless).refusal == .unusable(.timestampMs))
        #expect(try toIOS(timeless, readAt: 1_773_307_213.25).text == result.text)
        #expect(try toIOS(timeless, readAt: 1_773_307_213.25).isLossy)
    }

    @Test("does not make an edit of what is none, nor hide one")
    func edits() throws {
        #expect(try toAndroid(S.json(extra: #","isEdited":true"#)).changes == ["unknown-edit-time isEdited"])
        let odd = try toAndroid(S.json(extra: #","isEdited":false,"editedAt":5"#))
        #expect(odd.changes == ["dropped-value editedAt"])
        #expect(odd.text?.contains("editedAt") == false)
    }

    @Test("there and back is the same message for all that both platforms hold")
    func roundTrip() throws {
        let android =
            #"{"id":"a","peerID":"b","direction":"received","body":"e\u0301 \ud83d\ude00","timestampMs":1773307213001,"#
            + #""status":"read","replyToID":"é","expiresAt":1773307213999,"reactions":{"x":"👍"},"editedAt":1773307213002}"#
        let ios = try #require(try toIOS(android).text)
        let back = try #require(try toAndroid(ios).text)
        #expect(S.canonical(back, platform: .android) == S.canonical(android, platform: .android))
        #expect(try toAndroid(ios).isLossy == false)
    }
}
