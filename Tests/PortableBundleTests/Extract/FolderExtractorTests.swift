import Glibc
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import PortableBundle

@Suite("Bundles as files of a folder")
struct FolderExtractorTests {
    private let folder = TemporaryFolder()

    private var target: FilePath { FilePath(folder.file("out")) }

    private func extract(
        _ source: some EntrySource, words: [String] = [], reveals: Bool = false
    ) throws -> FolderExtractor {
        let choice = EntryChoice(words: words.map { ByteText($0) }, reveals: reveals)
        return try FolderExtractor.extract(source, to: target, choice: choice, manifestText: source.manifest.text())
    }

    private func source() throws -> MadeSource {
        let more = #","attachmentID":"A-1","attachmentFilename":"../../bike \#u{202e}.jpg""#
        return try MadeSource(
            owner: MadeSource.fingerprint, identity: MadeSource.ana(), preKeys: [("spk.1", MadeSource.dh)],
            conversations: [
                (MadeSource.peer, .ios, [MadeSource.message("1", more: more), MadeSource.message("2")])
            ],
            blobs: [("pending_queue", "[]")],
            attachments: [("A-1", [1, 2, 3]), ("A-2", Array(repeating: 7, count: 300_000))])
    }

    @Test("everything but private keys, attachments under the names of their senders made safe, times of the bundle")
    func everything() throws {
        let extracted = try extract(try source())
        #expect(
            FolderListing(folder.file("out")).entries.filter { $0.value.hasPrefix("file") }.keys.sorted() == [
                "attachments/A-2.bin", "attachments/_.._bike .jpg", "blobs/pending_queue.json",
                "conversations/08c4cab788bd5f92.jsonl", "manifest.json",
            ])
        #expect(fileBytes(folder.file("out/attachments/_.._bike .jpg")) == [1, 2, 3])
        #expect(fileBytes(folder.file("out/attachments/A-2.bin")) == Array(repeating: 7, count: 300_000))
        #expect(extracted.secrets == ["identity.json", "prekeys.json"])
        #expect(extracted.files.count == 5 && extracted.notAsked == 0)
        let status = try fileStatus(at: FilePath(folder.file("out/manifest.json")))
        #expect(status.modified == 1_780_000_000 && status.permissions == 0o600)
    }

    @Test("an entry of a later version may be in folders in folders")
    func deep() throws {
        let source = try MadeSource(others: [("a/b/c/d.txt", [1]), ("a/e.txt", [2]), ("a/b/f.txt", [3])])
        // Nobody knows whether it holds private keys.
        #expect(try extract(source).files.map(\.name) == ["manifest.json"])
        #expect(rename(folder.file("out"), folder.file("without")) == 0)
        _ = try extract(source, reveals: true)
        let files = FolderListing(folder.file("out")).entries.filter { $0.value.hasPrefix("file") }.keys.sorted()
        #expect(files == ["a/b/c/d.txt", "a/b/f.txt", "a/e.txt", "manifest.json"])
        #expect(fileBytes(folder.file("out/a/b/c/d.txt")) == [1])
    }

    @Test("private keys are written when that was asked for")
    func revealed() throws {
        let extracted = try extract(try source(), reveals: true)
        #expect(extracted.secrets.isEmpty && extracted.files.count == 7)
        let text = String(decoding: fileBytes(folder.file("out/identity.json")) ?? [], as: UTF8.self)
        #expect(text.contains(#""account":"identity.signing""#))
    }

    @Test(
        "a part, an id or a name chooses entries",
        arguments: [
            ("attachments", ["attachments/A-2.bin", "attachments/_.._bike .jpg"]),
            ("A-2", ["attachments/A-2.bin"]),
            ("08c4cab788bd5f92", ["conversations/08c4cab788bd5f92.jsonl"]),
            ("conversations/08c4cab788bd5f92.jsonl", ["conversations/08c4cab788bd5f92.jsonl"]),
            ("manifest.json", ["manifest.json"]),
        ])
    func chosen(word: String, files: [String]) throws {
        _ = try extract(try source(), words: [word])
        let names = FolderListing(folder.file("out")).entries.filter { $0.value.hasPrefix("file") }.keys.sorted()
        #expect(names == files)
    }

    @Test("words that name nothing are known")
    func unknown() throws {
        let choice = EntryChoice(words: ["contacts", "A-1", "nobody"].map { ByteText($0) }, reveals: false)
        #expect(choice.unknown(in: try source().manifest) == ["contacts", "nobody"])
    }

    @Test("a source that fails leaves nothing")
    func failing() throws {
        struct Failing: EntrySource {
            let good: MadeSource
            var manifest: Manifest { good.manifest }

            func send<S: EntrySink & ~Copyable>(to sink: inout S) throws(EntryError) {
                try good.send(to: &sink)
                throw .hash(entry: "x")
            }
        }
        #expect(throws: EntryError.hash(entry: "x")) { _ = try extract(Failing(good: try source())) }
        #expect(folder.names.isEmpty)
    }

    @Test("a folder that is there is not touched")
    func taken() throws {
        _ = folder.makeFolder("out")
        folder.write("mine", to: "out/manifest.json")
        #expect(throws: EntryError.self) { _ = try extract(try source()) }
        #expect(fileBytes(folder.file("out/manifest.json")) == Array("mine".utf8))
        #expect(FolderListing(folder.path).names == ["out", "out/manifest.json"])
    }

    @Test("attachments of equal names get numbers")
    func equalNames() throws {
        let lines = ["1", "2"].map {
            MadeSource.message($0, more: #","attachmentID":"A\#($0)","attachmentFilename":"image.jpg""#)
        }
        let source = try MadeSource(
            conversations: [(MadeSource.peer, .ios, lines)], attachments: [("A1", [1]), ("A2", [2])])
        _ = try extract(source)
        #expect(fileBytes(folder.file("out/attachments/image.jpg")) == [1])
        #expect(fileBytes(folder.file("out/attachments/image (2).jpg")) == [2])
    }
}
