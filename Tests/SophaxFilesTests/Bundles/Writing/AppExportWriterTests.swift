import CryptoPrimitives
import Foundation
import SophaxCore
import Testing

@testable import SophaxFiles

@Suite("Writing exports of the apps")
struct AppExportWriterTests {
    private typealias S = MessageSources

    static func identity() throws -> Identity {
        let seed: [UInt8] = Array(0x00...0x1F)
        let dh: [UInt8] = Array(0x20...0x3F)
        return try Identity(
            signingSeed: SecretBytes(copying: seed.span), dhPrivate: SecretBytes(copying: dh.span), username: "alice")
    }

    static func content(
        _ conversations: [(String, [String])] = [], peers: [AppExportPeer] = [], time: Double = 796_000_000
    ) throws -> AppExportContent {
        try AppExportContent(
            username: Array("alice".utf8), createdAt: time, fingerprint: identity().fingerprint, peers: peers,
            conversations: conversations.map {
                AppExportContent.Conversation(ConversationID(ByteText($0.0)), list: RandomHistory.list($0.1))
            })
    }

    static func bytes(_ secret: borrowing SecretBytes) -> [UInt8] {
        secret.withSpan { span in (0..<span.count).map { span[$0] } }
    }

    static func string(_ secret: borrowing SecretBytes) -> String {
        String(decoding: bytes(secret), as: UTF8.self)
    }

