import CryptoPrimitives

/// A word of a text as the index has it, and where it stands.
package struct TextToken: Equatable, Sendable {
    /// Its folded bytes in the tokens' `bytes`.
    package let bytes: Range<Int>
    /// The bytes of the text that it comes from.
    package let source: Range<Int>
    /// It is one letter of a script without spaces; more may follow it in a word.
    package let isSingleUnit: Bool

    package init(bytes: Range<Int>, source: Range<Int>, isSingleUnit: Bool) {
        self.bytes = bytes
        self.source = source
        self.isSingleUnit = isSingleUnit
    }
}

/// Cuts text into the words of the index: "Words of the index" in sxkey-formats(5).
///
/// Takes any bytes; a byte that is no UTF-8 separates words. Works through the text in steps, so that memory does not
/// depend on its length; used again for the next text.
package struct TextTokenizer {
    /// What the words are for.
    package enum Purpose: Sendable {
        /// A text of the index: pairs of units, and the last one alone.
        case index
        /// A text to look for: the last unit alone only where something follows, or where there is no pair.
        case query
        /// To show where something stands: units one by one.
        case marking
    }

    /// The longest word in bytes; what is beyond does not count.
    package static let longestToken = 128
    /// A step ends with the first character after so many words.
    private static let stepLength = 64

    package private(set) var tokens: [TextToken] = []
    /// The folded words of `tokens`.
    package private(set) var bytes: [UInt8] = []

    private let folding: SearchFolding
    private var purpose = Purpose.index
    private var place = 0

    // The word at hand: its bytes are the last ones of `bytes`, from `wordStart` on.
    private var isInWord = false
    private var wordStart = 0
    private var wordSource = 0..<0

    // Units whose words are not said yet, the symbol at hand, and a last unit of a query that something has to follow.
    private var first: Unit?
    private var second: Unit?
    private var symbol: Unit?
    private var awaiting: Unit?

    /// One letter of a script without spaces with its sound mark, or a symbol.
    private struct Unit {
        var scalar: UInt32
        /// A sound mark, or the second half of a flag; 0 for none.
        var mark: UInt32 = 0
        var source: Range<Int>

        mutating func extend(to end: Int) {
            source = source.lowerBound..<end
        }
    }

    package init(_ folding: SearchFolding = SearchFolding()) {
        self.folding = folding
        bytes.reserveCapacity(4096)
        tokens.reserveCapacity(2 * Self.stepLength)
    }

    /// Begins a text.
    package mutating func begin(_ purpose: Purpose) {
        self.purpose = purpose
        place = 0
        isInWord = false
        (first, second, symbol, awaiting) = (nil, nil, nil, nil)
        clear()
    }

    /// Goes on in `text`, which is the same in each step; false when there is nothing more. `tokens` and `bytes` are those
    /// of this step.
    package mutating func step(_ text: Span<UInt8>) -> Bool {
        clear()
        while place < text.count, tokens.count < Self.stepLength {
            let byte = text[place]
            if byte < 0x80 {
                takeASCII(text)
            } else {
                takeScalar(text)
            }
        }
        if place < text.count { return true }
        guard !tokens.isEmpty || isInWord || first != nil || symbol != nil else { return false }
        endAll()
        return !tokens.isEmpty
    }

    /// All words of a text at once.
    package mutating func all(
        of text: Span<UInt8>, for purpose: Purpose, _ body: (TextToken, ArraySlice<UInt8>) -> Void
    ) {
        begin(purpose)
        while step(text) {
            for token in tokens { body(token, bytes[token.bytes]) }
        }
    }

    /// Keeps the word at hand only.
    private mutating func clear() {
        tokens.removeAll(keepingCapacity: true)
        if isInWord {
            bytes.removeSubrange(..<wordStart)
        } else {
            bytes.removeAll(keepingCapacity: true)
        }
        wordStart = 0
    }
}

// MARK: - Characters

