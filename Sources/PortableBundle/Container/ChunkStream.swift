import CryptoPrimitives

/// Cuts a stream into chunks and seals them, many at a time.
@safe
struct ChunkStream: ~Copyable {
    private var sealer: ChunkSealer
    /// The chunk that is being filled.
    private let text: PieceMemory
    private var filled = 0
    /// Sealed chunks that are not given out yet.
    private let sealed: PieceMemory
    private var sealedLength = 0

    /// Chunks that are given out at once.
    static let batch = 64

    init(key: borrowing SecretBytes, context: [UInt8]) throws(SXBError) {
        let text = try PieceMemory(pieces: 1, length: ChunkedEncryption.chunkLength)
        let sealed = try PieceMemory(pieces: 1, length: Self.batch * ChunkedEncryption.sealedLength)
        let sealer: ChunkSealer
        do throws(ChunkedError) {
            sealer = try ChunkSealer(key: key, context: context.span)
        } catch {
            throw .library("chunks")
        }
        self.text = text
        self.sealed = sealed
        self.sealer = sealer
    }

    /// Salt and commitment, which stand before the chunks.
    var prefix: [UInt8] { sealer.prefix }

    mutating func write(
        _ bytes: UnsafeRawBufferPointer, to sink: (Span<UInt8>) throws(SXBError) -> Void
    ) throws(SXBError) {
        var place = 0
        while place < bytes.count {
            let rest = bytes.count - place
            if filled == 0, rest >= ChunkedEncryption.chunkLength {
                let end = place + ChunkedEncryption.chunkLength
                try unsafe seal(UnsafeRawBufferPointer(rebasing: bytes[place..<end]), to: sink)
                place = end
                continue
            }
            let count = min(rest, ChunkedEncryption.chunkLength - filled)
            let target = unsafe text.piece(0)
            unsafe UnsafeMutableRawBufferPointer(rebasing: target[filled..<(filled + count)])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[place..<(place + count)]))
            filled += count
            place += count
            if filled == ChunkedEncryption.chunkLength { try sealText(to: sink) }
        }
    }

    /// Seals the last, short chunk.
    mutating func end(to sink: (Span<UInt8>) throws(SXBError) -> Void) throws(SXBError) {
        try sealText(to: sink)
        try flush(to: sink)
    }

    private mutating func sealText(to sink: (Span<UInt8>) throws(SXBError) -> Void) throws(SXBError) {
        let count = filled
        filled = 0
        try unsafe seal(UnsafeRawBufferPointer(rebasing: text.piece(0)[..<count]), to: sink)
    }

    private mutating func seal(
        _ chunk: UnsafeRawBufferPointer, to sink: (Span<UInt8>) throws(SXBError) -> Void
    ) throws(SXBError) {
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: sealed.piece(0)[sealedLength...])
        do throws(ChunkedError) {
            sealedLength += unsafe try sealer.seal(chunk, into: target)
        } catch {
            throw .library("chunks")
        }
        if sealedLength + ChunkedEncryption.sealedLength > sealed.length { try flush(to: sink) }
    }

    private mutating func flush(to sink: (Span<UInt8>) throws(SXBError) -> Void) throws(SXBError) {
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: sealed.piece(0)[..<sealedLength])
        sealedLength = 0
        let typed = unsafe bytes.bindMemory(to: UInt8.self)
        try sink(unsafe typed.span)
    }
}
