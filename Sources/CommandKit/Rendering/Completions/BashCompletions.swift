/// Completions for bash, without the bash-completion package.
struct BashCompletions {
    private let program: ProgramSpecification

    init(_ program: ProgramSpecification) {
        self.program = program
    }

    var script: String {
        """
        # bash completion for \(program.name). Generated from the command specification; do not edit.

        _\(program.name)() {
            local cur=${COMP_WORDS[COMP_CWORD]} prev='' noun='' verb='' place=0 index word skip=''
            # bash breaks words at "=".
            if [[ $cur == = ]]; then
                cur=''
                prev=${COMP_WORDS[COMP_CWORD-1]}
            elif (( COMP_CWORD > 1 )) && [[ ${COMP_WORDS[COMP_CWORD-1]} == = ]]; then
                prev=${COMP_WORDS[COMP_CWORD-2]}
            elif (( COMP_CWORD > 0 )); then
                prev=${COMP_WORDS[COMP_CWORD-1]}
            fi
            for (( index = 1; index < COMP_CWORD; index++ )); do
                word=${COMP_WORDS[index]}
                if [[ $word == = ]]; then skip=1; continue; fi
                if [[ -n $skip ]]; then skip=''; continue; fi
                case $word in
                    \(valueOptions.joined(separator: "|"))) [[ ${COMP_WORDS[index+1]} == = ]] || skip=1 ;;
                    -?*) ;;
                    *)
                        if [[ -z $noun && $word == help ]]; then :
                        elif [[ -z $noun ]]; then noun=$word
                        elif [[ -z $verb ]] && [[ \(Shell.singleQuoted(" " + nounsWithVerbs.joined(separator: " ") + " ")) == *" $noun "* ]]; then verb=$word
                        elif [[ \(Shell.singleQuoted("|" + groups.map { "\($0.noun) \($0.word.first)" }.joined(separator: "|") + "|")) == *"|$noun $verb|"* ]]; then verb="$verb $word"
                        else place=$((place + 1)); fi ;;
                esac
            done
            local command=$noun${verb:+ $verb} words='' kind='' operand=''
            local options=\(Shell.singleQuoted(Self.allNames(GlobalOptions.specifications)))
            case $command in
                '') words=\(Shell.singleQuoted((program.nouns.map(\.name) + ["help"]).joined(separator: " "))) ;;
        \(nounCases)
        \(commandCases)
            esac
            if [[ $prev == --* || $prev == -? ]]; then
                case "$command $prev" in
        \(valueCases)
                esac
            fi
            COMPREPLY=()
            case $kind in
                value:*) COMPREPLY=( $(compgen -W "${kind#value:}" -- "$cur") ); return ;;
                text) return ;;
            esac
            if [[ -z $kind && $cur == -* ]]; then
                COMPREPLY=( $(compgen -W "$options" -- "$cur") )
                return
            fi
            case $kind in
                '') COMPREPLY=( $(compgen -W "$words" -- "$cur") ) ;;
            esac
            case ${kind:-$operand} in
                file) compopt -o filenames 2>/dev/null; local IFS=$'\\n'; COMPREPLY+=( $(compgen -f -- "$cur") ) ;;
                folder) compopt -o filenames 2>/dev/null; local IFS=$'\\n'; COMPREPLY+=( $(compgen -d -- "$cur") ) ;;
            esac
        }
        complete -F _\(program.name) \(program.name)

        """
    }

    private var valueOptions: [String] {
        var names: [String] = []
        for option in GlobalOptions.specifications + program.commands.flatMap(\.options) where option.takesValue {
            for name in Self.names(of: option) where !names.contains(name) { names.append(name) }
        }
        return names
    }

    private var nounsWithVerbs: [String] {
        program.nouns.filter { !$0.verbs.isEmpty }.map(\.name)
    }

    private var nounCases: String {
        let nouns = program.nouns.filter { !$0.verbs.isEmpty }.map { ($0.name, $0.verbWords.map(\.first)) }
        let words = groups.map { ("\($0.noun) \($0.word.first)", $0.word.seconds) }
        return (nouns + words).map { said, next in
            "        \(Shell.singleQuoted(said))) words=\(Shell.singleQuoted(next.joined(separator: " "))) ;;"
        }.joined(separator: "\n")
    }

    /// The words after which a second word of the verb comes.
    private var groups: [(noun: String, word: VerbWord)] {
        program.nouns.flatMap { noun in noun.verbWords.filter(\.isGroup).map { (noun.name, $0) } }
    }

    private var commandCases: String {
        program.commands.map { command in
            var body = "words=''"
            for (place, operand) in command.operands.enumerated() {
                let last = operand.takesMany ? "place >= \(place)" : "place == \(place)"
                switch operand.kind {
                case .choice(let choices):
                    body += "; (( \(last) )) && words=\(Shell.singleQuoted(choices.joined(separator: " ")))"
                case .file: body += "; (( \(last) )) && operand=file"
                case .folder: body += "; (( \(last) )) && operand=folder"
                case .text, .number, .date: break
                }
            }
            let options = Self.allNames(command.allOptions)
            return "        \(Shell.singleQuoted(command.words))) options=\(Shell.singleQuoted(options)); \(body) ;;"
        }.joined(separator: "\n")
    }

    private var valueCases: String {
        var lines: [String] = []
        for option in GlobalOptions.specifications where option.takesValue {
            lines.append(contentsOf: Self.names(of: option).map { valueCase("*' \($0)'", option.kind) })
        }
        for command in program.commands {
            for option in command.options where option.takesValue {
                let patterns = Self.names(of: option).map { Shell.singleQuoted("\(command.words) \($0)") }
                lines.append(valueCase(patterns.joined(separator: "|"), option.kind))
            }
        }
        return lines.joined(separator: "\n")
    }

    private func valueCase(_ pattern: String, _ kind: ValueKind) -> String {
        let word =
            switch kind {
            case .text, .number, .date: "text"
            case .file: "file"
            case .folder: "folder"
            case .choice(let choices): Shell.singleQuoted("value:" + choices.joined(separator: " "))
            }
        return "            \(pattern)) kind=\(word) ;;"
    }

    private static func allNames(_ options: [OptionSpecification]) -> String {
        options.flatMap(names).joined(separator: " ")
    }

    private static func names(of option: OptionSpecification) -> [String] {
        ["--" + option.name] + (option.short.map { ["-\($0)"] } ?? [])
    }
}
