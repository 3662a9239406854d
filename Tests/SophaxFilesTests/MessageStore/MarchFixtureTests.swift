import CryptoPrimitives
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import SophaxFiles

/// `fixtures/march` was written by the app's own code; `expected.json` says what is in it.
@Suite("The store that the app wrote", .enabled(if: SharedFolder.isThere, "needs ../shared"))
struct MarchFixtureTests {
    private let expected: [String: Any]
    private let messages: [[String: Any]]
    private let folder: StoreFolder

    init() throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: SharedFolder.file("fixtures/march/expected.json")))
        expected = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        messages = try #require(expected["messages"] as? [[String: Any]])
        folder = try StoreFolder(at: FilePath(SharedFolder.file("fixtures/march/appsupport")))
    }

    private func key() throws -> SecretBytes {
        let bob = try #require(expected["bob"] as? [String: Any])
        let text = try #require(bob["storageKey"] as? String)
        return try SecretBytes(copying: Array(try #require(Data(base64Encoded: text))).span)
    }

    private func read() throws -> [(ConversationID, StoredMessage)] {
        var reader = try ConversationReader(key: key())
        return ConversationFiles.grouping(folder.conversations).flatMap { group in
            reader.read(group).byConversation.flatMap { id, messages in messages.map { (id, $0) } }
        }
    }

    @Test("every message is there with every value, and no other")
    func messagesAreExact() throws {
        let found = try read()
        #expect(found.count == messages.count)
        for wanted in messages {
            let id = try #require(wanted["id"] as? String)
            let (conversation, message) = try #require(found.first { $0.1.id?.string == id })
            #expect(conversation.text.string == wanted["peerID"] as? String)
            #expect(message.body?.string == wanted["body"] as? String)
            #expect(message.text(.direction)?.string == wanted["direction"] as? String)
            #expect(message.status?.string == wanted["status"] as? String)
            #expect(message.time.map { $0.unixSeconds - AppTime.epoch2001 } == wanted["timestamp"] as? Double)
            #expect(message.text(.replyToID)?.string == wanted["replyToID"] as? String)
            #expect(message.text(.senderID)?.string == wanted["senderID"] as? String)
            #expect(message.text(.attachmentID)?.string == wanted["attachmentID"] as? String)
            #expect(message.text(.attachmentMimeType)?.string == wanted["attachmentMimeType"] as? String)
            #expect(message.number(.audioDuration) == wanted["audioDuration"] as? Double)
            #expect(message.number(.hopCount) == wanted["hopCount"] as? Double)
            #expect(message.number(.receivedAt) == wanted["receivedAt"] as? Double)
            #expect(message.number(.expiresAt) == wanted["expiresAt"] as? Double)
            #expect(message.list(.deliveredBy).map(\.string) == wanted["deliveredBy"] as? [String] ?? [])
            let reactions = Dictionary(
                uniqueKeysWithValues: message.reactions.map { ($0.sender.string, $0.emoji.string) })
            #expect(reactions == wanted["reactions"] as? [String: String] ?? [:])
            // The source JSON is the same object as Foundation reads it.
            let source = try #require(
                try JSONSerialization.jsonObject(with: Data(message.sourceJSON)) as? NSDictionary)
            #expect(source == wanted as NSDictionary)
        }
    }

    @Test("attachments decrypt to the digests given")
    func attachments() throws {
        let digests = try #require(expected["attachments"] as? [String: String])
        var reader = try StoreFileReader(key: key())
        #expect(Set(folder.attachments.map(\.stem.string)) == Set(digests.keys))
        for file in folder.attachments {
            let content = try reader.bytes(of: file)
            #expect(Hex.encode(SHA256.hash(content.span).span) == digests[file.stem.string])
        }
    }

    @Test("the survey finds what is there: two conversations at risk, an empty queue, one expired message")
    func survey() throws {
        let report = try StoreSurvey(folder, now: 1_780_000_000, workers: 2, includesAttachments: true).run(key: key())
        #expect(report.messages == messages.count)
        #expect(report.conversationsAtRisk == 2)
        #expect(report.attachmentsOK == 2)
        #expect(report.blobs.map(\.blobEntries) == [0])
        #expect(report.damaged == 0 && report.missing == 0)
        #expect(report.findings.count(.missingIsEdited) == messages.count)
        #expect(report.findings.count(.expired) == 1)
        #expect(report.findings.worst == .risk)
        #expect(Set(report.conversations.map(\.id.kind)) == [.direct, .group])
    }

    @Test("the keychain items hold the same key")
    func keychain() throws {
        var input = try InputFile(opening: FilePath(SharedFolder.file("fixtures/march/keychain-bob.json")))
        let file = try SecretInput.keyFile(&input)
        #expect(try StoreKey.read(file).isEqual(to: key()))
    }

    @Test("another key opens nothing, and keychain items without the store's key say so")
    func wrongKey() throws {
        let report = try StoreSurvey(folder, now: 0, workers: 1, includesAttachments: true)
            .run(key: SecretBytes(copying: [UInt8](repeating: 1, count: 32).span))
        #expect(report.isWrongKey)
        #expect(report.allFiles.allSatisfy { $0.failure == .notAuthentic })
        var input = try InputFile(opening: FilePath(SharedFolder.file("fixtures/march/keychain-alice.json")))
        let file = try SecretInput.keyFile(&input)
        #expect {
            _ = try StoreKey.read(file)
        } throws: { error in
            guard case .noStorageMaster(let accounts)? = error as? StoreKeyError else { return false }
            return accounts.contains(ByteText("identity.signing"))
        }
    }
}
