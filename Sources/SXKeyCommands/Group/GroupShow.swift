import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SystemIO

/// `sxkey group show`
struct GroupShow: Command {
    static let specification = CommandSpecification(
        noun: "group", verb: "show",
        summary: "show whose sender keys of a group are kept, where they stand and how old they are",
        discussion: [
            "NEXT is the number of the message that a member's key opens next; earlier ones open only with keys that were put aside for "
                + "messages that had not come. No key is shown."
        ],
        operands: [GroupOperand.one],
        options: KeySource.options,
        examples: [
            Example("sxkey group show E8EEABCD --keyring-key-file keyring.key", "show one group")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.someDamaged, "an item of the group cannot be read"),
            StatusNote(.wrongSecret), StatusNote(.locked),
            StatusNote(.notFound, "no such group, no keyring, or no such identity"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let source: KeySource
    private let word: [UInt8]

    init(_ arguments: ParsedArguments) throws(UsageError) {
        source = try KeySource(arguments)
        word = arguments.operand("GROUP") ?? []
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let keys = try source.open(context)
        let kept = try KeptGroups(keys)
        let summary = GroupSummary(try kept.group(word), in: kept, keys, now: context.now)
        let status: ExitStatus = summary.unreadable.isEmpty ? .success : .someDamaged
        context.console.present(
            GroupDetails(group: summary, now: context.now, zone: context.zone, status: status))
        return status
    }
}

private struct GroupDetails: Report {
    let group: GroupSummary
    let now: Double
    let zone: LocalZone
    let status: ExitStatus

    func writeText(to stream: TextStream) {
        stream.line("Group \(group.id.bytes, .bold)")
        stream.line("  Conversation  \(group.id.conversation)")
        stream.line("  Keys          \(group.kindText)")
        if group.isMLS { stream.line("  MLS           not opened: \(CommandError.mlsReason)") }
        stream.line("  Own key       \(group.own.map { GroupText.own($0, zone) } ?? "none")")
        if let rotation = group.rotation {
            stream.line(
                "  \(trusted: "due", .yellow)           \(trusted: GroupText.reason(rotation)): \"sxkey group rotate\" makes a new one"
            )
        }
        for item in group.unreadable {
            stream.line(
                "  \(trusted: "damaged", .red)       \(quoted: item.account.bytes): \(trusted: item.reason.sentence)")
        }
        guard !group.members.isEmpty else { return }
        stream.line()
        var table = Table([
            .init("MEMBER", limit: 44), .init("NEXT", .right), .init("RECEIVED"), .init("SKIPPED", .right),
            .init("NOTES"),
        ])
        for member in group.members {
            table.add([
                GroupText.title(member.peer, member.name),
                member.position.map { "\(Int($0.iteration))" } ?? "–",
                ContactText.day(GroupText.unix(member.position?.receivedAt), zone),
                "\(count: member.skipped.count)", member.notes,
            ])
        }
        table.write(to: stream)
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            group.writeMembers(now: now, to: &json)
            json.member("exit", Int(status.rawValue))
        }
    }
}
