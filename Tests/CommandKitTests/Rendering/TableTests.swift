import CommandKit
import Testing

@Suite("Tables")
struct TableTests {
    private func lines(_ table: Table, styles: Bool = false) -> String {
        let capture = Capture()
        let stream = capture.stream(styles: styles)
        table.write(to: stream)
        stream.flush()
        return capture.text
    }

    @Test("columns are as wide as their widest cell, numbers to the right, no space at the end")
    func alignment() {
        var table = Table([.init("CONVERSATION"), .init("MESSAGES", .right), .init("NOTES")])
        table.add(["Bob", "31,902", ""])
        table.add(["今天天气很好", "7", "wide"])
        table.add(["only"])
        #expect(
            lines(table) == """
                  CONVERSATION  MESSAGES  NOTES
                  Bob             31,902
                  今天天气很好         7  wide
                  only

                """)
    }

    @Test("a cell that is too wide is cut, one too many is left out")
    func limits() {
        var table = Table([.init("", limit: 5)], indent: 0)
        table.add(["abcdefgh", "more"])
        #expect(lines(table) == "abcd…\n")
    }

    @Test("an empty table writes its headings only, and none without headings")
    func empty() {
        #expect(lines(Table([.init("A"), .init("B")])) == "  A  B\n")
        #expect(lines(Table([])) == "")
        #expect(Table([]).isEmpty)
    }

    @Test("styles do not change the widths")
    func styled() {
        var table = Table([.init("A"), .init("B")], indent: 0)
        table.add(["\("x", .red)", "y"])
        table.add(["long", "z"])
        #expect(
            lines(table, styles: true)
                == "\u{1b}[2mA\u{1b}[0m     \u{1b}[2mB\u{1b}[0m\n\u{1b}[31mx\u{1b}[0m     y\nlong  z\n")
    }
}
