import CryptoPrimitives
import Glibc
import SystemIO

/// Takes the bytes of the archive and makes a file of them: a second thread compresses, encrypts and writes.
///
/// Bytes go round in a few pieces of a mebibyte, so memory does not grow with the bundle. The first error sticks.
@safe
struct PayloadWriter: ~Copyable {
    static let pieceLength = 1 << 20
    static let pieces = 4

    private let ring: PieceRing
    private let memory: PieceMemory
    private let sink: PayloadSink
    private var thread: WorkerThread?
    /// The piece that is being filled, and how far.
    private var current: Int?
    private var filled = 0

    /// Writes `beginning` to `output` and then the payload; `followed` is told how far the payload was written.
    init(
        output: consuming OutputFile, beginning: [UInt8], fileKey: borrowing FileKey, context: [UInt8],
        followed: FollowedLength? = nil
    ) throws(SXBError) {
        let memory = try PieceMemory(pieces: Self.pieces, length: Self.pieceLength)
        let sink = try PayloadSink(
            output: output, beginning: beginning, key: fileKey.payloadKey(), context: context, followed: followed)
        let ring = PieceRing(pieces: Self.pieces)
        let thread = WorkerThread {
            sink.run(ring, memory)
        }
        guard thread != nil else { throw .thread(code: EAGAIN) }
        self.ring = ring
        self.memory = memory
        self.sink = sink
        self.thread = thread
    }

    deinit {
        ring.stop()
    }

    /// Opens the file for reading, before the first `write`: the other thread has nothing to do yet.
    func reopen() throws(SXBError) -> InputFile {
        try sink.reopen()
    }

    mutating func write(_ bytes: Span<UInt8>) throws(SXBError) {
        try unsafe bytes.withUnsafeBytes { (source) throws(SXBError) in
            var place = 0
            while place < source.count {
                let piece: Int
                if let current { piece = current } else { piece = try takePiece() }
                let count = min(source.count - place, Self.pieceLength - filled)
                unsafe memory.piece(piece)[filled..<(filled + count)].copyBytes(
                    from: source[place..<(place + count)])
                filled += count
                place += count
                if filled == Self.pieceLength { handOver(piece) }
            }
        }
    }

    /// Waits until all is written, and gives the file, which has no name yet, and its length.
    consuming func finish() throws(SXBError) -> WrittenFile {
        if let current { handOver(current) }
        ring.end()
        if let thread = thread.take() { thread.join() }
        return try sink.result()
    }

    private mutating func handOver(_ piece: Int) {
        ring.give(full: piece, count: filled)
        current = nil
        filled = 0
    }

    private mutating func takePiece() throws(SXBError) -> Int {
        if let piece = ring.takeEmpty() {
            current = piece
            return piece
        }
        // The other thread stopped, so it has an error.
        if let thread = thread.take() { thread.join() }
        throw sink.failure ?? .notProven
    }
}

/// What the second thread does with the archive. Only one thread has it at a time: that one while it runs, then the caller.
private final class PayloadSink: @unchecked Sendable {
    private var output: OutputFile?
    private var frames: FrameWriter
    private var chunks: ChunkStream
    private var length: Int
    /// Up to where the kernel was asked to write to the disk.
    private var written = 0
    private let followed: FollowedLength?
    private(set) var failure: SXBError?

    private static let writebackLength = 16 << 20

    init(
        output: consuming OutputFile, beginning: [UInt8], key: borrowing SecretBytes, context: [UInt8],
        followed: FollowedLength?
    ) throws(SXBError) {
        let frames = try FrameWriter()
        let chunks = try ChunkStream(key: key, context: context)
        let prefix = chunks.prefix
        self.frames = frames
        self.chunks = chunks
        self.output = consume output
        self.followed = followed
        length = 0
        try write(beginning)
        try write(prefix)
    }

    func run(_ ring: PieceRing, _ memory: PieceMemory) {
        do throws(SXBError) {
            while let piece = ring.takeFull() {
                try unsafe frames.write(UnsafeRawBufferPointer(rebasing: memory.piece(piece.number)[..<piece.count])) {
                    (bytes) throws(SXBError) in try unsafe take(bytes)
                }
                ring.give(empty: piece.number)
            }
            unsafe try frames.end { (bytes) throws(SXBError) in try unsafe take(bytes) }
            try chunks.end { (sealed) throws(SXBError) in
                try write(sealed)
                followed?.advance(to: length)
            }
            followed?.end()
            try write(BundleTrailer.bytes(fileLength: length + SXBFormat.trailerLength))
        } catch {
            failure = error
            ring.stop()
            followed?.stop()
        }
    }

    func reopen() throws(SXBError) -> InputFile {
        do throws(FileError) {
            if let input = try output?.reopen() { return input }
        } catch {
            throw .file(error)
        }
        throw .notProven
    }

    func result() throws(SXBError) -> WrittenFile {
        if let failure { throw failure }
        guard let output = output.take() else { throw .notProven }
        return WrittenFile(output: output, length: length)
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws(SXBError) {
        try unsafe chunks.write(bytes) { (sealed) throws(SXBError) in
            try write(sealed)
            followed?.advance(to: length)
        }
    }

    private func write(_ bytes: [UInt8]) throws(SXBError) {
        try write(bytes.span)
    }

    private func write(_ bytes: Span<UInt8>) throws(SXBError) {
        do throws(FileError) {
            try output?.writeUnbuffered(bytes)
        } catch {
            throw .file(error)
        }
        length += bytes.count
        if length - written > Self.writebackLength {
            written = length
            output?.beginWriteback()
        }
    }
}
