import CommandKit
import SophaxCore
import SophaxFiles
import SystemIO

/// Shows messages as they come: lines of text, or a line of JSON each.
final class WirePresenter {
    private let question: WireQuestion
    private let console: Console
    private let context: Context
    private var path: FilePath = ""
    private var isFirst = true

    init(_ question: WireQuestion, _ context: Context) {
        self.question = question
        self.context = context
        console = context.console
    }

    private var isJSON: Bool { console.options.json }
    private var text: WireText { WireText(question, context) }
    private func json(_ looker: WireLooker) -> WireJSON { WireJSON(question, context, path, looker) }

    func begin(_ path: FilePath, _ kind: CaptureReader.Kind, isEncrypted: Bool) {
        self.path = path
        guard !isJSON else { return }
        if !isFirst { console.output.line() }
        isFirst = false
        let encrypted: TerminalText = isEncrypted ? ", opened with the key of its store" : ""
        console.output.line("\(path, .bold): \(trusted: kind.title)\(encrypted)")
    }

    func end(items: Int, beginsWithHello: Bool?) {
        guard !isJSON else { return }
        if items == 0 { console.output.line("  there is nothing in it") }
        if beginsWithHello == false {
            console.output.line(
                "  \(trusted: "note", .dim)  it does not begin with a hello, as a connection does: its beginning is missing"
            )
        }
    }

    func show(_ shown: ShownMessage, at item: CapturedItem, _ looker: WireLooker) {
        guard isJSON else { return text.write(shown, item.place, looker, to: console.output) }
        writeLine { json in self.json(looker).write(shown, item, to: &json) }
    }

    func show(_ held: StoreAndForwardPayload, _ inner: InnerMessage?, at item: CapturedItem, _ looker: WireLooker) {
        guard isJSON else { return text.write(held, inner, item.place, looker, to: console.output) }
        writeLine { json in self.json(looker).write(held, inner, item, to: &json) }
    }

    func show(_ problem: CaptureProblem, at item: CapturedItem, _ looker: WireLooker) {
        guard isJSON else {
            let label = TerminalText(trusted: "unreadable", .red)
            return console.output.line("  \(label)  \(item.place.text)\(problem.sentence)")
        }
        writeLine { json in self.json(looker).write(problem, item, to: &json) }
    }

    private func writeLine(_ body: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        body(&json)
        console.output.write(json: json.bytes)
        console.output.write(bytes: [0x0A])
    }

    func finish(_ counts: WireCounts, _ status: ExitStatus) {
        let summary = WireSummary(question: question, counts: counts, status: status)
        if isJSON {
            writeLine { json in summary.writeJSON(to: &json) }
        } else {
            summary.writeText(to: console.output)
        }
    }
}

extension CaptureReader.Kind {
    var title: String {
        switch self {
        case .message: "a message"
        case .lines: "messages, one a line"
        case .frames: "frames of a connection"
        case .pendingQueue: "an app's queue of messages that were not sent yet"
        case .heldMessages: "messages that an app holds for others"
        case .emptyQueue: "an empty queue of an app"
        }
    }
}

extension CapturedItem.Place {
    /// Where it is, with a space behind; nothing for a file that is one message.
    var text: TerminalText {
        switch self {
        case .whole: ""
        case .line(let number): "line \(number)  "
        case .frame(let number, let offset): "frame \(number) at byte \(offset)  "
        case .waiting(let recipient, let number): "for \(recipient.bytes), number \(number)  "
        case .waitingList(let recipient): "for \(recipient.bytes)  "
        case .held(let number): "number \(number)  "
        }
    }
}

/// The counts, and one verdict.
struct WireSummary: Report {
    let question: WireQuestion
    let counts: WireCounts
    let status: ExitStatus

    private var parts: [(name: String, key: String, count: Int)] {
        switch question {
        case .inspect: [("read", "read", counts.read), ("unreadable", "unreadable", counts.unreadable)]
        case .verify:
            [
                ("read", "read", counts.read), ("good", "good", counts.good),
                ("by keys of the file", "possession", counts.possession), ("bad", "bad", counts.bad),
                ("unknown sender", "unknownSender", counts.unknownSender),
                ("unreadable", "unreadable", counts.unreadable),
            ]
        case .open:
            [
                ("read", "read", counts.read), ("opened", "opened", counts.opened), ("in clear", "clear", counts.clear),
                ("not opened", "notOpened", counts.notOpened), ("unreadable", "unreadable", counts.unreadable),
            ]
        }
    }

    func writeText(to stream: TextStream) {
        stream.line()
        stream.line("\(parts.map { "\(trusted: $0.name) \(count: $0.count)" as TerminalText }.joined(" · "))")
        if question == .verify, counts.possession > 0 {
            stream.line(
                "  by keys of the file: that one sender has them is proven, not who it is"
            )
        }
        if question == .open, counts.bad > 0 {
            stream.line(
                "  \(count: counts.bad, "message") \(trusted: counts.bad == 1 ? "has" : "have") a bad signature")
        }
        if counts.failedFiles > 0 { stream.line("  \(count: counts.failedFiles, "file") could not be read") }
        guard question != .inspect || status != .success else { return }
        stream.line("Verdict: \(verdict) (exit \(status.rawValue))")
    }

    private var verdict: TerminalText {
        switch status {
        case .success where question == .verify && counts.possession > 0:
            "no signature is bad; nothing says who sent \(count: counts.possession, "message")"
        case .success: TerminalText(trusted: "all is well", .green)
        case .finding: TerminalText(trusted: "a message is not what it says", .red)
        case .unreadable: TerminalText(trusted: "nothing can be read", .red)
        case .wrongSecret: TerminalText(trusted: "these keys open none of them, or all were changed", .red)
        default: TerminalText(trusted: "not all is well", .yellow)
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("summary") { json in
                json.object { json in
                    for part in parts { json.member(part.key, part.count) }
                    if question == .open { json.member("bad", counts.bad) }
                    if question != .inspect { json.member("findings", counts.findings) }
                    json.member("failedFiles", counts.failedFiles)
                    json.member("verdict", status.name)
                    json.member("exit", Int(status.rawValue))
                }
            }
        }
    }
}
