import History
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import HistoryExport

/// Checked with renderers of CommonMark that others wrote.
@Suite("Export as Markdown")
struct MarkdownFormatTests {
    private static let renderers = ["markdown_it", "commonmark"].filter { module in
        ChildProcess.has("python3") && ChildProcess.run(["python3", "-c", "import \(module)"]).status == 0
    }

    private static let render = """
        import html.parser, json, sys
        if sys.argv[1] == "markdown_it":
            from markdown_it import MarkdownIt
            plain, wide = MarkdownIt("commonmark"), MarkdownIt("gfm-like", {"linkify": False})
            renderers = [plain.render, wide.render]
        else:
            import commonmark
            renderers = [commonmark.commonmark]
        class Text(html.parser.HTMLParser):
            def __init__(self):
                super().__init__(convert_charrefs=True)
                self.text, self.tags = "", []
            def handle_starttag(self, tag, attributes):
                self.tags.append(tag)
                if tag == "br": self.text += "\\x1e"
            def handle_data(self, data): self.text += data
            def handle_comment(self, data): self.tags.append("comment")
            def handle_decl(self, decl): self.tags.append("decl")
            def handle_pi(self, data): self.tags.append("pi")
        def read(renderer, text):
            parser = Text()
            parser.feed(renderer(text))
            parser.close()
            return parser
        """

    /// Text with what cannot be shown as an escape, as the commands do it.
    private static func escaped(_ text: [UInt8]) -> String {
        var result = ""
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where scalar != "\n" && scalar != "\t", .format, .lineSeparator, .paragraphSeparator,
                .unassigned:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    @Test(
        "any text is shown as itself, in a paragraph and nothing else",
        .enabled(if: !renderers.isEmpty, "needs markdown-it-py or commonmark of PyPI"), arguments: renderers)
    func texts(renderer: String) throws {
        let texts =
            Hostile.texts.map { Self.escaped(Array($0.utf8)) }
            + Hostile.texts.map { "x" + Self.escaped(Array($0.utf8)) }
        let pairs = texts.filter { !$0.isEmpty }.map { text in
            "[\(MadeHistory.quoted(text)),\(MadeHistory.quoted(MarkdownFormat.markup(text)))]"
        }
        let run = ChildProcess.run(
            [
                "python3", "-c",
                Self.render + """

                    for text, markup in json.load(sys.stdin):
                        for renderer in renderers:
                            found = read(renderer, "before\\n\\n" + markup + "\\n\\nafter\\n")
                            assert found.tags.count("p") == 3 and set(found.tags) <= {"p", "br"}, (text, markup, found.tags)
                            shown = found.text.replace("\\x1e\\n", "\\n").replace("\\x1e", "\\n")
                            assert shown.strip("\\n") == ("before\\n" + text + "\\nafter").strip("\\n"), (text, shown, markup)
                    """, renderer,
            ], input: Array("[\(pairs.joined(separator: ","))]".utf8))
        #expect(run.status == 0, "\(run.errorText)")
    }

    @Test(
        "an export with hostile texts in every field has no markup but its own",
        .enabled(if: !renderers.isEmpty, "needs markdown-it-py or commonmark of PyPI"), arguments: renderers)
    func export(renderer: String) throws {
        let format = MarkdownFormat(zone: LocalZone(), escape: Self.escaped)
        let (text, outcome) = try exported(format, Hostile.history(bigBody: false), isThreaded: true)
        let run = ChildProcess.run(
            [
                "python3", "-c",
                Self.render + """

                    text = sys.stdin.buffer.read().decode("utf-8")
                    for renderer in renderers:
                        found = read(renderer, text)
                        allowed = {"h1", "h2", "p", "br", "em", "strong", "blockquote"}
                        assert set(found.tags) <= allowed, set(found.tags) - allowed
                        assert found.tags.count("h1") == 1 and found.tags.count("h2") == 1
                        assert found.tags.count("strong") == int(sys.argv[2]), found.tags.count("strong")
                    """, renderer, "\(outcome.totals.written)",
            ], input: text)
        #expect(run.status == 0, "\(run.errorText)")
    }

    @Test("a conversation reads as one")
    func reading() throws {
        let history = MadeHistory(
            MadeHistory.bob,
            [
                MadeHistory.message("A", "hello *you*"),
                MadeHistory.message(
                    "B", "two\nlines", time: "795000061", direction: "sent",
                    ",\"replyToID\":\"A\",\"reactions\":{\"3619e750a2dd52ba978807b2a00df56d\":\"👍\"}"),
                MadeHistory.message("C", "", time: "1e400", MadeHistory.attachment("AB", name: "a_b.jpg")),
            ])
        let format = MarkdownFormat(zone: LocalZone(), escape: Self.escaped)
        let text = String(decoding: try exported(format, history).text, as: UTF8.self)
        let first =
            LocalZone().time(at: 795_000_001 + 978_307_200).map { "\($0.date.dayAndMinuteText) \($0.offsetText)" } ?? ""
        #expect(text.hasPrefix("# Messages\n\n## \(MadeHistory.bob)\n\n*direct, 3 messages*\n"))
        #expect(text.contains("\n**3619e750a2dd52ba** · \(first)\n\nhello \\*you\\*\n"))
        #expect(text.contains("\n> hello \\*you\\*\n\ntwo\\\nlines\n\n👍 3619e750a2dd52ba\\\n*read*\n"))
        #expect(text.contains("· no date (1e400)\n\nattachment: a\\_b.jpg\n"))
    }
}
