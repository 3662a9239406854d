import SystemIO

/// Where a command writes: results to `output`, everything else to `error`.
package final class Console {
    package let output: TextStream
    package let error: TextStream
    package let options: GlobalOptions

    package init(output: TextStream, error: TextStream, options: GlobalOptions) {
        self.output = output
        self.error = error
        self.options = options
    }

    /// The console of the process.
    package convenience init(_ options: GlobalOptions) {
        self.init(
            output: TextStream(.output, color: options.color), error: TextStream(.error, color: options.color),
            options: options)
    }

    /// Writes a result as text or, with `--json`, as one JSON document.
    package func present(_ report: some Report) {
        guard options.json else { return report.writeText(to: output) }
        var json = JSONWriter()
        report.writeJSON(to: &json)
        output.write(json: json.bytes)
        output.write(bytes: [UInt8(ascii: "\n")])
    }

    /// A remark on standard error, left out with `--quiet` and `--json`.
    package func note(_ text: TerminalText) {
        guard !options.quiet, !options.json else { return }
        output.flush()
        error.line(text)
        error.flush()
    }

    /// An error on standard error, as text or, with `--json`, as one JSON document. What was written before comes first.
    package func report(_ failure: ErrorMessage) {
        output.flush()
        if options.json {
            var json = JSONWriter()
            failure.writeJSON(to: &json)
            error.write(json: json.bytes)
            error.write(bytes: [UInt8(ascii: "\n")])
        } else {
            failure.writeText(to: error)
        }
        error.flush()
    }

    /// Hands on all that is buffered; throws the first error of the results. An error of the standard error has no one left
    /// to tell.
    package func finish() throws(FileError) {
        error.flush()
        try output.finish()
    }
}

/// A result of a command: a value with a text view and a JSON view.
package protocol Report {
    func writeText(to stream: TextStream)
    func writeJSON(to json: inout JSONWriter)
}

/// What a user is told when a command fails.
package struct ErrorMessage: Report, Hashable, Sendable {
    package let program: String
    /// Stable word for scripts, such as `wrong-secret`.
    package let code: String
    /// Lower case, no full stop; foreign text quoted.
    package let message: TerminalText
    /// What to do or to know, one line each.
    package let hints: [TerminalText]
    package let exit: ExitStatus

    /// `code` is the name of the exit status unless something more exact is known.
    package init(
        program: String, code: String? = nil, _ message: TerminalText, hints: [TerminalText] = [], exit: ExitStatus
    ) {
        self.program = program
        self.code = code ?? exit.name
        self.message = message
        self.hints = hints
        self.exit = exit
    }

    package init(program: String, _ error: UsageError) {
        self.init(program: program, error.message, hints: error.hints(program: program), exit: .usage)
    }

    package func writeText(to stream: TextStream) {
        stream.line("\(trusted: program): \(trusted: "error:", .red) \(message)")
        for hint in hints { stream.line("\(trusted: program): \(trusted: "hint:", .dim) \(hint)") }
    }

    package func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("error") { json in
                json.object { json in
                    json.member("code", code)
                    json.member("message", message.plain)
                    json.member("hints") { json in
                        json.array(hints) { json, hint in json.value(hint.plain) }
                    }
                    json.member("exit", Int(exit.rawValue))
                }
            }
        }
    }
}