extension TextTokenizer {
    /// The byte in lower case; 0 for a separator, 1 for a symbol.
    private static func folded(ascii byte: UInt8) -> UInt8 {
        let lower = byte | 0x20
        if lower &- 0x61 < 26 { return lower }
        if byte &- 0x30 < 10 { return byte }
        return byte == UInt8(ascii: "$") ? 1 : 0
    }

    /// Runs of ASCII, which most text is made of.
    private mutating func takeASCII(_ text: Span<UInt8>) {
        var folded = Self.folded(ascii: text[place])
        guard folded > 1 else {
            endAll()
            if folded == 1 { symbol = Unit(scalar: UInt32(text[place]), source: place..<place + 1) }
            place += 1
            return
        }
        beginWord()
        repeat {
            if bytes.count - wordStart < Self.longestToken { bytes.append(folded) }
            place += 1
            guard place < text.count, text[place] < 0x80 else { break }
            folded = Self.folded(ascii: text[place])
        } while folded > 1
        wordSource = wordSource.lowerBound..<place
    }

    private mutating func takeScalar(_ text: Span<UInt8>) {
        guard let (scalar, length) = Self.decode(text, at: place) else {
            endAll()
            place += 1
            return
        }
        let source = place..<place + length
        let character = folding.folded(scalar)
        if character.isSeveral {
            for part in folding.sequence(of: character) { take(part, source) }
        } else {
            take(character, source)
        }
        place += length
    }

    private mutating func take(_ character: FoldedCharacter, _ source: Range<Int>) {
        switch character.kind {
        case .letter:
            if !isInWord {
                beginWord(at: source.lowerBound)
            }
            append(character.scalar, limit: wordStart + Self.longestToken)
            wordSource = wordSource.lowerBound..<source.upperBound
        case .separator: endAll()
        case .dropped: extend(to: source.upperBound)
        case .unit: takeUnit(character.scalar, source)
        case .unitMark: takeMark(character.scalar, source)
        case .symbol:
            endAll()
            symbol = Unit(scalar: character.scalar, source: source)
        case .flagHalf:
            if let half = symbol, half.mark == 0, half.scalar &- 0x1F1E6 < 26 {
                symbol?.mark = character.scalar
                extend(to: source.upperBound)
            } else {
                endAll()
                symbol = Unit(scalar: character.scalar, source: source)
            }
        }
    }

    /// Accents and the like belong to what they follow.
    private mutating func extend(to end: Int) {
        if isInWord {
            wordSource = wordSource.lowerBound..<end
        } else if symbol != nil {
            symbol?.extend(to: end)
        } else if second != nil {
            second?.extend(to: end)
        } else if first != nil {
            first?.extend(to: end)
        }
    }

    private mutating func takeUnit(_ scalar: UInt32, _ source: Range<Int>) {
        endWord()
        endSymbol()
        // Letters of Hangul are put together, as NFC does.
        if let last = second ?? first, last.mark == 0, let syllable = Self.syllable(last.scalar, scalar) {
            let joined = Unit(scalar: syllable, source: last.source.lowerBound..<source.upperBound)
            if second != nil { second = joined } else { first = joined }
            return
        }
        let unit = Unit(scalar: scalar, source: source)
        guard first != nil else {
            first = unit
            return
        }
        guard second != nil else {
            second = unit
            return
        }
        sayPair()
        first = second
        second = unit
    }

    private mutating func takeMark(_ scalar: UInt32, _ source: Range<Int>) {
        guard !isInWord, symbol == nil, let last = second ?? first, last.mark == 0 else {
            extend(to: source.upperBound)
            return
        }
        if second != nil { second?.mark = scalar } else { first?.mark = scalar }
        extend(to: source.upperBound)
    }

    /// A leading and a vowel letter, or a syllable without a trailing letter and one (Unicode, 3.12).
    private static func syllable(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if first &- 0x1100 < 19, second &- 0x1161 < 21 {
            return 0xAC00 + ((first - 0x1100) * 21 + (second - 0x1161)) * 28
        }
        if first &- 0xAC00 < 11172, (first - 0xAC00) % 28 == 0, second &- 0x11A8 < 27 {
            return first + (second - 0x11A7)
        }
        return nil
    }
}

