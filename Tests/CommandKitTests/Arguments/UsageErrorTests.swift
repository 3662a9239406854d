import CommandKit
import SystemIO
import Testing

@Suite("Usage errors")
struct UsageErrorTests {
    /// A command line, the message, and the hints before the last one.
    static let mistakes: [(line: [String], message: String, hints: [String])] = [
        ([], "no command given", []),
        (["bix"], "unknown command \"bix\"", ["did you mean \"box\"?"]),
        (["completion", "bash"], "unknown command \"completion\"", ["did you mean \"completions\"?"]),
        (["show"], "unknown command \"show\"", ["did you mean \"box show\"?"]),
        (["zzzzzz"], "unknown command \"zzzzzz\"", []),
        (["e\u{1b}[2J\u{202e}"], "unknown command \"e\\u{1b}[2J\\u{202e}\"", []),
        (["help", "bix"], "unknown command \"bix\"", ["did you mean \"box\"?"]),
        (["box"], "\"box\" needs a verb", ["one of show, info, lid add, lid remove"]),
        (["box", "--json"], "\"box\" needs a verb", ["one of show, info, lid add, lid remove"]),
        (["box", "shwo"], "\"box\" has no verb \"shwo\"", ["did you mean \"show\"?"]),
        (["box", "remove"], "\"box\" has no verb \"remove\"", ["one of show, info, lid add, lid remove"]),
        (["--jsno", "box"], "unknown option \"--jsno\"", ["did you mean \"--json\"?"]),
        (["box", "show", "--formt=x", "d"], "unknown option \"--formt\"", ["did you mean \"--format\"?"]),
        (["box", "show", "--form", "x", "d"], "unknown option \"--form\"", ["did you mean \"--format\"?"]),
        (["box", "show", "-format", "x", "d"], "--format cannot be \"ormat\"", ["one of json, text"]),
        (["box", "show", "-long", "d"], "unknown option \"-long\"", ["did you mean \"--long\"?"]),
        (["box", "show", "-json", "d"], "unknown option \"-json\"", ["did you mean \"--json\"?"]),
        (["box", "show", "-\u{e9}", "d"], "unknown option \"-\u{e9}\"", []),
        (["box", "show", "--zzzzzzzz", "d"], "unknown option \"--zzzzzzzz\"", []),
        (["box", "show", "d", "--format"], "--format needs a value: --format FORMAT", []),
        (["box", "show", "d", "-af"], "-f needs a value: -f FORMAT", []),
        (["box", "show", "--all=yes", "d"], "--all takes no value", []),
        (["box", "show", "-a=yes", "d"], "-a takes no value", []),
        (["box", "show", "-n1", "-fjson", "--limit", "2", "d"], "--limit is given twice", []),
        (["box", "show", "--color=auto", "--color=auto", "d"], "--color is given twice", []),
        (["box", "show", "d"], "--format FORMAT is missing", []),
        (["box", "show", "-fjson"], "DIR is missing", []),
        (["box", "info"], "FILE is missing", []),
        (["count", "1", "2"], "one operand too many: \"2\"", ["a name with spaces belongs in quotes"]),
        (["completions", "bsh"], "SHELL cannot be \"bsh\"", ["did you mean \"bash\"?"]),
        (["completions", "powershell"], "SHELL cannot be \"powershell\"", ["one of bash, zsh, fish"]),
        (["box", "show", "-fxml", "d"], "--format cannot be \"xml\"", ["one of json, text"]),
        (["box", "show", "-fjson", "-n0", "d"], "--limit cannot be \"0\"", ["a whole number from 1 to 500"]),
        (["box", "show", "-fjson", "-n+5", "d"], "--limit cannot be \"+5\"", ["a whole number from 1 to 500"]),
        (["box", "show", "-fjson", "--limit=", "d"], "--limit cannot be \"\"", ["a whole number from 1 to 500"]),
        (
            ["box", "show", "-fjson", "--limit=99999999999999999999", "d"],
            "--limit cannot be \"99999999999999999999\"", ["a whole number from 1 to 500"]
        ),
        (["count", "-1"], "unknown option \"-1\"", []),
        (["count", "--", "-1"], "N cannot be \"-1\"", ["a whole number from 0 on"]),
        (["count", "3x"], "N cannot be \"3x\"", ["a whole number from 0 on"]),
        (["box", "show", "-fjson", ""], "DIR is empty", []),
        (["box", "show", "-fjson", "--key-file=", "d"], "--key-file is empty", []),
    ]

