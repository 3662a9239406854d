import Foundation
import JSONCoding
import Testing

@testable import SophaxCore

@Suite("contents of ratchet messages")
struct MessageContentTests {
    /// As the app declares it. Format: SophaxChat 8.5.
    private struct AppContent: Codable, Equatable {
        enum Kind: String, Codable {
            case text, image, audio, file, groupInvite, senderKeyDistribution, mlsCommitRequest
        }
        struct Edit: Codable, Equatable {
            var messageID: String
            var newBody: String
            var editedAt: Date
        }
        var body: String
        var type: Kind
        var replyToID: String?
        var timestamp: Date
        var expiresAt: Date?
        var attachmentData: Data?
        var attachmentMimeType: String?
        var attachmentFilename: String?
        var audioDuration: Double?
        var groupInviteData: Data?
        var senderKeyData: Data?
        var editPayload: Edit?
        var mlsCommitRequestData: Data?
    }

    private static let full = #"""
        {"body":"Zoë \"x\"\n\/👋","type":"file","replyToID":"R","timestamp":817695221.1173118,"expiresAt":817695222,\#
        "attachmentData":"AAEC","attachmentMimeType":"a\/b","attachmentFilename":"x.pdf","audioDuration":4.5,\#
        "groupInviteData":"AQ==","senderKeyData":"Ag==","mlsCommitRequestData":"Aw==","later":{"a":null},\#
        "editPayload":{"messageID":"M","newBody":"n","editedAt":1.5,"why":"x"}}
        """#

    @Test("what was read and written reads as the same value, and Foundation's decoder reads it")
    func roundTrip() throws {
        let read = try MessageContent(json: Array(Self.full.utf8))
        #expect(read.kind == .file)
        #expect(read.body == Array("Zoë \"x\"\n/👋".utf8))
        #expect(read.editPayload?.unknown.count == 1)
        #expect(try MessageContent(json: read.json) == read)
        let app = try JSONDecoder().decode(AppContent.self, from: Data(read.json))
        #expect(try app == JSONDecoder().decode(AppContent.self, from: Data(Self.full.utf8)))
        #expect(app.timestamp.timeIntervalSinceReferenceDate == 817_695_221.1173118)
        let written = try MessageContent(json: Array(JSONEncoder().encode(app)))
        #expect(written.attachmentData == [0, 1, 2])
    }

    @Test(
        "a content made here has what the app requires, and no more",
        arguments: [
            MessageContent.Kind.text, .image, .audio, .file, .groupInvite, .senderKeyDistribution, .mlsCommitRequest,
        ])
    func made(kind: MessageContent.Kind) throws {
        let time = try #require(WireDate(secondsSince2001: 796_000_000))
        let content = MessageContent(body: Array("hi".utf8), kind: kind, timestamp: time)
        let word = String(decoding: kind.word, as: UTF8.self)
        #expect(
            String(decoding: content.json, as: UTF8.self)
                == #"{"body":"hi","type":"\#(word)","timestamp":796000000}"#)
        #expect(try JSONDecoder().decode(AppContent.self, from: Data(content.json)).type.rawValue == word)
        #expect(MessageContent.Kind(word: kind.word) == kind)
    }

    @Test("a kind of a newer version is kept")
    func newerKind() throws {
        let read = try MessageContent(json: Array(#"{"body":"","type":"poll","timestamp":1}"#.utf8))
        #expect(read.kind == .other(Array("poll".utf8)))
        #expect(try MessageContent(json: read.json) == read)
    }

    @Test("Android's form has its times as text")
    func android() throws {
        let json = #"{"body":"x","type":"text","timestamp":"2026-11-30T01:33:41Z"}"#
        let read = try MessageContent(json: Array(json.utf8))
        #expect(read.timestamp.platform == .android)
        #expect(String(decoding: read.json, as: UTF8.self) == json)
    }

    @Test("a text longer than the apps send is read, and files have the limit of the apps")
    func limits() throws {
        func content(_ text: Int, _ file: Int) -> [UInt8] {
            let data = String(repeating: "AAAA", count: file / 3) + ["", "AA==", "AAA="][file % 3]
            let body = String(repeating: "x", count: text)
            return Array(#"{"body":"\#(body)","type":"text","timestamp":1,"attachmentData":"\#(data)"}"#.utf8)
        }
        for length in [65_536, 65_537, 1 << 20] {
            #expect(try MessageContent(json: content(length, 2_097_152)).body.count == length)
        }
        let edit = #"{"messageID":"m","newBody":"\#(String(repeating: "x", count: 65_537))","editedAt":1}"#
        let edited = #"{"body":"","type":"text","timestamp":1,"editPayload":\#(edit)}"#
        #expect(try MessageContent(json: Array(edited.utf8)).editPayload?.newBody.count == 65_537)
        #expect(throws: FormatError.field("attachmentData", .tooLong(limit: 2_097_152, found: 2_097_153))) {
            try MessageContent(json: content(0, 2_097_153))
        }
        for missing in [
            #"{"type":"text","timestamp":1}"#, #"{"body":"","timestamp":1}"#, #"{"body":"","type":"text"}"#,
        ] {
            #expect(throws: FormatError.self) { try MessageContent(json: Array(missing.utf8)) }
        }
    }
}
