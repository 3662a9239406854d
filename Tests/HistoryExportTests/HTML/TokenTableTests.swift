import Testing

@testable import HistoryExport

@Suite struct TokenTableTests {
    private func contents(_ table: TokenTable) -> [(String, [UInt32])] {
        var found: [(String, [UInt32])] = []
        table.visit { word, messages in
            found.append((String(decoding: word.indices.map { word[$0] }, as: UTF8.self), messages))
        }
        return found
    }

    private func add(_ word: String, _ message: UInt32, to table: inout TokenTable) {
        let bytes = Array(word.utf8)
        table.add(bytes.span, message)
    }

    @Test("words come out in the order of their bytes, each message once")
    func order() {
        var table = TokenTable()
        for (word, message) in [("b", 0), ("a", 0), ("b", 0), ("ab", 1), ("b", 3), ("é", 4), ("", 5), ("a\u{0}", 6)]
            as [(String, UInt32)]
        {
            add(word, message, to: &table)
        }
        let found = contents(table)
        #expect(found.map(\.0) == ["", "a", "a\u{0}", "ab", "b", "é"])
        #expect(found.map(\.1) == [[5], [0], [6], [1], [0, 3], [4]])
    }

    @Test("a table added to another one counts from its base")
    func joins() {
        var (table, page) = (TokenTable(), TokenTable())
        add("x", 7, to: &table)
        add("x", 0, to: &page)
        add("y", 2, to: &page)
        table.add(page, base: 1_000)
        #expect(contents(table).map(\.1) == [[7, 1_000], [1_002]])
    }

    @Test("many words are the same as a dictionary's")
    func many() {
        var table = TokenTable()
        var expected: [String: [UInt32]] = [:]
        for message in 0..<2_000 as Range<UInt32> {
            for number in [message % 7, message % 311, message] {
                let word = "word-\(number)"
                add(word, message, to: &table)
                if expected[word]?.last != message { expected[word, default: []].append(message) }
            }
        }
        let found = contents(table)
        #expect(found.count == expected.count)
        #expect(found.allSatisfy { expected[$0.0] == $0.1 })
        #expect(found.map(\.0) == expected.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }
}
