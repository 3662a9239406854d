import CryptoPrimitives
import Foundation
import JSONCoding
import SophaxFiles
import StoreChanges
import SystemIO
import TestSupport
import Testing

@testable import PortableBundle

/// What the apps' own code wrote, through bundles and back.
@Suite("The fixtures through a bundle", .enabled(if: SharedFolder.isThere, "needs ../shared"))
struct FixtureJourneyTests {
    private let folder = TemporaryFolder()

    private static func expected(_ name: String) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(fileURLWithPath: SharedFolder.file("fixtures/\(name)/expected.json")))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// The decrypted text of every file of a store, by its place.
    private func texts(_ path: String, key: [UInt8]) throws -> [String: [UInt8]] {
        let store = try StoreFolder(at: FilePath(path))
        var texts: [String: [UInt8]] = [:]
        for file in store.conversations + store.blobs + store.attachments {
            var cipher = try AESGCM(key: SecretBytes(copying: key.span))
            let bytes = fileBytes(file.path.text) ?? []
            let text = try cipher.openCombined(bytes.span)
            let place = file.path.parent.lastComponent.appending(file.path.lastComponent).text
            texts[place] = text.withSpan { span in span.indices.map { span[$0] } }
        }
        return texts
    }

    @Test("the store that the app wrote comes out of a bundle with the same text in every file")
    func store() throws {
        let bob = try #require(try Self.expected("march")["bob"] as? [String: Any])
        let key = Array(try #require(Data(base64Encoded: bob["storageKey"] as? String ?? "")))
        let path = SharedFolder.file("fixtures/march/appsupport")
        let source = try StoreSource(
            StoreFolder(at: FilePath(path)), key: SecretBytes(copying: key.span), createdAt: 1, creator: "test",
            workers: 2)
        #expect(source.manifest.entries.isEmpty == false && !source.isWrongKey)
        let restore = NewStoreRestore(
            at: try ChangePlace(new: FilePath(folder.file("new"))), key: SharedKey(try SecretBytes(copying: key.span)),
            takes: [.conversations, .blobs, .attachments], date: "2026-11-30", now: 1)
        let (restored, _) = try restore.run(source)
        #expect(restored.isWhole && restored.messages == source.manifest.messages)
        let (before, after) = (try texts(path, key: key), try texts(folder.file("new"), key: key))
        // White space between messages is the app's own; the messages are compared one by one.
        #expect(Set(before.keys) == Set(after.keys))
        for (name, text) in before where !name.hasSuffix(".enc") || name.contains("pending_queue") {
            #expect(after[name] == text, "\(name)")
        }
        for (name, text) in before where name.hasSuffix(".enc") && !name.contains("pending_queue") {
            #expect(try Self.sources(text) == Self.sources(after[name] ?? []), "\(name)")
        }
    }

    /// The source of each message of a list.
    private static func sources(_ list: [UInt8]) throws -> [[UInt8]] {
        let buffer = try PlaintextBuffer(copying: list)
        var scanner = try MessageScanner()
        var found = MessageList(buffer, at: 0)
        _ = try scanner.scan(buffer, 0..<buffer.count, into: &found)
        return found.messages.map(\.sourceJSON)
    }

    private static func content(_ name: String) throws -> BundleContent {
        let path = SharedFolder.file("fixtures/export/\(name)")
        let passphrase = Array((try expected("export")["passphrase"] as? String ?? "").utf8)
        let file = try BundleFile(bytes: fileBytes(path) ?? [], fileName: Array(name.utf8))
        let opened = try BundleOpener.open(file, passphrase: SecretBytes(copying: passphrase.span), workers: 2)
        return try BundleContent.read(opened, now: 1_790_000_000)
    }

    private static func content(_ export: borrowing AppExport) throws -> BundleContent {
        let passphrase = Array("correct horse battery staple".utf8)
        let recipe: BundleRecipe =
            switch export.kind {
            case .identity: .identity(iterations: 600_000)
            case .backup: .backup(version: 2, .hkdf)
            case .fullExport: .fullExport(iterations: 100_000)
            case .android: .android()
            }
        let bytes = try export.text.withSpan { text in
            try BundleWriter.seal(text, as: recipe, passphrase: SecretBytes(copying: passphrase.span))
        }
        let file = try BundleFile(bytes: bytes, forcedKind: export.kind, fileName: [])
        let opened = try BundleOpener.open(file, passphrase: SecretBytes(copying: passphrase.span), workers: 2)
        return try BundleContent.read(opened, now: 1_790_000_000)
    }

    @Test(
        "an export that the app wrote, through a source and into the same kind, says the same",
        arguments: ["bob.sophaxid", "bob.sophaxbackup", "bob.sxfe"])
    func sameKind(name: String) throws {
        let before = try Self.content(name)
        let source = try AppBundleSource(before, createdAt: 1, creator: "test")
        let export = try AppExport.make(before.bundle.header.kind, of: source, now: 1_790_000_000)
        let lost = export.losses.filter(\.isFromFile)
        #expect(lost.isEmpty)
        let after = try Self.content(export)
        #expect(after.identity?.publicKeys == before.identity?.publicKeys)
        #expect(after.identity?.username == before.identity?.username)
        let isSame = before.identity?.withKeys { one in
            after.identity?.withKeys { two in
                one.signingSeed.isEqual(to: two.signingSeed) && one.dhPrivate.isEqual(to: two.dhPrivate)
            } == true
        }
        #expect(isSame != false)
        #expect(after.backup?.fingerprint == before.backup?.fingerprint)
        #expect(after.backup?.peers.map(\.id) == before.backup?.peers.map(\.id))
        #expect(after.backup?.peers.map(\.avatar) == before.backup?.peers.map(\.avatar))
        #expect(after.backup?.peers.map(\.publicKeys) == before.backup?.peers.map(\.publicKeys))
        #expect(after.backup?.peers.map(\.trustLevel) == before.backup?.peers.map(\.trustLevel))
        #expect(try Self.canonical(after) == Self.canonical(before))
    }

    /// The canonical form of each message, by conversation.
    private static func canonical(_ content: BundleContent) throws -> [String: [CanonicalMessage]] {
        var all: [String: [CanonicalMessage]] = [:]
        for conversation in content.backup?.messages.conversations ?? [] {
            let messages = try content.backup?.messages.messages(of: conversation) ?? []
            all[conversation.id.text.string] = messages.map { CanonicalMessage($0) }
        }
        return all
    }

    @Test("an export that the app wrote becomes a store whose messages say the same")
    func exportToStore() throws {
        let before = try Self.content("bob.sxfe")
        let source = try AppBundleSource(before, createdAt: 1, creator: "test")
        let key = [UInt8](repeating: 7, count: 32)
        let restore = NewStoreRestore(
            at: try ChangePlace(new: FilePath(folder.file("new"))), key: SharedKey(try SecretBytes(copying: key.span)),
            takes: [.conversations], date: "2026-11-30", now: 1)
        let (restored, _) = try restore.run(source)
        #expect(restored.isWhole && restored.messages == before.backup?.messages.count)
        var found: [String: [CanonicalMessage]] = [:]
        for (_, text) in try texts(folder.file("new"), key: key) {
            let buffer = try PlaintextBuffer(copying: text)
            var scanner = try MessageScanner()
            var list = MessageList(buffer, at: 0)
            _ = try scanner.scan(buffer, 0..<buffer.count, into: &list)
            for message in list.messages {
                found[message.conversation?.text.string ?? "", default: []].append(CanonicalMessage(message))
            }
        }
        #expect(found == (try Self.canonical(before)))
    }
}