    @Test("gives the texts of the format's check values byte for byte")
    func checkValues() throws {
        let identity = try Self.identity()
        #expect(try Self.string(AppExportWriter.identity(identity, exportedAt: 796_000_000)) == ExportText.identity)
        var content = try Self.content()
        #expect(try Self.string(AppExportWriter.backup(content)) == CheckFile.backupB)
        #expect(
            try Self.string(AppExportWriter.fullExport(identity, content))
                == ExportText.fullExport(backup: CheckFile.backupB))
        #expect(try Self.string(AppExportWriter.android(content)) == ExportText.android())
        content.fingerprint = nil
        #expect(try Self.string(AppExportWriter.backup(content)) == CheckFile.backupA)
    }

    /// A contact with all that the newest app has, as an earlier export gave it.
    private static func knownPeer(_ extra: String = "", id: String = "3619e750a2dd52ba") throws -> KnownPeer {
        let keys = try identity().publicKeys
        let peer =
            #"{"id":"\#(id)","username":"é\/\"","signingKeyPublic":"\#(Base64.encode(keys.signing.span))","#
            + #""dhKeyPublic":"\#(Base64.encode(keys.dh.span))"\#(extra)}"#
        let text = ExportText.backup(peers: "[\(peer)]")
        return try #require(BundleMaker.content(text, as: .backup(BundleMaker.quick)).backup?.peers.first)
    }

    @Test("gives contacts and messages that the decoder of every app version takes")
    func decoders() throws {
        let peers = try [
            AppExportPeer(
                id: PeerID("3619e750a2dd52ba978807b2a00df56d"), username: Array("Bob \"é\"\n".utf8),
                keys: Self.identity().publicKeys, lastSeen: 795_999_999.125, tcpAddress: "x.onion:25519",
                avatar: [0xFF, 0xD8, 0xFF], isAccepted: false),
            AppExportPeer(
                Self.knownPeer(#","lastSeen":null,"isOnline":null,"trustLevel":"best","safetyNumber":5,"zz":{"a":1}"#)),
        ]
        let messages = [
            S.json("1", status: "delivered"), S.json("2", time: "795000013.123456", status: "failed"),
            S.json("3", body: #"\u0000\r\n\/ é"#, status: "sending", extra: #","isEdited":true,"editedAt":-0.5"#),
        ]
        let content = try Self.content([("b", messages)], peers: peers, time: 796_000_000.123)
        let text = try Self.bytes(AppExportWriter.backup(content))
        typealias D = AppDecoders
        let newest = try D.decode(D.Backup<D.NewestPeer, D.NewestMessage>.self, text)
        let march = try D.decode(D.Backup<D.NewestPeer, D.MarchMessage>.self, text)
        let first = try D.decode(D.Backup<D.NewestPeer, D.FirstMessage>.self, text)
        #expect(newest.createdAt.timeIntervalSinceReferenceDate == 796_000_000.123)
        #expect(newest.messages["b"]?.map(\.id) == ["1", "2", "3"])
        #expect(march.messages["b"]?.count == 3 && first.messages["b"]?.count == 3)
        #expect(newest.messages["b"]?[2].body == "\0\r\n/ é")
        #expect(newest.peers.map(\.username) == ["Bob \"é\"\n", "é/\""])
        #expect(newest.peers[0].trustLevel == .pending && newest.peers[1].trustLevel == nil)
        let early = try D.decode(D.Backup<D.EarlyPeer, D.NewestMessage>.self, text)
        #expect(early.peers.map(\.safetyNumber) == Array(repeating: "12559 02102 68762 54115 93340 48812", count: 2))
        #expect(early.peers[0].lastSeen?.timeIntervalSinceReferenceDate == 795_999_999.125)
        #expect(!String(decoding: text, as: UTF8.self).contains("null"))
        let full = try Self.bytes(AppExportWriter.fullExport(Self.identity(), content))
        let export = try D.decode(D.FullExport<D.NewestPeer, D.NewestMessage>.self, full)
        #expect(export.signingKeyPrivate == Data(0x00...0x1F) && export.dhKeyPrivate == Data(0x20...0x3F))
        #expect(export.backup.identityFingerprint == ExportText.fingerprint)
    }

    @Test("keeps a contact's own object where every version reads it")
    func ownPeer() throws {
        let extra =
            #","safetyNumber":"12559 02102 68762 54115 93340 48812","isOnline":true,"isDirectlyConnected":false,"new":[1]"#
        let peer = try Self.knownPeer(extra)
        let written = try #require(AppExportPeer(peer).ios)
        #expect(CanonicalMessage(source: written).bytes == CanonicalMessage(source: peer.sourceJSON).bytes)
    }

    @Test("gives Android strings that hold JSON, with no key that Kotlin does not know")
    func android() throws {
        let messages = [
            #"{"id":"a","peerID":"b","direction":"sent","body":"a\"b\\c","timestampMs":1770000000123,"status":"read"}"#
        ]
        let peer = AppExportPeer(
            id: PeerID("3619e750a2dd52ba978807b2a00df56d"), username: Array("Bob".utf8),
            keys: try Self.identity().publicKeys)
        let text = try Self.bytes(
            AppExportWriter.android(Self.content([("b", messages), ("group.é", [])], peers: [peer])))
        let values = try AppDecoders.decodeAndroid(text)
        let lists = try AppDecoders.decode(
            [String: [AppDecoders.AndroidMessage]].self, Array(#require(values["messages"]).utf8))
        #expect(lists["b"]?.map(\.body) == [#"a"b\c"#])
        #expect(lists["group.é"]?.isEmpty == true)
        #expect(values["conversationIDs"] == #"["b","group.é"]"#)
        #expect(values["peers"] == #"[{"id":"3619e750a2dd52ba","username":"Bob"}]"#)
    }

    @Test("puts conversations whose file names are equal under one key, and loses none")
    func collidingNames() throws {
        let content = try Self.content([
            ("__a__", [S.json("1", peer: "__a__")]), ("a", [S.json("2", peer: "a"), S.json("3", peer: "a")]), ("_", []),
            ("a_", []),
        ])
        let text = try Self.bytes(AppExportWriter.backup(content))
        let backup = try AppDecoders.decode(
            AppDecoders.Backup<AppDecoders.NewestPeer, AppDecoders.NewestMessage>.self, text)
        #expect(backup.messages.mapValues { $0.map(\.id) } == ["a": ["1", "2", "3"], "": []])
    }

    @Test("names what each format does not bring back")
    func losses() {
        let inventory: [PortableKind: Int] = [.identity: 1, .messages: 9, .contacts: 2, .attachments: 3, .aliases: 0]
        func codes(_ kind: BundleKind) -> [String] {
            var losses = FormatLosses()
            losses.add(inventory, notHeldBy: kind)
            return losses.all.map { "\($0.reason.code) \($0.count)" }
        }
        #expect(codes(.identity) == ["messages 9", "contacts 2", "attachments 3"])
        #expect(codes(.backup) == ["identity 1", "attachments 3"])
        #expect(codes(.fullExport) == ["contacts-not-restored 2", "attachments 3"])
        #expect(codes(.android) == ["identity 1", "contacts-not-restored 2", "attachments 3"])
        var losses = FormatLosses()
        losses.add(.changed([], [MessageChange(.addedIsEdited, ByteText("isEdited"))]))
        #expect(losses.isEmpty)
        for _ in 0..<2 { losses.add(.changed([], [MessageChange(.droppedKey, ByteText("senderID"))])) }
        losses.add(.refused(.unreadable))
        #expect(losses.all.map(\.count) == [2, 1])
    }
}
