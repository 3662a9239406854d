import TestSupport
import Testing

/// What happens on a terminal: the question for the passphrase, colours, and interrupts.
@Suite("on a terminal", .enabled(if: TerminalSession.isThere, "needs python3"))
struct TerminalTests {
    private let phone: SamplePhone

    init() throws {
        phone = try SamplePhone()
    }

    private func session(_ arguments: [String], _ steps: String, environment: [String: String?] = [:]) -> String {
        let variables: [String: String?] = ["TERM": "xterm", "NO_COLOR": nil]
        let run = TerminalSession.run(
            [SamplePhone.sxkey] + arguments, in: phone.sample, environment: variables.merging(environment) { $1 }, steps
        )
        return run.outputText + run.errorText
    }

    private static let verify = ["bundle", "verify", "sample.sxfe"]

    @Test("the question names the file, and the answer is never shown")
    func question() {
        let shown = session(
            Self.verify,
            """
            wait_for(b": "); print("asked", shown.decode(), "echo", echo())
            type_in(b"correct horse battery staple\\n"); end()
            """)
        #expect(shown.hasPrefix("asked Passphrase for sample.sxfe:  echo False\n"))
        // The quick sample has too few iterations for the apps.
        #expect(shown.hasSuffix("status 8 echo True\n"))
        #expect(!shown.contains("horse"))
    }

    @Test("a wrong answer is an error, the same as from a file")
    func wrongAnswer() {
        let shown = session(Self.verify, "wait_for(b': '); type_in(b'not the right one\\n'); end()")
        #expect(shown.contains("cannot open \"sample.sxfe\": wrong passphrase, or the file is damaged"))
        #expect(shown.hasSuffix("status 5 echo True\n"))
        #expect(!shown.contains("not the right one"))
    }

    @Test("no answer is a usage error", arguments: ["\\n", "\\x04"])
    func noAnswer(key: String) {
        let shown = session(Self.verify, "wait_for(b': '); type_in(b'\(key)'); end()")
        #expect(shown.contains("no passphrase for \"sample.sxfe\" was given"))
        #expect(shown.hasSuffix("status 2 echo True\n"))
    }

    @Test(
        "an interrupt at the question turns the echo on again and leaves nothing",
        arguments: [
            ("type_in(b'\\x03')", 130), ("os.kill(pid, signal.SIGTERM)", 143), ("os.kill(pid, signal.SIGHUP)", 129),
        ])
    func interrupt(step: String, status: Int) {
        let before = phone.listing
        let shown = session(
            ["bundle", "export", "sample.sxfe", "-o", "out.jsonl"],
            "wait_for(b': '); type_in(b'correct horse'); \(step); end()")
        #expect(shown.hasSuffix("status \(status) echo True\n"), "\(shown)")
        #expect(!shown.contains("horse"))
        #expect(phone.listing == before)
    }

    @Test("the name of the file cannot steer the terminal")
    func hostileName() throws {
        try phone.write(fileBytes(phone.file("sample.sxfe")) ?? [], to: "\u{1b}[2J\u{202e}.sxfe")
        let shown = session(
            ["bundle", "verify", "\u{1b}[2J\u{202e}.sxfe", "--no-color"], "wait_for(b': '); type_in(b'x\\n'); end()")
        #expect(shown.contains(#"Passphrase for \u{1b}[2J\u{202e}.sxfe: "#), "\(shown)")
        #expect(!shown.contains("\u{1b}") && !shown.contains("\u{202e}"))
    }

    @Test("colours are for terminals that want them")
    func colours() {
        let line = ["store", "verify", "phone", "-k", "storage.key"]
        #expect(session(line, "end()").contains("\u{1b}["))
        #expect(!session(line + ["--no-color"], "end()").contains("\u{1b}"))
        #expect(!session(line + ["--color", "never"], "end()").contains("\u{1b}"))
        #expect(!session(line, "end()", environment: ["NO_COLOR": "1"]).contains("\u{1b}"))
        #expect(session(line, "end()", environment: ["NO_COLOR": ""]).contains("\u{1b}["))
        #expect(!session(line, "end()", environment: ["TERM": "dumb"]).contains("\u{1b}"))
        #expect(session(line + ["--color", "always"], "end()", environment: ["NO_COLOR": "1"]).contains("\u{1b}["))
        #expect(!session(["store", "info", "nothing", "--json"], "end()").contains("\u{1b}"))
        #expect(!phone.run("store", "verify", "phone", "-k", "storage.key").outputText.contains("\u{1b}"))
        #expect(
            phone.run("store", "verify", "phone", "-k", "storage.key", "--color=always").outputText.contains("\u{1b}["))
    }

    @Test("without a terminal the question is an error at once, in every command that asks")
    func noTerminal() {
        for line in ["verify sample.sxfe", "show sample.sxfe", "export sample.sxfe -o out"] {
            for input in ["</dev/null", "<sample.sxfe", "<&-"] {
                let run = phone.shell("sxkey bundle \(line) \(input)", seconds: 20)
                #expect(run.status == 2, "\(line) \(input)")
                #expect(
                    run.errorText == """
                        sxkey: error: no terminal to ask for the passphrase for "sample.sxfe"
                        sxkey: hint: give it with --passphrase-file FILE, or --passphrase-fd N

                        """)
            }
        }
    }
}
