/// Manual pages in man(7), from the same specification as the help.
package struct ManPage {
    /// For example `sxkey-store.1`.
    package let fileName: String
    package let text: String

    /// One page for the program and one for each noun.
    package static func pages(of program: ProgramSpecification) -> [ManPage] {
        [programPage(program)] + program.nouns.map { nounPage($0, program) }
    }

    private static func programPage(_ program: ProgramSpecification) -> ManPage {
        var roff = Roff(title: program.name, program)
        roff.name(program.name, program.summary)
        roff.section("synopsis")
        roff.commandLine("\(program.name) NOUN VERB [OPTION]... [OPERAND]...")
        roff.section("description")
        for text in program.discussion { roff.paragraph(text) }
        roff.section("commands")
        for noun in program.nouns {
            let verbs = noun.verbs.isEmpty ? "" : ": " + noun.verbs.joined(separator: ", ")
            let page = "\(program.name)-\(noun.name)(1)"
            roff.definition("\(program.name) \(noun.name)", "\(noun.summary)\(verbs); see \(page)")
        }
        roff.section("options of every command")
        for option in GlobalOptions.specifications { roff.option(option) }
        if !program.environment.isEmpty {
            roff.section("environment")
            for variable in program.environment { roff.definition(variable.name, variable.use) }
        }
        roff.section("exit status")
        for status in ExitStatus.allCases { roff.definition(String(status.rawValue), status.meaning) }
        roff.seeAlso(program.nouns.map { "\(program.name)-\($0.name)(1)" } + program.seeAlso)
        return ManPage(fileName: "\(program.name).1", text: roff.text)
    }

    private static func nounPage(_ noun: NounSpecification, _ program: ProgramSpecification) -> ManPage {
        let title = "\(program.name)-\(noun.name)"
        var roff = Roff(title: title, program)
        roff.name(title, noun.summary)
        roff.section("synopsis")
        for command in noun.commands { roff.commandLine(program.synopsis(of: command)) }
        if !noun.discussion.isEmpty {
            roff.section("description")
            for text in noun.discussion { roff.paragraph(text) }
        }
        roff.section("commands")
        for command in noun.commands { describe(command, program, &roff) }
        roff.section("exit status")
        for status in ExitStatus.allCases {
            let notes = noun.commands.flatMap(\.exitStatuses).filter { $0.status == status }
            guard !notes.isEmpty else { continue }
            var texts: [String] = []
            for note in notes where !texts.contains(note.text) { texts.append(note.text) }
            roff.definition(String(status.rawValue), texts.joined(separator: "; "))
        }
        roff.paragraph("The statuses of every command are in \(program.name)(1).")
        var others: [String] = []
        for page in ["\(program.name)(1)"] + noun.commands.flatMap(\.seeAlso) where !others.contains(page) {
            others.append(page)
        }
        roff.seeAlso(others)
        return ManPage(fileName: "\(title).1", text: roff.text)
    }

    private static func describe(_ command: CommandSpecification, _ program: ProgramSpecification, _ roff: inout Roff) {
        roff.subsection(program.synopsis(of: command))
        roff.paragraph(command.summary.capitalizedFirst + ".")
        for text in command.discussion { roff.paragraph(text) }
        for operand in command.operands { roff.definition(operand.name, operand.summary) }
        for option in command.options { roff.option(option) }
        for example in command.examples {
            roff.paragraph("Example: \(example.shows)")
            roff.example("$ " + example.line)
        }
    }
}

/// Builds a page; every text goes through `escaped`.
private struct Roff {
    private(set) var text: String
    /// A heading starts a paragraph by itself.
    private var isAfterHeading = false

    init(title: String, _ program: ProgramSpecification) {
        text = ".\\\" Generated from the command specification; do not edit.\n"
        text += ".TH \(Self.quoted(title.asciiUppercased)) 1 \"\(program.date)\" "
        text += "\(Self.quoted("\(program.name) \(program.version)")) \(Self.quoted("User commands"))\n"
        // No hyphenation of command names, left-aligned.
        text += ".nh\n.ad l\n"
    }

    mutating func name(_ name: String, _ summary: String) {
        section("name")
        text += "\(Self.escaped(name)) \\- \(Self.escaped(summary))\n"
    }

    mutating func section(_ title: String) {
        text += ".SH \(Self.quoted(title.asciiUppercased))\n"
        isAfterHeading = true
    }

    mutating func subsection(_ title: String) {
        text += ".SS \(Self.quoted(title))\n"
        isAfterHeading = true
    }

    mutating func paragraph(_ words: String) {
        beginParagraph()
        text += "\(Self.line(words))\n"
    }

    mutating func commandLine(_ words: String) {
        beginParagraph()
        text += ".B \(Self.quoted(words))\n"
    }

    private mutating func beginParagraph() {
        if !isAfterHeading { text += ".PP\n" }
        isAfterHeading = false
    }

    mutating func definition(_ term: String, _ words: String) {
        isAfterHeading = false
        text += ".TP\n.B \(Self.quoted(term))\n\(Self.line(words))\n"
    }

    mutating func option(_ option: OptionSpecification) {
        var term = option.short.map { "\\fB\\-\(Self.escaped(String($0)))\\fR, " } ?? ""
        term += "\\fB\(Self.escaped("--" + option.name))\\fR"
        if let name = option.valueName { term += " \\fI\(Self.escaped(name))\\fR" }
        isAfterHeading = false
        text += ".TP\n\(term)\n\(Self.line(option.fullSummary))\n"
    }

    mutating func example(_ line: String) {
        isAfterHeading = false
        text += ".PP\n.RS 4\n.nf\n\(Self.line(line))\n.fi\n.RE\n"
    }

    mutating func seeAlso(_ pages: [String]) {
        guard !pages.isEmpty else { return }
        section("see also")
        for (index, page) in pages.enumerated() {
            let cut = page.utf8.firstIndex(of: UInt8(ascii: "(")) ?? page.endIndex
            let name = String(page[..<cut])
            let rest = String(page[cut...])
            text += ".BR \(Self.quoted(name)) \(Self.quoted(rest + (index + 1 < pages.count ? "," : "")))\n"
        }
    }

    /// A line of text: a dot or an apostrophe at its start would be a request.
    private static func line(_ words: String) -> String {
        let escaped = escaped(words)
        return words.utf8.first == UInt8(ascii: ".") ? "\\&" + escaped : escaped
    }

    private static func quoted(_ words: String) -> String {
        "\"\(escaped(words))\""
    }

    /// ASCII only; characters that roff would obey or turn into typographic ones are named (groff_char(7)).
    private static func escaped(_ words: String) -> String {
        var result = ""
        for scalar in words.unicodeScalars {
            switch scalar {
            case "\\": result += "\\(rs"
            case "\"": result += "\\(dq"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "-": result += "\\-"
            case "\n": result += " "
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits + "]"
            }
        }
        return result
    }
}

extension String {
    /// Small ASCII letters as capitals, whatever the locale.
    fileprivate var asciiUppercased: String {
        String(decoding: utf8.map { $0 >= 0x61 && $0 <= 0x7a ? $0 - 0x20 : $0 }, as: UTF8.self)
    }

    /// The first letter as a capital.
    fileprivate var capitalizedFirst: String {
        guard let first = utf8.first, first >= 0x61, first <= 0x7a else { return self }
        return String(Unicode.Scalar(first - 0x20)) + String(unicodeScalars.dropFirst())
    }
}
