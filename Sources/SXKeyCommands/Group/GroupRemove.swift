import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// `sxkey group remove`
struct GroupRemove: Command {
    static let specification = CommandSpecification(
        noun: "group", verb: "remove",
        summary: "take members' sender keys out of the keyring, so that new ones begin anew",
        discussion: [
            "A position never goes back, and nobody takes a key that begins before the known one: also that of a member who has begun anew "
                + "at 0, as the newest apps do, or whose place was set too far ahead. After this the next key that is imported is the first.",
            "Their skipped keys go too. Messages that only these keys open cannot be opened any more: \"sxkey group export\" keeps them in "
                + "a file. Asks first, or takes --yes.",
        ],
        operands: [
            GroupOperand.one, OperandSpecification("PEER", .text, .oneOrMore, "a member: a contact or a peer id"),
        ],
        options: [Context.yesOption] + GroupChange.options,
        examples: [
            Example(
                "sxkey group remove E8EEABCD 08c4cab788bd5f92f16ff0814022b379 --yes --keyring-key-file keyring.key",
                "forget a member's key")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.failure, "the answer was not yes"), StatusNote(.wrongSecret),
            StatusNote(.locked), StatusNote(.notFound, "no such group, no keys of the member, or no keyring"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let change: GroupChange
    private let word: [UInt8]
    private let members: [[UInt8]]
    private let isAnswered: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        change = try GroupChange(arguments)
        word = arguments.operand("GROUP") ?? []
        members = arguments.operands("PEER")
        isAnswered = arguments.flag("yes")
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let (opened, identity) = try change.open(context)
        let ids = try members.map { (word) throws(CommandError) in
            try GroupPeer.id(word, form: .hex32, in: opened)
        }
        let keys = try OpenedKeys(of: identity, in: opened)
        // Asked before the keyring is locked for the change.
        let group = try KeptGroups(keys).group(word, isDestroyed: true)
        if !change.isDryRun {
            let names = ids.map { GroupText.title($0, GroupText.name(of: $0, keys)) }.joined(", ")
            try context.confirm(
                "Remove the keys of \(names) in group \(GroupText.cut(group.bytes))?", unless: isAnswered)
        }
        let words = members
        let removed = try opened.changingGroups(
            of: identity, now: context.now, isDryRun: change.isDryRun,
            touched: { (removed: [GroupMemberRemoved.Member]) in removed.isEmpty ? [] : [group] }
        ) { (kept) throws(CommandError) in
            var removed: [GroupMemberRemoved.Member] = []
            for (id, word) in zip(ids, words) {
                let senders = kept.cipher.senders(in: group).filter { $0.peer.isSamePerson(as: id) }
                if senders.isEmpty { throw .group(.noMember(word, group)) }
                for sender in senders {
                    removed.append(
                        GroupMemberRemoved.Member(
                            peer: sender.peer, name: GroupText.name(of: sender.peer, keys),
                            position: kept.cipher.position(of: sender),
                            skipped: kept.cipher.skippedIterations(of: sender).count))
                    kept.cipher.remove(sender)
                }
            }
            return removed
        }
        context.console.present(
            GroupMemberRemoved(identity: identity, group: group, members: removed, isDryRun: change.isDryRun))
        return .success
    }
}

/// Members whose keys were taken out, or would be.
private struct GroupMemberRemoved: Report {
    struct Member {
        let peer: PeerID
        let name: [UInt8]?
        /// Nil when only skipped keys were kept.
        let position: SenderKeyPosition?
        let skipped: Int
    }

    let identity: KeyringIdentity
    let group: GroupID
    let members: [Member]
    let isDryRun: Bool

    func writeText(to stream: TextStream) {
        let verb: TerminalText = isDryRun ? "Would remove" : "Removed"
        stream.line("\(verb) keys of group \(group.bytes, .bold), of \(identity.title)")
        for member in members {
            let place: TerminalText = member.position.map { "stood at \(Int($0.iteration))" } ?? "no sender key"
            stream.line(
                "  \(GroupText.title(member.peer, member.name)): \(place), \(count: member.skipped, "skipped key")")
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("identity", identity.fingerprint.hex)
            json.member("group", group.bytes)
            json.member("dryRun", isDryRun)
            json.member("members") { json in
                json.array(members) { json, member in
                    json.object { json in
                        json.member("peerID", member.peer.bytes)
                        json.member("contact", member.name)
                        json.member("iteration", member.position.map { Int($0.iteration) })
                        json.member("skippedKeys", member.skipped)
                    }
                }
            }
            json.member("exit", 0)
        }
    }
}
