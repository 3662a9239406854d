import SQLiteDatabase

/// Where in a text the words of a query stand.
package struct SearchMarks {
    /// One word of a phrase, or one letter of a script without spaces.
    private struct Piece {
        let bytes: [UInt8]
        let isUnit: Bool
        /// Nothing is between it and the unit before it.
        let isJoined: Bool
        let isPrefix: Bool
    }

    private var tokenizer = TextTokenizer()
    private var phrases: [[Piece]] = []

    package init(_ query: SearchQuery) {
        for term in query.terms {
            let words = Words(term.text.span, &tokenizer)
            let last = words.tokens.count - 1
            phrases.append(
                words.tokens.indices.map { index in
                    Piece(
                        bytes: Array(words.bytes(index)), isUnit: words.tokens[index].isSingleUnit,
                        isJoined: words.isJoined(index),
                        isPrefix: index == last && term.isPrefix && !words.tokens[index].isSingleUnit)
                })
        }
    }

    /// The places of all words and phrases, in order, none of them in another; where a grapheme of several emoji is begun
    /// it is taken whole.
    package mutating func ranges(in text: Span<UInt8>) -> [Range<Int>] {
        let words = Words(text, &tokenizer)
        var found: [Range<Int>] = []
        for phrase in phrases where !phrase.isEmpty && phrase.count <= words.tokens.count {
            for start in 0...words.tokens.count - phrase.count where Self.matches(phrase, words, at: start) {
                let tokens = words.joinedSequence(around: start...start + phrase.count - 1, in: text)
                found.append(
                    words.tokens[tokens.lowerBound].source
                        .lowerBound..<words.tokens[tokens.upperBound].source.upperBound
                )
            }
        }
        found.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        var merged: [Range<Int>] = []
        for range in found {
            if let last = merged.last, range.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    private static func matches(_ phrase: [Piece], _ words: Words, at start: Int) -> Bool {
        for (offset, piece) in phrase.enumerated() {
            let index = start + offset
            let bytes = words.bytes(index)
            guard words.tokens[index].isSingleUnit == piece.isUnit,
                piece.isPrefix ? bytes.starts(with: piece.bytes) : bytes.elementsEqual(piece.bytes)
            else { return false }
            if offset > 0, piece.isUnit, words.isJoined(index) != piece.isJoined { return false }
        }
        return true
    }
}

/// All words of one text.
private struct Words {
    private(set) var tokens: [TextToken] = []
    private var all: [UInt8] = []

    init(_ text: Span<UInt8>, _ tokenizer: inout TextTokenizer) {
        tokenizer.begin(.marking)
        while tokenizer.step(text) {
            for token in tokenizer.tokens {
                let start = all.count
                all += tokenizer.bytes[token.bytes]
                tokens.append(
                    TextToken(bytes: start..<all.count, source: token.source, isSingleUnit: token.isSingleUnit))
            }
        }
    }

    func bytes(_ index: Int) -> ArraySlice<UInt8> { all[tokens[index].bytes] }

    /// Whether it is a unit right behind another one.
    func isJoined(_ index: Int) -> Bool {
        index > 0 && tokens[index].isSingleUnit && tokens[index - 1].isSingleUnit
            && tokens[index - 1].source.upperBound == tokens[index].source.lowerBound
    }

    /// The words with those that are joined to the first or the last of them by U+200D.
    func joinedSequence(around range: ClosedRange<Int>, in text: Span<UInt8>) -> ClosedRange<Int> {
        var (first, last) = (range.lowerBound, range.upperBound)
        while first > 0, endsWithJoiner(first - 1, text) { first -= 1 }
        while last + 1 < tokens.count, endsWithJoiner(last, text) { last += 1 }
        return first...last
    }

    private func endsWithJoiner(_ index: Int, _ text: Span<UInt8>) -> Bool {
        let end = tokens[index].source.upperBound
        guard index + 1 < tokens.count, tokens[index + 1].source.lowerBound == end, end >= 3 else { return false }
        return text[end - 3] == 0xE2 && text[end - 2] == 0x80 && text[end - 1] == 0x8D
    }
}
