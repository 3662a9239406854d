import SystemIO

/// Bytes that come one piece after the other: what was read already, then the rest of the file.
struct CaptureSource: ~Copyable {
    static let pieceSize = 1 << 20

    private var input: InputFile
    private(set) var piece: [UInt8]
    var position = 0
    private var hasEnded = false

    init(_ input: consuming InputFile) throws(FileError) {
        self.input = input
        piece = try self.input.read(upTo: Self.pieceSize)
        hasEnded = piece.count < Self.pieceSize
        if piece.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Bytes that are there without reading on.
    var ahead: ArraySlice<UInt8> { piece[position...] }

    /// Whether `ahead` is all there is.
    var isWhole: Bool { hasEnded }

    /// Puts a text in the place of everything.
    mutating func replace(with text: [UInt8]) {
        piece = text
        position = 0
        hasEnded = true
    }

    /// All the rest, which stays ahead; more than `limit` bytes is `.tooLarge`.
    mutating func readAll(limit: Int) throws(FileError) -> [UInt8] {
        var rest = Array(ahead)
        if !hasEnded {
            guard rest.count <= limit else { throw FileError(.read, input.path, .tooLarge(limit: limit)) }
            do throws(FileError) {
                rest += try input.readAll(limit: limit - rest.count)
            } catch {
                guard case .tooLarge = error.kind else { throw error }
                throw FileError(.read, input.path, .tooLarge(limit: limit))
            }
        }
        replace(with: rest)
        return rest
    }

    /// The next piece; false at the end.
    mutating func advance() throws(FileError) -> Bool {
        guard !hasEnded else { return false }
        piece = try input.read(upTo: Self.pieceSize)
        hasEnded = piece.count < Self.pieceSize
        position = 0
        return !piece.isEmpty
    }

    enum Line {
        case text([UInt8])
        case tooLong
    }

    /// The next line without its end; nil at the end of the file.
    mutating func line(limit: Int) throws(FileError) -> Line? {
        var line: [UInt8] = []
        var isTooLong = false
        while true {
            if position == piece.count, try !advance() {
                guard !line.isEmpty || isTooLong else { return nil }
                break
            }
            let end = piece[position...].firstIndex(of: 0x0A)
            let rest = position..<(end ?? piece.count)
            if line.count + rest.count > limit { isTooLong = true }
            if isTooLong { line.removeAll() } else { line += piece[rest] }
            position = end.map { $0 + 1 } ?? piece.count
            if end != nil { break }
        }
        if isTooLong { return .tooLong }
        if line.last == 0x0D { line.removeLast() }
        return .text(line)
    }
}
