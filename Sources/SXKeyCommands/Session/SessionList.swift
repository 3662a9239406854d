import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// `sxkey session list`
struct SessionList: Command {
    static let specification = CommandSpecification(
        noun: "session", verb: "list",
        summary: "list the ratchet sessions and what state they are in",
        discussion: [
            "A line for each session of the identity: with whom, the version of its state, whether its HMAC is right, the messages sent and "
                + "received in the present chains, and the keys that are kept for messages that have not come. No key is shown.",
            "\"sxkey session verify\" judges them.",
        ],
        options: SessionArguments.options,
        examples: [
            Example("sxkey session list --keychain keychain.json", "list the sessions in a dump of an app's keychain"),
            Example("sxkey session list --keychain keychain.json --json", "the same for a script"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.unreadable, "the dump is no keychain"), StatusNote(.wrongSecret),
            StatusNote(.locked), StatusNote(.notFound, "no keyring, or no such identity"),
        ]
    )

    private let arguments: SessionArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try SessionArguments(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let read = try arguments.read(context)
        context.console.present(SessionTable(read: read, now: context.now, zone: context.zone))
        return .success
    }
}

/// A line for each session.
struct SessionTable: Report {
    let read: ReadSessions
    let now: Double
    let zone: LocalZone

    func writeText(to stream: TextStream) {
        if let origin = read.origin { stream.line("Sessions of \(origin)") }
        guard !read.sessions.isEmpty else {
            stream.line("  none")
            return
        }
        stream.line()
        Self.table(read.sessions, zone).write(to: stream)
        stream.line()
        let stale = read.sessions.count(where: \.isStale)
        let risks = read.sessions.count { $0.status != .success }
        stream.line("\(count: read.sessions.count, "session") · stale \(stale) · with findings \(risks)")
        if risks > 0 { stream.line("→ sxkey session verify") }
    }

    static func table(_ sessions: [ReadSession], _ zone: LocalZone) -> Table {
        var table = Table([
            .init("WITH", limit: 60), .init("STATE"), .init("HMAC"), .init("SENT", .right), .init("RECEIVED", .right),
            .init("SKIPPED", .right), .init("KEPT SINCE"), .init("NOTES"),
        ])
        for session in sessions {
            let summary = session.examination.summary
            func number(_ value: Int?) -> TerminalText { value.map { "\($0)" } ?? "–" }
            let worst = session.findings.first { $0.kind.severity != .note }
            let notes: TerminalText =
                switch worst?.kind.severity {
                case .damage: TerminalText(trusted: "damaged", .red)
                case .risk: TerminalText(trusted: "AT RISK", .yellow)
                case .note, nil: session.isStale ? TerminalText(trusted: "stale", .dim) : ""
                }
            table.add([
                session.title, session.versionText, session.macText, number(summary.map { Int($0.sendMessageCount) }),
                number(summary.map { Int($0.receiveMessageCount) }), number(summary?.skippedKeyCount),
                ContactText.day(session.changedAt, zone), notes,
            ])
        }
        return table
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("sessions") { json in
                json.array(read.sessions) { json, session in
                    json.object { json in session.writeMembers(now: now, to: &json) }
                }
            }
        }
    }
}
