import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SystemIO

/// `sxkey session show`
struct SessionShow: Command {
    static let specification = CommandSpecification(
        noun: "session", verb: "show",
        summary: "show one session: counters, skipped keys, age, and which app versions refuse it",
        discussion: [
            "Takes a person, whose session is in the keyring or in the dump of --keychain, or a file with the state of one session: its "
                + "JSON, or an HMAC with the JSON behind it. A file's HMAC is verified where --keychain, --identity or the keyring is "
                + "named too. No private key is shown, only the public ratchet keys.",
            "The counters are those of the present chains: a chain ends when the other side answers.",
        ],
        operands: [SessionArguments.operand],
        options: SessionArguments.options,
        examples: [
            Example(
                "sxkey session show \"Carla from climbing\" --keychain keychain.json",
                "show the session with somebody, by the name in the app")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.unreadable, "the file is no session, or the dump is no keychain"),
            StatusNote(.wrongSecret), StatusNote(.locked),
            StatusNote(.notFound, "no session with this person, no keyring, or no such identity"),
        ]
    )

    private let arguments: SessionArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try SessionArguments(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let read = try arguments.read(context)
        context.console.present(SessionDetails(read: read, now: context.now, zone: context.zone))
        return .success
    }
}

/// All that can be shown of one person's sessions: one, or also the one that came out of a bundle.
private struct SessionDetails: Report {
    let read: ReadSessions
    let now: Double
    let zone: LocalZone

    /// Chains shown one by one.
    private static let shownChains = 10

    func writeText(to stream: TextStream) {
        for (index, session) in read.sessions.enumerated() {
            if index > 0 { stream.line() }
            write(session, to: stream)
        }
    }

    private func write(_ session: ReadSession, to stream: TextStream) {
        let with: TerminalText = session.path == nil ? "Session with " : "Session in "
        stream.line("\(with)\(session.title)")
        if let peer = session.peer { stream.line("  Peer id          \(peer.bytes)") }
        stream.line("  State            \(form(session))")
        stream.line("  HMAC             \(session.macText)")
        if let changed = session.changedAt {
            let age = ClockDifference(seconds: now - changed).text
            stream.line("  Kept since       \(ContactText.minute(changed, zone)), \(trusted: age)")
        }
        if let summary = session.examination.summary { write(summary, to: stream) }
        for (index, refusal) in session.refusals.enumerated() {
            let label = index == 0 ? "Refused by  " : "            "
            stream.line("  \(trusted: label)     \(trusted: refusal.apps): \(trusted: refusal.reason)")
        }
        for finding in session.findings { finding.write(to: stream) }
    }

    private func form(_ session: ReadSession) -> TerminalText {
        switch session.examination.summary?.version {
        case .encryptedHeaders: "v1, with encrypted headers"
        case .plainHeaders: "v0, with headers in clear"
        case nil: "cannot be read"
        }
    }

    private func write(_ summary: RatchetSummary, to stream: TextStream) {
        let end: TerminalText = summary.hasSendingChain ? "" : " (nothing to send with yet)"
        stream.line("  Sent             \(Int(summary.sendMessageCount)) in this chain\(end)")
        stream.line("  Sent before      \(Int(summary.previousSendingChainLength)) in the chain before")
        let missing = summary.skipped.first { $0.isCurrent }?.messageNumbers.count ?? 0
        let gaps: TerminalText = missing == 0 ? "" : ", \(missing) of them not yet"
        stream.line("  Received         \(Int(summary.receiveMessageCount)) in this chain\(gaps)")
        stream.line("  Own ratchet key  \(trusted: Hex.encode(summary.sendingRatchetPublicKey.span))")
        if let remote = summary.receivingRatchetPublicKey {
            stream.line("  Peer's           \(trusted: Hex.encode(remote.span))")
        }
        let chains: TerminalText =
            summary.skipped.isEmpty ? "" : " of \(count: summary.skipped.count, "chain")"
        stream.line(
            "  Skipped keys     \(summary.skippedKeyCount)\(chains), at most \(RatchetSummary.maximumSkippedKeys) of \(RatchetSummary.maximumSkippedChains)"
        )
        for chain in summary.skipped.prefix(Self.shownChains) {
            let which: TerminalText = chain.isCurrent ? "this chain" : "an earlier chain"
            stream.line(
                "    \(count: chain.messageNumbers.count, "message") of \(which): \(Self.ranges(chain.messageNumbers))")
        }
        let more = summary.skipped.count - min(summary.skipped.count, Self.shownChains)
        if more > 0 { stream.line("    and \(count: more, "more chain")") }
    }

    /// `3, 5–9, 12`; the first ten of them.
    private static func ranges(_ numbers: [UInt32]) -> TerminalText {
        var ranges: [ClosedRange<UInt32>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound < UInt32.max, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        let shown = ranges.prefix(10).map { range -> TerminalText in
            range.count == 1 ? "\(Int(range.lowerBound))" : "\(Int(range.lowerBound))–\(Int(range.upperBound))"
        }
        return shown.joined(", ") + (ranges.count > 10 ? " …" : "")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("sessions") { json in
                json.array(read.sessions) { json, session in
                    json.object { json in
                        session.writeMembers(now: now, to: &json)
                        let summary = session.examination.summary
                        json.member("ratchetKey", summary.map { Hex.encode($0.sendingRatchetPublicKey.span) })
                        json.member(
                            "peerRatchetKey",
                            summary?.receivingRatchetPublicKey.map { Hex.encode($0.span) })
                    }
                }
            }
        }
    }
}