// MARK: - Words

extension TextTokenizer {
    private mutating func beginWord() {
        if !isInWord { beginWord(at: place) }
    }

    private mutating func beginWord(at start: Int) {
        endUnits()
        endSymbol()
        sayAwaiting()
        isInWord = true
        wordStart = bytes.count
        wordSource = start..<start
    }

    private mutating func endAll() {
        endWord()
        endUnits()
        endSymbol()
    }

    private mutating func endWord() {
        guard isInWord else { return }
        isInWord = false
        tokens.append(TextToken(bytes: wordStart..<bytes.count, source: wordSource, isSingleUnit: false))
    }

    private mutating func endSymbol() {
        guard let ended = symbol else { return }
        symbol = nil
        sayAwaiting()
        say(ended, nil, isSingleUnit: false)
    }

    private mutating func endUnits() {
        guard let one = first else { return }
        let other = second
        if other != nil { sayPair() }
        (first, second) = (nil, nil)
        guard let other else {
            sayAwaiting()
            say(one, nil, isSingleUnit: true)
            return
        }
        if purpose == .query { awaiting = other } else { say(other, nil, isSingleUnit: true) }
    }

    private mutating func sayPair() {
        guard let first else { return }
        sayAwaiting()
        if purpose == .marking {
            say(first, nil, isSingleUnit: true)
        } else {
            say(first, second, isSingleUnit: false)
        }
    }

    private mutating func sayAwaiting() {
        guard let awaited = awaiting else { return }
        awaiting = nil
        say(awaited, nil, isSingleUnit: true)
    }

    private mutating func say(_ unit: Unit, _ next: Unit?, isSingleUnit: Bool) {
        let start = bytes.count
        append(unit.scalar, limit: Int.max)
        if unit.mark != 0 { append(unit.mark, limit: Int.max) }
        if let next {
            append(next.scalar, limit: Int.max)
            if next.mark != 0 { append(next.mark, limit: Int.max) }
        }
        let end = next?.source.upperBound ?? unit.source.upperBound
        tokens.append(
            TextToken(
                bytes: start..<bytes.count, source: unit.source.lowerBound..<end, isSingleUnit: isSingleUnit))
    }

    /// Appends a character as UTF-8, unless the bytes would pass `limit`.
    private mutating func append(_ scalar: UInt32, limit: Int) {
        switch scalar {
        case ..<0x80:
            guard bytes.count < limit else { return }
            bytes.append(UInt8(truncatingIfNeeded: scalar))
        case ..<0x800:
            guard bytes.count < limit - 1 else { return }
            bytes.append(UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
        case ..<0x10000:
            guard bytes.count < limit - 2 else { return }
            bytes.append(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
        default:
            guard bytes.count < limit - 3 else { return }
            bytes.append(UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3F))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
        }
    }

    /// The character at `place` and its length; nil where the bytes are no UTF-8 (RFC 3629, section 4).
    private static func decode(_ text: Span<UInt8>, at place: Int) -> (scalar: UInt32, length: Int)? {
        let lead = UInt32(text[place])
        let length: Int
        var scalar: UInt32
        switch lead {
        case 0xC2...0xDF: (length, scalar) = (2, lead & 0x1F)
        case 0xE0...0xEF: (length, scalar) = (3, lead & 0x0F)
        case 0xF0...0xF4: (length, scalar) = (4, lead & 0x07)
        default: return nil
        }
        guard length <= text.count - place else { return nil }
        for offset in 1..<length {
            let byte = UInt32(text[place + offset])
            guard byte & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | byte & 0x3F
        }
        let smallest: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
        guard scalar >= smallest, scalar < 0x110000, scalar &- 0xD800 >= 0x800 else { return nil }
        return (scalar, length)
    }
}
