import Testing

@testable import HistoryExport

@Suite struct MarkupTests {
    private func text(_ value: [UInt8]) -> String {
        var output = Markup()
        output.text(value)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    private func text(_ value: String) -> String { text(Array(value.utf8)) }

    private func line(_ value: String) -> String {
        var output = Markup()
        output.line(Array(value.utf8))
        return String(decoding: output.bytes, as: UTF8.self)
    }

    private func script(_ value: [UInt8]) -> String {
        var output = Markup()
        output.script(value)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    @Test("element text and attributes have no character of markup in them")
    func escapes() {
        #expect(
            text("<a href=\"x\" b='y'>&amp;</a>") == "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;")
        #expect(text("naïve 日本 🎉") == "naïve 日本 🎉")
        #expect(text("") == "")
        #expect(text("&") == "&amp;")
    }

    @Test("line ends are LF, other control characters are shown")
    func controls() {
        #expect(text("a\r\nb\rc\nd\te") == "a\nb\nc\nd\te")
        #expect(
            text([0x61, 0x00, 0x1B, 0x5B, 0x7F, 0xC2, 0x9B, 0xC2, 0xA0]) == "a\u{2400}\u{241B}[\u{2421}\\u{9b}\u{A0}")
    }

    @Test(
        "bytes that are no UTF-8 become U+FFFD, and markup around them is escaped all the same",
        arguments: [
            [0xFF, 0x3C], [0xC0, 0x80, 0x3C], [0xED, 0xA0, 0x80, 0x3C], [0xF4, 0x90, 0x80, 0x80, 0x3C], [0x3C, 0xC2],
            [0x3C, 0xE2, 0x80],
        ] as [[UInt8]])
    func invalid(bytes: [UInt8]) {
        let shown = text(bytes)
        #expect(shown.contains("\u{FFFD}"))
        #expect(shown.contains("&lt;"))
        #expect(!shown.contains("<"))
    }

    @Test("a name stays on its line and turns nobody's direction")
    func names() {
        #expect(line("gpj\u{202E}.exe") == "gpj\\u{202E}.exe")
        #expect(line("a\nb\u{2028}c\u{200B}d\u{FEFF}") == "a\u{240A}b\\u{2028}c\\u{200B}d\\u{FEFF}")
        #expect(line("👩\u{200D}🚀") == "👩\u{200D}🚀")
        #expect(line("<b>") == "&lt;b&gt;")
    }

    @Test("paths of links are percent-encoded but for what needs none")
    func paths() {
        var output = Markup()
        output.path(Array("attachments/a b\"?#%é:.jpg".utf8), below: "../")
        #expect(String(decoding: output.bytes, as: UTF8.self) == "../attachments/a%20b%22%3F%23%25%C3%A9%3A.jpg")
    }

    @Test("strings of script end where they should, in a file and between script tags")
    func scripts() {
        #expect(
            script(Array("a\"b\\c\n</script>\u{2028}\u{2029}\u{1}&".utf8))
                == "\"a\\\"b\\\\c\\n\\u003C/script\\u003E\\u2028\\u2029\\u0001\\u0026\"")
        #expect(script([0x61, 0xFF]) == "\"a\u{FFFD}\"")
        #expect(script(Array("é\u{2027}".utf8)) == "\"é\u{2027}\"")
    }

    @Test(
        "numbers are packed as the script unpacks them",
        arguments: [
            (0, "A"), (31, "f"), (32, "gB"), (1_023, "_f"), (1_024, "ggB"),
        ])
    func packs(value: Int, digits: String) {
        var output = Markup()
        output.packed(value)
        #expect(String(decoding: output.bytes, as: UTF8.self) == digits)
    }

    @Test(
        "numbers for people have commas",
        arguments: [
            (0, "0"), (999, "999"), (1_000, "1,000"), (-12_345, "-12,345"), (1_234_567, "1,234,567"),
        ])
    func groups(value: Int, digits: String) {
        var output = Markup()
        output.grouped(value)
        #expect(String(decoding: output.bytes, as: UTF8.self) == digits)
    }
}
