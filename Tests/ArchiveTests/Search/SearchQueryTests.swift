import Testing

@testable import Archive

@Suite("What people type to search")
struct SearchQueryTests {
    private func expression(_ typed: String) -> String? {
        SearchQuery(Array(typed.utf8)).expression.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "words, phrases, prefixes and exclusions are told apart",
        arguments: [
            ("red bicycle", #""red" AND "bicycle""#), (#""red bicycle""#, #""red bicycle""#),
            ("bicyc*", #""bicyc" *"#), ("red -bicycle", #"("red") NOT ("bicycle")"#),
            (#"red -"a b" -c*"#, #"("red") NOT ("a b" OR "c" *)"#), (#""red bi"*"#, #""red bi" *"#),
            ("e-mail", #""e-mail""#), ("don't", #""don't""#), ("red red", #""red""#), ("天", #""天" *"#),
            ("天气", #""天气""#),
            ("天\u{3000}气\u{A0}a", #""天" * AND "气" * AND "a""#), ("\u{201C}red bicycle\u{201D}", #""red bicycle""#),
            ("-5", #""5""#), ("-a -b", #""a" AND "b""#), ("a - b", #""a" AND "b""#), ("a -- b", #""a" AND "b""#),
            (#"צה"ל"#, #""צה ל""#), (#""צה"ל חזק""#, #""צה ל חזק""#), ("a**", #""a" *"#), (#""a"b""#, #""a b""#),
        ])
    func parts(typed: String, expected: String) {
        #expect(expression(typed) == expected)
    }

    @Test(
        "what is an operator elsewhere is text",
        arguments: [
            (#"red "bicycle"#, #""red" AND " bicycle""#), ("a AND b", #""a" AND "AND" AND "b""#),
            ("NEAR(a b, 2)", #""NEAR(a" AND "b," AND "2)""#), ("body:a", #""body:a""#), ("^a", #""^a""#),
            ("{a b}: c", #""{a" AND "b}:" AND "c""#), ("a + b", #""a" AND "b""#), ("a\0b", #""a" AND "b""#),
            ("a\u{1B}b\u{7F}", #""a" AND "b""#), ("'; DROP TABLE message; --", #""DROP" AND "TABLE" AND "message;""#),
        ])
    func text(typed: String, expected: String) {
        #expect(expression(typed) == expected)
    }

    @Test(
        "a query without a word is empty",
        arguments: ["", " ", "\"\"", "\"", "*", "-", "...", "\u{301}", "-\"", "* *", "()"])
    func empty(typed: String) {
        let query = SearchQuery(Array(typed.utf8))
        #expect(query.isEmpty)
        #expect(query.expression == nil)
    }

    @Test("bytes that are no UTF-8 are as if they were spaces in the index, and harmless")
    func notUTF8() {
        #expect(SearchQuery([0xFF]).isEmpty)
        #expect(
            SearchQuery([0x61, 0xFF, 0x62]).terms == [SearchQuery.Term(text: [0x61, 0xFF, 0x62], isPrefix: false)])
    }

    @Test("of a text above the limit the beginning is looked for")
    func long() {
        let typed = [UInt8](repeating: 0x61, count: SearchQuery.maximumLength) + Array(" b".utf8)
        #expect(SearchQuery(typed).terms.count == 1)
    }
}

@Suite("Marks of what was found")
struct SearchMarksTests {
    private func marked(_ typed: String, _ text: String) -> String {
        var marks = SearchMarks(SearchQuery(Array(typed.utf8)))
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var place = 0
        for range in marks.ranges(in: bytes.span) {
            result += bytes[place..<range.lowerBound]
            result += "[".utf8
            result += bytes[range]
            result += "]".utf8
            place = range.upperBound
        }
        return String(decoding: result + bytes[place...], as: UTF8.self)
    }

    @Test(
        "cover exactly the bytes of words and phrases",
        arguments: [
            ("red bicycle", "A Red, bicycle! redder", "A [Red], [bicycle]! redder"),
            ("\"red bicycle\"", "red x red  bicycle", "red x [red  bicycle]"), ("bicyc*", "bicycles", "[bicycles]"),
            ("strasse", "In der Straße", "In der [Straße]"),
            ("cafe", "Cafe\u{301}s cafe\u{301}", "Cafe\u{301}s [cafe\u{301}]"),
            ("天气", "今天天气很好", "今天[天气]很好"), ("天", "今天天气", "今[天][天]气"), ("天天", "天 天天", "天 [天天]"),
            ("\"天 天\"", "天天 天", "天[天 天]"), ("👍", "ok 👍🏽!", "ok [👍🏽]!"), ("👩", "a 👨‍👩‍👧 b", "a [👨‍👩‍👧] b"),
            ("a -b", "a b", "[a] b"), ("don't", "I don’t", "I [don’t]"), ("ss", "ß", "[ß]"), ("x", "", ""),
            ("a b a", "a b", "[a] [b]"), ("\"a b\" b", "a b", "[a b]"),
        ])
    func ranges(typed: String, text: String, expected: String) {
        #expect(Array(marked(typed, text).unicodeScalars) == Array(expected.unicodeScalars))
    }
}
