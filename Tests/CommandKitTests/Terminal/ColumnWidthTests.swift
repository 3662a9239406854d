import CommandKit
import Testing

@Suite("Column width")
struct ColumnWidthTests {
    // As wcwidth 0.2.13 (Python) counts them, but for the emoji joined by U+200D, which terminals draw as one.
    @Test(
        "wide letters take two columns, marks none",
        arguments: [
            ("", 0), ("abc", 3), ("caf\u{e9}", 4), ("cafe\u{301}", 4), ("今天", 4), ("한글", 4),
            ("\u{1112}\u{1161}\u{11ab}", 2),
            ("שלום", 4), ("\u{1f600}", 2), ("\u{1f1e9}\u{1f1ea}", 2), ("ｱ", 1), ("Ａ", 2), ("…", 1),
            ("\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}", 2), ("ไทย", 3), ("กำ", 2), ("\u{3000}", 2), ("\u{20000}", 2),
        ])
    func widths(text: String, columns: Int) {
        #expect(ColumnWidth.columns(of: text) == columns)
    }

    @Test("a cut leaves whole letters with their marks and an ellipsis")
    func cutting() {
        #expect(TerminalText(trusted: "abcdef").truncated(to: 4).plain == "abc…")
        #expect(TerminalText(trusted: "abcd").truncated(to: 4).plain == "abcd")
        #expect(TerminalText(trusted: "今天天气").truncated(to: 4).plain == "今…")
        #expect(TerminalText(trusted: "e\u{301}e\u{301}e\u{301}").truncated(to: 2).plain == "e\u{301}…")
        #expect(TerminalText(trusted: "abc").truncated(to: 0).plain == "")
        let styled: TerminalText = "\("abc", .bold)def"
        #expect(styled.truncated(to: 3).rendered(styles: true) == "\u{1b}[1mab\u{1b}[0m…")
    }
}
