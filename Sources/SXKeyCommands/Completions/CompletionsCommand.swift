import CommandKit

/// `sxkey completions`
struct CompletionsCommand: Command {
    static let specification = CommandSpecification(
        noun: "completions",
        summary: "print completions for a shell",
        discussion: [
            "\"make install\" puts them where the shells look. For this session only: source <(sxkey completions bash)"
        ],
        operands: [
            OperandSpecification("SHELL", .choice(Shell.allCases.map(\.rawValue)), .one, "bash, zsh or fish")
        ],
        examples: [Example("sxkey completions bash", "print the completions for bash")],
        exitStatuses: [StatusNote(.success), StatusNote(.usage)]
    )

    private let shell: Shell

    init(_ arguments: ParsedArguments) throws(UsageError) {
        let word = arguments.operand("SHELL").map { String(decoding: $0, as: UTF8.self) }
        guard let shell = word.flatMap(Shell.init) else { throw .other("SHELL is one of bash, zsh and fish") }
        self.shell = shell
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        context.console.present(CompletionsScript(shell: shell))
        return .success
    }
}

/// A script for one shell.
private struct CompletionsScript: Report {
    let shell: Shell

    private var script: String { shell.completions(of: Program.specification) }

    func writeText(to stream: TextStream) {
        stream.write(bytes: Array(script.utf8))
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("shell", shell.rawValue)
            json.member("script", script)
        }
    }
}
