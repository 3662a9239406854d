import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// `sxkey session verify`
struct SessionVerify: Command {
    static let specification = CommandSpecification(
        noun: "session", verb: "verify",
        summary: "judge ratchet sessions: whole, authentic, within the limits of the apps",
        discussion: [
            "Reads the state of every session, or of those with one person, or of a file: whether it is whole and its ratchet "
                + "keys are a pair, whether its HMAC is right (what cannot be verified for want of its key is at risk, too), whether counters and skipped keys are within what the apps take, and whether it is of a form or "
                + "version that later apps refuse. Nothing is changed, and no key is shown.",
            "A session that came out of a bundle is marked as stale: the other side has gone on since, so going on with it would use "
                + "keys twice. That is a note, as is a session with nobody whom the keyring knows.",
        ],
        operands: [SessionArguments.optionalOperand],
        options: SessionArguments.options,
        examples: [
            Example("sxkey session verify --keychain keychain.json", "judge the sessions in a dump of a keychain"),
            Example("sxkey session verify --keychain keychain.json --json", "the same for a script"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.someDamaged, "a session cannot be read; the findings say why"),
            StatusNote(.unreadable, "the file is no session, or the dump is no keychain"), StatusNote(.wrongSecret),
            StatusNote(.locked),
            StatusNote(.finding, "an HMAC is wrong, missing or not verified, or apps refuse a session"),
            StatusNote(.notFound, "no session with this person, no keyring, or no such identity"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let arguments: SessionArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try SessionArguments(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let verdict = SessionVerdict(read: try arguments.read(context), now: context.now)
        context.console.present(verdict)
        return verdict.status
    }
}

/// What `session verify` found.
private struct SessionVerdict: Report {
    let read: ReadSessions
    let now: Double

    var status: ExitStatus {
        read.sessions.reduce(.success) { $0.combined(with: $1.status) }
    }

    private func count(_ status: ExitStatus) -> Int { read.sessions.count { $0.status == status } }

    func writeText(to stream: TextStream) {
        let origin: TerminalText = read.origin.map { " of " + $0 } ?? ""
        stream.line("Verified \(count: read.sessions.count, "session")\(origin)")
        for session in read.sessions where !session.findings.isEmpty {
            stream.line()
            stream.line("\(session.title)")
            for finding in session.findings { finding.write(to: stream) }
        }
        stream.line()
        stream.line(
            "read \(read.sessions.count) · ok \(count(.success)) · at risk \(count(.finding)) · damaged \(count(.someDamaged))"
        )
        let word: TerminalText =
            switch status {
            case .success where read.sessions.isEmpty: "there is no session"
            case .success: TerminalText(trusted: "all is well", .green)
            default: TerminalText(trusted: "not all is well", .red)
            }
        stream.line("Verdict: \(word) (exit \(status.rawValue))")
        if read.origin == nil, read.sessions.contains(where: { $0.examination.verdict == .notVerified }) {
            stream.line("→ with --keychain FILE or --identity NAME, the HMAC of a file is verified")
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("read", read.sessions.count)
            json.member("ok", count(.success))
            json.member("atRisk", count(.finding))
            json.member("damaged", count(.someDamaged))
            json.member("sessions") { json in
                json.array(read.sessions) { json, session in
                    json.object { json in session.writeMembers(now: now, to: &json) }
                }
            }
            json.member("verdict", status.name)
            json.member("exit", Int(status.rawValue))
        }
    }
}
