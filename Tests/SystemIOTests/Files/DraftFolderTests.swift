import Glibc
import TestSupport
import Testing

@testable import SystemIO

@Suite("Folders that appear whole or not at all")
struct DraftFolderTests {
    private let folder = TemporaryFolder()

    private var target: FilePath { FilePath(folder.file("out")) }

    private func write(_ text: String, to draft: inout DraftFolder) throws {
        let bytes = Array(text.utf8)
        try draft.write(bytes.span)
    }

    @Test("files and folders are there with the target's name, for their owner only, with the times that were given")
    func published() throws {
        let old = umask(0)
        defer { umask(old) }
        var draft = try DraftFolder(for: target)
        try draft.begin("a.json")
        try write("one", to: &draft)
        try write("two", to: &draft)
        try draft.end(modified: 1_700_000_000.25)
        try draft.makeFolder("inner")
        try draft.begin("b", in: "inner")
        #expect(!folder.names.contains("out"))
        #expect(draft.bytesWritten == 6)
        try draft.publish()
        #expect(folder.names == ["out"])
        #expect(FolderListing(folder.file("out")).entries.keys.sorted() == ["a.json", "inner", "inner/b"])
        #expect(fileBytes(folder.file("out/a.json")) == Array("onetwo".utf8))
        #expect(fileBytes(folder.file("out/inner/b")) == [])
        for (name, mode) in [("out", 0o700), ("out/inner", 0o700), ("out/a.json", 0o600)] as [(String, UInt32)] {
            #expect(try fileStatus(at: FilePath(folder.file(name))).permissions == mode, "\(name)")
        }
        #expect(try fileStatus(at: FilePath(folder.file("out/a.json"))).modified == 1_700_000_000.25)
    }

    @Test("folders in folders, and none in one that was not made")
    func inner() throws {
        var draft = try DraftFolder(for: target)
        try draft.makeFolder("a")
        try draft.makeFolder("a/b")
        try draft.begin("c", in: "a/b")
        try write("deep", to: &draft)
        for path in ["x/y", "a/b/../c", "/a", "a//b", ""] as [FilePath] {
            var isRefused = false
            do throws(FileError) { try draft.makeFolder(path) } catch { isRefused = true }
            #expect(isRefused, "\(path)")
        }
        try draft.publish()
        #expect(FolderListing(folder.file("out")).entries.keys.sorted() == ["a", "a/b", "a/b/c"])
        #expect(fileBytes(folder.file("out/a/b/c")) == Array("deep".utf8))
    }

    @Test("out of scope everything goes again")
    func discarded() throws {
        do {
            var draft = try DraftFolder(for: target)
            try draft.makeFolder("inner")
            try draft.begin("b", in: "inner")
            try write("half", to: &draft)
            #expect(folder.names.count == 1)
        }
        #expect(folder.names.isEmpty)
    }

    @Test(
        "a target that is there is refused and stays, a link to nothing as well", arguments: ["file", "folder", "link"])
    func taken(kind: String) throws {
        switch kind {
        case "file": folder.write("mine", to: "out")
        case "folder": _ = folder.makeFolder("out")
        default: symlink("nowhere", folder.file("out"))
        }
        do throws(FileError) {
            _ = try DraftFolder(for: target)
            Issue.record("it was made")
        } catch {
            #expect(error.kind == .exists && error.path == target)
        }
        #expect(folder.names == ["out"])
    }

    @Test("a target that appears meanwhile is not replaced")
    func overtaken() throws {
        let draft = try DraftFolder(for: target)
        folder.write("mine", to: "out/x".replacing("/x", with: ""))
        do throws(FileError) {
            try draft.publish()
            Issue.record("it was replaced")
        } catch {
            #expect(error.kind == .exists)
        }
        #expect(folder.names == ["out"] && fileBytes(folder.file("out")) == Array("mine".utf8))
    }

    @Test("names that lead out of it are refused", arguments: ["", ".", "..", "a/b", "/a", "a\0b"])
    func names(name: String) throws {
        var draft = try DraftFolder(for: target)
        #expect(throws: FileError.self) { try draft.begin(FilePath(name)) }
        #expect(throws: FileError.self) { try draft.makeFolder(FilePath(name)) }
    }

    @Test("a name that is there already is refused, a link that somebody put there is not followed")
    func links() throws {
        folder.write("mine", to: "victim")
        var draft = try DraftFolder(for: target)
        try draft.begin("a")
        symlink(folder.file("victim"), draft.path.text + "/b")
        for name in ["a", "b"] as [FilePath] {
            do throws(FileError) {
                try draft.begin(name)
                Issue.record("\(name.text) was made")
            } catch {
                #expect(error.kind == .exists)
            }
        }
        #expect(fileBytes(folder.file("victim")) == Array("mine".utf8))
    }

    @Test("a target whose folder is not there cannot be made")
    func nowhere() {
        #expect(throws: FileError.self) { _ = try DraftFolder(for: FilePath(folder.file("no/out"))) }
        for name in ["", ".", "/", ".."] {
            #expect(throws: FileError.self) { try DraftFolder.check(FilePath(name)) }
        }
    }
}
