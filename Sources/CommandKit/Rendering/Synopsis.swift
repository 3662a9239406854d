extension ProgramSpecification {
    /// `sxkey store export [OPTION]... --format FORMAT DIR`.
    package func synopsis(of command: CommandSpecification) -> String {
        var words = [name, command.words, "[OPTION]..."]
        for option in command.options where option.isRequired {
            words.append("--" + option.name + (option.valueName.map { " " + $0 } ?? ""))
        }
        words.append(contentsOf: command.operands.map(\.synopsis))
        return words.joined(separator: " ")
    }
}

extension OptionSpecification {
    /// `-q, --quiet`, `    --since DATE`: aligned among options.
    var term: String {
        let letter = short.map { "-\($0), " } ?? "    "
        return letter + "--" + name + (valueName.map { " " + $0 } ?? "")
    }

    /// The summary with what the value can be and how often it may come.
    var fullSummary: String {
        var text = summary
        switch kind {
        case .choice(let choices) where !choices.allSatisfy({ summary.utf8Contains($0) }):
            text += ": " + choices.joined(separator: ", ")
        default: break
        }
        if isRequired { text += " (required)" }
        if isRepeatable { text += " (may be repeated)" }
        return text
    }
}

extension String {
    /// True when `other` occurs in it, byte for byte.
    fileprivate func utf8Contains(_ other: String) -> Bool {
        let text = Array(utf8)
        let wanted = Array(other.utf8)
        guard wanted.count <= text.count else { return false }
        return (0...text.count - wanted.count).contains { text[$0...].starts(with: wanted) }
    }
}
