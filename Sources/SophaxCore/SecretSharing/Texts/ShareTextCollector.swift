import CryptoPrimitives

/// Finds shares in what people give: files as they were written, printed pages, texts that a phone scanned from QR codes,
/// and typed words.
///
/// Where an input has lines between `-----BEGIN SXKEY SHARE-----` and the line that ends it, these count and nothing else
/// does. Else its lines that begin with `SXKEY-SHARE` do, which are put together across all inputs. Else all of it does: JSON,
/// or words, of which there is a share a line where each line has enough of them, or a share a paragraph, or one.
package struct ShareTextCollector {
    /// As long as a list of shares may be.
    package static let maximumInput = IdentityShare.maximumListText
    /// Lines of one input, but for JSON, which may have as many as it likes: some 30 pages of words for each of 255 shares.
    package static let maximumLines = 20_000
    /// Parts of QR codes, and texts that are not cut, in all inputs.
    package static let maximumPieces = 10_000
    package static let begin = Array("-----BEGIN SXKEY SHARE-----".utf8)
    package static let end = Array("-----END SXKEY SHARE-----".utf8)

    private var found: [ShareText] = []
    private var parts: [(part: SharePart, source: Int)] = []

    package init() {}

    /// Takes what one input has; `source` counts the inputs.
    package mutating func add(_ input: borrowing SecretBytes, source: Int) throws(ShareTextError) {
        guard input.count <= Self.maximumInput else {
            throw .tooLarge(found: input.count, ceiling: Self.maximumInput)
        }
        let texts: [ShareText]
        let newParts: [SharePart]
        (texts, newParts) = try input.withSpan { text throws(ShareTextError) in
            // Some editors write a byte order mark.
            let hasMark = text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF
            let text = hasMark ? text.extracting(droppingFirst: 3) : text
            let lines = TextLines(text, limit: Self.maximumLines)
            guard !lines.areMore else {
                guard Self.isJSON(text) else { throw .tooManyLines(limit: Self.maximumLines) }
                return ([try Self.copy(text, source)], [])
            }
            if let blocks = try Self.blocks(text, lines, source) { return (blocks, []) }
            if let parts = try Self.parts(text, lines) { return ([], parts) }
            return (try Self.whole(text, lines, source), [])
        }
        guard found.count + texts.count + parts.count + newParts.count <= Self.maximumPieces else {
            throw .tooManyPieces(limit: Self.maximumPieces)
        }
        found += texts
        parts += newParts.map { ($0, source) }
    }

    /// All texts, in the order of the inputs.
    /// - Throws: what is wrong with the parts of a QR code, and the input that the first of them is in.
    package consuming func finish() throws(ShareTextProblem) -> [ShareText] {
        var texts = found
        var tags: [[UInt8]] = []
        var byTag: [[UInt8]: [(part: SharePart, source: Int)]] = [:]
        for part in parts {
            if byTag[part.part.tag] == nil { tags.append(part.part.tag) }
            byTag[part.part.tag, default: []].append(part)
        }
        for tag in tags {
            let parts = byTag[tag] ?? []
            do throws(ShareTextError) {
                texts.append(try Self.joined(parts))
            } catch {
                throw ShareTextProblem(error: error, source: parts[0].source)
            }
        }
        return texts.enumerated().sorted { ($0.element.source, $0.offset) < ($1.element.source, $1.offset) }
            .map(\.element)
    }

    private static func joined(_ parts: [(part: SharePart, source: Int)]) throws(ShareTextError) -> ShareText {
        let first = parts[0].part
        var byNumber: [Int: SharePart] = [:]
        for (part, _) in parts {
            // Codes are scanned twice easily; that does no harm.
            if let known = byNumber[part.number], !known.piece.isEqual(to: part.piece) {
                throw .contradictoryParts(tag: part.tag, part: part.number)
            }
            guard part.count == first.count else { throw .contradictoryParts(tag: part.tag, part: part.number) }
            byNumber[part.number] = part
        }
        let missing = (1...first.count).filter { byNumber[$0] == nil }
        guard missing.isEmpty else { throw .missingParts(tag: first.tag, missing: missing, of: first.count) }
        let text: SecretBytes
        do throws(SecretMemoryError) {
            text = try pieces((1...first.count).compactMap { byNumber[$0] })
        } catch {
            throw .memory(error)
        }
        guard text.withSpan({ SharePart.tag(of: $0) }) == first.tag else { throw .damagedParts(tag: first.tag) }
        return ShareText(text, source: parts[0].source)
    }

    private static func pieces(_ parts: [SharePart]) throws(SecretMemoryError) -> SecretBytes {
        var text = try SecretBytes(count: 0)
        for part in parts { text = try text.appending(part.piece) }
        return text
    }

    // MARK: - One input

    /// What stands in blocks; nil when there is none.
    private static func blocks(
        _ text: Span<UInt8>, _ lines: TextLines, _ source: Int
    ) throws(ShareTextError) -> [ShareText]? {
        var blocks: [ShareText] = []
        // The first line behind the mark.
        var open: Int?
        for (number, line) in lines.ranges.enumerated() {
            if isEqual(line, begin, text) {
                guard open == nil else { throw .openBlock }
                open = number + 1
            } else if let start = open, isEqual(line, end, text) {
                let inside = lines.ranges[start..<number]
                let first = inside.first { !$0.isEmpty }.map { text[$0.lowerBound] }
                // JSON was folded anywhere, words between words.
                let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
                blocks.append(try joined(Array(inside), text, separator: isJSON ? [] : [0x20], source))
                open = nil
            }
        }
        guard open == nil else { throw .openBlock }
        return blocks.isEmpty ? nil : blocks
    }

    /// The parts of QR codes; nil when no line is one.
    private static func parts(_ text: Span<UInt8>, _ lines: TextLines) throws(ShareTextError) -> [SharePart]? {
        var parts: [SharePart] = []
        for (number, whole) in lines.ranges.enumerated() {
            // Programs that read codes write what they have read behind a word of their own, as "QR-Code:".
            guard let start = SharePart.start(in: text.extracting(whole)) else { continue }
            let line = (whole.lowerBound + start)..<whole.upperBound
            guard parts.count < maximumPieces else { throw .tooManyPieces(limit: maximumPieces) }
            do throws(SecretMemoryError) {
                if let part = try SharePart.read(text.extracting(line)) {
                    parts.append(part)
                    continue
                }
            } catch {
                throw .memory(error)
            }
            throw .badPart(line: number + 1)
        }
        return parts.isEmpty ? nil : parts
    }

    /// JSON as it is; words a share a line, a share a paragraph, or one.
    private static func whole(
        _ text: Span<UInt8>, _ lines: TextLines, _ source: Int
    ) throws(ShareTextError) -> [ShareText] {
        guard lines.ranges.contains(where: { !$0.isEmpty }) else { throw .empty }
        if isJSON(text) { return [try copy(text, source)] }
        let filled = lines.ranges.filter { !$0.isEmpty && text[$0.lowerBound] != UInt8(ascii: "#") }
        func isShare(_ lines: [Range<Int>]) -> Bool {
            lines.reduce(0) { $0 + WordShare.countWords(in: text.extracting($1)) } >= WordShare.wordCounts.lowerBound
        }
        if !filled.isEmpty, filled.allSatisfy({ isShare([$0]) }) {
            guard filled.count <= maximumPieces else { throw .tooManyPieces(limit: maximumPieces) }
            var shares: [ShareText] = []
            for line in filled { shares.append(try copy(text.extracting(line), source)) }
            return shares
        }
        let paragraphs = lines.ranges.split { $0.isEmpty }.map { lines in
            lines.filter { text[$0.lowerBound] != UInt8(ascii: "#") }
        }
        .filter { !$0.isEmpty }
        let groups = paragraphs.allSatisfy { isShare($0) } ? paragraphs : [filled]
        var shares: [ShareText] = []
        for group in groups { shares.append(try joined(group, text, separator: [0x20], source)) }
        return shares
    }

    // MARK: - Pieces

    private static func isJSON(_ text: Span<UInt8>) -> Bool {
        let start = text.indices.first { !isBlank(text[$0]) }.map { text[$0] }
        return start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
    }

    private static func isEqual(_ line: Range<Int>, _ wanted: [UInt8], _ text: Span<UInt8>) -> Bool {
        line.count == wanted.count && wanted.indices.allSatisfy { text[line.lowerBound + $0] == wanted[$0] }
    }

    private static func copy(_ text: Span<UInt8>, _ source: Int) throws(ShareTextError) -> ShareText {
        do throws(SecretMemoryError) {
            return ShareText(try SecretBytes(copying: text), source: source)
        } catch {
            throw .memory(error)
        }
    }

    private static func joined(
        _ lines: [Range<Int>], _ text: Span<UInt8>, separator: [UInt8], _ source: Int
    ) throws(ShareTextError) -> ShareText {
        let length = lines.reduce(0) { $0 + $1.count + separator.count }
        var whole: SecretBytes
        do throws(SecretMemoryError) { whole = try SecretBytes(count: length) } catch { throw .memory(error) }
        whole.withMutableSpan { whole in
            var place = 0
            for line in lines {
                for index in line {
                    whole[place] = text[index]
                    place += 1
                }
                for byte in separator {
                    whole[place] = byte
                    place += 1
                }
            }
        }
        return ShareText(whole, source: source)
    }
}

/// The lines of a text, without the blanks at their ends; the first ones of a text that has more than a limit.
private struct TextLines {
    private(set) var ranges: [Range<Int>] = []
    private(set) var areMore = false

    init(_ text: Span<UInt8>, limit: Int) {
        var start = 0
        for index in 0...text.count where index == text.count || text[index] == 0x0A || text[index] == 0x0D {
            guard ranges.count < limit else {
                areMore = true
                return
            }
            var (first, end) = (start, index)
            while first < end, isBlank(text[first]) { first += 1 }
            while end > first, isBlank(text[end - 1]) { end -= 1 }
            ranges.append(first..<end)
            start = index + 1
        }
    }
}
