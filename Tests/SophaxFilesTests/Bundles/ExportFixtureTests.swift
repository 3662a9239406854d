import Foundation
import SystemIO
import TestSupport
import Testing

@testable import SophaxFiles

/// The exports of the shared fixtures; the texts inside were encoded by the app's own code.
@Suite("The exports of the fixtures", .enabled(if: SharedFolder.isThere, "../shared is not here"))
struct ExportFixtureTests {
    struct Expected: Decodable {
        struct Backup: Decodable {
            let createdAt: Double
            let identityFingerprint: String
            let messages: [String: [Message]]
            let peers: [Peer]
            let username: String
            let version: Int
        }

        struct Message: Decodable {
            let id: String
            let peerID: String
            let body: String
            let direction: String
            let status: String
            let timestamp: Double
            let isEdited: Bool
            let editedAt: Double?
            let senderID: String?
            let attachmentID: String?
            let attachmentFilename: String?
            let attachmentMimeType: String?
            let deliveredBy: [String]?
            let readBy: [String]?
        }

        struct Peer: Decodable {
            let id: String
            let username: String
            let signingKeyPublic: Data
            let dhKeyPublic: Data
            let safetyNumber: String
            let avatarData: Data
            let lastSeen: Double
            let trustLevel: String
            let isOnline: Bool
            let isDirectlyConnected: Bool
        }

        let backup: Backup
        let signingKeyPrivate: Data
        let dhKeyPrivate: Data
        let identityFingerprint: String
        let passphrase: String
        let peerID8: String
        let username: String
    }

    static func expected() throws -> Expected {
        let bytes = try #require(fileBytes(SharedFolder.file("fixtures/export/expected.json")))
        return try JSONDecoder().decode(Expected.self, from: Data(bytes))
    }

    static func content(_ name: String, _ expected: Expected) throws -> BundleContent {
        var input = try InputFile(opening: FilePath(SharedFolder.file("fixtures/export/" + name)))
        let file = try BundleFile(reading: &input)
        let bundle = try BundleOpener.open(file, passphrase: BundleMaker.secret(expected.passphrase), workers: 2)
        return try BundleContent.read(bundle, now: BundleMaker.now, workers: 2)
    }

    @Test(
        "give the identity",
        arguments: ["bob.sophaxid", "bob-600k.sophaxid", "weak-iterations.sophaxid", "bob.sxfe"])
    func identity(_ name: String) throws {
        let expected = try Self.expected()
        let content = try Self.content(name, expected)
        let identity = try #require(content.identity)
        #expect(identity.username == expected.username)
        #expect(identity.exportedAt?.source == "801000337.5")
        #expect(identity.publicKeys?.fingerprint.hex == expected.identityFingerprint)
        let seed = Array(expected.signingKeyPrivate)
        let dhPrivate = Array(expected.dhKeyPrivate)
        let isRight = identity.withKeys { keys in
            keys.signingSeed.isEqual(to: seed.span) && keys.dhPrivate.isEqual(to: dhPrivate.span)
        }
        #expect(isRight == true)
        let isWeak = name == "weak-iterations.sophaxid"
        #expect(content.findings.count(.weakIterations) == (isWeak ? 1 : 0))
        #expect(content.findings.worst == (isWeak ? .risk : name == "bob.sxfe" ? .note : nil))
    }

    @Test("give contacts and messages", arguments: ["bob.sophaxbackup", "bob.sxfe"])
    func backup(_ name: String) throws {
        let expected = try Self.expected().backup
        let content = try Self.content(name, try Self.expected())
        let backup = try #require(content.backup)
        #expect(backup.version == expected.version)
        #expect(backup.username == expected.username)
        #expect(backup.createdAt?.unixSeconds == expected.createdAt + AppTime.epoch2001)
        #expect(backup.fingerprint?.hex == expected.identityFingerprint)
        #expect(backup.peers.count == expected.peers.count)
        for (peer, right) in zip(backup.peers, expected.peers) {
            #expect(peer.id.text == right.id)
            #expect(peer.username == right.username)
            #expect(peer.publicKeys?.signing == Array(right.signingKeyPublic))
            #expect(peer.publicKeys?.dh == Array(right.dhKeyPublic))
            #expect(peer.safetyNumber == right.safetyNumber)
            #expect(peer.avatar == Array(right.avatarData))
            #expect(peer.lastSeen?.unixSeconds == right.lastSeen + AppTime.epoch2001)
            #expect(peer.trustLevel == right.trustLevel)
            #expect(peer.isAccepted)
            #expect(peer.isOnline == right.isOnline)
            #expect(peer.isDirectlyConnected == right.isDirectlyConnected)
        }
        #expect(Set(backup.messages.conversations.map(\.id.text.string)) == Set(expected.messages.keys))
        for conversation in backup.messages.conversations {
            let right = try #require(expected.messages[conversation.id.text.string])
            let messages = try backup.messages.messages(of: conversation)
            #expect(conversation.messages == right.count)
            #expect(messages.count == right.count)
            for (message, right) in zip(messages, right) {
                try compare(message, right)
            }
        }
        // One message has an attachment, whose bytes no export has; everything else is in order.
        #expect(content.findings.counts == [.attachmentsNotIncluded: 1])
    }

    private func compare(_ message: StoredMessage, _ right: Expected.Message) throws {
        #expect(message.id?.string == right.id)
        #expect(message.conversation?.text.string == right.peerID)
        #expect(message.body?.string == right.body)
        #expect(message.isSent == (right.direction == "sent"))
        #expect(message.status?.string == right.status)
        #expect(message.time?.unixSeconds == right.timestamp + AppTime.epoch2001)
        #expect(message.isEdited == right.isEdited)
        #expect(message.time(.editedAt)?.unixSeconds == right.editedAt.map { $0 + AppTime.epoch2001 })
        #expect(message.text(.senderID)?.string == right.senderID)
        #expect(message.text(.attachmentID)?.string == right.attachmentID)
        #expect(message.text(.attachmentFilename)?.string == right.attachmentFilename)
        #expect(message.text(.attachmentMimeType)?.string == right.attachmentMimeType)
        #expect(message.list(.deliveredBy).map(\.string) == right.deliveredBy ?? [])
        #expect(message.list(.readBy).map(\.string) == right.readBy ?? [])
        let source = try JSONDecoder().decode(Expected.Message.self, from: Data(message.sourceJSON))
        #expect(source.id == right.id && source.body == right.body)
    }

    @Test("the weak one shows its count in the header, without a passphrase")
    func weakHeader() throws {
        let bytes = try #require(fileBytes(SharedFolder.file("fixtures/export/weak-iterations.sophaxid")))
        let header = try BundleHeader.parse(bytes.span)
        #expect(header.iterations == 1000)
        #expect(header.isBelowIterationFloor)
    }

    @Test("do not open with another passphrase")
    func wrongPassphrase() throws {
        let bytes = try #require(fileBytes(SharedFolder.file("fixtures/export/bob.sxfe")))
        #expect(throws: BundleError.notAuthentic(.fullExport, attempts: 1)) {
            try BundleMaker.open(bytes, passphrase: "correct horse batterz", limits: .standard)
        }
    }
}
