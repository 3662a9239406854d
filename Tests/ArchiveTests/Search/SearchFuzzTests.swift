import Archive
import SQLiteDatabase
import TestSupport
import Testing

/// Searching as the manual says it, written down again in the simplest way, for some characters whose folding is given.
private enum NaiveSearch {
    enum Element: Equatable {
        case word(String)
        case run([String])
        case symbol(String)
    }

    private static let folded: [UInt32: String] = {
        var table: [UInt32: String] = [:]
        for byte in UInt8(ascii: "a")...UInt8(ascii: "z") {
            table[UInt32(byte)] = String(UnicodeScalar(byte))
            table[UInt32(byte - 0x20)] = String(UnicodeScalar(byte))
        }
        for (character, text) in [("é", "e"), ("ß", "ss"), ("ı", "i"), ("İ", "i"), ("5", "5"), ("٥", "5")] {
            for scalar in character.unicodeScalars { table[scalar.value] = text }
        }
        return table
    }()
    private static let units: Set<UInt32> = Set("天气好กน".unicodeScalars.map(\.value))
    private static let symbols: Set<UInt32> = Set("👍❤$".unicodeScalars.map(\.value))

    static func elements(_ bytes: [UInt8]) -> [Element] {
        var result: [Element] = []
        var isOpen = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if scalar.value == 0xFE0F || scalar.value == 0x200D { continue }
            if let text = folded[scalar.value] {
                if isOpen, case .word(let before) = result.last {
                    result[result.count - 1] = .word(before + text)
                } else {
                    result.append(.word(text))
                }
            } else if units.contains(scalar.value) {
                if isOpen, case .run(let before) = result.last {
                    result[result.count - 1] = .run(before + [String(scalar)])
                } else {
                    result.append(.run([String(scalar)]))
                }
            } else if symbols.contains(scalar.value) {
                result.append(.symbol(String(scalar)))
            } else {
                isOpen = false
                continue
            }
            isOpen = true
        }
        return result
    }

    static func holds(_ text: [Element], _ phrase: [Element], isPrefix: Bool) -> Bool {
        guard !phrase.isEmpty, phrase.count <= text.count else { return false }
        return (0...text.count - phrase.count).contains { start in
            phrase.indices.allSatisfy { index in
                let isFirst = index == 0
                let isLast = index == phrase.count - 1
                switch (phrase[index], text[start + index]) {
                case (.word(let wanted), .word(let found)):
                    return isLast && isPrefix ? found.hasPrefix(wanted) : found == wanted
                case (.symbol(let wanted), .symbol(let found)): return wanted == found
                case (.run(let wanted), .run(let found)):
                    guard wanted.count <= found.count else { return false }
                    let places = (0...found.count - wanted.count).filter {
                        Array(found[$0..<$0 + wanted.count]) == wanted
                    }
                    return places.contains { place in
                        (isFirst || place == 0) && (isLast || place + wanted.count == found.count)
                    }
                default: return false
                }
            }
        }
    }
}

@Suite("Any text is a query")
struct SearchFuzzTests {
    private static let pieces =
        [
            "a", "b", "B", "é", "ß", "I", "ı", "İ", "5", "٥", "天", "气", "好", "ก", "น", "👍", "❤", "❤\u{FE0F}", "$", " ",
            " ", " ", "\"",
            "*", "-", "(", ")", ":", "^", "{", "}", "+", ",", "'", ";", "AND", " OR ", "NOT ", "NEAR(", "\u{3000}",
            "\u{0}", "\u{1B}",
            "e", "s", "\u{200D}", "“", "”",
        ].map { Array($0.utf8) } + [[0xFF], [0xE5, 0xA4], [0xF0, 0x9F]]

    private static func text(_ length: Int, _ generator: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...length, using: &generator)).flatMap { _ in
            pieces[Int.random(in: 0..<pieces.count, using: &generator)]
        }
    }

    @Test("thousands of random texts find what a naive search finds, and none is an error")
    func random() throws {
        var generator = FixedGenerator(state: 5)
        let messages = (0..<400).map { _ in
            var message = SearchFixture.Message(nil)
            message.body = Self.text(12, &generator)
            return message
        }
        let fixture = try SearchFixture(messages)
        let texts = messages.map { NaiveSearch.elements($0.body ?? []) }
        var found = 0
        var wrong: [String] = []
        for round in 0..<(LongTests.areWanted ? 50_000 : 800) {
            let typed = Self.text(round % 3 == 0 ? 3 : 10, &generator)
            let query = SearchQuery(typed)
            guard !query.isEmpty else { continue }
            func holds(_ text: [NaiveSearch.Element], _ term: SearchQuery.Term) -> Bool {
                NaiveSearch.holds(text, NaiveSearch.elements(term.text), isPrefix: term.isPrefix)
            }
            let expected = texts.indices.filter { index in
                query.terms.allSatisfy { holds(texts[index], $0) }
                    && !query.excluded.contains { holds(texts[index], $0) }
            }
            let hits = try fixture.archive.search(SearchRequest(query, order: .oldest, limit: 1_000))
            let expectedBodies = expected.map { messages[$0].body ?? [] }
            if hits.map({ $0.body ?? [] }) != expectedBodies {
                wrong.append(String(decoding: typed, as: UTF8.self).debugDescription)
            }
            found += hits.count
        }
        #expect(wrong.prefix(5) == [])
        #expect(found > 500, "queries that find nothing prove nothing")
    }

    @Test("random bytes are no error either")
    func bytes() throws {
        var generator = FixedGenerator(state: 7)
        let fixture = try SearchFixture([SearchFixture.Message("a b c")])
        for _ in 0..<500 {
            let typed = (0..<40).map { _ in UInt8.random(in: 0...255, using: &generator) }
            _ = try fixture.archive.search(SearchRequest(SearchQuery(typed), order: .best))
        }
    }
}

/// The same numbers in each run (SplitMix64).
struct FixedGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