    @Test("each mistake has its message and its hints", arguments: mistakes.indices)
    func messages(index: Int) {
        let mistake = Self.mistakes[index]
        do throws(UsageError) {
            _ = try Samples.parse(mistake.line)
            Issue.record("\(mistake.line) is taken")
        } catch {
            #expect(error.message.plain == mistake.message)
            let hints = error.hints(program: "box").map(\.plain)
            #expect(hints.dropLast() == mistake.hints[...])
            #expect(hints.last?.hasSuffix(" --help\" shows how it is used") == true)
        }
    }

    @Test("the last hint names the command that was recognised")
    func lastHint() {
        func hint(_ words: String...) -> String? {
            do throws(UsageError) {
                _ = try Samples.parse(words)
                return nil
            } catch {
                return error.hints(program: "box").last?.plain
            }
        }
        #expect(hint("bix") == "\"box --help\" shows how it is used")
        #expect(hint("box", "bix") == "\"box box --help\" shows how it is used")
        #expect(hint("box", "show", "--bix") == "\"box box show --help\" shows how it is used")
        #expect(hint("completions") == "\"box completions --help\" shows how it is used")
    }

    @Test("a date that is none says what a date looks like")
    func dates() throws {
        func failure(_ text: String) throws -> UsageError? {
            let arguments = try Samples.arguments("box", "show", "-fjson", "--since", text, "d")
            do throws(UsageError) {
                _ = try arguments.date("since", zone: LocalZone())
                return nil
            } catch {
                return error
            }
        }
        let unknown = try failure("last week")
        #expect(unknown?.message.plain == "--since cannot be \"last week\"")
        #expect(
            unknown?.hints(program: "box").first?.plain
                == "write 2026, 2026-05, 2026-05-01 or 2026-05-01T10:00, with an offset such as +02:00 or Z if wanted")
        #expect(try failure("2026-02-30")?.hints(program: "box").first?.plain == "the calendar has no such day or time")
        #expect(try failure("٢٠٢٦-٠٥-٠١T١٠:٠٠Z") == nil)
    }

    @Test("with --json anywhere before -- an error is known to be wanted as JSON")
    func scanning() {
        func scan(_ words: String...) -> GlobalOptions { GlobalOptions(scanning: words.map { Array($0.utf8) }) }
        #expect(scan("bix", "--json").json)
        #expect(!scan("bix", "--", "--json").json)
        #expect(scan("--no-color").color == .never)
    }

    @Test("an error is one JSON document")
    func json() {
        let error = ErrorMessage(
            program: "box", code: "odd", "cannot open \(quoted: "a\"b\u{7}")", hints: ["look \("twice")"],
            exit: .unreadable)
        var json = JSONWriter()
        error.writeJSON(to: &json)
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"error":{"code":"odd","message":"cannot open \"a\\\"b\\u{7}\"","hints":["look twice"],"exit":4}}"#
        )
    }

    @Test("an error is text with the program's name before each line")
    func text() {
        let capture = Capture()
        let stream = capture.stream()
        ErrorMessage(program: "box", UsageError(.noCommand)).writeText(to: stream)
        stream.flush()
        #expect(capture.text == "box: error: no command given\nbox: hint: \"box --help\" shows how it is used\n")
    }

    @Test(
        "suggestions are near in typing errors",
        arguments: [
            ("verfy", "verify"), ("vreify", "verify"), ("verifyy", "verify"), ("expotr", "export"), ("ver", "verify"),
            ("x", nil), ("shown", "show"), ("remove", nil), (String(repeating: "v", count: 100_000), nil),
        ] as [(String, String?)])
    func suggestions(typed: String, meant: String?) {
        let verbs = ["info", "verify", "show", "export", "attachment"]
        let noun = NounSpecification(
            name: "n", summary: "", commands: verbs.map { CommandSpecification(noun: "n", verb: $0, summary: "") })
        let program = ProgramSpecification(name: "p", version: "", date: "", summary: "", nouns: [noun])
        do throws(UsageError) {
            _ = try ArgumentParser(program).parse([Array("n".utf8), Array(typed.utf8)])
        } catch {
            #expect(
                error.kind
                    == .unknownVerb(Array(typed.utf8), noun: "n", suggestion: meant, verbs: verbs))
        }
    }
}
