import CommandKit
import Testing

@Suite("Escaping")
struct EscapingTests {
    @Test(
        "what steers a terminal, turns a line or hides is shown as its number",
        arguments: [
            ("\u{1b}]0;x\u{7}", "\\u{1b}]0;x\\u{7}"), ("a\u{9b}2J", "a\\u{9b}2J"), ("\u{7f}\u{0}", "\\u{7f}\\u{0}"),
            ("\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}", "\\u{202a}\\u{202b}\\u{202c}\\u{202d}\\u{202e}"),
            ("\u{2066}\u{2067}\u{2068}\u{2069}", "\\u{2066}\\u{2067}\\u{2068}\\u{2069}"),
            ("\u{200e}\u{200f}\u{61c}", "\\u{200e}\\u{200f}\\u{61c}"), ("a\u{200b}b\u{feff}", "a\\u{200b}b\\u{feff}"),
            ("a\u{ad}b\u{2060}", "a\\u{ad}b\\u{2060}"), ("a\u{2028}b\u{2029}c\u{85}", "a\\u{2028}b\\u{2029}c\\u{85}"),
            ("\u{e0041}\u{fff9}", "\\u{e0041}\\u{fff9}"),
            ("\u{3164}\u{115f}", "\\u{3164}\\u{115f}"),
        ])
    func unsafeScalars(text: String, shown: String) {
        for place in [Escaping.Place.line, .block, .quoted] { #expect(Escaping.escaped(text, place) == shown) }
    }

    @Test(
        "noncharacters are shown as their numbers", arguments: [0xfffe, 0xffff, 0x1fffe, 0x10ffff, 0xfdd0] as [UInt32])
    func noncharacters(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(Escaping.escaped(String(scalar), .line) == "\\u{\(String(value, radix: 16))}")
    }

    @Test(
        "letters, marks and emoji of all scripts stay",
        arguments: [
            "caf\u{e9} cafe\u{301}", "שלום עולם", "今天天气很好", "ไทย", "\u{1f600}\u{2764}\u{fe0f}", "\u{1f1e9}\u{1f1ea}",
            "می\u{200c}خواهم", "क्\u{200d}ष", "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
            "\u{1f937}\u{1f3fd}\u{200d}\u{2642}\u{fe0f}",
        ])
    func safeText(text: String) {
        #expect(Escaping.escaped(text, .line) == text)
        #expect(Escaping.escaped(text, .block) == text)
    }

    @Test("a joiner that joins nothing is shown, and in names every joiner is")
    func joiners() {
        #expect(Escaping.escaped("a\u{200d}b", .line) == "a\\u{200d}b")
        #expect(Escaping.escaped("\u{200d}\u{1f469}", .line) == "\\u{200d}\u{1f469}")
        #expect(Escaping.escaped("\u{1f469}\u{200d}", .line) == "\u{1f469}\\u{200d}")
        #expect(
            Escaping.escaped("\u{1f469}\u{200d}\u{200d}\u{1f469}", .line)
                == "\u{1f469}\\u{200d}\\u{200d}\u{1f469}")
        #expect(Escaping.escaped("می\u{200c}خواهم", .quoted) == "می\\u{200c}خواهم")
    }

    @Test("line endings stay only in a block")
    func lineEndings() {
        #expect(Escaping.escaped("a\r\nb\tc", .line) == "a\\r\\nb\\tc")
        #expect(Escaping.escaped("a\nb\tc", .block) == "a\nb\tc")
        #expect(Escaping.escaped("a\r\nb", .block) == "a\\r\nb")
    }

    @Test("quotes and backslashes are escaped between quotes only")
    func quotes() {
        #expect(Escaping.quoted(Array(#"a"b\c"#.utf8)) == #""a\"b\\c""#)
        #expect(Escaping.escaped(#"a"b\c"#, .line) == #"a"b\c"#)
        #expect(Escaping.quoted([]) == "\"\"")
    }

    @Test(
        "each byte that is no UTF-8 is shown",
        arguments: [
            ([0xff, 0xfe], "\\xff\\xfe"), ([0xc0, 0x80], "\\xc0\\x80"), ([0xed, 0xa0, 0x80], "\\xed\\xa0\\x80"),
            ([0xf4, 0x90, 0x80, 0x80], "\\xf4\\x90\\x80\\x80"), ([0x61, 0xf0, 0x9f, 0x98], "a\\xf0\\x9f\\x98"),
            ([0xe4, 0x61], "\\xe4a"), ([0xf0, 0x8f, 0xbf, 0xbf], "\\xf0\\x8f\\xbf\\xbf"), ([0x80], "\\x80"),
            ([0xf4, 0x8f, 0xbf, 0xbd], "\u{10fffd}"),
        ] as [([UInt8], String)])
    func invalid(bytes: [UInt8], shown: String) {
        #expect(Escaping.escaped(bytes, .line) == shown)
    }

    @Test("an interpolation escapes by itself, and keeps what the program says")
    func interpolation() {
        let name = "B\u{202e}ob\u{1b}"
        let text: TerminalText =
            "\(name) has \(48113) of \(quoted: name)\(trusted: "\u{b7}")\(block: Array("a\nb".utf8))"
        #expect(text.plain == "B\\u{202e}ob\\u{1b} has 48113 of \"B\\u{202e}ob\\u{1b}\"\u{b7}a\nb")
    }

    @Test("styles are written only where they are wanted")
    func styles() {
        let text: TerminalText = "all \("well", .green)"
        #expect(text.rendered(styles: false) == "all well")
        #expect(text.rendered(styles: true) == "all \u{1b}[32mwell\u{1b}[0m")
    }
}
