import CryptoPrimitives
import TestSupport
import Testing

@testable import PortableBundle

@Suite("The compressed text of a bundle")
struct CompressionTests {
    private let folder = TemporaryFolder()
    private let bundle: RawBundle
    private static let archive = RawArchive.manifest + RawArchive.end

    init() throws {
        bundle = try RawBundle(folder.file("a.sxb"))
    }

    private func error(_ compressed: [UInt8]) throws -> SXBError? {
        try bundle.write(compressed: compressed)
        return bundle.error()
    }

    /// A frame of one raw block, made from the RFC.
    private static func stored(_ bytes: [UInt8], descriptor: UInt8 = 0, window: [UInt8] = [0x38], more: [UInt8] = [])
        -> [UInt8]
    {
        let head = bytes.count << 3 | 1
        return [0x28, 0xB5, 0x2F, 0xFD, descriptor] + window + more
            + (0..<3).map { UInt8(truncatingIfNeeded: head >> (8 * $0)) } + bytes
    }

    private static let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]

    @Test("may be one frame or several")
    func frames() throws {
        #expect(try error(Self.stored(Self.archive)) == nil)
        let parts = [Array(Self.archive[..<1]), Array(Self.archive[1..<700]), Array(Self.archive[700...])]
        #expect(try error(parts.flatMap { Self.stored($0) }) == nil)
    }

    @Test("has no window above 2^23, in any spelling of a frame's header")
    func window() throws {
        #expect(try error(Self.stored(Self.archive, window: [13 << 3])) == nil)
        #expect(try error(Self.stored(Self.archive, window: [13 << 3 | 1])) == .compression(.window))
        #expect(try error(Self.stored(Self.archive, window: [14 << 3])) == .compression(.window))
        #expect(try error(Self.stored(Self.archive, window: [0xFF])) == .compression(.window))
        // One segment, whose content is the window: 4 and 8 bytes of its size.
        #expect(
            try error(Self.stored(Self.archive, descriptor: 0xA0, window: [], more: [1, 0, 0x80, 0]))
                == .compression(.window))
        let huge = [UInt8](repeating: 0xFF, count: 7) + [0x7F]
        #expect(try error(Self.stored(Self.archive, descriptor: 0xE0, window: [], more: huge)) == .compression(.window))
    }

    @Test("needs no dictionary")
    func dictionary() throws {
        #expect(try error(Self.stored(Self.archive, descriptor: 1, more: [5])) == .compression(.dictionary))
        #expect(try error(Self.stored(Self.archive, descriptor: 3, more: [1, 2, 3, 4])) == .compression(.dictionary))
    }

    @Test("has nothing before, between or behind its frames")
    func otherFrames() throws {
        let frame = Self.stored(Self.archive)
        let half = Array(Self.archive[..<700])
        #expect(try error(Self.skippable + frame) == .compression(.notAFrame))
        #expect(try error(frame + Self.skippable) == .compression(.notAFrame))
        #expect(
            try error(Self.stored(half) + Self.skippable + Self.stored(Array(Self.archive[700...])))
                == .compression(.notAFrame))
        // The frame of zstd 0.7, one zero byte, and a text that is not compressed.
        #expect(try error([0x27, 0xB5, 0x2F, 0xFD] + frame.dropFirst(4)) == .compression(.notAFrame))
        #expect(try error(frame + [0]) == .compression(.notAFrame))
        #expect(try error(Self.archive) == .compression(.notAFrame))
        #expect(try error(frame + Self.stored([])) == .compression(.emptyFrame))
        #expect(try error(Self.stored([]) + frame) == .compression(.emptyFrame))
        #expect(try error(frame + Self.stored([1])) == .archive(.trailingData))
    }

    @Test("is not a frame that says another one lies in its header")
    func frameInFrame() throws {
        // libzstd decompresses a whole frame at once when it sees one; the inner one must not be taken for the outer.
        let inner = Self.stored(Self.archive, descriptor: 0x28 | 0x20, window: [], more: [0xB5])
        #expect(try error(Array(inner[..<4]) + Self.stored(Self.archive)) != nil)
    }

    @Test("ends with its last frame")
    func unfinished() throws {
        let frame = Self.stored(Self.archive)
        for count in 1..<12 {
            #expect(try error(Array(frame[..<count])) != nil, "\(count) bytes")
        }
        #expect(try error([]) == .compression(.unfinished))
        var open = frame
        open[6] &= 0xFE
        #expect(try error(open) == .compression(.unfinished))
    }

    @Test("has a checksum that counts")
    func checksum() throws {
        var frames = try FrameWriter()
        var text: [UInt8] = []
        let sink = { (bytes: UnsafeRawBufferPointer) throws(SXBError) in unsafe text.append(contentsOf: bytes) }
        try unsafe Self.archive.withUnsafeBytes { bytes in try unsafe frames.write(bytes, to: sink) }
        try unsafe frames.end(to: sink)
        #expect(try error(text) == nil)
        text[text.count - 1] ^= 1
        #expect(try error(text) == .compression(.checksum))
    }

    @Test("may repeat a byte without end, and is only read as far as the manifest says")
    func repetition() throws {
        // 128 KiB of zeros in each block of four bytes: 1 MiB of them would become 32 GiB.
        let zeros: [UInt8] = [0x02, 0x00, 0x10, 0x00]
        let start: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 0x38]
        let raw = Self.archive.count << 3
        let head = (0..<3).map { UInt8(truncatingIfNeeded: raw >> (8 * $0)) }
        let bomb = start + head + Self.archive + Array(repeating: zeros, count: 262_144).flatMap { $0 }
        #expect(try error(bomb) == .archive(.trailingData))
    }

    @Test("is never so much shorter that a reader would take it for a bomb")
    func ratio() throws {
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        func given(_ mebibytes: Int, free: Int) throws -> Int {
            var frames = try FrameWriter(free: free)
            var count = 0
            let sink = { (bytes: UnsafeRawBufferPointer) throws(SXBError) in count += bytes.count }
            for _ in 0..<mebibytes { try unsafe zeros.withUnsafeBytes { try unsafe frames.write($0, to: sink) } }
            try unsafe frames.end(to: sink)
            return count
        }
        #expect(try given(40, free: 0) >= 40 << 20 / 512)
        #expect(try given(40, free: 0) < 2 << 20)
        // What is free is half of what a reader gives away.
        #expect(try given(40, free: Int(SXBFormat.expansionFloor / 2)) < 40 << 10)
    }

    @Test("stores what does not get shorter and compresses the rest")
    func heuristics() throws {
        func length(_ pieces: [[UInt8]]) throws -> Int {
            var frames = try FrameWriter()
            var count = 0
            let sink = { (bytes: UnsafeRawBufferPointer) throws(SXBError) in count += bytes.count }
            for piece in pieces { try unsafe piece.withUnsafeBytes { try unsafe frames.write($0, to: sink) } }
            try unsafe frames.end(to: sink)
            return count
        }
        let dense = Random.bytes(1 << 20)
        let sparse = Array(repeating: Array("the same again ".utf8), count: 70_000).flatMap { $0 }
        // One frame: 6 bytes, 3 for each of 8 blocks, 3 for the last.
        #expect(try length([dense]) == dense.count + 33)
        #expect(try length([sparse]) < 2000)
        #expect(try length([dense, sparse, dense]) < 2 * dense.count + 3000)
        #expect(try length([[]]) == 0)
    }
}
