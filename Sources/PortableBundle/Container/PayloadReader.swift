import CryptoPrimitives
import Glibc
import SystemIO

/// Gives the bytes of the archive in a bundle: a second thread reads, decrypts and decompresses.
///
/// What is given out is authentic. The end is only reported when the payload was whole; errors come behind all bytes before
/// them, and stick.
@safe
struct PayloadReader: ~Copyable {
    private let ring: PieceRing
    private let memory: PieceMemory
    private let source: PayloadSource
    private var thread: WorkerThread?
    private var current: PieceRing.Piece?
    private var position = 0

    /// Errors: `.payloadForeign`, and a file error.
    init(_ layout: consuming BundleFileLayout, fileKey: borrowing FileKey) throws(SXBError) {
        let memory = try PieceMemory(pieces: PayloadWriter.pieces, length: PayloadWriter.pieceLength)
        let source = try PayloadSource(layout, key: fileKey.payloadKey())
        let ring = PieceRing(pieces: PayloadWriter.pieces)
        let thread = WorkerThread {
            source.run(ring, memory)
        }
        guard thread != nil else { throw .thread(code: EAGAIN) }
        self.ring = ring
        self.memory = memory
        self.source = source
        self.thread = thread
    }

    deinit {
        ring.stop()
    }

    /// Reads at least one byte and gives the number; 0 at the end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(SXBError) -> Int {
        guard buffer.count > 0 else { return 0 }
        if current == nil {
            current = ring.takeFull()
            position = 0
        }
        guard let piece = current else {
            if let thread = thread.take() { thread.join() }
            if let failure = source.failure { throw failure }
            return 0
        }
        let count = min(buffer.count, piece.count - position)
        let bytes = unsafe memory.piece(piece.number)[position..<(position + count)]
        unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes))
        position += count
        if position == piece.count {
            ring.give(empty: piece.number)
            current = nil
        }
        return count
    }

    /// Reads until `buffer` is full or the archive ends; gives the number of bytes.
    mutating func readFully(into buffer: UnsafeMutableRawBufferPointer) throws(SXBError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = try unsafe read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            if count == 0 { break }
            filled += count
        }
        return filled
    }
}

/// What the second thread does with the file. Only one thread has it at a time: that one while it runs, then the caller.
@safe
private final class PayloadSource: @unchecked Sendable {
    private let layout: BundleFileLayout
    private var chunks: ChunkOpener
    private var frames: FrameReader
    /// Sealed chunks as they are in the file.
    private let batch: PieceMemory
    /// Their text, one behind the other: libzstd is fastest when it sees whole blocks.
    private let texts: PieceMemory
    /// The piece of the archive that is being filled.
    private var piece: Int?
    private var filled = 0
    private(set) var failure: SXBError?

    init(_ layout: consuming BundleFileLayout, key: borrowing SecretBytes) throws(SXBError) {
        let prefix = try BundleFileLayout.read(
            ChunkedEncryption.prefixLength, of: layout.input, at: layout.payload.lowerBound)
        let context = layout.content.context
        do throws(ChunkedError) {
            chunks = try ChunkOpener(key: key, prefix: prefix.span, context: context.span)
        } catch .commitment {
            throw .payloadForeign
        } catch {
            throw .library("chunks")
        }
        frames = try FrameReader()
        batch = try PieceMemory(pieces: 1, length: ChunkStream.batch * ChunkedEncryption.sealedLength)
        texts = try PieceMemory(pieces: 1, length: ChunkStream.batch * ChunkedEncryption.chunkLength)
        self.layout = layout
    }

    func run(_ ring: PieceRing, _ memory: PieceMemory) {
        do throws(SXBError) {
            guard try readAll(ring, memory) else { return }
        } catch {
            failure = error
        }
        // Also before an error: what came is given out first.
        if let piece, filled > 0 { ring.give(full: piece, count: filled) }
        ring.end()
    }

    /// False when nobody wants the rest.
    private func readAll(_ ring: PieceRing, _ memory: PieceMemory) throws(SXBError) -> Bool {
        var offset = layout.payload.lowerBound + ChunkedEncryption.prefixLength
        var chunk = 0
        while offset < layout.payload.upperBound {
            let wanted = min(batch.length, layout.payload.upperBound - offset)
            let sealed = unsafe UnsafeMutableRawBufferPointer(rebasing: batch.piece(0)[..<wanted])
            let count: Int
            do throws(FileError) {
                count = try unsafe layout.input.readFully(into: sealed, at: offset)
            } catch {
                throw .file(error)
            }
            guard count == wanted else {
                throw .truncated(expected: UInt64(layout.length), found: offset + count)
            }
            var failure: SXBError?
            let length = unsafe open(UnsafeRawBufferPointer(sealed), chunk: chunk, at: offset, &failure)
            let text = unsafe UnsafeRawBufferPointer(rebasing: texts.piece(0)[..<length])
            guard try unsafe decompress(text, ring, memory) else { return false }
            if let failure { throw failure }
            chunk += ChunkStream.batch
            offset += count
        }
        do throws(ChunkedError) { try chunks.end() } catch { throw .truncated(expected: nil, found: layout.length) }
        try frames.end()
        return true
    }

    /// Opens chunks from number `chunk` on, which begin at byte `offset` of the file, and gives the length of their text. A
    /// chunk that is not authentic becomes `failure`; the text is then that of the chunks before it.
    private func open(
        _ sealed: UnsafeRawBufferPointer, chunk: Int, at offset: Int, _ failure: inout SXBError?
    ) -> Int {
        let target = unsafe texts.piece(0)
        var (place, length, number) = (0, 0, chunk)
        while place < sealed.count {
            let end = min(place + ChunkedEncryption.sealedLength, sealed.count)
            do throws(ChunkedError) {
                length += unsafe try chunks.open(
                    UnsafeRawBufferPointer(rebasing: sealed[place..<end]),
                    into: UnsafeMutableRawBufferPointer(rebasing: target[length...]))
            } catch {
                failure = .chunkDamaged(index: number, offset: offset + place)
                break
            }
            place = end
            number += 1
        }
        return length
    }

    private func decompress(
        _ text: UnsafeRawBufferPointer, _ ring: PieceRing, _ memory: PieceMemory
    ) throws(SXBError) -> Bool {
        var place = 0
        var isFull = false
        while place < text.count || isFull {
            if piece == nil {
                guard let empty = ring.takeEmpty() else { return false }
                piece = empty
                filled = 0
            }
            guard let number = piece else { return false }
            let step = try unsafe frames.step(
                UnsafeRawBufferPointer(rebasing: text[place...]),
                into: UnsafeMutableRawBufferPointer(rebasing: memory.piece(number)[filled...]))
            place += step.read
            filled += step.written
            isFull = filled == memory.length
            if isFull {
                ring.give(full: number, count: filled)
                piece = nil
            }
        }
        return true
    }
}
