/// The segments of a JPEG file (ITU-T T.81, annex B), looked at before a decoder sees them.
struct JPEGFile {
    let width: Int
    let height: Int
    /// The file up to the end of its picture, without comments and what applications put in (Exif, thumbnails, profiles).
    let essence: [UInt8]

    static let signature: [UInt8] = [0xFF, 0xD8, 0xFF]

    /// `bytes` begin with the signature.
    init(_ bytes: [UInt8]) throws(PictureProblem) {
        var essence: [UInt8] = [0xFF, 0xD8]
        essence.reserveCapacity(bytes.count)
        var size: (width: Int, height: Int)?
        var scans = 0
        var position = 2
        segments: while true {
            // Strict: where a decoder would look for the next marker among garbage, it might find another picture.
            guard position < bytes.count else { throw .truncated }
            guard bytes[position] == 0xFF else { throw .damaged }
            while position < bytes.count, bytes[position] == 0xFF { position += 1 }
            guard position < bytes.count else { throw .truncated }
            let marker = bytes[position]
            position += 1
            if marker == Marker.endOfImage { break }
            guard !Marker.standsAlone(marker), marker != 0 else { throw .damaged }
            guard bytes.count - position >= 2 else { throw .truncated }
            let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
            guard length >= 2 else { throw .damaged }
            guard length <= bytes.count - position else { throw .truncated }
            let end = position + length
            switch marker {
            case Marker.startOfFrames where !Marker.otherInFrameRange.contains(marker):
                guard size == nil else { throw .damaged }
                size = try Self.frame(marker, bytes[position + 2..<end])
            case Marker.startOfScan:
                guard size != nil else { throw .damaged }
                scans += 1
                guard scans <= PictureLimits.scans else { throw .tooManyScans }
            case Marker.hierarchical, Marker.lineCount: throw .unsupported
            default: break
            }
            if Marker.isKept(marker) { essence += [0xFF, marker] + bytes[position..<end] }
            position = end
            if marker == Marker.startOfScan {
                let scanEnd = try Self.endOfScan(bytes, from: end)
                essence += bytes[end..<scanEnd]
                position = scanEnd
            }
        }
        guard let size, scans > 0 else { throw .damaged }
        width = size.width
        height = size.height
        self.essence = essence + [0xFF, Marker.endOfImage]
    }

    /// The size in a frame header; precision, height, width and the number of components come first.
    private static func frame(_ marker: UInt8, _ header: ArraySlice<UInt8>) throws(PictureProblem) -> (Int, Int) {
        guard Marker.readFrames.contains(marker) else { throw .unsupported }
        let start = header.startIndex
        guard header.count >= 6 else { throw .damaged }
        guard header[start] == 8 else { throw .unsupported }
        let height = Int(header[start + 1]) << 8 | Int(header[start + 2])
        let width = Int(header[start + 3]) << 8 | Int(header[start + 4])
        guard header.count == 6 + 3 * Int(header[start + 5]), width > 0 else { throw .damaged }
        // The height comes after the first scan then.
        guard height > 0 else { throw .unsupported }
        guard [1, 3, 4].contains(header[start + 5]) else { throw .unsupported }
        return (width, height)
    }

    /// The place of the next marker after the compressed data, in which FF is followed by 00 or a restart marker.
    private static func endOfScan(_ bytes: [UInt8], from start: Int) throws(PictureProblem) -> Int {
        var position = start
        while position < bytes.count {
            guard bytes[position] == 0xFF, position + 1 < bytes.count else {
                position += 1
                continue
            }
            let next = bytes[position + 1]
            if next == 0 || Marker.restarts.contains(next) {
                position += 2
            } else if next == 0xFF {
                position += 1
            } else {
                return position
            }
        }
        throw .truncated
    }

    private enum Marker {
        static let startOfFrames: ClosedRange<UInt8> = 0xC0...0xCF
        /// Huffman tables, a reserved one and arithmetic conditioning.
        static let otherInFrameRange: Set<UInt8> = [0xC4, 0xC8, 0xCC]
        /// Baseline, extended sequential and progressive, with Huffman codes.
        static let readFrames: Set<UInt8> = [0xC0, 0xC1, 0xC2]
        static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
        static let endOfImage: UInt8 = 0xD9
        static let startOfScan: UInt8 = 0xDA
        static let lineCount: UInt8 = 0xDC
        static let hierarchical: UInt8 = 0xDE

        /// Restarts, a second start of image, and the temporary marker have no length after them.
        static func standsAlone(_ marker: UInt8) -> Bool {
            marker == 0x01 || restarts.contains(marker) || marker == 0xD8
        }

        /// Of the application segments the decoder gets only the two that say how colours are meant (JFIF, Adobe).
        static func isKept(_ marker: UInt8) -> Bool {
            let isApplication = (0xE0...0xEF).contains(marker)
            return isApplication ? marker == 0xE0 || marker == 0xEE : marker != 0xFE
        }
    }
}
