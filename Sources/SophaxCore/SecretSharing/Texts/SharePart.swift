import CryptoPrimitives

/// One piece of a share's text as a QR code holds it: `SXKEY-SHARE part/parts tag piece`. Format: sxkey-formats(5).
package final class SharePart: Sendable {
    /// The longest line; a QR code of version 18 holds it with error correction M.
    package static let longestLine = 560
    package static let maximumParts = 99
    static let mark = Array("SXKEY-SHARE ".utf8)
    static let tagLength = 8
    /// So far a cut may move to the left.
    private static let slack = 16

    /// From 1.
    let number: Int
    let count: Int
    /// The first hex digits of SHA-256 of the whole text.
    let tag: [UInt8]
    let piece: SecretBytes

    private init(number: Int, count: Int, tag: [UInt8], piece: consuming SecretBytes) {
        self.number = number
        self.count = count
        self.tag = tag
        self.piece = piece
    }

    /// The lines that a text is cut into, as few as possible and about equally long. No piece begins or ends with a blank, which
    /// a reader of codes might take off, unless there are 16 of them in a row.
    package static func lines(of text: borrowing SecretBytes) throws(SecretMemoryError) -> [ShareText] {
        // Mark, "99/99 ", tag and a blank.
        let room = longestLine - mark.count - 6 - tagLength - 1 - slack
        let count = max(1, (text.count + room - 1) / room)
        let tag = text.withSpan { Self.tag(of: $0) }
        var lines: [ShareText] = []
        var start = 0
        for number in 1...count {
            let end = number == count ? text.count : cut(text, near: text.count * number / count)
            let head = mark + Array("\(number)/\(count) ".utf8) + tag + [0x20]
            let line = try SecretBytes(copying: head.span).appending(text.slice(start..<end))
            lines.append(ShareText(line))
            start = end
        }
        return lines
    }

    private static func cut(_ text: borrowing SecretBytes, near place: Int) -> Int {
        text.withSpan { text in
            let places = stride(from: place, to: max(place - slack, 1), by: -1)
            return places.first { !isBlank(text[$0 - 1]) && !isBlank(text[$0]) } ?? place
        }
    }

    static func tag(of text: Span<UInt8>) -> [UInt8] {
        Array(Hex.encode(SHA256.hash(text).span).utf8.prefix(tagLength))
    }

    /// The longest word that may stand before a part.
    private static let longestPrefix = 24

    /// Where a part begins in a line: at its beginning, or behind a word that ends in a colon.
    static func start(in line: Span<UInt8>) -> Int? {
        if isLikely(line) { return 0 }
        for place in 1..<max(1, min(line.count, longestPrefix)) where line[place - 1] == UInt8(ascii: ":") {
            if isLikely(line.extracting(droppingFirst: place)) { return place }
        }
        return nil
    }

    /// Whether a line begins as a part does.
    static func isLikely(_ line: Span<UInt8>) -> Bool {
        line.count >= mark.count && mark.indices.allSatisfy { line[$0] == mark[$0] }
    }

    /// Reads a line; nil when it is no part.
    static func read(_ line: Span<UInt8>) throws(SecretMemoryError) -> SharePart? {
        guard isLikely(line), line.count <= longestLine else { return nil }
        var place = mark.count
        guard let number = number(line, &place, end: UInt8(ascii: "/")),
            let count = Self.number(line, &place, end: 0x20), (1...maximumParts).contains(count),
            (1...count).contains(number), line.count > place + tagLength + 1, line[place + tagLength] == 0x20
        else { return nil }
        let tag = (place..<place + tagLength).map { line[$0] }
        guard tag.allSatisfy({ HexDigit.value($0) != nil }) else { return nil }
        let piece = try SecretBytes(copying: line.extracting(place + tagLength + 1..<line.count))
        return SharePart(number: number, count: count, tag: tag, piece: piece)
    }

    private static func number(_ line: Span<UInt8>, _ place: inout Int, end: UInt8) -> Int? {
        var (value, digits) = (0, 0)
        while place < line.count, digits < 3 {
            let byte = line[place]
            place += 1
            if byte == end { return digits > 0 ? value : nil }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
            digits += 1
        }
        return nil
    }
}
