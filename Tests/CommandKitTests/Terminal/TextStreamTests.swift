import CommandKit
import SystemIO
import Testing

@Suite("Text streams")
struct TextStreamTests {
    @Test("what is written comes in order, large and small")
    func order() throws {
        let capture = Capture()
        let stream = capture.stream()
        for number in 0..<50_000 { stream.line("\(number)") }
        try stream.finish()
        #expect(capture.text == (0..<50_000).map { "\($0)\n" }.joined())
    }

    @Test("the first error sticks and is thrown at the end")
    func sticking() {
        let capture = Capture()
        capture.limit = 100_000
        let stream = capture.stream()
        for _ in 0..<30_000 { stream.line("0123456789") }
        #expect(stream.failure?.kind == .noSpace)
        #expect(throws: FileError(.write, "capture", .noSpace)) { try stream.finish() }
        #expect(capture.bytes.count == 100_000)
    }

    @Test("JSON is the same JSON on a terminal, with nothing in it that steers one")
    func terminalJSON() {
        let json = Array("{\"a\":\"x\u{202e}y\u{9b}31m\u{7f}é👍\u{e0041}\"}\t\n".utf8)
        for (isTerminal, text) in [
            (false, String(decoding: json, as: UTF8.self)),
            (true, "{\"a\":\"x\\u202ey\\u009b31m\\u007fé👍\\udb40\\udc41\"}\t\n"),
        ] {
            let capture = Capture()
            let stream = capture.stream(isTerminal: isTerminal)
            stream.write(json: json)
            stream.flush()
            #expect(capture.text == text)
        }
    }

    struct Answer: Report {
        func writeText(to stream: TextStream) { stream.line("\(trusted: "text", .bold)") }
        func writeJSON(to json: inout JSONWriter) { json.object { $0.member("answer", 42) } }
    }

    private func console(_ options: GlobalOptions, _ output: Capture, _ error: Capture) -> Console {
        Console(output: output.stream(), error: error.stream(), options: options)
    }

    @Test("a result is text or one JSON document")
    func presenting() throws {
        for (options, text) in [(GlobalOptions(), "text\n"), (GlobalOptions(json: true), "{\"answer\":42}\n")] {
            let output = Capture()
            let console = console(options, output, Capture())
            console.present(Answer())
            try console.finish()
            #expect(output.text == text)
        }
    }

    @Test("notes are left out with --quiet and --json, errors never")
    func notes() {
        for (options, text) in [
            (GlobalOptions(), "remark\np: error: bad\n"), (GlobalOptions(quiet: true), "p: error: bad\n"),
            (
                GlobalOptions(json: true, quiet: true),
                "{\"error\":{\"code\":\"failure\",\"message\":\"bad\",\"hints\":[],\"exit\":1}}\n"
            ),
        ] {
            let error = Capture()
            let console = console(options, Capture(), error)
            console.note("remark")
            console.report(ErrorMessage(program: "p", "bad", exit: .failure))
            #expect(error.text == text)
        }
    }

    @Test("results come before the error that ended them")
    func sequence() {
        let both = Capture()
        let console = Console(output: both.stream(), error: both.stream(), options: GlobalOptions())
        console.output.line("result")
        console.report(ErrorMessage(program: "p", "bad", exit: .failure))
        #expect(both.text == "result\np: error: bad\n")
    }
}
