import SystemIO

/// The lines of a file, one after the other; memory holds the longest of them.
struct FileLines: ~Copyable {
    /// A line, without its end.
    enum Line {
        case text([UInt8])
        /// Longer than any that is read; stepped over.
        case tooLong
    }

    /// Bytes of the longest line that is read: the largest message of a store has room.
    static let maximumLength = 256 << 20
    private static let pieceSize = 1 << 20

    private var input: InputFile
    private var piece: [UInt8] = []
    private var position = 0
    private var hasEnded = false
    /// Of the line that was given last, counted from 1.
    private(set) var number = 0
    /// The last line had no end: the file may have been cut.
    private(set) var isCut = false
    /// Bytes that were taken from the file so far.
    private(set) var bytes = 0
    private let limit: Int

    init(_ path: FilePath, limit: Int = FileLines.maximumLength) throws(FileError) {
        input = try InputFile(opening: path)
        self.limit = limit
    }

    /// The next line; nil at the end. A carriage return before the line feed belongs to the end of the line.
    mutating func next() throws(FileError) -> Line? {
        var line: [UInt8] = []
        var isTooLong = false
        while true {
            if position == piece.count {
                guard try refill() else {
                    guard !line.isEmpty || isTooLong else { return nil }
                    isCut = true
                    break
                }
            }
            let end = piece[position...].firstIndex(of: 0x0A)
            let rest = position..<(end ?? piece.count)
            if line.count + rest.count > limit { isTooLong = true }
            if isTooLong { line.removeAll() } else { line += piece[rest] }
            position = end.map { $0 + 1 } ?? piece.count
            if end != nil { break }
        }
        number += 1
        if isTooLong { return .tooLong }
        if line.last == 0x0D { line.removeLast() }
        return .text(line)
    }

    private mutating func refill() throws(FileError) -> Bool {
        guard !hasEnded else { return false }
        var next = [UInt8](repeating: 0, count: Self.pieceSize)
        let count = try input.fill(&next)
        if count < next.count {
            hasEnded = true
            next.removeLast(next.count - count)
        }
        bytes += count
        piece = next
        position = 0
        return count > 0
    }
}
