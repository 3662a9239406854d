/// Why a request gets no result. Each is one word of the protocol, which `ImageHelper` of sxkey turns into a message.
enum PictureProblem: Error, Equatable {
    /// The first line is not the one of this protocol version.
    case badRequest
    /// The kernel refuses a limit or the filter of system calls: nothing is read then.
    case noSandbox
    /// Neither PNG nor JPEG.
    case unknownFormat
    /// The file ends before its picture does.
    case truncated
    /// It breaks the rules of its format.
    case damaged
    /// More pixels than `PictureLimits` allows.
    case tooLarge(width: Int, height: Int)
    /// Several pictures in one file, shown in turn.
    case animated
    /// A kind of its format that is not read here (lossless, hierarchical, 12 bits a sample).
    case unsupported
    /// More passes over the picture than any camera writes; they would cost minutes.
    case tooManyScans
    case outOfMemory

    var words: String {
        switch self {
        case .badRequest: "bad-request"
        case .noSandbox: "no-sandbox"
        case .unknownFormat: "unknown-format"
        case .truncated: "truncated"
        case .damaged: "damaged"
        case .tooLarge(let width, let height): "too-large \(width) \(height)"
        case .animated: "animated"
        case .unsupported: "unsupported"
        case .tooManyScans: "too-many-scans"
        case .outOfMemory: "out-of-memory"
        }
    }
}

/// What a picture may cost.
enum PictureLimits {
    /// Bytes of a file.
    static let fileSize = 32 << 20
    /// 64 Mi: above the 64 megapixels of phones. Four bytes each for the decoded picture, up to eight more for what a
    /// progressive JPEG keeps while it is decoded.
    static let pixels = 1 << 26
    /// Along one side; above it the coordinates of the QR reader overflow.
    static let side = 32_767
    /// Passes of a progressive JPEG. Encoders write about ten.
    static let scans = 64
    /// Bytes of address space of the whole process.
    static let memory = 1 << 30
    static let processorSeconds = 15
    /// Bytes of matrix text: 177 rows of 177 digits and a line feed.
    static let matrixText = 177 * 178
}
