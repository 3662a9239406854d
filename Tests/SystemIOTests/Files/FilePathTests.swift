import Testing

@testable import SystemIO

@Suite("File paths")
struct FilePathTests {
    @Test(
        "the last component and the parent follow basename(1) and dirname(1)",
        arguments: [
            ("a", "a", "."), ("a/b", "b", "a"), ("/a", "a", "/"), ("/a/b/", "b", "/a"), ("a//b", "b", "a"),
            ("//a", "a", "/"), ("/", "/", "/"), ("///", "/", "/"), ("a/", "a", "."), (".", ".", "."),
            ("../x", "x", ".."), ("", "", "."),
        ])
    func components(path: String, last: String, parent: String) {
        #expect(FilePath(path).lastComponent == FilePath(last))
        #expect(FilePath(path).parent == FilePath(parent))
    }

    @Test(
        "joining puts one slash between and never leaves the folder for an absolute name",
        arguments: [
            ("a", "b", "a/b"), ("a/", "b", "a/b"), ("/", "b", "/b"), ("a", "/etc/passwd", "a/etc/passwd"),
            ("", "b", "b"),
        ])
    func joining(folder: String, name: String, whole: String) {
        #expect(FilePath(folder).appending(FilePath(name)) == FilePath(whole))
    }

    @Test("names that only look alike are different paths")
    func composition() {
        #expect(FilePath("caf\u{e9}") != FilePath("cafe\u{301}"))
        #expect(Set<FilePath>(["caf\u{e9}", "cafe\u{301}"]).count == 2)
    }

    @Test("bytes that are not UTF-8 stay")
    func rawBytes() {
        let path = FilePath(bytes: [0x61, 0xff, 0x2f, 0xfe])
        #expect(path.lastComponent.bytes == [0xfe])
        #expect(path.text == "a\u{fffd}/\u{fffd}")
    }

    @Test("a path with a NUL byte names nothing, not the part before it")
    func nulByte() {
        let path = FilePath(bytes: Array("/etc/passwd".utf8) + [0] + Array("x".utf8))
        #expect(throws: FileError(.open, path, code: 2)) { _ = try InputFile(opening: path) }
        #expect(throws: FileError.self) { _ = try OutputFile(creatingAt: path, replacing: true) }
    }

    @Test("suffixes are compared by bytes")
    func suffixes() {
        #expect(FilePath("x.sxid").hasSuffix(".sxid"))
        #expect(!FilePath("sxid").hasSuffix(".sxid"))
        #expect(FilePath("x").appendingSuffix(".before") == "x.before")
    }
}
