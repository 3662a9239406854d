/// Completions for fish.
struct FishCompletions {
    private let program: ProgramSpecification

    init(_ program: ProgramSpecification) {
        self.program = program
    }

    var script: String {
        let name = program.name
        var lines = [
            "# fish completion for \(name). Generated from the command specification; do not edit.",
            "",
            "# True when the words so far, options aside, begin with the arguments; with -x when they are no more than these.",
            "function __\(name)_at",
            "    set -l exact no",
            "    if test \"$argv[1]\" = -x",
            "        set exact yes",
            "        set -e argv[1]",
            "    end",
            "    set -l words",
            "    set -l skip no",
            "    for word in (commandline -opc)[2..-1]",
            "        if test $skip = yes",
            "            set skip no",
            "            continue",
            "        end",
            "        switch $word",
            "            case \(valueOptions.map(Self.quoted).joined(separator: " "))",
            "                set skip yes",
            "            case '-?*'",
            "            case help",
            "                set -q words[1]; and set -a words $word",
            "            case '*'",
            "                set -a words $word",
            "        end",
            "    end",
            "    if test $exact = yes; and test (count $words) -ne (count $argv)",
            "        return 1",
            "    end",
            "    for index in (seq (count $argv))",
            "        test \"$words[$index]\" = \"$argv[$index]\"; or return 1",
            "    end",
            "    return 0",
            "end",
            "",
            "complete -c \(name) -f",
        ]
        for (noun, summary) in program.nouns.map({ ($0.name, $0.summary) }) + [("help", "show help for a command")] {
            lines.append("complete -c \(name) -n '__\(name)_at -x' -a \(noun) -d \(Self.quoted(summary))")
        }
        lines.append(contentsOf: GlobalOptions.specifications.map { optionLine($0, condition: nil) })
        for noun in program.nouns {
            for word in noun.verbWords {
                lines.append("")
                lines.append(wordLine(word.first, after: noun.name, word.summary))
                for entry in word.entries {
                    guard let second = entry.second else { continue }
                    lines.append(wordLine(second, after: "\(noun.name) \(word.first)", entry.command.summary))
                }
            }
            for command in noun.commands {
                lines.append("")
                let condition = "__\(name)_at \(command.words)"
                lines.append(contentsOf: command.options.map { optionLine($0, condition: condition) })
                if let operands = operandArguments(of: command) {
                    lines.append("complete -c \(name) -n '\(condition)' \(operands)")
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func wordLine(_ word: String, after words: String, _ summary: String) -> String {
        "complete -c \(program.name) -n '__\(program.name)_at -x \(words)' -a \(word) -d \(Self.quoted(summary))"
    }

    private var valueOptions: [String] {
        var names: [String] = []
        for option in GlobalOptions.specifications + program.commands.flatMap(\.options) where option.takesValue {
            for name in ["--" + option.name] + (option.short.map { ["-\($0)"] } ?? []) where !names.contains(name) {
                names.append(name)
            }
        }
        return names
    }

    private func optionLine(_ option: OptionSpecification, condition: String?) -> String {
        var line = "complete -c \(program.name)"
        if let condition { line += " -n '\(condition)'" }
        if let short = option.short { line += " -s \(short)" }
        line += " -l \(option.name)"
        if option.takesValue { line += " " + valueArguments(option.kind) }
        return line + " -d \(Self.quoted(option.summary))"
    }

    private func valueArguments(_ kind: ValueKind) -> String {
        switch kind {
        case .text, .number, .date: "-x"
        case .file: "-r -F"
        case .folder: "-x -a '(__fish_complete_directories)'"
        case .choice(let choices): "-x -a \(Self.quoted(choices.joined(separator: " ")))"
        }
    }

    /// What the operands can be, all places taken together: fish counts no operands.
    private func operandArguments(of command: CommandSpecification) -> String? {
        let kinds = command.operands.map(\.kind)
        for kind in kinds {
            if case .choice(let choices) = kind { return "-a \(Self.quoted(choices.joined(separator: " ")))" }
        }
        if kinds.contains(.file) { return "-F" }
        return kinds.contains(.folder) ? "-a '(__fish_complete_directories)'" : nil
    }

    /// In single quotes fish knows two escapes, of the quote and of the backslash.
    private static func quoted(_ text: String) -> String {
        var result = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" || scalar == "\\" { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return result + "'"
    }
}
