import CommandKit
import Foundation
import TestSupport
import Testing

@testable import SXKeyCommands

/// Names that senders chose, and what becomes of them on disk.
@Suite("attachments under safe names")
struct AttachmentNameTests {
    private let store = MadeStore()

    /// An id of the form that the app makes.
    private func id(_ number: Int) -> String {
        let digits = String(number)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    /// Writes one attachment for each name, in this order, and takes all of them out; the files with their content.
    private func takeOut(_ names: [String?]) throws -> (run: CommandRun, files: [(name: String, content: String)]) {
        var messages: [String] = []
        for (number, name) in names.enumerated() {
            try store.attachment(id(number), "content \(number)")
            let file = name.map { ",\"attachmentFilename\":\"\($0)\"" } ?? ""
            let extra = ",\"attachmentID\":\"\(id(number))\",\"attachmentMimeType\":\"image/png\"" + file
            messages.append(MadeStore.message("M\(number)", peer: MadeStore.alice, body: "", extra: extra))
        }
        try store.conversation(MadeStore.alice, messages)
        let out = store.folder.file("out")
        let run = store.run("attachment", ["--all", "--out", out])
        let listing = FolderListing(out)
        return (
            run, listing.names.map { ($0, String(decoding: fileBytes(out + "/" + $0) ?? [], as: UTF8.self)) }
        )
    }

    @Test(
        "a hostile name becomes a safe one",
        arguments: [
            ("../../x", "_.._x"), ("/etc/x", "_etc_x"), (".bashrc", "bashrc"), ("-rf", "rf"),
            ("con", "_con"), ("nul.txt", "_nul.txt"), ("COM1", "_COM1"), ("a.", "a"), ("a b ", "a b"),
            ("C:\\\\x", "C__x"), ("a/../../b", "a_.._.._b"), ("line\\nbreak", "linebreak"), ("bell\\u0007", "bell"),
            ("\\u202Egpj.exe", "gpj.exe"), ("a?*|<>\\\"b", "a______b"), ("x\\u0000y", "xy"), ("\\u009B2J", "2J"),
            ("photo.png", "photo.png"), ("Übung 1.png", "Übung 1.png"),
        ])
    func safeNames(name: String, safe: String) throws {
        let (run, files) = try takeOut([name])
        #expect(run.status == .success, "\(run.errors)")
        #expect(files.map(\.name) == [safe])
        #expect(files.first?.content == "content 0")
        // Nothing anywhere else.
        #expect(store.folder.names == ["out", "phone", "storage.key"])
    }

    @Test("a name of which nothing is left gives way to the id", arguments: [nil, "", "..", ".", "/", "\\u202E", "  "])
    func noName(name: String?) throws {
        let (run, files) = try takeOut([name])
        #expect(run.status == .success)
        // A slash alone is replaced, not dropped.
        #expect(files.map(\.name) == [name == "/" ? "_" : id(0) + ".png"])
    }

    @Test("a long name is cut between letters, and keeps its ending")
    func longNames() throws {
        let emoji = String(repeating: "😀", count: 300)
        let (run, files) = try takeOut([emoji, emoji + ".png", String(repeating: "é", count: 200) + ".jpeg"])
        #expect(run.status == .success)
        #expect(files.count == 3)
        for file in files {
            #expect(file.name.utf8.count <= 255)
            #expect(!file.name.unicodeScalars.contains("\u{FFFD}"))
        }
        #expect(files.contains { $0.name.hasSuffix("😀.png") })
        #expect(files.contains { $0.name.hasSuffix("é.jpeg") })
    }

    @Test("equal names, also to systems that fold case or accents, stay apart")
    func collisions() throws {
        let names = ["a.png", "a.png", "A.PNG", "\u{E9}.txt", "e\u{301}.txt", "stra\u{DF}e", "STRASSE", "a (2).png"]
        let (run, files) = try takeOut(names)
        #expect(run.status == .success)
        #expect(files.count == names.count)
        #expect(files.map(\.content).sorted() == names.indices.map { "content \($0)" })
        let lowered = Set(files.map { $0.name.decomposedStringWithCanonicalMapping.lowercased() })
        #expect(lowered.count == names.count)
        #expect(files.first { $0.content == "content 1" }?.name == "a (2).png")
    }

    @Test("three hundred attachments of one name all come out, numbered without a gap")
    func manyEqualNames() throws {
        let (run, files) = try takeOut(Array(repeating: "photo.png", count: 300))
        #expect(run.status == .success)
        #expect(Set(files.map(\.content)).count == 300)
        #expect(Set(files.map(\.name)) == Set(["photo.png"] + (2...300).map { "photo (\($0)).png" }))
    }

    @Test("a name of a million dots is no name")
    func millionDots() throws {
        let (run, files) = try takeOut([String(repeating: ".", count: 1_000_000) + "x"])
        #expect(run.status == .success)
        #expect(files.map(\.name) == ["x"])
    }

    @Test("files are for their owner, and so is the folder")
    func permissions() throws {
        let old = umask(0)
        defer { umask(old) }
        _ = try takeOut(["a.png"])
        #expect(FolderListing.permissions(store.folder.file("out")) == 0o700)
        #expect(FolderListing.permissions(store.folder.file("out/a.png")) == 0o600)
    }

    @Test("a folder with something in it is refused without --force, and links in it are never followed")
    func existingFolder() throws {
        _ = store.folder.makeFolder("out")
        store.folder.write("precious", to: "precious")
        symlink("../precious", store.folder.file("out/a.png"))
        let before = FolderListing(store.folder.file("out"))
        let refused = try takeOut(["a.png"]).run
        #expect(refused.status == .wouldOverwrite)
        #expect(refused.error(in: store.folder.path) == "cannot create \"out\": it exists already")
        #expect(FolderListing(store.folder.file("out")) == before)
        let forced = store.run("attachment", ["--all", "--out", store.folder.file("out"), "--force"])
        #expect(forced.status == .success)
        #expect(fileBytes(store.folder.file("precious")) == Array("precious".utf8))
        #expect(fileBytes(store.folder.file("out/a.png")) == Array("content 0".utf8))
    }

    @Test("attachments are never written into the store")
    func intoTheStore() throws {
        try store.attachment(id(0), "content")
        let before = FolderListing(store.path)
        for folder in ["sophax_attachments", "sophax_messages", "sophax_attachments/../sophax_attachments/"] {
            let run = store.run("attachment", ["--all", "--out", store.path + "/" + folder, "--force"])
            #expect(run.status == .failure, "\(folder)")
            #expect(FolderListing(store.path) == before)
        }
    }

    @Test("damaged and missing attachments are counted, the others written")
    func damaged() throws {
        _ = try takeOut(["a.png", "b.png", "c.png"])
        var bytes = try MadeStore.seal(Array("x".utf8))
        bytes[20] ^= 1
        store.folder.write(bytes, to: "phone/sophax_attachments/\(id(0))")
        unlink(store.path + "/sophax_attachments/\(id(1))")
        let run = store.run("attachment", ["--all", "--out", store.folder.file("again")])
        #expect(run.status == .someDamaged)
        #expect(FolderListing(store.folder.file("again")).names == ["c.png"])
        #expect(run.output.contains("read 2 · written 1 to"))
        #expect(run.output.contains("failed 1 · missing 1"))
        let one = store.run("attachment", [id(0), "--out", store.folder.file("one")])
        #expect(one.status == .unreadable)
        let missing = store.run("attachment", [id(1), "--out", store.folder.file("one")])
        #expect(missing.status == .notFound)
        #expect(missing.error(in: "") == "there is no attachment \"\(id(1))\"")
        #expect(!store.folder.names.contains("one"))
    }

    @Test("a failure in the middle takes back what was written")
    func takingBack() throws {
        try store.attachment(id(0), "content")
        try store.attachment(id(1), "content")
        let out = store.folder.makeFolder("out")
        // The second one cannot be written: there is a folder of its name.
        _ = store.folder.makeFolder("out/\(id(1)).bin")
        let run = store.run("attachment", ["--all", "--out", out, "--force"])
        #expect(run.status == .failure)
        #expect(run.error(in: out) == "cannot create \"\(id(1)).bin\": it is a folder")
        #expect(FolderListing(out).names == ["\(id(1)).bin"])
    }
}
