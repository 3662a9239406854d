/// Completions for zsh, on its `_arguments` and `_describe`.
struct ZshCompletions {
    private let program: ProgramSpecification

    init(_ program: ProgramSpecification) {
        self.program = program
    }

    var script: String {
        var script = """
            #compdef \(program.name)
            # zsh completion for \(program.name). Generated from the command specification; do not edit.

            _\(program.name)() {
                local curcontext="$curcontext" state line
                local -a nouns
                nouns=(
            \(describedWords(program.nouns.map { ($0.name, $0.summary) } + [("help", "show help for a command")], 8))
                )
                _arguments -C \\
            \(arguments(GlobalOptions.specifications, 8)) \\
                    '1: :->noun' \\
                    '*:: :->rest'
                case $state in
                    noun) _describe -t commands 'command' nouns ;;
                    rest)
                        case $line[1] in

            """
        for noun in program.nouns {
            script += "                \(noun.name)) _\(program.name)_\(noun.name) ;;\n"
        }
        script += "                help) _\(program.name) ;;\n"
        script += """
                        esac ;;
                esac
            }

            """
        for noun in program.nouns { script += "\n" + functions(of: noun) }
        script += """

            if [[ $funcstack[1] == _\(program.name) ]]; then
                _\(program.name) "$@"
            else
                compdef _\(program.name) \(program.name)
            fi

            """
        return script
    }

    private func functions(of noun: NounSpecification) -> String {
        let name = "_\(program.name)_\(noun.name)"
        if let command = noun.ownCommand, noun.verbs.isEmpty {
            return "\(name)() {\n\(call(command, 4))\n}\n"
        }
        let words = noun.verbWords
        let choices = words.map { word in
            let body = word.isGroup ? "\(name)_\(word.first)" : word.entries.first.map { "\n\(call($0.command, 20))" }
            return (word: word.first, summary: word.summary, body: body ?? "")
        }
        let groups = words.filter(\.isGroup).map { word in
            let choices = word.entries.map { entry in
                (word: entry.second ?? "", summary: entry.command.summary, body: "\n\(call(entry.command, 20))")
            }
            return "\n" + function("\(name)_\(word.first)", choices)
        }
        return function(name, choices) + groups.joined()
    }

    /// A function that completes one word and leaves the rest to what is behind that word.
    private func function(_ name: String, _ choices: [(word: String, summary: String, body: String)]) -> String {
        var text = """
            \(name)() {
                local curcontext="$curcontext" state line
                local -a verbs
                verbs=(
            \(describedWords(choices.map { ($0.word, $0.summary) }, 8))
                )
                _arguments -C \\
            \(arguments(GlobalOptions.specifications, 8)) \\
                    '1: :->verb' \\
                    '*:: :->rest'
                case $state in
                    verb) _describe -t commands 'command' verbs ;;
                    rest)
                        case $line[1] in

            """
        for choice in choices {
            text += "                \(choice.word))\(choice.body.hasPrefix("\n") ? "" : " ")\(choice.body) ;;\n"
        }
        return text + "            esac ;;\n    esac\n}\n"
    }

    private func call(_ command: CommandSpecification, _ indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var parts = [arguments(command.allOptions, indent + 4)]
        for (place, operand) in command.operands.enumerated() {
            let spec = (operand.takesMany ? "*" : String(place + 1)) + (operand.isRequired ? ":" : "::")
            parts.append(
                margin + "    " + Shell.singleQuoted(spec + escaped(operand.name) + ":" + action(of: operand.kind)))
        }
        return margin + "_arguments -s -S \\\n" + parts.filter { !$0.isEmpty }.joined(separator: " \\\n")
    }

    private func arguments(_ options: [OptionSpecification], _ indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        return options.map { option in
            let names = ["--" + option.name] + (option.short.map { ["-\($0)"] } ?? [])
            let exclusion = option.isRepeatable ? "*" : names.count > 1 ? "(\(names.joined(separator: " ")))" : ""
            let text = "[\(escaped(option.summary))]"
            let value = option.valueName.map { ":\(escaped($0)):\(action(of: option.kind))" } ?? ""
            return names.map { name in
                let takes = option.takesValue ? (name.utf8.count > 2 ? "=" : "+") : ""
                return margin + Shell.singleQuoted(exclusion + name + takes + text + value)
            }.joined(separator: " \\\n")
        }.joined(separator: " \\\n")
    }

    private func action(of kind: ValueKind) -> String {
        switch kind {
        case .text, .number, .date: "( )"
        case .file: "_files"
        case .folder: "_files -/"
        case .choice(let choices): "(\(choices.joined(separator: " ")))"
        }
    }

    private func describedWords(_ words: [(String, String)], _ indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        return words.map { margin + Shell.singleQuoted("\($0):\(escaped($1))") }.joined(separator: "\n")
    }

    /// Brackets, colons and backslashes mean something to `_arguments` and `_describe`.
    private func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar == "[" || scalar == "]" || scalar == ":" || scalar == "\\" { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}
