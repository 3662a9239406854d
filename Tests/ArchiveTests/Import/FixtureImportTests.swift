import CryptoPrimitives
import Foundation
import History
import PortableBundle
import SQLiteDatabase
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import Archive

/// What the apps' own code wrote, in an archive.
@Suite("The fixtures in an archive", .enabled(if: SharedFolder.isThere, "needs ../shared"))
struct FixtureImportTests {
    private static func expected(_ name: String) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(fileURLWithPath: SharedFolder.file("fixtures/\(name)/expected.json")))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func store() throws -> StoreHistory {
        let bob = try #require(try Self.expected("march")["bob"] as? [String: Any])
        let key = Array(try #require(Data(base64Encoded: bob["storageKey"] as? String ?? "")))
        let path = FilePath(SharedFolder.file("fixtures/march/appsupport"))
        return try StoreHistory(StoreFolder(at: path), key: SecretBytes(copying: key.span), path: path)
    }

    private func bundle(_ name: String) throws -> EntryHistory {
        let path = SharedFolder.file("fixtures/export/\(name)")
        let passphrase = Array((try Self.expected("export")["passphrase"] as? String ?? "").utf8)
        let file = try BundleFile(bytes: fileBytes(path) ?? [], fileName: Array(name.utf8))
        let opened = try BundleOpener.open(file, passphrase: SecretBytes(copying: passphrase.span), workers: 2)
        let content = try BundleContent.read(opened, now: 1_790_000_000)
        return EntryHistory(
            try AppBundleSource(content, createdAt: 1, creator: "test"), .backup, path: FilePath(path))
    }

    @Test("the store that the app wrote is in it with every message, byte for byte, and every attachment")
    func march() throws {
        let expected = try Self.expected("march")
        let made = try MadeArchive()
        let report = try made.add(store())
        let messages = try #require(expected["messages"] as? [[String: Any]])
        #expect(report.read == messages.count)
        #expect(report.counts.new == messages.count)
        #expect(report.missingAttachmentCount == 0)
        #expect(report.unmentionedAttachmentCount == 0)

        let direct = CollectedHistory()
        try store().send(HistoryRequest(attachments: .all), to: direct)
        let archived = try made.collected(HistoryRequest(attachments: .all))
        func sources(_ history: CollectedHistory) -> [ConversationID: Set<[UInt8]>] {
            Dictionary(uniqueKeysWithValues: history.conversations.map { ($0.id, Set($0.messages.map(\.sourceJSON))) })
        }
        #expect(sources(archived) == sources(direct))
        let digests = try #require(expected["attachments"] as? [String: String])
        for attachment in archived.attachments {
            #expect(Hex.encode(SHA256.hash(attachment.bytes.span).span) == digests[attachment.id.string])
        }
        #expect(archived.attachments.count == digests.count)
        #expect(try made.archive.verify(.full).findings.isEmpty)

        // Each source knows the file that it is from, and that file's SHA-256.
        let files = try made.archive.database.rows("SELECT item, sha256 FROM origin WHERE length(item) > 0") {
            (String(decoding: $0.blob(0) ?? [], as: UTF8.self), $0.blob(1))
        }
        #expect(files.count == 2)
        for (name, digest) in files {
            let bytes = fileBytes(SharedFolder.file("fixtures/march/appsupport/sophax_messages/\(name)")) ?? []
            #expect(digest == SHA256.hash(bytes.span))
        }
    }

    @Test("two exports and the store of one person make one history in any order")
    func together() throws {
        let sources: [any HistorySource] = [
            try bundle("bob.sophaxbackup"), try bundle("bob.sxfe"), try store(), try bundle("bob.sophaxbackup"),
        ]
        let (made, reversed) = (try MadeArchive(), try MadeArchive())
        for source in sources {
            let report = try ArchiveImporter(made.archive).run(source)
            #expect(report.counts.total == report.read)
        }
        for source in sources.reversed() { _ = try ArchiveImporter(reversed.archive).run(source) }
        #expect(try made.shown() == reversed.shown())
        for source in sources {
            let again = try ArchiveImporter(made.archive).run(source)
            #expect(again.counts.alreadyThere == again.read)
        }
        // The peer id has 32 digits in one and 16 in the other.
        #expect(try made.collected().conversations.contains { $0.id.text.bytes.count == 32 })
        #expect(try made.collected().names.known.map(\.name).contains(Array("Alice".utf8)))
    }
}
