import CommandKit
import Testing

@Suite("Help")
struct HelpTextTests {
    static let texts: [(String, HelpText)] =
        [("box", HelpText(Samples.program))]
        + Samples.program.nouns.map { ($0.name, HelpText($0, of: Samples.program)) }
        + Samples.program.commands.map { ($0.words, HelpText($0, of: Samples.program)) }

    @Test("no line is wider than the terminal", arguments: [60, 80, 100])
    func width(columns: Int) {
        for (name, help) in Self.texts {
            for line in help.lines(width: columns) where line.columns > columns {
                Issue.record("\(name): \(line.plain)")
            }
        }
    }

    @Test("a command's help has all that its specification has")
    func command() {
        let text = HelpText(Samples.show, of: Samples.program).lines(width: 80).map(\.plain).joined(separator: "\n")
        #expect(
            text.hasPrefix(
                """
                box box show: show what is in it: [all], 'each' or "one" \\ $HOME `date`

                usage:
                  box box show [OPTION]... --format FORMAT DIR [ITEM...]

                """))
        for part in [
            "  DIR   the folder of the box", "  -f, --format FORMAT  how to write it: json, text (required)",
            "(may be repeated)", "  $ box box show -f text \"my box\" | less", "      shows the box in a pager",
            "  0  all is well", "  8  an item is odd", "  box-formats(5)", "  -q, --quiet",
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test("a long example is broken so that it can be copied")
    func brokenExample() {
        let text = HelpText(Samples.show, of: Samples.program).lines(width: 60).map(\.plain).joined(separator: "\n")
        #expect(
            text.contains(
                """
                  $ box box show -f json -n 3
                """))
        #expect(text.contains(" \\\n      "))
    }

    @Test("the program's help names every noun and verb")
    func program() {
        let text = HelpText(Samples.program).lines(width: 80).map(\.plain).joined(separator: "\n")
        #expect(text.contains("  box           boxes and what's in them (show, info, lid add, lid remove)"))
        #expect(text.contains("  completions   print a completion script"))
        #expect(text.contains("NO_COLOR"))
    }

    @Test("words are wrapped at spaces; a word that is too long has its own line")
    func wrapping() {
        #expect(Paragraph.wrap("aa bb  cc", width: 5) == ["aa bb", "cc"])
        #expect(Paragraph.wrap("a looooooong b", width: 5, indent: 2) == ["  a", "  looooooong", "  b"])
        #expect(Paragraph.wrap("今天 天气", width: 8) == ["今天", "天气"])
        #expect(Paragraph.wrap("", width: 5) == [])
        #expect(Paragraph.wrap("a", width: 0) == ["a"])
    }
}
