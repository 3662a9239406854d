import CZstd

/// Decompresses frames of Zstandard that follow one another (RFC 8878); nothing else may be between or behind them.
@safe
struct FrameReader: ~Copyable {
    private let decompressor: OpaquePointer
    /// Bytes of the frame that were read, counted as far as its header may go.
    private var frameBytes = 0
    /// Whether the frame gave any text.
    private var hasContent = false
    private var frames = 0

    private static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
    /// The longest header of a frame.
    private static let longestHeader = 18

    init() throws(SXBError) {
        guard let decompressor = unsafe ZSTD_createDCtx_advanced(ZstdMemory.functions) else { throw .library("zstd") }
        _ = unsafe ZSTD_DCtx_setParameter(
            decompressor, ZSTD_d_windowLogMax, Int32(SXBFormat.windowLogCeiling))
        unsafe self.decompressor = decompressor
    }

    deinit {
        unsafe ZSTD_freeDCtx(decompressor)
    }

    /// How far one step came in its input and its output.
    struct Step {
        let read: Int
        let written: Int
    }

    /// Reads some of `input` and writes text to `output`, as much as one step gives. To be called until the input is read
    /// and `output` was not filled.
    mutating func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(SXBError) -> Step {
        // The beginning of a frame goes in byte by byte: so its magic is seen before libzstd passes a skippable frame by, and
        // libzstd never decompresses a frame at once, for which it would not look at the window.
        var count = input.count
        if frameBytes < Self.longestHeader, count > 0 {
            count = 1
            if frameBytes < Self.magic.count, unsafe input[0] != Self.magic[frameBytes] {
                throw .compression(.notAFrame)
            }
        }
        var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: count, pos: 0)
        var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = unsafe ZSTD_decompressStream(decompressor, &target, &source)
        guard ZSTD_isError(result) == 0 else { throw .compression(Self.fault(result)) }
        let step = unsafe Step(read: source.pos, written: target.pos)
        frameBytes = min(frameBytes + step.read, Self.longestHeader)
        if step.written > 0 { hasContent = true }
        if result == 0, frameBytes > 0 {
            guard hasContent else { throw .compression(.emptyFrame) }
            frameBytes = 0
            hasContent = false
            frames = 1
        }
        return step
    }

    /// The input is over. Error: `.unfinished`.
    func end() throws(SXBError) {
        guard frameBytes == 0, frames > 0 else { throw .compression(.unfinished) }
    }

    private static func fault(_ result: Int) -> SXBCompressionFault {
        switch ZSTD_getErrorCode(result) {
        case ZSTD_error_frameParameter_windowTooLarge: .window
        case ZSTD_error_dictionary_wrong: .dictionary
        case ZSTD_error_checksum_wrong: .checksum
        case ZSTD_error_prefix_unknown: .notAFrame
        default: .malformed
        }
    }
}
