import Glibc
import TestSupport
import Testing

@testable import SystemIO

@Suite("Output files")
struct OutputFileTests {
    private let folder = TemporaryFolder()

    private func contents(_ name: String) throws -> [UInt8] {
        var file = try InputFile(opening: FilePath(folder.file(name)))
        return try file.readAll(limit: 10_000_000)
    }

    @Test("a new file has its bytes and only then its name", arguments: [false, true], [false, true])
    func create(namedOnly: Bool, replacing: Bool) throws {
        let bytes = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var file = try OutputFile(
            creatingAt: FilePath(folder.file("new")), replacing: replacing, notSameAs: [], namedOnly: namedOnly)
        try file.write(Array(bytes[..<3]))
        try file.write(Array(bytes[3..<300_003]))
        for byte in bytes[300_003..<300_103] { try file.write([byte]) }
        try file.write(Array(bytes[300_103...]))
        #expect(!folder.names.contains("new"))
        try file.commit()
        #expect(folder.names == ["new"])
        #expect(try contents("new") == bytes)
        #expect(try fileStatus(at: FilePath(folder.file("new"))).permissions == 0o600)
    }

    @Test("what was written so far can be read before there is a name", arguments: [false, true])
    func reopen(namedOnly: Bool) throws {
        let bytes = (0..<300_001).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var file = try OutputFile(
            creatingAt: FilePath(folder.file("new")), replacing: false, notSameAs: [], namedOnly: namedOnly)
        try file.write(bytes)
        file.beginWriteback()
        var input = try file.reopen()
        #expect(try input.read(upTo: 5, at: 299_999) == Array(bytes[299_999...]))
        #expect(try input.read(upTo: 5, at: 300_001) == [])
        #expect(try input.read(upTo: 3, at: 7) == Array(bytes[7..<10]))
        // Reading elsewhere does not move the place of the other form.
        #expect(try input.readAll(limit: 1_000_000) == bytes)
        try file.write([1])
        try file.commit()
        #expect(try contents("new") == bytes + [1])
    }

    @Test("what goes out of scope leaves nothing", arguments: [false, true])
    func discard(namedOnly: Bool) throws {
        do {
            var file = try OutputFile(
                creatingAt: FilePath(folder.file("new")), replacing: false, notSameAs: [], namedOnly: namedOnly)
            try file.write([UInt8](repeating: 1, count: 300_000))
            #expect(folder.names.count == (namedOnly ? 1 : 0))
        }
        #expect(folder.names.isEmpty)
    }

    @Test("an existing file is refused at once and stays as it is")
    func exists() throws {
        folder.write("old", to: "file")
        let path = FilePath(folder.file("file"))
        #expect(kind { _ = try OutputFile(creatingAt: path) } == .exists)
        #expect(try contents("file") == Array("old".utf8))
        #expect(folder.names == ["file"])
    }

    @Test("a file that somebody made meanwhile is not replaced", arguments: [false, true])
    func race(namedOnly: Bool) throws {
        let path = FilePath(folder.file("file"))
        var file = try OutputFile(creatingAt: path, replacing: false, notSameAs: [], namedOnly: namedOnly)
        try file.write("new")
        folder.write("theirs", to: "file")
        do {
            try file.commit()
            Issue.record("committed over another file")
        } catch {
            #expect(error.kind == .exists)
        }
        #expect(try contents("file") == Array("theirs".utf8))
        #expect(folder.names == ["file"])
    }

    @Test("replacing keeps the old bytes until the commit, and narrows the permissions", arguments: [false, true])
    func replace(namedOnly: Bool) throws {
        let old = folder.write("old", to: "file")
        chmod(old, 0o644)
        var file = try OutputFile(creatingAt: FilePath(old), replacing: true, notSameAs: [], namedOnly: namedOnly)
        try file.write("new")
        #expect(try contents("file") == Array("old".utf8))
        try file.commit()
        #expect(try contents("file") == Array("new".utf8))
        #expect(try fileStatus(at: FilePath(old)).permissions == 0o600)
        #expect(folder.names == ["file"])
    }

    @Test("a link is replaced, what it points to is not touched")
    func link() throws {
        folder.write("target", to: "target")
        symlink("target", folder.file("link"))
        var file = try OutputFile(creatingAt: FilePath(folder.file("link")), replacing: true)
        try file.write("new")
        try file.commit()
        #expect(try contents("target") == Array("target".utf8))
        #expect(try contents("link") == Array("new".utf8))
    }

