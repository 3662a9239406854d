import CommandKit
import SophaxFiles
import SystemIO

/// `sxkey store verify`
struct StoreVerify: Command {
    static let specification = CommandSpecification(
        noun: "store", verb: "verify",
        summary: "check every message and attachment of a store",
        discussion: [
            "Every file is decrypted and its authentication tag checked, every value of every message is read, and the files are "
                + "held against each other: duplicate ids, older group files that newer apps no longer look at, names that "
                + "collide, attachments that are missing or that nothing refers to, expired messages that are still there, and a "
                + "nonce used twice under the key.",
            "It also names the conversations that are at risk: newer app versions cannot decode them, and overwrite them with the "
                + "next message that arrives.",
        ],
        operands: [StoreArguments.folderOperand],
        options: StoreKeySource.options + [StoreArguments.jobs],
        examples: [
            Example("sxkey store verify phone --key-file storage.key", "check a store before the app is updated"),
            Example("sxkey store verify phone --key-file storage.key --json", "the same for a script"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.someDamaged, "something is damaged or missing; the counts say what"),
            StatusNote(.unreadable), StatusNote(.wrongSecret, "the key opens not one of the files"),
            StatusNote(.finding, "all is authentic, but something is at risk"), StatusNote(.notFound),
        ]
    )

    private let store: StoreArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        store = try StoreArguments(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let folder = try store.folder()
        store.noteInterrupted(context)
        let opened = try store.source.read(context, opening: folder)
        let began = steadyClock()
        let report = try store.survey(folder, key: opened.key, includingAttachments: true, context)
        let verdict = StoreVerdict(
            report: report, path: store.path, keyFile: store.source.keyFile, seconds: steadyClock() - began)
        context.console.present(verdict)
        return verdict.status
    }
}

/// What a verification found, and one verdict.
struct StoreVerdict: Report {
    let report: StoreReport
    let path: FilePath
    /// Where the key came from, for the command to run next.
    var keyFile: FilePath?
    /// How long it took; shown to people only.
    let seconds: Double

    var status: ExitStatus {
        let files = report.allFiles
        if !files.isEmpty && !files.contains(where: \.isAuthentic) { return .unreadable }
        return report.findings.exitStatus
    }

    private var counts: [(name: String, value: Int)] {
        [
            ("read", report.messages + report.findings.count(.unreadableMessage)), ("ok", report.messages),
            ("at risk", report.messagesAtRisk), ("damaged", report.damaged), ("missing", report.missing),
        ]
    }

    func writeText(to stream: TextStream) {
        let conversations: TerminalText = "\(count: report.conversations.count, "conversation")"
        let attachments: TerminalText = "\(count: report.attachments.count, "attachment")"
        stream.line("Verified \(conversations) and \(attachments) of \(path) in \(trusted: Quantity.duration(seconds))")
        stream.line()
        let proven: TerminalText =
            "\(count: report.messages, "message") and \(count: report.attachmentsOK, "attachment")"
        stream.line("  \(trusted: "ok       ", .green) \(proven) are authentic and readable")
        writeRisk(to: stream)
        FindingText(findings: report.findings).write(to: stream)
        if needsRepair { stream.line("              → \(next("repair"))") }
        stream.line()
        stream.line("\(trusted: counts.map { "\($0.name) \(Quantity.count($0.value))" }.joined(separator: " · "))")
        stream.line("Verdict: \(verdict) (exit \(status.rawValue))")
    }

    private func writeRisk(to stream: TextStream) {
        let risky = report.conversations.filter(\.isAtRisk)
        guard !risky.isEmpty else { return }
        let them = risky.count == 1 ? "it" : "them"
        let amount: TerminalText =
            "\(count: risky.count, "conversation") (\(count: report.messagesAtRisk, "message"))"
        let label = TerminalText(trusted: "AT RISK  ", .yellow)
        stream.line("  \(label) \(amount): app versions since April 2026 cannot read \(trusted: them),")
        stream.line("              and the next message that arrives overwrites \(trusted: them)")
        for conversation in risky.prefix(FindingText.shownExamples) {
            stream.line("              \(conversation.id.text.bytes)")
        }
        stream.line("              → \(next("migrate")), before a newer app opens it")
    }

    /// Something that "store repair" looks at.
    private var needsRepair: Bool {
        [
            Finding.Kind.damagedFile, .damagedAttachment, .nonceReuse, .unexpectedName, .duplicateID,
            .unreadableMessage,
        ].contains { report.findings.count($0) > 0 }
    }

    private var nextVerbs: [String] {
        (report.conversationsAtRisk > 0 ? ["migrate"] : []) + (needsRepair ? ["repair"] : [])
    }

    /// The command to run next, with the arguments of this one.
    private func next(_ verb: String) -> TerminalText {
        let key: TerminalText = keyFile.map { " --key-file \($0)" } ?? ""
        return "sxkey store \(trusted: verb) \(path)\(key)"
    }

    private var verdict: TerminalText {
        switch status {
        case .success where report.allFiles.isEmpty: "there is nothing to verify, and so nothing that proves the key"
        case .success: TerminalText(trusted: "all is well", .green)
        case .finding: TerminalText(trusted: "all is authentic, but not all is safe", .yellow)
        case .unreadable: TerminalText(trusted: "nothing can be read", .red)
        default: TerminalText(trusted: "not all is well", .red)
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("verdict", status.name)
            json.member("exit", Int(status.rawValue))
            json.member("counts") { json in
                json.object { json in
                    for count in counts { json.member(count.name == "at risk" ? "atRisk" : count.name, count.value) }
                    json.member("attachments", report.attachments.count)
                    json.member("attachmentsOK", report.attachmentsOK)
                    json.member("conversations", report.conversations.count)
                    json.member("conversationsAtRisk", report.conversationsAtRisk)
                }
            }
            json.member("next") { json in
                json.array(nextVerbs) { json, verb in json.value("store \(verb)") }
            }
            json.member("conversations") { json in
                json.array(report.conversations) { json, conversation in StoreOverview.write(conversation, to: &json) }
            }
            json.member("findings") { json in FindingText(findings: report.findings).writeJSON(to: &json) }
        }
    }
}
