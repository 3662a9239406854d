import CryptoPrimitives
import SampleData
import SystemIO
import TestSupport
import Testing

@testable import SophaxFiles

@Suite("The sample")
struct SampleTests {
    let folder = TemporaryFolder()

    private func sample() throws -> Sample {
        try Sample(deterministic: true, limits: BundleMaker.quick)
    }

    private func open(_ file: FilePath, of sample: Sample) throws -> BundleContent {
        let bytes = try #require(sample.files.first { $0.path == file }).bytes
        let bundle = try BundleMaker.open(bytes, passphrase: Sample.passphrase)
        return try BundleContent.read(bundle, now: BundleMaker.now, workers: 2)
    }

    @Test("is the same each time when it shall be, and another one otherwise")
    func deterministic() throws {
        let (first, second) = (try sample(), try sample())
        #expect(first.files.map(\.path) == second.files.map(\.path))
        #expect(first.files.map(\.bytes) == second.files.map(\.bytes))
        let other = try Sample(limits: BundleMaker.quick)
        let keys = [first, other].map { $0.files.first { $0.path == Sample.keyFile }?.bytes }
        #expect(keys[0] != keys[1])
    }

    @Test("uses no nonce twice under one key")
    func nonces() throws {
        let store = try sample().files.filter { $0.path.bytes.starts(with: "phone/".utf8) }
        #expect(Set(store.map { $0.bytes.prefix(12) }).count == store.count)
    }

    @Test("is a store that reads whole, with what its description promises")
    func store() throws {
        let path = FilePath(folder.file("sample"))
        try sample().write(to: path)
        var input = try InputFile(opening: path.appending(Sample.keyFile))
        let key = try StoreKey.read(SecretInput.keyFile(&input))
        let store = try StoreFolder(at: path.appending(Sample.storeFolder))
        let report = try StoreSurvey(store, now: BundleMaker.now, workers: 2, includesAttachments: true).run(key: key)
        #expect(report.damaged == 0 && report.missing == 0)
        #expect(report.conversations.count == 4)
        #expect(Set(report.conversations.map(\.id.kind)) == [.direct, .group, .notes])
        #expect(report.messages == 28)
        #expect(report.conversationsAtRisk == 1)
        #expect(report.attachmentsOK == 1)
        #expect(report.blobs.map(\.blobEntries) == [1])
        #expect(
            report.findings.counts.filter { $0.key != .unreadableByApps } == [
                .missingIsEdited: 6, .expired: 1, .orphanedFile: 1,
            ])
    }

    @Test("refuses a folder that is there already")
    func existing() throws {
        let path = FilePath(folder.makeFolder("sample"))
        #expect(throws: SampleError.self) { try sample().write(to: path) }
        #expect(folder.names == ["sample"])
    }

    @Test(
        "has a backup and a full export without anything to act on",
        arguments: [Sample.backupFile, Sample.fullExportFile])
    func exports(_ file: FilePath) throws {
        let content = try open(file, of: sample())
        let isFull = file == Sample.fullExportFile
        #expect((content.identity != nil) == isFull)
        let backup = try #require(content.backup)
        #expect(backup.messages.conversations.count == 3)
        #expect(backup.messages.count == 19)
        #expect(backup.peers.map(\.username) == ["Bob", "Carla"])
        if isFull { #expect(content.identity?.publicKeys?.fingerprint == backup.fingerprint) }
        // The low work factor of this test is refused by the app; the sample's own is not.
        let counts = content.findings.counts.filter { $0.key != .weakIterations }
        #expect(counts == [.attachmentsNotIncluded: 1, .pseudoConversation: 3, .expired: 1])
    }

    @Test("has a passphrase file with the passphrase and one line ending")
    func passphrase() throws {
        let file = try #require(sample().files.first { $0.path == Sample.passphraseFile })
        #expect(file.bytes == Array((Sample.passphrase + "\n").utf8))
    }

    @Test("has a picture whose bytes a PNG reader accepted when this was written")
    func picture() throws {
        let attachment = try #require(sample().files.first { $0.path.text.contains("sophax_attachments") })
        let keyText = try #require(sample().files.first { $0.path == Sample.keyFile }).bytes.dropLast()
        let key = try SecretEncoding.decodeBase64(Array(keyText).span)
        var cipher = try AESGCM(key: key)
        let picture = try cipher.openCombined(attachment.bytes.span)
        let digest = picture.withSpan { Hex.encode(SHA256.hash($0).span) }
        #expect(digest == "9af6e35873960a5afc9d94ca6b33aa3cf69236a14398a79a4df099a576472560")
    }
}
