import Testing

@testable import SQLiteDatabase

/// The words of a text, in the order of the index.
private func words(_ text: [UInt8], for purpose: TextTokenizer.Purpose = .index) -> [String] {
    var tokenizer = TextTokenizer()
    var words: [String] = []
    tokenizer.all(of: text.span, for: purpose) { _, bytes in words.append(String(decoding: bytes, as: UTF8.self)) }
    return words
}

/// The parts of the text that its words come from.
private func sources(_ text: [UInt8], for purpose: TextTokenizer.Purpose = .index) -> [String] {
    var tokenizer = TextTokenizer()
    var parts: [String] = []
    tokenizer.all(of: text.span, for: purpose) { token, _ in
        parts.append(String(decoding: text[token.source], as: UTF8.self))
    }
    return parts
}

@Suite("Words of the index")
struct TextTokenizerTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let text: String
        let words: [String]
        var testDescription: String { text.debugDescription }

        init(_ text: String, _ words: String...) {
            self.text = text
            self.words = words
        }
    }

    @Test(
        "words are folded in case and accents",
        arguments: [
            Example(""), Example(" ,.;\n\t"), Example("a", "a"), Example("Hello, World!", "hello", "world"),
            Example("don't don\u{2019}t", "don", "t", "don", "t"), Example("e-mail a_b", "e", "mail", "a", "b"),
            Example("caf\u{E9} cafe\u{301} CAF\u{C9}", "cafe", "cafe", "cafe"),
            Example("Stra\u{DF}e STRASSE Stra\u{1E9E}e", "strasse", "strasse", "strasse"),
            Example("\u{130} I \u{131} i \u{130}stanbul", "i", "i", "i", "i", "istanbul"),
            Example("\u{3C3}\u{3B1}\u{3C2} \u{3A3}\u{391}\u{3A3}", "σασ", "σασ"),
            Example("\u{110}\u{1EB7}ng", "dang"), Example("\u{141}\u{F3}d\u{17A}", "lodz"),
            Example("K\u{F8}benhavn \u{C6}r\u{F8}", "kobenhavn", "aero"), Example("Na\u{EF}ve", "naive"),
            Example("\u{41A}\u{43E}\u{301}\u{448}\u{43A}\u{430} \u{451}\u{436}", "кошка", "еж"),
            Example("\u{439}", "и"), Example("K\u{212A}", "kk"), Example("l\u{2019}homme", "l", "homme"),
            // ArmSCII-like ligatures, full width, superscripts.
            Example("\u{FB01}n o\u{FB03}ce", "fin", "office"), Example("\u{FF28}\u{FF49}\u{FF11}", "hi1"),
            Example("m\u{B2}", "m2"), Example("5\u{BD}", "5½"), Example("\u{2167}", "viii"),
            Example("a\u{AD}b a\u{200B}b a\u{2060}b", "ab", "ab", "ab"),
        ])
    func folding(example: Example) {
        #expect(words(Array(example.text.utf8)) == example.words)
    }

    @Test(
        "digits of every script are the same",
        arguments: [
            Example("2026", "2026"), Example("\u{661}\u{662}\u{663}", "123"), Example("\u{6F0}\u{6F9}", "09"),
            Example("\u{967}\u{968}", "12"), Example("\u{E51}\u{E59}", "19"), Example("\u{1D7D8}\u{1D7FF}", "09"),
            Example("3.14", "3", "14"), Example("a1b2", "a1b2"),
        ])
    func digits(example: Example) {
        #expect(words(Array(example.text.utf8)) == example.words)
    }

    @Test(
        "right-to-left text is found without points and tatweel, whatever the keyboard",
        arguments: [
            Example("\u{5E9}\u{5C1}\u{5B8}\u{5DC}\u{5D5}\u{5B9}\u{5DD}", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}"),
            Example("\u{645}\u{64F}\u{62D}\u{64E}\u{645}\u{651}\u{64E}\u{62F}", "\u{645}\u{62D}\u{645}\u{62F}"),
            Example("\u{645}\u{640}\u{640}\u{62D}\u{645}\u{62F}", "\u{645}\u{62D}\u{645}\u{62F}"),
            Example("\u{623}\u{62D}\u{645}\u{62F}", "\u{627}\u{62D}\u{645}\u{62F}"),
            // Persian yeh and keheh, presentation forms with the ligature lam-alef, an isolate around a word.
            Example("\u{6CC}\u{6A9}", "\u{64A}\u{643}"), Example("\u{FEFB}", "\u{644}\u{627}"),
            Example("\u{2067}\u{5D0}\u{2069}b", "\u{5D0}b"),
        ])
    func rightToLeft(example: Example) {
        #expect(words(Array(example.text.utf8)) == example.words)
    }

    @Test(
        "vowel signs of Indic scripts are letters",
        arguments: [
            Example("\u{939}\u{93F}\u{928}\u{94D}\u{926}\u{940}", "\u{939}\u{93F}\u{928}\u{94D}\u{926}\u{940}"),
            // The point of qa is left out by many.
            Example("\u{958} \u{915}\u{93C} \u{915}", "\u{915}", "\u{915}", "\u{915}"),
        ])
    func vowelSigns(example: Example) {
        #expect(words(Array(example.text.utf8)) == example.words)
    }

    @Test(
        "scripts without spaces are cut into pairs, with the last letter alone",
        arguments: [
            Example("今天天气很好", "今天", "天天", "天气", "气很", "很好", "好"), Example("好", "好"),
            Example("我用iPhone手机", "我用", "用", "iphone", "手机", "机"), Example("天気。明日", "天気", "気", "明日", "日"),
            Example("カﾞス ｶﾞｽ ガス", "カ\u{3099}ス", "ス", "カ\u{3099}ス", "ス", "カ\u{3099}ス", "ス"),
            Example("コーヒー", "コー", "ーヒ", "ヒー", "ー"), Example("สวัสดี", "สว", "วั", "ัส", "สด", "ดี", "ี"),
            Example("ສະບາຍ", "ສະ", "ະບ", "បາ".replacing("ប", with: "ບ"), "າຍ", "ຍ"),
            Example("ខ្មែរ", "ខ្", "្ម", "មែ", "ែរ", "រ"),
            Example("မြန်မာ", "မြ", "ြန", "န်", "်မ", "မာ", "ာ"),
            Example("학교에서", "학교", "교에", "에서", "서"),
            Example("\u{1112}\u{1161}\u{11A8}\u{1100}\u{116D}", "학교", "교"),
            Example("ㅋㅋ", "\u{110F}\u{110F}", "\u{110F}"),
            // A compatibility ideograph, and one beyond U+FFFF.
            Example("\u{F900}", "\u{8C48}"), Example("\u{20BB7}野家", "\u{20BB7}野", "野家", "家"),
        ])
    func pairs(example: Example) {
        let words = words(Array(example.text.utf8)).map { Array($0.unicodeScalars) }
        #expect(words == example.words.map { Array($0.unicodeScalars) })
    }

    @Test(
        "the last letter of a query is alone only where something follows",
        arguments: [
            Example("天气", "天气"), Example("天气!", "天气"), Example("天", "天"), Example("天气 bike", "天气", "气", "bike"),
            Example("手机 天", "手机", "机", "天"), Example("天 气", "天", "气"), Example("a天", "a", "天"),
            Example("天气👍", "天气", "气", "👍"), Example("天气很 好", "天气", "气很", "很", "好"),
        ])
    func queries(example: Example) {
        #expect(words(Array(example.text.utf8), for: .query) == example.words)
    }

    @Test(
        "emoji and other symbols are words, without colour of skin and variation selectors",
        arguments: [
            Example("👍", "👍"), Example("👍🏽👍", "👍", "👍"), Example("❤️ ❤", "❤", "❤"), Example("ok👍ok", "ok", "👍", "ok"),
            Example("👨‍👩‍👧", "👨", "👩", "👧"), Example("❤️‍🔥", "❤", "🔥"), Example("🇩🇪🇫🇷", "🇩🇪", "🇫🇷"), Example("🇩🇪🇫", "🇩🇪", "🇫"),
            Example("1️⃣", "1"), Example("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴"), Example("Foo™", "foo", "™"), Example("$5 5€", "$", "5", "5", "€"),
            Example("20°C", "20", "°", "c"), Example("🏽"), Example("↔️", "↔"), Example("+=<>"),
        ])
    func symbols(example: Example) {
        let words = words(Array(example.text.utf8)).map { Array($0.unicodeScalars) }
        #expect(words == example.words.map { Array($0.unicodeScalars) })
    }

    @Test("NUL and bytes that are no UTF-8 separate words")
    func anyBytes() {
        #expect(words([0x61, 0, 0x62]) == ["a", "b"])
        let bad: [[UInt8]] = [
            [0x80], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98],
            [0xF4, 0x90, 0x80, 0x80], [0xFE, 0xFF], [0xF8, 0x88, 0x80, 0x80, 0x80],
        ]
        for bytes in bad {
            #expect(words([0x61] + bytes + [0x62]) == ["a", "b"], "\(bytes)")
            #expect(words(bytes) == [])
        }
    }

    @Test("a word comes from exactly its bytes, accents and all that belongs to it included")
    func places() {
        let text = "Ein cafe\u{301}, 今天ｶﾞ 👍🏽x ﬃ"
        #expect(
            sources(Array(text.utf8)) == [
                "Ein", "cafe\u{301}", "今天", "天ｶﾞ", "ｶﾞ", "👍🏽", "x", "ﬃ",
            ])
        #expect(sources(Array("今天ｶﾞ๑".utf8), for: .marking) == ["今", "天", "ｶﾞ", "๑"])
        #expect(sources(Array("a\u{200D}\u{301} b".utf8)) == ["a\u{200D}\u{301}", "b"])
    }

    @Test("a word is at most 128 bytes, whole characters, and comes from all of its bytes")
    func longWords() {
        let long = [UInt8](repeating: 0x61, count: 1000)
        #expect(words(long) == [String(repeating: "a", count: 128)])
        #expect(sources(long).map(\.utf8.count) == [1000])
        let greek = Array(("x" + String(repeating: "\u{3B1}", count: 300)).utf8)
        #expect(words(greek).map(\.utf8.count) == [127])
        #expect(words(greek + [0x20, 0x62]).last == "b")
    }

    @Test("a text of many steps has the same words as its parts")
    func steps() {
        let parts = ["Alpha", "今天天气", "beta\u{301}", "👨‍👩‍👧", "สวัสดี", "x9"]
        let whole = (0..<200).flatMap { Array((parts[$0 % parts.count] + " ").utf8) }
        #expect(words(whole) == (0..<200).flatMap { words(Array(parts[$0 % parts.count].utf8)) })
        let han = Array(String(repeating: "天气", count: 500).utf8)
        #expect(words(han).count == 1000)
        #expect(words(han, for: .query).count == 999)
    }
}
