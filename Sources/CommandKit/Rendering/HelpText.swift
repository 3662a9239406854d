/// What `--help` shows.
package struct HelpText: Report {
    private enum Topic {
        case program
        case noun(NounSpecification)
        case command(CommandSpecification)
    }

    private let program: ProgramSpecification
    private let topic: Topic

    package init(_ program: ProgramSpecification) {
        self.program = program
        topic = .program
    }

    package init(_ noun: NounSpecification, of program: ProgramSpecification) {
        self.program = program
        topic = .noun(noun)
    }

    package init(_ command: CommandSpecification, of program: ProgramSpecification) {
        self.program = program
        topic = .command(command)
    }

    package func writeText(to stream: TextStream) {
        for line in lines(width: min(max(stream.width, 40), 100)) { stream.line(line) }
    }

    package func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("help", lines(width: 80).map(\.plain).joined(separator: "\n"))
        }
    }

    /// The lines, none wider than `width` unless one word is.
    package func lines(width: Int) -> [TerminalText] {
        var page = HelpPage(width: width)
        switch topic {
        case .program: describeProgram(&page)
        case .noun(let noun): describe(noun, &page)
        case .command(let command): describe(command, &page)
        }
        return page.lines
    }

    private func describeProgram(_ page: inout HelpPage) {
        page.paragraph("\(program.name): \(program.summary)")
        page.heading("usage")
        page.verbatim("\(program.name) NOUN VERB [OPTION]... [OPERAND]...")
        for text in program.discussion { page.section(text) }
        page.heading("commands")
        for noun in program.nouns {
            let verbs = noun.verbs.isEmpty ? "" : " (\(noun.verbs.joined(separator: ", ")))"
            page.definition(noun.name, noun.summary + verbs)
        }
        page.heading("options of every command")
        page.definitions(GlobalOptions.specifications.map { ($0.term, $0.fullSummary) })
        if !program.environment.isEmpty {
            page.heading("environment")
            page.definitions(program.environment.map { ($0.name, $0.use) })
        }
        page.section("\"\(program.name) NOUN --help\" and \"\(program.name) NOUN VERB --help\" tell more.")
    }

    private func describe(_ noun: NounSpecification, _ page: inout HelpPage) {
        page.paragraph("\(program.name) \(noun.name): \(noun.summary)")
        for text in noun.discussion { page.section(text) }
        page.heading("commands")
        for command in noun.commands {
            page.verbatim(program.synopsis(of: command))
            page.paragraph(command.summary, indent: 6)
        }
        page.section("\"\(program.name) \(noun.name) VERB --help\" tells more.")
    }

    private func describe(_ command: CommandSpecification, _ page: inout HelpPage) {
        page.paragraph("\(program.name) \(command.words): \(command.summary)")
        page.heading("usage")
        page.verbatim(program.synopsis(of: command))
        for text in command.discussion { page.section(text) }
        if !command.operands.isEmpty {
            page.heading("operands")
            page.definitions(command.operands.map { ($0.name, $0.summary) })
        }
        if !command.options.isEmpty {
            page.heading("options")
            page.definitions(command.options.map { ($0.term, $0.fullSummary) })
        }
        page.heading("options of every command")
        page.definitions(GlobalOptions.specifications.map { ($0.term, $0.fullSummary) })
        if !command.examples.isEmpty {
            page.heading("examples")
            for example in command.examples {
                page.verbatim("$ " + example.line)
                page.paragraph(example.shows, indent: 6)
            }
        }
        if !command.exitStatuses.isEmpty {
            page.heading("exit status")
            page.definitions(command.exitStatuses.map { (String($0.status.rawValue), $0.text) })
        }
        if !command.seeAlso.isEmpty {
            page.heading("see also")
            page.paragraph(command.seeAlso.joined(separator: ", "), indent: 2)
        }
    }
}

/// Lines of help as they come together.
private struct HelpPage {
    let width: Int
    var lines: [TerminalText] = []

    /// Where descriptions begin at the furthest; longer terms have a line of their own.
    private static let widestTerm = 26

    init(width: Int) {
        self.width = width
    }

    mutating func heading(_ text: String) {
        lines.append("")
        lines.append(TerminalText(trusted: text + ":", .bold))
    }

    mutating func paragraph(_ text: String, indent: Int = 0) {
        lines.append(contentsOf: Paragraph.wrap(text, width: width, indent: indent).map { TerminalText(trusted: $0) })
    }

    mutating func section(_ text: String) {
        lines.append("")
        paragraph(text)
    }

    /// A command line: wrapped with a backslash, so that it can be copied.
    mutating func verbatim(_ text: String) {
        var pieces = Paragraph.wrap(text, width: width - 8)
        for index in pieces.indices.dropLast() { pieces[index] += " \\" }
        for (index, piece) in pieces.enumerated() {
            lines.append(TerminalText(trusted: (index == 0 ? "  " : "      ") + piece))
        }
    }

    mutating func definition(_ term: String, _ text: String) {
        definitions([(term, text)], column: 16)
    }

    mutating func definitions(_ list: [(term: String, text: String)], column: Int? = nil) {
        let widest = list.map { ColumnWidth.columns(of: $0.term) }.max() ?? 0
        let column = column ?? min(widest, Self.widestTerm) + 4
        for (term, text) in list {
            var wrapped = Paragraph.wrap(text, width: width, indent: column)
            let size = ColumnWidth.columns(of: term) + 2
            if size + 2 <= column, let first = wrapped.first {
                wrapped[0] = "  " + term + String(decoding: first.utf8.dropFirst(size), as: UTF8.self)
                lines.append(contentsOf: wrapped.map { TerminalText(trusted: $0) })
            } else {
                lines.append(TerminalText(trusted: "  " + term))
                lines.append(contentsOf: wrapped.map { TerminalText(trusted: $0) })
            }
        }
    }
}
