import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SystemIO

/// `sxkey group list`
struct GroupList: Command {
    static let specification = CommandSpecification(
        noun: "group", verb: "list",
        summary: "list the groups whose keys are kept, and whether the keys are due or stale",
        discussion: [
            "Members are those whose sender keys are kept; who else is in a group is not known here. A sender key of your own is due for "
                + "replacement after 500 messages or 7 days; one of another member is stale after 14 days (30 in earlier app versions)."
        ],
        options: KeySource.options,
        examples: [
            Example("sxkey group list --keyring-key-file keyring.key", "list the groups of the current identity"),
            Example("sxkey group list --keyring-key-file keyring.key --json", "the same for a script"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.someDamaged, "items of some groups cannot be read"),
            StatusNote(.wrongSecret), StatusNote(.locked), StatusNote(.notFound, "no keyring, or no such identity"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let source: KeySource

    init(_ arguments: ParsedArguments) throws(UsageError) {
        source = try KeySource(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let keys = try source.open(context)
        let kept = try KeptGroups(keys)
        let report = GroupTable(
            origin: keys.origin, groups: kept.groups.map { GroupSummary($0, in: kept, keys, now: context.now) },
            kept: kept, skipped: GroupSkipped(kept.cipher, now: context.now), now: context.now)
        context.console.present(report)
        return report.status
    }
}

private struct GroupTable: Report {
    let origin: TerminalText
    let groups: [GroupSummary]
    let kept: KeptGroups
    let skipped: GroupSkipped
    let now: Double

    var status: ExitStatus { kept.unreadable.isEmpty && skipped.unreadable == 0 ? .success : .someDamaged }

    func writeText(to stream: TextStream) {
        guard !groups.isEmpty || !kept.unreadable.isEmpty else {
            stream.line("No keys of groups in \(origin)")
            for line in skipped.lines { stream.line("  \(line)") }
            return
        }
        stream.line("Groups of \(origin)")
        stream.line()
        var table = Table([
            .init("GROUP", limit: 40), .init("KEYS"), .init("MEMBERS", .right), .init("OWN KEY AT", .right),
            .init("NOTES"),
        ])
        for group in groups {
            table.add([
                "\(group.id.bytes)", group.kindText, "\(count: group.members.count)",
                group.own.map { "\(Int($0.iteration))" } ?? "–", group.notes,
            ])
        }
        table.write(to: stream)
        stream.line()
        stream.line("\(count: groups.count, "group")\(mls)")
        for item in kept.unreadable {
            stream.line(
                "  \(trusted: "damaged", .red)  \(quoted: item.account.bytes): \(trusted: item.reason.sentence)")
        }
        for line in skipped.lines { stream.line("  \(line)") }
    }

    private var mls: TerminalText {
        kept.mls.isEmpty ? "" : " · \(count: kept.mls.count) of MLS, which is not opened"
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("groups") { json in
                json.array(groups) { json, group in
                    json.object { json in group.writeMembers(now: now, to: &json) }
                }
            }
            skipped.writeMembers(to: &json)
            json.member("unreadableItems", kept.unreadable.count)
            json.member("exit", Int(status.rawValue))
        }
    }
}
