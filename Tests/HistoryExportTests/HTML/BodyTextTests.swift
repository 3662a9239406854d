import Testing

@testable import HistoryExport

@Suite struct BodyTextTests {
    private func html(_ body: String) -> String {
        var output = Markup()
        BodyText.append(Array(body.utf8), to: &output)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    /// What is linked of a text.
    private func links(_ body: String) -> [String] {
        html(body).split(separator: "<a href=\"", omittingEmptySubsequences: false).dropFirst()
            .map { String($0.prefix { $0 != "\"" }) }
    }

    @Test("web and mail addresses are links, shown as they are written")
    func plain() {
        #expect(
            html("see http://a.example/x?y=1&z=2.")
                == "see <a href=\"http://a.example/x?y=1&amp;z=2\" rel=\"noopener noreferrer\" target=\"_blank\">"
                + "http://a.example/x?y=1&amp;z=2</a>.")
        #expect(links("HTTPS://B.example and mailto:a@b.example!") == ["HTTPS://B.example", "mailto:a@b.example"])
        #expect(
            links("https://xn--80ak6aa92e.example/ https://аррӏе.example") == [
                "https://xn--80ak6aa92e.example/", "https://аррӏе.example",
            ])
    }

    @Test(
        "no other scheme is a link",
        arguments: [
            "javascript:alert(1)", "JaVaScRiPt://x/%0aalert(1)", "data:text/html,<script>alert(1)</script>",
            "vbscript:x",
            "file:///etc/passwd", "xhttp://a.example", "http:/a.example", "http://", "http:// a", "mailto:nobody",
            "ahttps://x",
            "http://\u{202E}x", "http:///x", "jаvascript://http:",
        ])
    func others(text: String) {
        #expect(links(text).isEmpty)
    }

    @Test(
        "a link ends before what ends a sentence, quotes, invisible characters and other scripts' punctuation",
        arguments: [
            ("(http://a.example/b)", "http://a.example/b"), ("http://a.example/b_(c).", "http://a.example/b_(c)"),
            ("\"http://a.example/\"", "http://a.example/"), ("http://a.example/x\u{202E}gpj", "http://a.example/x"),
            ("http://a.example/。次", "http://a.example/"), ("http://a.example/x\u{200B}y", "http://a.example/x"),
            ("http://a.example/\u{0}x", "http://a.example/"), ("<http://a.example/>", "http://a.example/"),
            ("http://[::1]/x", "http://[::1]/x"), ("http://a.example/x\u{00A0}y", "http://a.example/x"),
        ])
    func ends(text: String, link: String) {
        #expect(links(text) == [link])
    }

    @Test("an address longer than any is text, and takes no time that grows with its square")
    func long() {
        #expect(links("http://a.example/" + String(repeating: "x", count: BodyText.longestLink)).isEmpty)
        #expect(links(String(repeating: "mailto:", count: 20_000)).isEmpty)
        #expect(links("http://a" + String(repeating: ")", count: 50_000)) == ["http://a"])
        #expect(links(String(repeating: "http://a:", count: 5_000)).isEmpty)
    }

    @Test("nothing of a link leaves its attribute")
    func attribute() {
        let shown = html("http://a.example/'onmouseover='alert(1)")
        #expect(shown.contains("href=\"http://a.example/&#39;onmouseover=&#39;alert(1)\""))
    }

    @Test("the language is named where the script tells it, and a few emoji alone are large")
    func traits() {
        #expect(BodyText.traits(Array("今天天气".utf8)).language == "zh")
        #expect(BodyText.traits(Array("東京タワー".utf8)).language == "ja")
        #expect(BodyText.traits(Array("내일 보자".utf8)).language == "ko")
        #expect(BodyText.traits(Array("สวัสดี".utf8)).language == "th")
        #expect(BodyText.traits(Array("hello مرحبا".utf8)).language == "")
        #expect(BodyText.traits(Array("🎉".utf8)).isEmojiOnly)
        #expect(BodyText.traits(Array("❤️ 👩\u{200D}🚀 🇨🇭".utf8)).isEmojiOnly)
        #expect(!BodyText.traits(Array("ok 🎉".utf8)).isEmojiOnly)
        #expect(!BodyText.traits(Array(String(repeating: "🎉", count: 7).utf8)).isEmojiOnly)
        #expect(!BodyText.traits(Array("42".utf8)).isEmojiOnly)
        #expect(!BodyText.traits(Array("é".utf8)).isEmojiOnly)
    }
}
