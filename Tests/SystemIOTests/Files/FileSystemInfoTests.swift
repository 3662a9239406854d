import TestSupport
import Testing

@testable import SystemIO

@Suite("What a file system is known to do")
struct FileSystemInfoTests {
    /// syncfs(2): "In Linux 5.8 and later … syncfs() will report errors"; before it said that all is well.
    @Test(
        "syncfs is only believed where it tells of writes that failed",
        arguments: [
            ("6.1.0-30-amd64", true), ("5.8.0", true), ("5.10.0-28-amd64", true), ("10.0", true),
            ("5.4.0-150-generic", false),
            ("4.18.0-553.el8.x86_64", false), ("5", false), ("", false), ("x.y", false), ("5.8-rc1", true),
        ])
    func kernels(release: String, tells: Bool) {
        #expect(FolderSync.tellsOfErrors(kernel: Array(release.utf8)) == tells)
    }

    @Test("a whole file system is synced through a folder that was opened before")
    func wholeFileSystem() throws {
        let folder = TemporaryFolder()
        let sync = try FileSystemSync(of: FilePath(folder.path))
        folder.write("a", to: "a")
        try sync.bringToDisk()
        let failure = #expect(throws: FileError.self) { _ = try FileSystemSync(of: FilePath(folder.file("none"))) }
        #expect(failure?.operation == .open)
        #expect(failure?.kind == .notFound)
    }

    @Test("a file of somebody else is synced; a pipe is not waited for, and what is missing is an error")
    func syncingFiles() throws {
        let folder = TemporaryFolder()
        folder.write("a", to: "a")
        try syncFile(FilePath(folder.file("a")))
        #expect(throws: FileError.self) { try syncFile(FilePath(folder.file("none"))) }
    }
}
