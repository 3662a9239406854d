import Glibc
import SystemIO
import TestSupport
import Testing

@testable import SophaxFiles

@Suite("Judging a store")
struct StoreSurveyTests {
    private let maker = StoreMaker()
    private let group = "E8EEABCD-D69B-4E6D-999A-612230CBB467"

    private func message(_ id: String, peer: String = "08c4cab788bd5f92", body: String = "hi", extra: String = "")
        -> String
    {
        StoreMaker.message(id, peer: peer, body: body, extra: extra)
    }

    @Test("a store as the newest app writes it has no findings")
    func clean() throws {
        try maker.writeMessages("[\(message("A")),\(message("B"))]", "08c4cab788bd5f92")
        let report = try maker.survey()
        #expect(report.messages == 2)
        #expect(report.findings.isEmpty)
        #expect(!report.isWrongKey)
    }

    @Test("an orphaned group file is merged by message id")
    func orphan() throws {
        let peer = "group." + group
        try maker.writeMessages(
            "[\(message("A", peer: peer, body: "old")),\(message("B", peer: peer, body: "old"))]", group)
        try maker.writeMessages("[\(message("B", peer: peer, body: "new")),\(message("C", peer: peer))]", peer)
        let report = try maker.survey()
        #expect(report.conversations.count == 1)
        #expect(report.messages == 3)
        #expect(report.conversations[0].onlyInOrphan == 1)
        #expect(report.findings.count(.orphanedFile) == 1)
        var reader = try ConversationReader(key: maker.key())
        let content = reader.read(ConversationFiles.grouping(try StoreFolder(at: maker.path).conversations)[0])
        #expect(content.messages.map { $0.id?.string } == ["A", "B", "C"])
        #expect(content.messages.map { $0.body?.string } == ["old", "new", "hi"])
        #expect(content.merged == 1)
    }

    @Test("an orphaned group file alone is still read, under the id that its messages name")
    func orphanAlone() throws {
        try maker.writeMessages("[\(message("A", peer: "group." + group))]", group)
        let report = try maker.survey()
        #expect(report.conversations.map(\.id.text.string) == ["group." + group])
        #expect(report.conversations[0].onlyInOrphan == 1)
        #expect(report.findings.count(.unexpectedName) == 0)
    }

