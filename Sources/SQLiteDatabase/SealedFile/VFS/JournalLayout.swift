/// Where the segments of a journal begin, and what was last read or written of it: SQLite gives pieces, and what a piece
/// means follows from its place.
@safe
final class JournalLayout {
    /// Beginnings of segments, ascending.
    private var segments: [Int64] = []
    /// True when this connection writes the journal, so that what it has not finished is no damage.
    var isWriter = false

    /// The header that is in `header`, valid; -1 for none.
    var headerPlace: Int64 = -1
    let header = UnsafeMutableRawPointer.allocate(byteCount: JournalFormat.headerLength, alignment: 16)

    /// The page number that was written or read last, and where it stands.
    var number: UInt32 = 0
    var numberPlace: Int64 = -1

    /// Of the page that was written or read last: where it stands, what masks its checksum, and the sum of its bytes.
    var pagePlace: Int64 = -1
    var checksumMask: UInt32 = 0
    var checksumSum: UInt32 = 0

    deinit {
        unsafe header.deallocate()
    }

    /// A piece of the journal by its place.
    enum Piece {
        /// Inside of the header that begins at `segment`.
        case header(segment: Int64, offset: Int)
        case number, page, checksum
        /// Bytes inside of one of these, or before any header is known.
        case other
    }

    func piece(at place: Int64, count: Int32) -> Piece {
        guard let segment = segments.last(where: { $0 <= place }) else { return .other }
        let offset = place - segment
        if offset < Int64(JournalFormat.headerLength) { return .header(segment: segment, offset: Int(offset)) }
        switch ((offset - Int64(JournalFormat.headerLength)) % JournalFormat.recordLength, count) {
        case (0, 4): return .number
        case (4, Int32(SealedFormat.pageLength)): return .page
        case (JournalFormat.checksumPlace, 4): return .checksum
        default: return .other
        }
    }

    func isSegment(_ place: Int64) -> Bool { segments.last(where: { $0 <= place }) == place }

    /// The segment that the record with a piece at `place` belongs to.
    func segment(of place: Int64) -> Int64? { segments.last(where: { $0 <= place }) }

    func add(_ place: Int64) {
        if let last = segments.last, last >= place {
            if !segments.contains(place) {
                segments.append(place)
                segments.sort()
            }
        } else {
            segments.append(place)
        }
    }

    /// A new journal begins.
    func restart() {
        segments.removeAll(keepingCapacity: true)
        headerPlace = -1
        numberPlace = -1
        pagePlace = -1
    }
}
