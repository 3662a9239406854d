import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// `sxkey group rotate`
struct GroupRotate: Command {
    static let specification = CommandSpecification(
        noun: "group", verb: "rotate",
        summary: "put a new sender key of your own in place of the old one, and write what hands it on",
        discussion: [
            "The apps do it after 500 messages or 7 days, and when a member leaves; --if-due does nothing before that. The numbers of "
                + "messages go on, for receivers refuse a key that begins before the one that they know. The old key is wiped: it opens "
                + "nothing that is sent from now on, and whoever has it can still read what was sent under it.",
            "Nothing is sent. Hand the file to every member who stays, through the sessions with them.",
        ],
        operands: [GroupOperand.one],
        options: [.flag("if-due", "only after 500 messages or 7 days")] + GroupKeyTarget.options + GroupChange.options,
        examples: [
            Example(
                "sxkey group rotate E8EEABCD --out new-key.json --keyring-key-file keyring.key", "replace the key now")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.locked), StatusNote(.wouldOverwrite),
            StatusNote(.notFound, "no key of your own for such a group, no keyring, or no such identity"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let change: GroupChange
    private let target: GroupKeyTarget
    private let word: [UInt8]
    private let ifDue: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        change = try GroupChange(arguments)
        target = try GroupKeyTarget(arguments)
        word = arguments.operand("GROUP") ?? []
        ifDue = arguments.flag("if-due")
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let file = try target.checked(notSameAs: change.keyring.inputs(context))
        let (opened, identity) = try change.open(context)
        let (word, ifDue, isDryRun, now) = (word, ifDue, change.isDryRun, context.now)
        let random = context.randomness
        let outcome = try opened.changingGroups(
            of: identity, now: now, isDryRun: isDryRun,
            touched: { (outcome: Outcome) in outcome.written.map { [$0.group] } ?? [] }
        ) { (kept) throws(CommandError) in
            let group = try kept.group(word, isDestroyed: true)
            if kept.mls.contains(group) { throw .group(.mls(group)) }
            guard let position = kept.cipher.ownPosition(in: group) else { throw .group(.noOwnKey(group)) }
            let seconds = now - KeptGroups.epoch2001
            if ifDue, SenderKeyPolicy.later.rotationReason(position, at: seconds) == nil {
                return Outcome(group: group, position: position, written: nil)
            }
            do throws(GroupKeyError) {
                try kept.cipher.rotateOwn(in: group, at: seconds, random: random)
            } catch {
                throw .group(.keys(group, error))
            }
            let written = try GroupKeyWritten.write(
                group, nil, previous: position, kept, identity, to: isDryRun ? nil : file, file.path)
            return Outcome(group: group, position: position, written: written)
        }
        try file.commit(afterChangeOf: outcome.group, isInvite: false)
        if let written = outcome.written {
            context.console.present(written)
        } else {
            context.console.present(
                GroupNotDue(identity: identity, group: outcome.group, position: outcome.position, isDryRun: isDryRun))
        }
        return .success
    }

    private struct Outcome {
        let group: GroupID
        let position: SenderKeyPosition
        /// Nil when nothing was due.
        let written: GroupKeyWritten?
    }
}

/// A key that was left as it is.
private struct GroupNotDue: Report {
    let identity: KeyringIdentity
    let group: GroupID
    let position: SenderKeyPosition
    let isDryRun: Bool

    func writeText(to stream: TextStream) {
        let sent: TerminalText = position.messageCount.map { ", \(count: Int($0), "message") sent with it" } ?? ""
        stream.line("Nothing to do: the sender key for group \(group.bytes) is not due\(sent)")
    }

    func writeJSON(to json: inout JSONWriter) {
        GroupKeyRecord(
            identity: identity, group: group, position: position, isDryRun: isDryRun, written: nil
        ).writeJSON(to: &json)
    }
}