    @Test("a dangling link counts as an existing file")
    func danglingLink() throws {
        symlink("nowhere", folder.file("link"))
        #expect(kind { _ = try OutputFile(creatingAt: FilePath(folder.file("link"))) } == .exists)
    }

    @Test("an output is never an input, under whatever name")
    func sameAsInput() throws {
        let input = FilePath(folder.write("input", to: "input"))
        Glibc.link(folder.file("input"), folder.file("hard"))
        symlink("input", folder.file("soft"))
        let identity = try InputFile(opening: input).identity
        for name in ["input", "hard", "soft", "../\(input.parent.lastComponent.text)/input"] {
            for replacing in [false, true] {
                let path = FilePath(folder.file(name))
                #expect(
                    kind { _ = try OutputFile(creatingAt: path, replacing: replacing, notSameAs: [identity]) }
                        == .sameAsInput)
            }
        }
        #expect(try contents("input") == Array("input".utf8))
    }

    @Test("folders, devices and names of no file are refused")
    func refusals() throws {
        _ = folder.makeFolder("sub")
        func refusal(_ path: String) -> FileError.Kind? {
            kind { _ = try OutputFile(creatingAt: FilePath(path), replacing: true) }
        }
        #expect(refusal(folder.file("sub")) == .isFolder)
        #expect(refusal(folder.file("sub/")) == .isFolder)
        #expect(refusal(folder.file("new/")) == .isFolder)
        #expect(refusal(folder.file(".")) == .isFolder)
        #expect(refusal(folder.file("..")) == .isFolder)
        #expect(refusal("/") == .isFolder)
        #expect(refusal("") == .notFound)
        #expect(refusal("/dev/null") == .notRegular)
        #expect(refusal(folder.file("none/file")) == .notFound)
    }

    @Test("the longest name is 255 bytes, and the hidden name does not make it shorter", arguments: [false, true])
    func longName(namedOnly: Bool) throws {
        let longest = String(repeating: "\u{1f600}", count: 63) + "abc"
        let file = try OutputFile(
            creatingAt: FilePath(folder.file(longest)), replacing: true, notSameAs: [], namedOnly: namedOnly)
        try file.commit()
        #expect(folder.names == [longest])
        let path = FilePath(folder.file(longest + "d"))
        #expect(failure { _ = try OutputFile(creatingAt: path) }?.code == ENAMETOOLONG)
    }

    @Test("the permissions do not depend on the umask", arguments: ["000", "022", "777"], ["unnamed", "named"])
    func umask(mask: String, way: String) throws {
        let result = ChildProcess.run(
            ["sh", "-c", "umask \(mask); exec \"$0\" output \"$1\" \(way)", Probe.path, folder.file("f")])
        #expect(result.status == 0)
        #expect(try fileStatus(at: FilePath(folder.file("f"))).permissions == 0o600)
    }

    private static let canMount =
        ChildProcess.has("unshare")
        && ChildProcess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "x", "/mnt"]).status == 0

    @Test(
        "a full disk is an error and leaves the folder as it was", .enabled(if: canMount, "needs unshare and mount"),
        arguments: ["unnamed", "named"])
    func fullDisk(way: String) {
        // 64 KiB of disk, 300,000 bytes of file; an older file of this name must survive.
        let script = """
            mount -t tmpfs -o size=64k,nr_inodes=20 small "$1" && printf old > "$1/file" || exit 99
            "$0" output "$1/file" \(way); echo "status $?"; ls -A "$1"; cat "$1/file"
            """
        let result = ChildProcess.run(["unshare", "-rm", "sh", "-c", script, Probe.path, folder.path])
        #expect(result.outputText == "status 1\nfile\nold")
        #expect(result.errorText == "write noSpace no space left on the device\n")
    }

    @Test("after an error every further call throws it again")
    func sticking() throws {
        // The file is one that cannot grow: the limit makes the kernel say EFBIG, once its signal is ignored.
        let script = """
            trap '' XFSZ; ulimit -f 100; "$0" output "$1/file"; echo "status $?"; ls -A "$1"
            """
        let result = ChildProcess.run(["sh", "-c", script, Probe.path, folder.path])
        #expect(result.outputText == "status 1\n")
        #expect(result.errorText == "write other file too large\n")
    }
}
