import CryptoPrimitives
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import PortableBundle

/// The reading back goes on beside the writing: whichever of the two fails, the other stops, and no file is left.
@Suite("Proving a bundle while it is written")
struct ProofTests {
    private let folder = TemporaryFolder()
    private let key: SXBSecret
    private static let pieceLength = 1 << 18

    init() throws {
        key = try SampleBundle.key()
    }

    /// When something goes wrong.
    enum Moment: CaseIterable {
        case early, middle, late
    }

    /// Descriptors of this process for the file that is being written: the writer's, and the follower's.
    private func descriptors() -> (writing: Int32, reading: Int32) {
        var found: (writing: Int32, reading: Int32) = (-1, -1)
        for number in Int32(3)..<4096 {
            var target = [CChar](repeating: 0, count: 4096)
            let count = unsafe readlink("/proc/self/fd/\(number)", &target, target.count)
            guard count > 0 else { continue }
            let path = target[..<count].map { UInt8(bitPattern: $0) }
            guard path.starts(with: Array((folder.path + "/").utf8)) else { continue }
            let access = fcntl(number, F_GETFL) & O_ACCMODE
            if access == O_WRONLY { found.writing = number } else { found.reading = number }
        }
        return found
    }

    private func replace(_ descriptor: Int32, by path: String, _ flags: Int32) {
        let other = unsafe open(path, flags | O_CLOEXEC)
        precondition(other >= 0 && descriptor >= 0)
        dup2(other, descriptor)
        close(other)
    }

    /// Writes a bundle of `pieces` pieces that do not get shorter; gives its error, and how many pieces it took.
    private func write(
        pieces: Int, patience: Int = 0, failingAt moment: Moment, _ fail: ((writing: Int32, reading: Int32)) -> Void
    ) throws -> (error: SXBError?, taken: Int) {
        var writer = try SXBWriter(
            creatingAt: FilePath(folder.file("a.sxb")), recipients: [.publicKey(key.publicKey)])
        let descriptors = descriptors()
        let (manifest, piece) = (SampleBundle.manifest, Random.bytes(Self.pieceLength))
        var taken = 0
        do throws(SXBError) {
            if moment == .early { fail(descriptors) }
            try writer.add(EntryName.manifest, size: SampleBundle.manifest.count)
            try writer.write(manifest.span)
            try writer.add(Array("attachments/a".utf8), size: pieces * piece.count)
            for number in 0..<pieces {
                if moment == .middle, number == pieces / 2 { fail(descriptors) }
                try writer.write(piece.span)
                taken += 1
                if patience > 0 { usleep(UInt32(patience)) }
            }
            if moment == .late { fail(descriptors) }
            _ = try writer.finish()
            return (nil, taken)
        } catch {
            return (error, taken)
        }
    }

    @Test("a disk that gets full ends both sides with the writer's error", arguments: Moment.allCases)
    func fullDisk(_ moment: Moment) throws {
        let result = try write(pieces: 24, failingAt: moment) { replace($0.writing, by: "/dev/full", O_WRONLY) }
        guard case .file(let error) = result.error else {
            Issue.record("\(String(describing: result.error))")
            return
        }
        #expect(error.operation == .write && error.code == ENOSPC)
        #expect(folder.names.isEmpty)
    }

    @Test("a chunk that comes back changed is found, and the writing stops soon")
    func damage() throws {
        let zeros = folder.write("", to: "zeros")
        #expect(unsafe truncate(zeros, 1 << 40) == 0)
        let result = try write(pieces: 10_000, patience: 1000, failingAt: .early) {
            replace($0.reading, by: zeros, O_RDONLY)
        }
        guard case .chunkDamaged(let index, let offset) = result.error else {
            Issue.record("\(String(describing: result.error))")
            return
        }
        #expect(index == 0 && offset > 0)
        #expect(result.taken < 10_000)
        #expect(folder.names == ["zeros"])
    }

    @Test("a file that comes back shorter is no bundle", arguments: Moment.allCases)
    func shortened(_ moment: Moment) throws {
        let empty = folder.write("", to: "empty")
        let result = try write(pieces: 8, failingAt: moment) { replace($0.reading, by: empty, O_RDONLY) }
        guard case .truncated = result.error else {
            Issue.record("\(String(describing: result.error))")
            return
        }
        #expect(folder.names == ["empty"])
    }

    @Test("a header that was damaged after it was written is found at the end")
    func header() throws {
        let result = try write(pieces: 4, failingAt: .middle) { descriptors in
            let byte: [UInt8] = [0xFF]
            #expect(unsafe pwrite(descriptors.writing, byte, 1, 20) == 1)
        }
        #expect(result.error == .headerDamaged)
        #expect(folder.names.isEmpty)
    }

    @Test("giving up in the middle of it leaves nothing", arguments: [0, 1, 20])
    func givenUp(_ pieces: Int) throws {
        var writer = try SXBWriter(
            creatingAt: FilePath(folder.file("a.sxb")), recipients: [.publicKey(key.publicKey)])
        let manifest = SampleBundle.manifest
        try writer.add(EntryName.manifest, size: SampleBundle.manifest.count)
        try writer.write(manifest.span)
        try writer.add(Array("attachments/a".utf8), size: 30 * Self.pieceLength)
        let piece = Random.bytes(Self.pieceLength)
        for _ in 0..<pieces { try writer.write(piece.span) }
        _ = consume writer
        #expect(folder.names.isEmpty)
    }

    /// What a proof says of a file with one entry, when `entries` were to be in it.
    private func error(of entries: [SXBEntry], end: [UInt8] = RawArchive.end) throws -> SXBError? {
        let fileKey = try FileKey()
        let header = try RecipientList([.publicKey(key.publicKey)])
            .header(bundleID: Random.bytes(32), fileKey: fileKey)
        let beginning = try header.beginning(fileKey)
        var output = try OutputFile(creatingAt: FilePath(folder.file("b.sxb")))
        let input = try output.reopen()
        let followed = FollowedLength()
        var payload = try PayloadWriter(
            output: output, beginning: beginning, fileKey: fileKey, context: header.context, followed: followed)
        var proof = try BundleProof(of: input, from: beginning.count, following: followed, fileKey: fileKey, header)
        let archive = RawArchive.manifest + RawArchive.entry("a", [1, 2, 3]) + end
        try payload.write(archive.span)
        var written = try payload.finish()
        do throws(SXBError) {
            try proof.check(&written, fileKey, header, entries, nil)
            return nil
        } catch {
            return error
        }
    }

    @Test("the entries that come back are those that were written, in their order and no more")
    func entries() throws {
        let right = SXBEntry("a", size: 3)
        #expect(try error(of: [right]) == nil)
        #expect(try error(of: []) == .archive(.undeclared(right.name)))
        #expect(try error(of: [right, SXBEntry("b", size: 0)]) == .archive(.missing(Array("b".utf8))))
        #expect(try error(of: [SXBEntry("a", size: 4)]) == .archive(.size(name: right.name, declared: 4, found: 3)))
        #expect(try error(of: [right], end: []) == .archive(.truncated))
        #expect(try error(of: [right], end: RawArchive.end + [0]) == .archive(.trailingData))
    }
}
