import Glibc
import TestSupport
import Testing

@testable import SystemIO

@Suite("Drafts of files that a library writes by name")
struct DraftFileTests {
    private let folder = TemporaryFolder()

    private var target: FilePath { FilePath(folder.file("file.db")) }

    @Test("a draft is an empty file beside its target that only its owner may read")
    func made() throws {
        let draft = try DraftFile(beside: target, marker: "new")
        #expect(folder.names.count == 1)
        #expect(folder.file(folder.names[0]) == draft.path.text)
        #expect(folder.names[0].hasPrefix("file.db.new-"))
        let status = try fileStatus(at: draft.path)
        #expect(status.size == 0)
        #expect(status.permissions == 0o600)
        let second = try DraftFile(beside: target, marker: "new")
        #expect(second.path != draft.path)
    }

    @Test("out of scope it goes, with a journal beside it, and nothing else")
    func discarded() throws {
        folder.write("other", to: "file.db-journal")
        do {
            let draft = try DraftFile(beside: target, marker: "new")
            folder.write("half", to: draft.path.appendingSuffix("-journal").lastComponent.text)
            #expect(folder.names.count == 3)
        }
        #expect(folder.names == ["file.db-journal"])
    }

    @Test("what takes the place of a user's file belongs to that user", .enabled(if: geteuid() == 0, "needs root"))
    func owner() throws {
        folder.write("old", to: "file.db")
        try #require(chown(target.text, 1234, 5678) == 0)
        try DraftFile(beside: target, marker: "new").publish(replacing: true)
        var status = stat()
        try #require(stat(target.text, &status) == 0)
        #expect(status.st_uid == 1234 && status.st_gid == 5678 && status.st_mode & 0o777 == 0o600)
    }

    @Test("published it has the target's name, and replaces a file only when it may", arguments: [false, true])
    func published(replacing: Bool) throws {
        let draft = try DraftFile(beside: target, marker: "new")
        folder.write("new", to: draft.path.lastComponent.text)
        try draft.publish(replacing: replacing)
        #expect(folder.names == ["file.db"])
        let second = try DraftFile(beside: target, marker: "new")
        folder.write("newer", to: second.path.lastComponent.text)
        do throws(FileError) {
            try second.publish(replacing: replacing)
            #expect(replacing)
        } catch {
            #expect(!replacing)
            #expect(error.kind == .exists)
        }
        #expect(fileBytes(target.text) == Array((replacing ? "newer" : "new").utf8))
        #expect(folder.names == ["file.db"])
    }

    @Test("what a kill left is found by the marker and the form of its name")
    func leftovers() throws {
        let found = ["file.db.new-0123456789abcdef", "file.db.new-0123456789abcdef-journal"]
        let others = [
            "file.db", "file.db.new-0123456789abcde", "file.db.new-0123456789abcdeg", "file.db.new-0123456789ABCDEF",
            "file.db.new-0123456789abcdef0", "file.db.old-0123456789abcdef", "xfile.db.new-0123456789abcdef",
        ]
        for name in found + others { folder.write("x", to: name) }
        mkdir(folder.file("file.db.new-1123456789abcdef"), 0o700)
        let names = try DraftFile.leftovers(of: target, marker: "new").map(\.lastComponent.text)
        #expect(names == found)
    }

    @Test("without its folder there is none")
    func noFolder() {
        do throws(FileError) {
            _ = try DraftFile(beside: FilePath(folder.file("no/file.db")), marker: "new")
            Issue.record("made in no folder")
        } catch {
            #expect(error.kind == .notFound)
        }
    }
}
