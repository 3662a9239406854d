import Glibc
import TestSupport
import Testing

@testable import SystemIO

@Suite("Input files")
struct InputFileTests {
    private let folder = TemporaryFolder()

    @Test("a folder, a missing file and a file in no folder are three different errors")
    func refusals() {
        let inside = FilePath(folder.write([1], to: "f")).appending("x")
        #expect(kind { _ = try InputFile(opening: FilePath(folder.path)) } == .isFolder)
        #expect(kind { _ = try InputFile(opening: FilePath(folder.file("none"))) } == .notFound)
        #expect(kind { _ = try InputFile(opening: inside) } == .notFolder)
    }

    @Test("a file that may not be read is refused", .enabled(if: ChildProcess.has("setpriv") || geteuid() != 0))
    func unreadable() {
        let path = folder.write([1], to: "secret")
        chmod(path, 0)
        guard geteuid() == 0 else {
            #expect(kind { _ = try InputFile(opening: FilePath(path)) } == .permissionDenied)
            return
        }
        // Root may read everything; so another user tries to write a file into this folder.
        let result = ChildProcess.run(
            ["setpriv", "--reuid=65534", "--clear-groups", Probe.path, "output", folder.file("new")])
        #expect(result.errorText.contains("permissionDenied") || result.status == 126 || result.status == 127)
    }

    @Test("a whole file is read up to exactly the limit", arguments: [0, 1, 65_535, 65_536, 65_537, 300_000])
    func limits(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let path = FilePath(folder.write(bytes, to: "f"))
        var file = try InputFile(opening: path)
        #expect(file.size == count)
        #expect(try file.readAll(limit: count) == bytes)
        var second = try InputFile(opening: path)
        #expect(try second.readAll(limit: .max) == bytes)
        guard count > 0 else { return }
        var third = try InputFile(opening: path)
        let error = failure { _ = try third.readAll(limit: count - 1) }
        #expect(error == FileError(.read, path, .tooLarge(limit: count - 1)))
    }

    @Test("an endless device stops at the limit")
    func endless() throws {
        var file = try InputFile(opening: "/dev/zero")
        #expect(file.size == nil)
        #expect(failure { _ = try file.readAll(limit: 200_000) }?.kind == .tooLarge(limit: 200_000))
    }

    @Test("a file of the kernel that says it is empty is read all the same")
    func procFile() throws {
        var file = try InputFile(opening: "/proc/self/status")
        #expect(file.size == 0)
        #expect(try file.readAll(limit: 1_000_000).starts(with: Array("Name:".utf8)))
    }

    @Test("reading to the full goes over the pieces of a pipe and stops at its end")
    func pipePieces() throws {
        let (reading, writing) = makePipe()
        let writer = startWriter(writing, pieces: [[1, 2], [3], Array(repeating: 4, count: 100_000)])
        var file = try InputFile(descriptor: reading, path: "fd")
        var start = [UInt8](repeating: 0, count: 3)
        let count = try start.withUnsafeMutableBytes { try file.readFully(into: $0) }
        #expect(count == 3 && start == [1, 2, 3])
        #expect(try file.readAll(limit: 100_000).count == 100_000)
        pthread_join(writer, nil)
    }

    @Test("a named pipe without a writer is an error after the time to wait")
    func noWriter() {
        let path = FilePath(folder.file("fifo"))
        mkfifo(folder.file("fifo"), 0o600)
        let error = failure { _ = try InputFile(opening: path, writerPatienceMilliseconds: 60) }
        #expect(error == FileError(.open, path, .noWriter(seconds: 0)))
        #expect(InputFile.writerPatienceSeconds == 5)
        #expect(
            FileError(.open, path, .noWriter(seconds: 5)).reason
                == "nobody opened this named pipe for writing within 5 seconds")
    }

    @Test("a named pipe whose writer is silent at first is waited for", arguments: [0, 200])
    func silentWriter(milliseconds: UInt32) throws {
        let name = folder.file("fifo")
        mkfifo(name, 0o600)
        // Opened for reading as well, so that the opening does not wait for the reader.
        let both = open(name, O_RDWR)
        let writing = open(name, O_WRONLY | O_NONBLOCK)
        if milliseconds == 0 { _ = write(writing, [9, 8, 7] as [UInt8], 3) }
        let writer = startWriter(writing, pieces: milliseconds == 0 ? [] : [[9], [8, 7]], after: milliseconds)
        // The writer holds the pipe open from before the first look at it.
        var file = try InputFile(opening: FilePath(name), writerPatienceMilliseconds: 10)
        close(both)
        let bytes = try file.readAll(limit: 10)
        #expect(bytes == [9, 8, 7])
        pthread_join(writer, nil)
    }

    @Test("a writer that comes while we wait is in time, also one that writes nothing")
    func lateWriter() throws {
        for pieces in [[[5, 6]], []] as [[[UInt8]]] {
            let name = folder.file("fifo\(pieces.count)")
            mkfifo(name, 0o600)
            let writer = startThread {
                usleep(100_000)
                let writing = open(name, O_WRONLY)
                for piece in pieces { _ = write(writing, piece, piece.count) }
                close(writing)
            }
            var file = try InputFile(opening: FilePath(name), writerPatienceMilliseconds: 20_000)
            #expect(try file.readAll(limit: 10) == pieces.first ?? [])
            pthread_join(writer, nil)
        }
    }

    @Test("an unnamed pipe by its name in /dev/fd is read at once, also when it is empty and its writer gone")
    func processSubstitution() throws {
        let (reading, writing) = makePipe()
        close(writing)
        var file = try InputFile(opening: FilePath("/dev/fd/\(reading)"), writerPatienceMilliseconds: 10)
        #expect(try file.readAll(limit: 10).isEmpty)
        close(reading)
    }

    @Test("one file has one identity, whatever it is called")
    func identity() throws {
        let first = FilePath(folder.write([1], to: "a"))
        link(folder.file("a"), folder.file("b"))
        symlink("a", folder.file("c"))
        let other = FilePath(folder.write([1], to: "d"))
        let own = try InputFile(opening: first).identity
        #expect(try InputFile(opening: FilePath(folder.file("b"))).identity == own)
        #expect(try InputFile(opening: FilePath(folder.file("c"))).identity == own)
        #expect(try InputFile(opening: other).identity != own)
    }

    @Test("who may read a file is known")
    func permissions() throws {
        let path = folder.write([1], to: "a")
        #expect(try !InputFile(opening: FilePath(path)).status.isReadableByOthers)
        chmod(path, 0o644)
        #expect(try InputFile(opening: FilePath(path)).status.isReadableByOthers)
        #expect(try InputFile(opening: FilePath(path)).status.permissions == 0o644)
    }
}