    @Test("an orphan is no risk: newer apps neither read nor overwrite it", arguments: [true, false])
    func orphanWithoutIsEdited(withNewer: Bool) throws {
        let peer = "group." + group
        let old = message("A", peer: peer).replacing(#","isEdited":false"#, with: "")
        try maker.writeMessages("[\(old)]", group)
        if withNewer { try maker.writeMessages("[\(message("B", peer: peer))]", peer) }
        let report = try maker.survey()
        #expect(report.conversationsAtRisk == 0 && report.messagesAtRisk == 0)
        #expect(report.findings.counts == [.orphanedFile: 1])
    }

    @Test("of a group with an orphan only the messages of the newer file are at risk")
    func newerFileAtRisk() throws {
        let peer = "group." + group
        try maker.writeMessages("[\(message("A", peer: peer)),\(message("B", peer: peer))]", group)
        try maker.writeMessages("[\(message("C", peer: peer).replacing(#","isEdited":false"#, with: ""))]", peer)
        let report = try maker.survey()
        #expect(report.conversationsAtRisk == 1 && report.messagesAtRisk == 1)
        #expect(report.messages == 3)
    }

    @Test("a file with the name of an orphan and other messages in it is none, and its messages are not merged")
    func noOrphan() throws {
        try maker.writeMessages("[\(message("A", peer: group, body: "another"))]", group)
        try maker.writeMessages("[\(message("A", peer: "group." + group))]", "group." + group)
        let report = try maker.survey()
        #expect(report.messages == 2)
        #expect(report.conversations[0].onlyInOrphan == 0)
        #expect(report.findings.count(.orphanedFile) == 0)
        var reader = try ConversationReader(key: maker.key())
        let content = reader.read(ConversationFiles.grouping(try StoreFolder(at: maker.path).conversations)[0])
        #expect(content.byConversation.map(\.id.text.string) == [group, "group." + group])
        #expect(content.merged == 0)
    }

    @Test("messages with an empty id or none are never merged")
    func withoutID() throws {
        let peer = "group." + group
        let none = message("X", peer: peer).replacing(#""id":"X","#, with: "")
        for stem in [group, peer] { try maker.writeMessages("[\(message("", peer: peer)),\(none)]", stem) }
        let report = try maker.survey()
        #expect(report.messages == 4)
        #expect(report.conversations[0].onlyInOrphan == 2)
    }

    @Test(
        "messages that name no conversation belong to the one that the file name says",
        arguments: [
            ("notetoself", "__note_to_self__"),
            ("E8EEABCD-D69B-4E6D-999A-612230CBB467", "group.E8EEABCD-D69B-4E6D-999A-612230CBB467"),
            ("cafe", "cafe"),
        ])
    func guessed(stem: String, id: String) throws {
        try maker.writeMessages("[\(message("A").replacing(#""peerID":"08c4cab788bd5f92","#, with: ""))]", stem)
        #expect(try maker.survey().conversations.map(\.id.text.string) == [id])
        var reader = try ConversationReader(key: maker.key())
        let content = reader.read(ConversationFiles.grouping(try StoreFolder(at: maker.path).conversations)[0])
        #expect(content.byConversation.map(\.id.text.string) == [id])
    }

    @Test("a message as Android writes it is at risk in a store, which only the iPhone app reads")
    func androidShape() throws {
        let android =
            #"{"id":"A","peerID":"08c4cab788bd5f92","direction":"sent","body":"x","timestampMs":1773307201500}"#
        try maker.writeMessages("[\(android)]", "08c4cab788bd5f92")
        let report = try maker.survey()
        #expect(report.conversationsAtRisk == 1)
        #expect(report.findings.count(.unreadableByApps) == 1)
        #expect(report.findings.count(.implausibleDate) == 0)
        #expect(report.conversations[0].firstTime == 1_773_307_201.5)
    }

    @Test("keys with escapes are JSON like any other, and no risk")
    func escapedKeys() throws {
        try maker.writeMessages(#"[\#(message("A").replacing(#""body""#, with: #""bod\u0079""#))]"#, "08c4cab788bd5f92")
        let report = try maker.survey()
        #expect(report.conversationsAtRisk == 0)
        #expect(report.findings.isEmpty)
    }

    @Test("notes to self are told by their id, and their name is the expected one")
    func notes() throws {
        try maker.writeMessages("[\(message("A", peer: "__note_to_self__"))]", "notetoself")
        let report = try maker.survey()
        #expect(report.conversations[0].id == .notesToSelf)
        #expect(report.findings.isEmpty)
    }

    @Test(
        "a missing isEdited puts the whole conversation at risk",
        arguments: ["", ",\"isEdited\":null", ",\"isEdited\":0"])
    func atRisk(isEdited: String) throws {
        let old =
            "{\"id\":\"B\",\"peerID\":\"08c4cab788bd5f92\",\"direction\":\"sent\",\"body\":\"\",\"timestamp\":795000001,"
            + "\"status\":\"read\"\(isEdited)}"
        try maker.writeMessages("[\(message("A")),\(old)]", "08c4cab788bd5f92")
        let report = try maker.survey()
        #expect(report.conversationsAtRisk == 1)
        #expect(report.messagesAtRisk == 2)
        #expect(report.findings.worst == .risk)
    }

    @Test(
        "what else the generated decoder refuses is at risk too",
        arguments: [
            (",\"status\":\"seen\"", Finding.Kind.unknownValue), (",\"direction\":\"up\"", .unknownValue),
            (",\"hopCount\":256", .unknownValue), (",\"hopCount\":1.5", .unknownValue), (",\"readBy\":[1]", .wrongType),
            (",\"expiresAt\":\"soon\"", .wrongType), (",\"reactions\":{\"a\":null}", .wrongType),
            (",\"replyToID\":7", .wrongType),
        ])
    func otherRisks(extra: String, kind: Finding.Kind) throws {
        try maker.writeMessages("[\(message("A", extra: extra))]", "08c4cab788bd5f92")
        let report = try maker.survey()
        #expect(report.findings.count(kind) == 1)
        #expect(report.findings.count(.unreadableByApps) == 1)
        #expect(report.conversationsAtRisk == 1)
    }

    @Test("null for an optional field and unknown keys are no risk")
    func harmless() throws {
        try maker.writeMessages(
            "[\(message("A", extra: ",\"replyToID\":null,\"newKey\":{\"x\":[1]}"))]", "08c4cab788bd5f92")
        let report = try maker.survey()
        #expect(report.conversationsAtRisk == 0)
        #expect(report.findings.count(.unknownKeys) == 1)
        #expect(report.findings.worst == .note)
    }

    @Test("duplicate ids are found whatever their spelling, and different ones are not")
    func duplicates() throws {
        let many = (0..<5_000).map { message("M\($0)") }.joined(separator: ",")
        try maker.writeMessages(
            "[\(many),\(message("\\u004d17")),\(message("M4999")),\(message("m17"))]", "08c4cab788bd5f92")
        let report = try maker.survey()
        #expect(report.findings.count(.duplicateID) == 2)
        #expect(report.findings.examples[.duplicateID]?.map { $0.item?.string } == ["M17", "M4999"])
    }

    @Test("the same nonce for two texts is a finding, and the same file twice is a copy")
    func nonces() throws {
        let nonce = [UInt8](repeating: 7, count: 12)
        try maker.writeMessages("[\(message("A", peer: "aa"))]", "aa", nonce: nonce)
        try maker.writeMessages("[\(message("B", peer: "bb"))]", "bb", nonce: nonce)
        try maker.writeMessages("[\(message("A", peer: "aa"))]", "cc", nonce: nonce)
        let report = try maker.survey()
        #expect(report.findings.count(.nonceReuse) == 1)
        #expect(report.findings.count(.identicalCopy) == 1)
        #expect(report.findings.count(.unexpectedName) == 1)
    }

    @Test("a nonce shared between a conversation and an attachment is found")
    func nonceAcrossFolders() throws {
        let nonce = [UInt8](repeating: 7, count: 12)
        try maker.writeMessages("[\(message("A", peer: "aa"))]", "aa", nonce: nonce)
        try maker.write([1, 2, 3], to: "sophax_attachments/ABC", nonce: nonce)
        #expect(try maker.survey().findings.count(.nonceReuse) == 1)
    }

    @Test("two conversations that the app keeps under one name are named")
    func collision() throws {
        try maker.writeMessages("[\(message("A", peer: "__a__")),\(message("B", peer: "a"))]", "a")
        let report = try maker.survey()
        #expect(report.findings.count(.nameCollision) == 1)
        var reader = try ConversationReader(key: maker.key())
        let content = reader.read(ConversationFiles.grouping(try StoreFolder(at: maker.path).conversations)[0])
        #expect(content.byConversation.map(\.id.text.string) == ["__a__", "a"])
    }

    @Test("missing, damaged and orphaned attachments are told apart")
    func attachments() throws {
        try maker.write([1, 2, 3], to: "sophax_attachments/AAA")
        try maker.write([4], to: "sophax_attachments/CCC")
        let sealed = try StoreMaker.seal([5, 6])
        maker.folder.write(sealed.dropLast() + [sealed[sealed.count - 1] ^ 1], to: "sophax_attachments/DDD")
        let texts = ["AAA", "BBB", "DDD"].map { message($0, extra: ",\"attachmentID\":\"\($0)\"") }.joined(
            separator: ",")
        try maker.writeMessages("[\(texts)]", "08c4cab788bd5f92")
        let report = try maker.survey()
        #expect(report.findings.examples[.missingAttachment]?.map { $0.item?.string } == ["BBB"])
        #expect(report.findings.examples[.orphanedAttachment]?.map { $0.item?.string } == ["CCC"])
        #expect(report.findings.examples[.damagedAttachment]?.map { $0.item?.string } == ["DDD"])
        #expect(report.attachmentsOK == 2)
    }

    @Test("a damaged conversation does not stop the others, and is no wrong key")
    func damage() throws {
        try maker.writeMessages("[\(message("A", peer: "aa"))]", "aa")
        var sealed = try StoreMaker.seal(Array("[\(message("B", peer: "bb"))]".utf8))
        sealed[20] ^= 1
        maker.folder.write(sealed, to: "sophax_messages/bb.enc")
        maker.folder.write([1, 2, 3], to: "sophax_messages/cc.enc")
        maker.folder.write([], to: "sophax_messages/dd.enc")
        let report = try maker.survey()
        #expect(report.messages == 1)
        #expect(report.findings.count(.damagedFile) == 3)
        #expect(!report.isWrongKey)
        let failures = Dictionary(uniqueKeysWithValues: report.allFiles.map { ($0.file.stem.string, $0.failure) })
        #expect(failures["bb"] == .some(.notAuthentic))
        #expect(failures["cc"] == .some(.tooShort(found: 3)))
        #expect(failures["dd"] == .some(.tooShort(found: 0)))
    }

    @Test("authentic text that is no list of messages is said to be none")
    func notMessages() throws {
        try maker.writeMessages("{}", "aa")
        try maker.writeMessages("", "bb")
        let report = try maker.survey()
        #expect(report.findings.count(.notMessages) == 2)
    }

    @Test("blobs are told apart by their names and counted")
    func blobs() throws {
        try maker.writeMessages(
            #"{"p":[{"wire":{},"messageID":"x"},{"wire":{},"messageID":"y"}],"q":[]}"#, "pending_queue")
        try maker.writeMessages(#"[{},{},{}]"#, "stored_forward_items")
        try maker.writeMessages("[[{}],[],[{},{}]]", "dht_kbuckets")
        let report = try maker.survey()
        #expect(report.conversations.isEmpty)
        let entries = Dictionary(uniqueKeysWithValues: report.blobs.map { ($0.file.stem.string, $0.blobEntries) })
        #expect(entries == ["pending_queue": 2, "stored_forward_items": 3, "dht_kbuckets": 3])
    }

    @Test("files that no app made are left alone and listed")
    func foreign() throws {
        try maker.writeMessages("[]", "aa")
        maker.folder.write("x", to: "sophax_messages/.DS_Store")
        maker.folder.write("x", to: "sophax_attachments/AAA.tmp")
        _ = maker.folder.makeFolder("sophax_messages/old.enc")
        let report = try maker.survey()
        #expect(report.findings.count(.foreignFile) == 3)
        #expect(report.damaged == 0)
    }

    @Test("without an attachment folder nothing is claimed to be missing")
    func noAttachmentFolder() throws {
        try maker.writeMessages("[\(message("A", extra: ",\"attachmentID\":\"AAA\""))]", "08c4cab788bd5f92")
        try removeFolder(maker.path.appending("sophax_attachments"))
        let report = try maker.survey()
        #expect(report.missing == 0)
        #expect(report.findings.count(.noAttachmentFolder) == 1)
    }

    @Test("the message folder itself may be named, and finds the attachments beside it")
    func messageFolder() throws {
        try maker.writeMessages("[]", "aa")
        try maker.write([1], to: "sophax_attachments/AAA")
        let folder = try StoreFolder(at: maker.path.appending("sophax_messages"))
        #expect(folder.conversations.count == 1)
        #expect(folder.attachments.count == 1)
    }

    @Test("folders of a store may be links")
    func links() throws {
        try maker.writeMessages("[\(message("A"))]", "08c4cab788bd5f92")
        let linked = TemporaryFolder()
        for name in ["sophax_messages", "sophax_attachments"] {
            #expect(symlink(maker.folder.file(name), linked.file(name)) == 0)
        }
        let folder = try StoreFolder(at: FilePath(linked.path))
        #expect(folder.conversations.count == 1)
        #expect(folder.attachmentsPath != nil)
    }

    @Test("a folder that is none is said to be none")
    func notAStore() throws {
        let empty = TemporaryFolder()
        #expect(throws: StoreFolderError.notAStore(FilePath(empty.path))) { try StoreFolder(at: FilePath(empty.path)) }
    }

    @Test(
        "every truncation and every single-bit flip of a file is refused, and nothing else is", .timeLimit(.minutes(2)))
    func everyFlip() throws {
        let sealed = try StoreMaker.seal(Array("[\(message("A"))]".utf8))
        var reader = try StoreFileReader(key: maker.key())
        func open(_ bytes: [UInt8]) throws -> StoreFileFailure? {
            maker.folder.write(bytes, to: "sophax_messages/aa.enc")
            let file = StoreFile(
                path: maker.path.appending("sophax_messages/aa.enc"), stem: ByteText("aa"), kind: .conversation,
                size: bytes.count)
            do throws(StoreFileFailure) {
                _ = try reader.open(file)
                return nil
            } catch { return error }
        }
        #expect(try open(sealed) == nil)
        for length in 0..<sealed.count {
            let wanted: StoreFileFailure = length < 28 ? .tooShort(found: length) : .notAuthentic
            #expect(try open(Array(sealed[..<length])) == wanted)
        }
        for index in sealed.indices {
            for bit in 0..<8 {
                var flipped = sealed
                flipped[index] ^= 1 << bit
                #expect(try open(flipped) == .notAuthentic)
            }
        }
        #expect(try open(sealed + [0]) == .notAuthentic)
    }

    @Test(
        "a file is read and decrypted whole, whatever its size against the pieces it is read in",
        arguments: [
            0, 1, 15, 16, 17, 4_095, 4_096, 262_144 - 29, 262_144 - 28, 262_144 - 27, 262_144, 262_145, 524_288,
            800_001,
        ])
    func sizes(size: Int) throws {
        let text = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        try maker.write(text, to: "sophax_attachments/AAA")
        var reader = try StoreFileReader(key: maker.key())
        let file = try #require(try StoreFolder(at: maker.path).attachments.first)
        #expect(try reader.bytes(of: file) == text)
        // Cut off, or one bit wrong at its end: nothing of it is given out.
        var flipped = try StoreMaker.seal(text + [1])
        flipped[flipped.count - 1] ^= 1
        for damage in [Array(try StoreMaker.seal(text).dropLast()), flipped] {
            maker.folder.write(damage, to: "sophax_attachments/AAA")
            let damaged = try #require(try StoreFolder(at: maker.path).attachments.first)
            #expect(throws: damage.count < 28 ? StoreFileFailure.tooShort(found: damage.count) : .notAuthentic) {
                try reader.bytes(of: damaged)
            }
            let rest = reader.memory.withText(0..<min(damage.count, reader.memory.capacity)) { Array($0) }
            #expect(rest.allSatisfy { $0 == 0 })
        }
    }

    @Test("results are the same on one worker and on four")
    func workers() throws {
        for number in 0..<9 {
            try maker.writeMessages(
                "[\(message("A\(number)", peer: "p\(number)")),\(message("A\(number)", peer: "p\(number)"))]",
                "p\(number)")
        }
        let one = try maker.survey(workers: 1)
        let four = try maker.survey(workers: 4)
        #expect(one.findings == four.findings)
        #expect(one.conversations.map(\.id) == four.conversations.map(\.id))
    }
}
