import CZstd
import CryptoPrimitives

/// Compresses a stream into frames of Zstandard (RFC 8878), and stores what does not get shorter.
///
/// Pictures and films are most of a bundle and do not get shorter: trying costs more time than encrypting them. So each
/// piece is judged by samples, and a dense one goes into a frame of raw blocks, which any reader of Zstandard takes.
@safe
struct FrameWriter: ~Copyable {
    private enum State {
        case between, compressing, storing
    }

    private let compressor: OpaquePointer
    private let sampler: OpaquePointer
    private var output: SecretBytes
    private var state = State.between
    /// Bytes of text that were taken, beyond those that may be given as little as one wants, and that were given.
    private var excess: Int
    private var given = 0

    static let level: Int32 = 1
    private static let outputLength = 1 << 17

    /// A frame with a window of 128 KiB, of unknown length, without checksum or dictionary (RFC 8878, 3.1.1.1).
    private static let storedFrameStart: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38]
    /// The longest block, and no longer than that window.
    private static let blockLength = 1 << 17
    /// An empty raw block that is the last.
    private static let storedFrameEnd: [UInt8] = [0x01, 0x00, 0x00]

    /// Makes of the text, but for its first `free` bytes, at least one byte of 512: a reader takes no more than 1024.
    init(free: Int = Int(SXBFormat.expansionFloor / 2)) throws(SXBError) {
        let output: SecretBytes
        do throws(SecretMemoryError) {
            output = try SecretBytes(count: Self.outputLength)
        } catch {
            throw .memory(error)
        }
        guard let compressor = unsafe ZSTD_createCCtx_advanced(ZstdMemory.functions) else { throw .library("zstd") }
        guard let sampler = unsafe ZSTD_createCCtx_advanced(ZstdMemory.functions) else {
            unsafe ZSTD_freeCCtx(compressor)
            throw .library("zstd")
        }
        _ = unsafe ZSTD_CCtx_setParameter(compressor, ZSTD_c_compressionLevel, Self.level)
        _ = unsafe ZSTD_CCtx_setParameter(compressor, ZSTD_c_checksumFlag, 1)
        self.output = output
        excess = -free
        unsafe self.compressor = compressor
        unsafe self.sampler = sampler
    }

    deinit {
        unsafe ZSTD_freeCCtx(compressor)
        unsafe ZSTD_freeCCtx(sampler)
    }

    /// Writes the next piece of the stream, best a mebibyte; what comes out goes to `sink`.
    mutating func write(
        _ piece: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws(SXBError) -> Void
    ) throws(SXBError) {
        guard unsafe !piece.isEmpty else { return }
        excess += piece.count
        if unsafe isThin || isDense(piece) {
            if state == .compressing { try unsafe endFrame(to: sink) }
            if state == .between { try unsafe Self.put(Self.storedFrameStart, to: sink) }
            state = .storing
            try unsafe store(piece, to: sink)
        } else {
            if state == .storing { try unsafe endFrame(to: sink) }
            state = .compressing
            try unsafe compress(piece, ZSTD_e_continue, to: sink)
        }
    }

    /// The text is so repetitive that a reader would take it for a bomb: some of it is stored.
    private var isThin: Bool { excess / Int(SXBFormat.expansion / 2) > given }

    /// Ends the stream.
    mutating func end(to sink: (UnsafeRawBufferPointer) throws(SXBError) -> Void) throws(SXBError) {
        try unsafe endFrame(to: sink)
    }

    private mutating func endFrame(
        to sink: (UnsafeRawBufferPointer) throws(SXBError) -> Void
    ) throws(SXBError) {
        switch state {
        case .between: break
        case .compressing: try unsafe compress(UnsafeRawBufferPointer(start: nil, count: 0), ZSTD_e_end, to: sink)
        case .storing: try unsafe Self.put(Self.storedFrameEnd, to: sink)
        }
        state = .between
    }

    private mutating func compress(
        _ piece: UnsafeRawBufferPointer, _ directive: ZSTD_EndDirective,
        to sink: (UnsafeRawBufferPointer) throws(SXBError) -> Void
    ) throws(SXBError) {
        var input = unsafe ZSTD_inBuffer(src: piece.baseAddress, size: piece.count, pos: 0)
        let compressor = unsafe self.compressor
        try unsafe output.withUnsafeMutableBytes { (target) throws(SXBError) in
            var isDone = false
            while !isDone {
                var out = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
                let rest = unsafe ZSTD_compressStream2(compressor, &out, &input, directive)
                guard ZSTD_isError(rest) == 0 else { throw .library("zstd") }
                given += unsafe out.pos
                if unsafe out.pos > 0 { try unsafe sink(UnsafeRawBufferPointer(rebasing: target[..<out.pos])) }
                unsafe isDone = directive == ZSTD_e_end ? rest == 0 : input.pos == input.size
            }
        }
    }

    private mutating func store(
        _ piece: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws(SXBError) -> Void
    ) throws(SXBError) {
        var place = 0
        while place < piece.count {
            let count = min(Self.blockLength, piece.count - place)
            // Not the last block, type raw, and its size (RFC 8878, 3.1.1.2), little-endian.
            let head = count << 3
            let bytes = (0..<3).map { UInt8(truncatingIfNeeded: head >> (8 * $0)) }
            try unsafe Self.put(bytes, to: sink)
            try unsafe sink(UnsafeRawBufferPointer(rebasing: piece[place..<(place + count)]))
            given += count
            place += count
        }
    }

    private static func put(
        _ bytes: [UInt8], to sink: (UnsafeRawBufferPointer) throws(SXBError) -> Void
    ) throws(SXBError) {
        let span = bytes.span
        try unsafe span.withUnsafeBytes { (raw) throws(SXBError) in try unsafe sink(raw) }
    }

    private static let sampleLength = 1 << 14

    /// Whether samples of the piece get shorter by less than a sixteenth.
    private mutating func isDense(_ piece: UnsafeRawBufferPointer) -> Bool {
        let length = min(Self.sampleLength, piece.count)
        // A few bytes are compressed at no cost worth mentioning, and a frame of its own would cost more.
        guard piece.count >= Self.sampleLength / 4 else { return state == .storing }
        let sampler = unsafe self.sampler
        let end = piece.count - length
        // The middle first: a file of its own kind may begin or end at the others.
        let places = piece.count < 4 * length ? [0] : [end / 2, 0, end]
        var total = 0
        for place in places {
            let size = unsafe output.withUnsafeMutableBytes { target in
                let sample = unsafe UnsafeRawBufferPointer(rebasing: piece[place..<(place + length)])
                return unsafe ZSTD_compressCCtx(
                    sampler, target.baseAddress, target.count, sample.baseAddress, length, Self.level)
            }
            total += ZSTD_isError(size) == 0 ? min(size, length) : length
            // Text: no need to look further.
            if total < length / 4 * 3 { return false }
        }
        return total >= length * places.count / 16 * 15
    }
}
