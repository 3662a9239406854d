import SystemIO

/// A command line that cannot be run, and what to do about it.
package struct UsageError: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case noCommand
        case unknownNoun([UInt8], suggestion: String?)
        case noVerb(noun: String, verbs: [String])
        case unknownVerb([UInt8], noun: String, suggestion: String?, verbs: [String])
        case unknownOption([UInt8], suggestion: String?)
        /// An option that takes a value stands last.
        case noValue(option: String, valueName: String)
        /// A flag got `=VALUE`.
        case unwantedValue(option: String)
        case repeatedOption(String)
        case noOption(String)
        case noOperand(String)
        case extraOperand([UInt8])
        case notAChoice([UInt8], of: String, choices: [String], suggestion: String?)
        case notANumber([UInt8], of: String, range: ClosedRange<Int>)
        case notADate([UInt8], of: String, TypedDate.Problem)
        /// What a command finds wrong itself, in the words of an error message.
        case other(String, hint: String?)
    }

    package let kind: Kind
    /// The words of the command that was recognised, empty for none: `store show`.
    package let command: String

    package init(_ kind: Kind, command: String = "") {
        self.kind = kind
        self.command = command
    }

    /// What a command finds wrong with its own arguments; `message` is escaped already.
    package static func other(_ message: TerminalText, hint: TerminalText? = nil) -> UsageError {
        UsageError(.other(message.plain, hint: hint?.plain))
    }

    /// Two options that exclude each other.
    package static func conflict(_ first: String, _ second: String) -> UsageError {
        UsageError(.other("--\(first) and --\(second) exclude each other", hint: nil))
    }

    /// The same error with the command's name for the hint.
    func of(_ specification: CommandSpecification) -> UsageError {
        UsageError(kind, command: specification.words)
    }
}

extension UsageError {
    /// Lower case, no full stop, foreign text quoted and escaped.
    package var message: TerminalText {
        switch kind {
        case .noCommand: "no command given"
        case .unknownNoun(let word, _): "unknown command \(quoted: word)"
        case .noVerb(let noun, _): "\"\(trusted: noun)\" needs a verb"
        case .unknownVerb(let word, let noun, _, _): "\"\(trusted: noun)\" has no verb \(quoted: word)"
        case .unknownOption(let word, _): "unknown option \(quoted: word)"
        case .noValue(let option, let name): "\(trusted: option) needs a value: \(trusted: option) \(trusted: name)"
        case .unwantedValue(let option): "\(trusted: option) takes no value"
        case .repeatedOption(let option): "\(trusted: option) is given twice"
        case .noOption(let option): "\(trusted: option) is missing"
        case .noOperand(let name): "\(trusted: name) is missing"
        case .extraOperand(let word): "one operand too many: \(quoted: word)"
        case .notAChoice(let word, let name, _, _): "\(trusted: name) cannot be \(quoted: word)"
        case .notANumber(let word, let name, _): "\(trusted: name) cannot be \(quoted: word)"
        case .notADate(let word, let name, _): "\(trusted: name) cannot be \(quoted: word)"
        case .other(let message, _): "\(trusted: message)"
        }
    }

    /// What to do, one line each; `program` is the program's name.
    package func hints(program: String) -> [TerminalText] {
        var hints: [TerminalText] = []
        switch kind {
        case .unknownNoun(_, let suggestion?), .unknownVerb(_, _, let suggestion?, _),
            .unknownOption(_, let suggestion?), .notAChoice(_, _, _, let suggestion?):
            hints.append("did you mean \"\(trusted: suggestion)\"?")
        case .noVerb(_, let verbs), .unknownVerb(_, _, nil, let verbs):
            hints.append("one of \(trusted: verbs.joined(separator: ", "))")
        case .notAChoice(_, _, let choices, nil):
            hints.append("one of \(trusted: choices.joined(separator: ", "))")
        case .notANumber(_, _, let range):
            hints.append(
                range.upperBound == .max
                    ? "a whole number from \(range.lowerBound) on"
                    : "a whole number from \(range.lowerBound) to \(range.upperBound)")
        case .notADate(_, _, let problem): hints.append("\(trusted: problem.reason)")
        case .extraOperand: hints.append("a name with spaces belongs in quotes")
        case .other(_, let hint?): hints.append("\(trusted: hint)")
        default: break
        }
        let words = command.isEmpty ? program : "\(program) \(command)"
        hints.append("\"\(trusted: words) --help\" shows how it is used")
        return hints
    }
}
