import CryptoPrimitives
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

    private static func read(_ bytes: [UInt8]) throws -> MessageContent {
        try MessageContent(json: SecretBytes(copying: bytes.span))
    }

    private static func read(_ text: String) throws -> MessageContent { try read(Array(text.utf8)) }

    @Test("keys that a content hands out go through guarded memory unchanged, and say what they are")
    func handedOutKeys() throws {
        var author = try GroupCheck.author()
        _ = try author.seal([1], as: GroupCheck.sender)
        var content = MessageContent(
            body: [], kind: .senderKeyDistribution, timestamp: try #require(WireDate(secondsSince2001: 796_000_000)))
        content.senderKeyData = HandedOutKey(try author.distribution(of: GroupCheck.group).json())
        content.groupInviteData = HandedOutKey(
            try author.invite(
                to: GroupCheck.group, name: [], memberIDs: [GroupCheck.sender.peer], creatorID: GroupCheck.sender.peer
            ).json())
        let written = try content.json()
        let again = try MessageContent(json: written)
        #expect(again == content)
        let key = try #require(again.senderKeyData)
        let distribution = try SenderKeyDistribution(json: key.json)
        #expect(try distribution.chainKey.plain == GroupCheck.chain(1)[1])
        #expect(distribution.iteration == 1 && distribution.groupID == GroupCheck.group)
        let invite = try GroupInvite(json: #require(again.groupInviteData).json)
        #expect(invite.creatorID == GroupCheck.sender.peer)
        // The app reads the same, its data in base64 once more.
        let app = try JSONDecoder().decode(AppContent.self, from: Data(written.plain))
        #expect(try Array(#require(app.senderKeyData)) == key.json.plain)
        content.senderKeyData = HandedOutKey(try GroupCheck.secret(Array("{}".utf8)))
        #expect(again != content)
        let data = String(repeating: "AAAA", count: WireLimits.embeddedBytes / 3 + 1)
        #expect(
            throws: FormatError.field(
                "senderKeyData", .tooLong(limit: WireLimits.embeddedBytes, found: WireLimits.embeddedBytes / 3 * 3 + 3))
        ) { try Self.read(#"{"body":"","type":"text","timestamp":1,"senderKeyData":"\#(data)"}"#) }
        for wrong in ["AA", "*", "7"] {
            #expect(throws: FormatError.field("groupInviteData", .notBase64)) {
                try Self.read(#"{"body":"","type":"text","timestamp":1,"groupInviteData":"\#(wrong)"}"#)
            }
        }
    }

    @Test("what the apps would not send is told: 65,536 bytes of text, a picture of 524,288, a file of 2,097,152")
    func sending() throws {
        var content = MessageContent(
            body: [UInt8](repeating: 1, count: 65_536), timestamp: try #require(WireDate(secondsSince2001: 1)))
        #expect(content.sendingProblem == nil)
        content.body.append(1)
        #expect(content.sendingProblem == .field("body", .tooLong(limit: 65_536, found: 65_537)))
        content.body = []
        content.editPayload = MessageContent.Edit(
            messageID: [], newBody: [UInt8](repeating: 1, count: 65_537), editedAt: content.timestamp)
        #expect(content.sendingProblem == .field("newBody", .tooLong(limit: 65_536, found: 65_537)))
        content.editPayload = nil
        for (kind, limit) in [(MessageContent.Kind.image, 524_288), (.audio, 524_288), (.file, 2_097_152)] {
            content.kind = kind
            content.attachmentData = [UInt8](repeating: 1, count: limit)
            #expect(content.sendingProblem == nil)
            content.attachmentData?.append(1)
            #expect(content.sendingProblem == .field("attachmentData", .tooLong(limit: limit, found: limit + 1)))
        }
    }

    @Test("what was read and written reads as the same value, and Foundation's decoder reads it")
    func roundTrip() throws {
        let read = try Self.read(Self.full)
        #expect(read.kind == .file)
        #expect(read.body == Array("Zoë \"x\"\n/👋".utf8))
        #expect(read.editPayload?.unknown.count == 1)
        #expect(try Self.read(read.json().plain) == read)
        let app = try JSONDecoder().decode(AppContent.self, from: Data(read.json().plain))
        #expect(try app == JSONDecoder().decode(AppContent.self, from: Data(Self.full.utf8)))
        #expect(app.timestamp.timeIntervalSinceReferenceDate == 817_695_221.1173118)
        let written = try Self.read(Array(JSONEncoder().encode(app)))
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
            try String(decoding: content.json().plain, as: UTF8.self)
                == #"{"body":"hi","type":"\#(word)","timestamp":796000000}"#)
        #expect(try JSONDecoder().decode(AppContent.self, from: Data(content.json().plain)).type.rawValue == word)
        #expect(MessageContent.Kind(word: kind.word) == kind)
    }

    @Test("a kind of a newer version is kept")
    func newerKind() throws {
        let read = try Self.read(#"{"body":"","type":"poll","timestamp":1}"#)
        #expect(read.kind == .other(Array("poll".utf8)))
        #expect(try Self.read(read.json().plain) == read)
    }

    @Test("Android's form has its times as text")
    func android() throws {
        let json = #"{"body":"x","type":"text","timestamp":"2026-11-30T01:33:41Z"}"#
        let read = try Self.read(json)
        #expect(read.timestamp.platform == .android)
        #expect(try String(decoding: read.json().plain, as: UTF8.self) == json)
    }

    @Test("a text longer than the apps send is read, and files have the limit of the apps")
    func limits() throws {
        func content(_ text: Int, _ file: Int) -> [UInt8] {
            let data = String(repeating: "AAAA", count: file / 3) + ["", "AA==", "AAA="][file % 3]
            let body = String(repeating: "x", count: text)
            return Array(#"{"body":"\#(body)","type":"text","timestamp":1,"attachmentData":"\#(data)"}"#.utf8)
        }
        for length in [65_536, 65_537, 1 << 20] {
            #expect(try Self.read(content(length, 2_097_152)).body.count == length)
        }
        let edit = #"{"messageID":"m","newBody":"\#(String(repeating: "x", count: 65_537))","editedAt":1}"#
        let edited = #"{"body":"","type":"text","timestamp":1,"editPayload":\#(edit)}"#
        #expect(try Self.read(edited).editPayload?.newBody.count == 65_537)
        #expect(throws: FormatError.field("attachmentData", .tooLong(limit: 2_097_152, found: 2_097_153))) {
            try Self.read(content(0, 2_097_153))
        }
        for missing in [
            #"{"type":"text","timestamp":1}"#, #"{"body":"","timestamp":1}"#, #"{"body":"","type":"text"}"#,
        ] {
            #expect(throws: FormatError.self) { try Self.read(missing) }
        }
    }
}
