import SQLiteDatabase

/// What somebody typed to search for: words, which all must be there, `"phrases"`, `prefix*` and `-without`.
///
/// Every text is a query. Whatever is none of these, such as quotes that do not close, `AND`, `NEAR(`, colons and brackets,
/// is text to look for; nothing of it is an operator of FTS5.
package struct SearchQuery: Sendable {
    /// A word, or words that follow one another.
    package struct Term: Hashable, Sendable {
        /// Its text as typed, with spaces for what must not come to FTS5: NUL and quotes.
        package let text: [UInt8]
        /// The last word may go on.
        package let isPrefix: Bool
    }

    /// Of longer texts only the beginning is looked for. No command line and no person gets there.
    package static let maximumLength = 1 << 20

    package private(set) var terms: [Term] = []
    /// None of these may be there.
    package private(set) var excluded: [Term] = []

    /// Takes any bytes; UTF-8 is looked for.
    package init(_ typed: [UInt8]) {
        var parser = SearchQueryParser(typed.prefix(Self.maximumLength))
        var tokenizer = TextTokenizer()
        var seen: Set<Term> = []
        var seenExcluded: Set<Term> = []
        while let part = parser.next() {
            var last: TextToken?
            tokenizer.all(of: part.text.span, for: .query) { token, _ in last = token }
            guard let last else { continue }
            // A letter alone of a script without spaces is the beginning of the pairs that it is in.
            let term = Term(text: part.text, isPrefix: part.isPrefix || last.isSingleUnit)
            if part.isExcluded {
                if seenExcluded.insert(term).inserted { excluded.append(term) }
            } else if seen.insert(term).inserted {
                terms.append(term)
            }
        }
        // Everything but these is no search; who types "-5" looks for a 5.
        if terms.isEmpty { swap(&terms, &excluded) }
    }

    /// True when there is no word in it: punctuation alone is in no index.
    package var isEmpty: Bool { terms.isEmpty }

    /// The same as an expression of FTS5 (sqlite.org/fts5.html, section 3); nil for an empty query.
    package var expression: [UInt8]? {
        guard !isEmpty else { return nil }
        var result = Self.joined(terms, " AND ")
        if !excluded.isEmpty {
            result = Array("(".utf8) + result + Array(") NOT (".utf8) + Self.joined(excluded, " OR ")
            result.append(UInt8(ascii: ")"))
        }
        return result
    }

    private static func joined(_ terms: [Term], _ word: String) -> [UInt8] {
        var result: [UInt8] = []
        for term in terms {
            if !result.isEmpty { result += word.utf8 }
            result.append(UInt8(ascii: "\""))
            result += term.text
            result.append(UInt8(ascii: "\""))
            if term.isPrefix { result += " *".utf8 }
        }
        return result
    }
}

/// Takes what was typed apart.
private struct SearchQueryParser {
    struct Part {
        var text: [UInt8]
        var isPrefix = false
        var isExcluded = false
    }

    private static let space = UInt8(ascii: " ")
    private static let quote = UInt8(ascii: "\"")
    private static let star = UInt8(ascii: "*")
    private static let minus = UInt8(ascii: "-")

    /// With one kind of space and of quotes.
    private let bytes: [UInt8]
    private var place = 0

    init(_ typed: ArraySlice<UInt8>) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(typed.count)
        var place = typed.startIndex
        while place < typed.endIndex {
            let rest = typed[place...]
            if typed[place] <= Self.space || typed[place] == 0x7F {
                bytes.append(Self.space)
                place += 1
            } else if let length = Self.lengthOfSpace(rest) {
                bytes.append(Self.space)
                place += length
            } else if Self.isTypographicQuote(rest) {
                bytes.append(Self.quote)
                place += 3
            } else {
                bytes.append(typed[place])
                place += 1
            }
        }
        self.bytes = bytes
    }

    mutating func next() -> Part? {
        while place < bytes.count, bytes[place] == Self.space { place += 1 }
        guard place < bytes.count else { return nil }
        var part = Part(text: [])
        if bytes[place] == Self.minus, place + 1 < bytes.count, bytes[place + 1] != Self.space {
            part.isExcluded = true
            place += 1
        }
        if bytes[place] == Self.quote, let end = endOfPhrase(from: place + 1) {
            part.text = Array(bytes[place + 1..<end])
            place = end + 1
            while place < bytes.count, bytes[place] == Self.star {
                part.isPrefix = true
                place += 1
            }
        } else {
            let end = bytes[place...].firstIndex(of: Self.space) ?? bytes.count
            var text = bytes[place..<end]
            while text.last == Self.star {
                part.isPrefix = true
                text.removeLast()
            }
            part.text = Array(text)
            place = end
        }
        for index in part.text.indices where part.text[index] == Self.quote { part.text[index] = Self.space }
        return part
    }

    /// The quote that ends a phrase: one at the end of a word, as Hebrew has quotes within words; else any.
    private func endOfPhrase(from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        var first: Int?
        for index in start..<bytes.count where bytes[index] == Self.quote {
            if index + 1 == bytes.count || [Self.space, Self.star].contains(bytes[index + 1]) { return index }
            if first == nil { first = index }
        }
        return first
    }

    /// Bytes of a space outside ASCII (White_Space of PropList.txt) at the beginning.
    private static func lengthOfSpace(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let lead = bytes.first, lead >= 0xC2, lead <= 0xE3 else { return nil }
        let known: [[UInt8]] = [
            [0xC2, 0x85], [0xC2, 0xA0], [0xE1, 0x9A, 0x80], [0xE2, 0x80, 0xA8], [0xE2, 0x80, 0xA9],
            [0xE2, 0x80, 0xAF], [0xE2, 0x81, 0x9F], [0xE3, 0x80, 0x80],
        ]
        if let found = known.first(where: bytes.starts(with:)) { return found.count }
        guard bytes.starts(with: [0xE2, 0x80]), bytes.count > 2, (0x80...0x8A).contains(bytes[bytes.startIndex + 2])
        else { return nil }
        return 3
    }

    /// “, ”, „ and ‟, which phones put in for quotes.
    private static func isTypographicQuote(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.starts(with: [0xE2, 0x80]), bytes.count > 2 else { return false }
        return (0x9C...0x9F).contains(bytes[bytes.startIndex + 2])
    }
}
