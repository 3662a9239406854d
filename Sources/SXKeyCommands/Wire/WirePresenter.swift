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
        begin(path, kind.title + (isEncrypted ? ", opened with the key of its store" : ""))
    }

    func begin(_ path: FilePath, _ title: String) {
        self.path = path
        guard !isJSON else { return }
        if !isFirst { console.output.line() }
        isFirst = false
        console.output.line("\(path, .bold): \(trusted: title)")
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

    func show(_ shown: WireRelated.Shown, _ looker: WireRelated) {
        guard isJSON else { return looker.writeText(shown, to: console.output) }
        writeLine { json in looker.writeJSON(shown, to: &json) }
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

    /// What became of the messages; adds up to the first. In text, that of verify is by the senders, who are an object of
    /// their own in JSON.
    private func parts(inText: Bool) -> [(name: String, key: String, count: Int)] {
        var parts = [("read", "read", counts.read)]
        switch question {
        case .inspect: break
        case .verify:
            if inText {
                parts += SenderProof.Strength.allCases.map { ($0.title, $0.rawValue, counts.senders[$0]) }
                    .filter { $0.2 > 0 }
            }
        case .open:
            parts += [("opened", "opened", counts.opened), ("in clear", "clear", counts.clear)]
            if !inText || counts.unknownType > 0 {
                parts.append(("unknown type", "unknownType", counts.unknownType))
            }
            parts.append(("not opened", "notOpened", counts.notOpened))
        }
        parts.append(("unreadable", "unreadable", counts.unreadable))
        return parts
    }

    func writeText(to stream: TextStream) {
        stream.line()
        stream.line(
            "\(parts(inText: true).map { "\(trusted: $0.name) \(count: $0.count)" as TerminalText }.joined(" · "))")
        if question != .verify, counts.senders.total > 0 { stream.line("  senders: \(counts.senders.text)") }
        if counts.senders[.selfSigned] > 0 { stream.line("  \(trusted: SenderProof.selfSignedMeaning)") }
        if counts.failedFiles > 0 { stream.line("  \(count: counts.failedFiles, "file") could not be read") }
        guard question != .inspect || status != .success else { return }
        stream.line("Verdict: \(verdict) (exit \(status.rawValue))")
    }

    private var verdict: TerminalText {
        switch status {
        case .success where counts.read == 0: "there is no message"
        case .success:
            switch (question, counts.senders.caveat) {
            case (_, nil): TerminalText(trusted: "all is well", .green)
            case (.open, let caveat?): "everything was opened or in clear; " + caveat
            case (_, let caveat?): "every signature fits; " + caveat
            }
        case .finding where counts.senders[.bad] == 0 && counts.findings == 0:
            TerminalText(trusted: "a message is signed by a key that was replaced", .red)
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
                    for part in parts(inText: false) { json.member(part.key, part.count) }
                    json.member("senders") { json in counts.senders.writeJSON(to: &json) }
                    json.member("findings", counts.findings)
                    json.member("failedFiles", counts.failedFiles)
                    json.member("verdict", status.name)
                    json.member("exit", Int(status.rawValue))
                }
            }
        }
    }
}
