import Glibc
import TestSupport
import Testing

@testable import SystemIO

@Suite("Folders")
struct FolderTests {
    private let folder = TemporaryFolder()

    @Test("a listing has every name once, in the order of bytes, with kind and size")
    func listing() throws {
        folder.write([1, 2, 3], to: "b")
        folder.write([], to: "B")
        folder.write([1], to: ".hidden")
        _ = folder.makeFolder("caf\u{e9}")
        _ = folder.makeFolder("cafe\u{301}")
        symlink("b", folder.file("link"))
        mkfifo(folder.file("pipe"), 0o600)
        let entries = try listFolder(FilePath(folder.path))
        #expect(entries.map(\.name.text) == [".hidden", "B", "b", "cafe\u{301}", "caf\u{e9}", "link", "pipe"])
        #expect(entries.map(\.kind) == [.regular, .regular, .regular, .folder, .folder, .link, .pipe])
        #expect(entries.prefix(3).map(\.size) == [1, 0, 3])
    }

    @Test("names that are not UTF-8 come as they are")
    func rawNames() throws {
        let name = FilePath(bytes: [0x66, 0xff])
        try OutputFile(creatingAt: FilePath(folder.path).appending(name)).commit()
        #expect(try listFolder(FilePath(folder.path)).map(\.name) == [name])
    }

    @Test("the time of the last change is in Unix seconds")
    func modified() throws {
        let path = folder.write([1], to: "a")
        var times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: 1_700_000_000, tv_nsec: 500_000_000)]
        utimensat(AT_FDCWD, path, &times, 0)
        #expect(try listFolder(FilePath(folder.path)).map(\.modified) == [1_700_000_000.5])
    }

    @Test("a missing folder and a file are different errors")
    func refusals() {
        let file = FilePath(folder.write([1], to: "f"))
        #expect(kind { _ = try listFolder(file) } == .notFolder)
        #expect(kind { _ = try listFolder(FilePath(folder.file("none"))) } == .notFound)
    }

    @Test("a new folder is for its owner only, and an old one is an error")
    func making() throws {
        let path = FilePath(folder.file("new"))
        try makeFolder(path)
        #expect(try fileStatus(at: path).permissions == 0o700)
        #expect(kind { try makeFolder(path) } == .exists)
        try removeFolder(path)
        #expect(folder.names.isEmpty)
        #expect(kind { try removeFile(path) } == .notFound)
    }
}

@Suite("absolute paths")
struct AbsolutePathTests {
    @Test("a path from the root stays, another one begins with the folder that the process works in")
    func paths() throws {
        #expect(absolutePath("/a/../b") == "/a/../b")
        let path = try #require(absolutePath("a/b"))
        #expect(path.isAbsolute)
        #expect(try listFolder(path.parent.parent).map(\.name) == listFolder(".").map(\.name))
    }
}
