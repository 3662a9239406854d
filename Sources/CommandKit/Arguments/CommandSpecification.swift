/// Everything that parser, help, man page and completions know of one command.
package struct CommandSpecification: Hashable, Sendable {
    package let noun: String
    /// One word, or two with a space between, such as `slot add`; nil for a noun that is a command itself, such as `version`.
    package let verb: String?
    /// One sentence, lower case, no full stop.
    package let summary: String
    /// Paragraphs of whole sentences.
    package let discussion: [String]
    package let operands: [OperandSpecification]
    /// Its own options; those of every command are in `GlobalOptions.specifications`.
    package let options: [OptionSpecification]
    package let examples: [Example]
    package let exitStatuses: [StatusNote]
    /// Other pages, for example `sxkey-formats(5)`.
    package let seeAlso: [String]

    package init(
        noun: String, verb: String? = nil, summary: String, discussion: [String] = [],
        operands: [OperandSpecification] = [], options: [OptionSpecification] = [], examples: [Example] = [],
        exitStatuses: [StatusNote] = [], seeAlso: [String] = []
    ) {
        self.noun = noun
        self.verb = verb
        self.summary = summary
        self.discussion = discussion
        self.operands = operands
        self.options = options
        self.examples = examples
        self.exitStatuses = exitStatuses
        self.seeAlso = seeAlso
    }

    /// `store show`.
    package var words: String {
        verb.map { "\(noun) \($0)" } ?? noun
    }

    /// Own and global options.
    package var allOptions: [OptionSpecification] {
        options + GlobalOptions.specifications
    }
}

/// A command line that help shows and the tests run.
package struct Example: Hashable, Sendable {
    /// The whole line, from the program's name on; words with spaces in double quotes.
    package let line: String
    /// What it does, one sentence, lower case, no full stop.
    package let shows: String

    package init(_ line: String, _ shows: String) {
        self.line = line
        self.shows = shows
    }

    /// The arguments after the program's name, quotes taken off, up to a pipe or redirection.
    package var arguments: [String] {
        var words: [String] = []
        var word = ""
        var hasWord = false
        var quote: Unicode.Scalar?
        scanning: for scalar in line.unicodeScalars {
            if let open = quote {
                if scalar == open { quote = nil } else { word.unicodeScalars.append(scalar) }
            } else if scalar == "\"" || scalar == "'" {
                quote = scalar
                hasWord = true
            } else if scalar == "|" || scalar == "<" || scalar == ">" {
                // A number right before it names a descriptor of the redirection.
                if word.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) { hasWord = false }
                break scanning
            } else if scalar == " " {
                if hasWord { words.append(word) }
                word = ""
                hasWord = false
            } else {
                word.unicodeScalars.append(scalar)
                hasWord = true
            }
        }
        if hasWord { words.append(word) }
        return Array(words.dropFirst())
    }
}

/// An exit status of one command, with words of its own where the general ones say too little.
package struct StatusNote: Hashable, Sendable {
    package let status: ExitStatus
    package let text: String

    package init(_ status: ExitStatus, _ text: String? = nil) {
        self.status = status
        self.text = text ?? status.meaning
    }
}

/// A noun and what it is about.
package struct NounSpecification: Hashable, Sendable {
    package let name: String
    package let summary: String
    package let discussion: [String]
    /// Empty only for a noun under construction.
    package let commands: [CommandSpecification]

    package init(name: String, summary: String, discussion: [String] = [], commands: [CommandSpecification]) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.commands = commands
    }

    /// The command that the noun is by itself.
    package var ownCommand: CommandSpecification? {
        commands.first { $0.verb == nil }
    }

    package var verbs: [String] {
        commands.compactMap(\.verb)
    }

    /// The words that can follow the noun, in the order of help, each with the commands that begin so.
    package var verbWords: [VerbWord] {
        var words: [VerbWord] = []
        for command in commands {
            guard let verb = command.verb else { continue }
            let parts = verb.split(separator: " ", maxSplits: 1).map(String.init)
            let entry = VerbWord.Entry(second: parts.count == 2 ? parts[1] : nil, command: command)
            if let place = words.firstIndex(where: { $0.first == parts[0] }) {
                words[place].entries.append(entry)
            } else {
                words.append(VerbWord(first: parts[0], entries: [entry]))
            }
        }
        return words
    }
}

/// The first word of one or more verbs.
package struct VerbWord: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// The second word, nil for a verb of one.
        package let second: String?
        package let command: CommandSpecification
    }

    package let first: String
    package fileprivate(set) var entries: [Entry]

    /// True when a second word has to follow.
    package var isGroup: Bool { entries.allSatisfy { $0.second != nil } }
    package var seconds: [String] { entries.compactMap(\.second) }

    /// The summary of the verb, or the second words that there are.
    package var summary: String {
        isGroup ? seconds.joined(separator: ", ") : entries.first?.command.summary ?? ""
    }
}

/// The program as a whole: one value from which parser, help, man pages and completions are made.
package struct ProgramSpecification: Sendable {
    package let name: String
    package let version: String
    /// Day of the release, `2026-11-30`, for the man pages.
    package let date: String
    package let summary: String
    package let discussion: [String]
    package let nouns: [NounSpecification]
    /// Variables that the program looks at, and what for.
    package let environment: [(name: String, use: String)]
    package let seeAlso: [String]

    package init(
        name: String, version: String, date: String, summary: String, discussion: [String] = [],
        nouns: [NounSpecification], environment: [(name: String, use: String)] = [], seeAlso: [String] = []
    ) {
        self.name = name
        self.version = version
        self.date = date
        self.summary = summary
        self.discussion = discussion
        self.nouns = nouns
        self.environment = environment
        self.seeAlso = seeAlso
    }

    package func noun(_ name: String) -> NounSpecification? {
        nouns.first { $0.name == name }
    }

    package var commands: [CommandSpecification] {
        nouns.flatMap(\.commands)
    }
}
