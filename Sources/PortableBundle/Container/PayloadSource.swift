import CryptoPrimitives
import SystemIO

/// Decrypts and decompresses the payload in a file, on the caller's thread, in its order.
///
/// What it gives is authentic. Errors come behind all bytes before them, and stick.
@safe
struct PayloadSource: ~Copyable {
    /// Where the payload ends.
    enum End {
        /// At this byte of the file.
        case at(Int)
        /// Where the writer of the file says in the end.
        case followed(FollowedLength)
    }

    private let input: InputFile
    private let end: End
    private var chunks: ChunkOpener
    private var frames: FrameReader
    /// Sealed chunks as they are in the file.
    private let batch: PieceMemory
    /// Their text, one behind the other: libzstd is fastest when it sees whole blocks.
    private let texts: PieceMemory
    /// What libzstd did not see yet of `texts`.
    private var text = 0..<0
    /// libzstd filled what it was given, and may have more.
    private var isFull = false
    /// Where the next batch begins in the file.
    private(set) var offset: Int
    private var chunk = 0
    private var failure: SXBError?

    /// The payload in `input` that begins at byte `start`; `batch` is the number of chunks that are read at once.
    ///
    /// Errors: `.payloadForeign`, and a file error.
    init(
        _ input: consuming InputFile, from start: Int, to end: End, key: borrowing SecretBytes, context: [UInt8],
        batch count: Int = ChunkStream.batch
    ) throws(SXBError) {
        let prefix = try BundleFileLayout.read(ChunkedEncryption.prefixLength, of: input, at: start)
        let opener: ChunkOpener
        do throws(ChunkedError) {
            opener = try ChunkOpener(key: key, prefix: prefix.span, context: context.span)
        } catch .commitment {
            throw .payloadForeign
        } catch {
            throw .library("chunks")
        }
        let reader = try FrameReader()
        let sealed = try PieceMemory(pieces: 1, length: count * ChunkedEncryption.sealedLength)
        let opened = try PieceMemory(pieces: 1, length: count * ChunkedEncryption.chunkLength)
        offset = start + ChunkedEncryption.prefixLength
        batch = sealed
        texts = opened
        chunks = opener
        frames = reader
        self.end = end
        self.input = input
    }

    /// Fills `target`; gives fewer bytes only at the end and before an error, none when there are no more.
    mutating func fill(_ target: UnsafeMutableRawBufferPointer) throws(SXBError) -> Int {
        var filled = 0
        do throws(SXBError) {
            while filled < target.count {
                if text.isEmpty, !isFull {
                    if let failure { throw failure }
                    guard try readBatch() else { break }
                }
                let step = try unsafe frames.step(
                    UnsafeRawBufferPointer(rebasing: texts.piece(0)[text]),
                    into: UnsafeMutableRawBufferPointer(rebasing: target[filled...]))
                text = (text.lowerBound + step.read)..<text.upperBound
                filled += step.written
                isFull = filled == target.count
            }
        } catch {
            failure = error
            text = 0..<0
            isFull = false
            guard filled > 0 else { throw error }
        }
        return filled
    }

    /// False at the end, which is right then.
    private mutating func readBatch() throws(SXBError) -> Bool {
        let wanted = try end(of: offset + batch.length) - offset
        guard wanted > 0 else {
            do throws(ChunkedError) { try chunks.end() } catch { throw .truncated(expected: fileLength, found: offset) }
            try frames.end()
            return false
        }
        let sealed = unsafe UnsafeMutableRawBufferPointer(rebasing: batch.piece(0)[..<wanted])
        let count: Int
        do throws(FileError) {
            count = try unsafe input.readFully(into: sealed, at: offset)
        } catch {
            throw .file(error)
        }
        guard count == wanted else { throw .truncated(expected: fileLength, found: offset + count) }
        unsafe open(UnsafeRawBufferPointer(sealed))
        offset += count
        return true
    }

    /// `place`, or the end of the payload before it. Waits until the bytes before are there.
    private func end(of place: Int) throws(SXBError) -> Int {
        switch end {
        case .at(let end): return min(place, end)
        case .followed(let length):
            // The writer gave up, so that nobody wants to know.
            guard let end = length.wait(for: place) else { throw .notProven }
            return end
        }
    }

    /// Of the whole file, when it is known.
    private var fileLength: UInt64? {
        switch end {
        case .at(let end): UInt64(end + SXBFormat.trailerLength)
        case .followed: nil
        }
    }

    /// Opens the chunks that begin at `offset`. One that is not authentic becomes `failure`; the text is then that of the
    /// chunks before it.
    private mutating func open(_ sealed: UnsafeRawBufferPointer) {
        let target = unsafe texts.piece(0)
        var (place, length) = (0, 0)
        while place < sealed.count {
            let end = min(place + ChunkedEncryption.sealedLength, sealed.count)
            do throws(ChunkedError) {
                length += unsafe try chunks.open(
                    UnsafeRawBufferPointer(rebasing: sealed[place..<end]),
                    into: UnsafeMutableRawBufferPointer(rebasing: target[length...]))
            } catch {
                failure = .chunkDamaged(index: chunk, offset: offset + place)
                break
            }
            place = end
            chunk += 1
        }
        text = 0..<length
    }
}
