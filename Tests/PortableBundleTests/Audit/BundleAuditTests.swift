import SophaxCore
import SophaxFiles
import Testing

@testable import PortableBundle

@Suite("Everything in a bundle, judged")
struct BundleAuditTests {
    private func audit(_ source: MadeSource) throws -> BundleAudit {
        try BundleAudit.run(source, now: 1_780_000_000)
    }

    @Test("counts are those of the content")
    func counts() throws {
        let more = #","attachmentID":"a","attachmentMimeType":"image/jpeg""#
        let source = try MadeSource(
            owner: MadeSource.fingerprint, identity: MadeSource.ana([("storage.master", MadeSource.seed)]),
            preKeys: [("spk.1", MadeSource.dh), ("spk.current_id", [1, 0, 0, 0])],
            conversations: [(MadeSource.peer, .ios, [MadeSource.message("1", more: more), MadeSource.message("2")])],
            blobs: [("pending_queue", "[]")], attachments: [("a", [1, 2, 3])])
        let found = try audit(source)
        #expect(found.owner?.keys.fingerprint.hex == MadeSource.fingerprint)
        #expect(found.owner?.otherItems == 1 && found.preKeys == 2)
        #expect(found.messages == 2 && found.blobs == 1)
        #expect(found.attachments == 1 && found.attachmentBytes == 3)
        #expect(found.findings.isEmpty)
        #expect(found.bytes == source.manifest.totalBytes)
    }

    @Test("messages are judged as those of a store are")
    func messages() throws {
        let old = MadeSource.message("1").replacing(#","isEdited":false"#, with: "")
        let other = MadeSource.message("2", peer: ConversationID(ByteText("somebody")))
        let source = try MadeSource(conversations: [(MadeSource.peer, .ios, [old, other, other])])
        let found = try audit(source).findings
        #expect(found.count(.missingIsEdited) == 1)
        #expect(found.count(.otherConversation) >= 1)
        #expect(found.count(.duplicateID) == 1)
    }

    @Test("attachments that are named and not there, and the reverse")
    func attachments() throws {
        let line = MadeSource.message("1", more: #","attachmentID":"a""#)
        let conversations = [(MadeSource.peer, MessagePlatform.ios, [line])]
        let found = try audit(try MadeSource(conversations: conversations, attachments: [("b", [1])])).findings
        #expect(found.count(.missingAttachment) == 1 && found.count(.orphanedAttachment) == 1)
        let without = try audit(
            try MadeSource(conversations: conversations, notIncluded: [.init(.attachments, .notInSource)])
        ).findings
        #expect(without.count(.missingAttachment) == 0 && without.count(.attachmentsNotIncluded) == 1)
    }

    @Test("keys of another identity than the bundle says")
    func otherKeys() throws {
        let source = try MadeSource(owner: String(repeating: "0", count: 64), identity: MadeSource.ana())
        #expect(try audit(source).findings.count(.fingerprintMismatch) == 1)
        let short = try MadeSource(
            owner: MadeSource.fingerprint, identity: [("identity.signing", [1]), ("identity.dh", MadeSource.dh)])
        #expect(try audit(short).findings.count(.unreadableContent) == 1)
    }

    @Test("a manifest that counts other messages than there are, and lines that are none")
    func lost() throws {
        let source = try MadeSource(conversations: [(MadeSource.peer, .ios, [MadeSource.message("1"), "{"])])
        let found = try audit(source)
        #expect(found.messages == 1 && found.conversations[0].lost == 1 && found.conversations[0].isAtRisk)
        #expect(found.findings.worst == .damage)
    }

    @Test("people of apps are judged: an id that is not of the keys")
    func people() throws {
        var head = DocumentHead()
        head.peers = [
            Array(
                (#"{"id":"0000000000000000","username":"Bob","signingKeyPublic":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=","#
                    + #""dhKeyPublic":"ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=","safetyNumber":"1"}"#).utf8),
            Array(#"{"id":"0123456789abcdef","username":"Carla"}"#.utf8),
        ]
        let found = try audit(try MadeSource(head: head))
        #expect(found.contacts.map { String(decoding: $0.name, as: UTF8.self) } == ["Bob", "Carla"])
        #expect(found.findings.count(.peerIDMismatch) == 1)
    }
}
