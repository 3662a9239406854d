import SystemIO

/// The last 16 bytes of a bundle: a mark, the version, and the length of the file. Only accidents are told by it.
enum BundleTrailer {
    private static let mark = SXBFormat.trailerMagic + [UInt8(SXBFormat.version)]

    static func bytes(fileLength: Int) -> [UInt8] {
        mark + BigEndian.bytes(UInt64(fileLength), count: 8)
    }

    /// Errors: `.truncated`, `.trailingData`, `.trailerDamaged`.
    static func check(_ input: borrowing InputFile, length: Int) throws(SXBError) {
        let count = min(length, SXBFormat.trailerLength)
        let end = try BundleFileLayout.read(count, of: input, at: length - count)
        let isMarked = end.starts(with: mark)
        let said = BigEndian.number(end.suffix(8))
        if isMarked, end.count == SXBFormat.trailerLength {
            if said == UInt64(length) { return }
            if said > UInt64(length) { throw .truncated(expected: said, found: length) }
        } else if end.count == SXBFormat.trailerLength, said == UInt64(length) {
            throw .trailerDamaged
        }
        if let trueEnd = try find(in: input, length: length) {
            throw .trailingData(expected: trueEnd, found: length)
        }
        // A length that is too small, and no other trailer: bytes were put in, or the length was changed.
        throw isMarked ? .trailerDamaged : .truncated(expected: nil, found: length)
    }

    /// The end of a trailer further ahead that tells just its own place: the file was longer afterwards.
    private static func find(in input: borrowing InputFile, length: Int) throws(SXBError) -> Int? {
        var offset = 0
        while length - offset >= SXBFormat.trailerLength {
            let piece = try BundleFileLayout.read(min(pieceLength, length - offset), of: input, at: offset)
            if piece.count < SXBFormat.trailerLength { return nil }
            var index = 0
            let last = piece.count - SXBFormat.trailerLength
            while let found = nextMark(in: piece, from: index, through: last) {
                let end = offset + found + SXBFormat.trailerLength
                let number = BigEndian.number(piece[(found + mark.count)..<(found + SXBFormat.trailerLength)])
                if number == UInt64(end), end < length { return end }
                index = found + 1
            }
            offset += last + 1
        }
        return nil
    }

    private static let pieceLength = 1 << 20

    private static func nextMark(in piece: [UInt8], from start: Int, through last: Int) -> Int? {
        let bytes = piece.span
        var index = start
        while index <= last {
            if bytes[index] == mark[0], (1..<mark.count).allSatisfy({ bytes[index + $0] == mark[$0] }) { return index }
            index += 1
        }
        return nil
    }
}
