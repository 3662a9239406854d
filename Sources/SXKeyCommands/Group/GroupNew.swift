import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SystemIO

/// `sxkey group new`
struct GroupNew: Command {
    static let specification = CommandSpecification(
        noun: "group", verb: "new",
        summary: "make a sender key of your own for a group, and write what hands it to the members",
        discussion: [
            "Without GROUP a new group begins, with a new id. What is written is a secret: it opens every message that you send from "
                + "now on. It belongs inside of a session with each member, where the apps send it; with --invite it is an invitation, "
                + "with the name and the members, as the creator of a group sends it.",
            "The id in an invitation is your own peer id, as the members know it: see --peer-ids.",
        ],
        operands: [
            OperandSpecification(
                "GROUP", .text, .optional, "the id of a group that exists already (default: a new one)")
        ],
        options: GroupInvitation.options + GroupKeyTarget.options + GroupChange.options,
        examples: [
            Example(
                "sxkey group new --invite Family --member 08c4cab788bd5f92f16ff0814022b379 --out family.json --keyring-key-file keyring.key",
                "begin a group")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.locked),
            StatusNote(.wouldOverwrite, "the file is there, or you have a sender key for the group already"),
            StatusNote(.notFound, "no keyring, no such identity, or no such contact"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let change: GroupChange
    private let target: GroupKeyTarget
    private let word: [UInt8]?
    private let invitation: GroupInvitation?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        change = try GroupChange(arguments)
        target = try GroupKeyTarget(arguments)
        word = arguments.operand("GROUP")
        invitation = try GroupInvitation(arguments)
        if let word {
            let id = GroupID(conversation: word)?.bytes ?? word
            let isPlain = id.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
            guard !id.isEmpty, id.count <= GroupID.maximumLength, isPlain else {
                throw .other("GROUP is no id of a group")
            }
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let file = try target.checked(notSameAs: change.keyring.inputs(context))
        let (opened, identity) = try change.open(context)
        let invite = try invitation.map { (invitation) throws(CommandError) in
            try invitation.invite(from: identity, in: opened)
        }
        let (word, isDryRun, random) = (word, change.isDryRun, context.randomness)
        let now = context.now
        let made = try opened.changingGroups(
            of: identity, now: now, isDryRun: isDryRun, touched: { (made: GroupKeyWritten) in [made.group] }
        ) { (kept) throws(CommandError) in
            let group = Self.group(word, kept, random)
            if kept.mls.contains(group) { throw .group(.mls(group)) }
            do throws(GroupKeyError) {
                try kept.cipher.makeOwn(in: group, at: now - KeptGroups.epoch2001, random: random)
            } catch {
                throw .group(error == .ownKeyExists ? .ownKeyExists(group) : .keys(group, error))
            }
            return try GroupKeyWritten.write(
                group, invite, previous: nil, kept, identity, to: isDryRun ? nil : file, file.path)
        }
        try file.commit(afterChangeOf: made.group, isInvite: invite != nil)
        context.console.present(made)
        return .success
    }

    /// The group that is meant: one that is known under another case of letters is that one.
    private static func group(_ word: [UInt8]?, _ kept: KeptGroups, _ random: RandomSource) -> GroupID {
        guard let word else { return newID(random) }
        let typed = GroupID(conversation: word) ?? GroupID(bytes: word)
        return kept.groups.first { KeptGroups.folded($0.bytes) == KeptGroups.folded(typed.bytes) } ?? typed
    }

    /// A random UUID (version 4) in upper case, as iOS makes them.
    private static func newID(_ random: RandomSource) -> GroupID {
        var bytes = random.bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array(Hex.encode(bytes.span).uppercased().utf8)
        var text: [UInt8] = []
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digit)
        }
        return GroupID(bytes: text)
    }
}

/// A sender key of one's own that was made, or would be, and the file that hands it on.
struct GroupKeyWritten: Report {
    struct Invite {
        let name: [UInt8]
        /// Oneself first.
        let members: [PeerID]
        let creator: PeerID
    }

    let group: GroupID
    let identity: KeyringIdentity
    let path: FilePath
    let isDryRun: Bool
    let invite: Invite?
    let position: SenderKeyPosition
    /// Where the key stood whose place it took.
    let previous: SenderKeyPosition?

    /// Writes what hands the own key of `group` on, beside its place; nothing where there is no file.
    static func write(
        _ group: GroupID, _ invite: Invite?, previous: SenderKeyPosition?, _ kept: KeptGroups,
        _ identity: KeyringIdentity, to file: GroupKeyFile?, _ path: FilePath
    ) throws(CommandError) -> GroupKeyWritten {
        guard let position = kept.cipher.ownPosition(in: group) else { throw .group(.noOwnKey(group)) }
        let text = try text(of: group, invite, kept)
        if let file { try file.write(text) }
        return GroupKeyWritten(
            group: group, identity: identity, path: path, isDryRun: file == nil, invite: invite, position: position,
            previous: previous)
    }

    /// What hands the own key of `group` on: an invitation that the apps take, or a distribution.
    static func text(
        of group: GroupID, _ invite: Invite?, _ kept: KeptGroups
    ) throws(CommandError) -> SecretBytes {
        var refusal: GroupInvite.Refusal?
        let text: SecretBytes
        do throws(GroupKeyError) {
            if let invite {
                let invitation = try kept.cipher.invite(
                    to: group, name: invite.name, memberIDs: invite.members, creatorID: invite.creator)
                refusal = invitation.refusal(sender: invite.creator)
                text = try invitation.json()
            } else {
                text = try kept.cipher.distribution(of: group).json()
            }
        } catch {
            throw .group(error == .noKey ? .noOwnKey(group) : .keys(group, error))
        }
        if let refusal { throw .group(.badInvitation(refusal)) }
        return text
    }

    func writeText(to stream: TextStream) {
        let verb: TerminalText = isDryRun ? "Would make" : "Made"
        let what: TerminalText = previous == nil ? "a sender key" : "a new sender key"
        stream.line("\(verb) \(what) of \(identity.title) for group \(group.bytes, .bold)")
        let file: TerminalText = invite == nil ? "a distribution" : "an invitation"
        if isDryRun {
            stream.line("  Would write  \(path), \(file)")
        } else {
            stream.line("  Written to   \(path), \(file): A SECRET, for the members only")
        }
        if let invite { stream.line("  Members      \(count: invite.members.count), you among them") }
        stream.line("  Opens        your messages from number \(Int(position.iteration)) on")
        if let previous {
            let sent = previous.messageCount.map { Int($0) }
            let count: TerminalText = sent.map { "\(count: $0, "message") sent with it" } ?? "of unknown use"
            let end: TerminalText = isDryRun ? "it would be gone, and open" : "it is gone, and opens"
            stream.line("  Old key      \(count); \(end) what was sent before for those who have it")
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        GroupKeyRecord(
            identity: identity, group: group, position: position, isDryRun: isDryRun,
            written: (isDryRun ? nil : path, invite == nil ? "distribution" : "invite"), isReplaced: previous != nil,
            previousMessages: previous?.messageCount, members: invite?.members ?? []
        ).writeJSON(to: &json)
    }
}

/// The object that `group new` and `group rotate` write, whatever was done.
struct GroupKeyRecord {
    let identity: KeyringIdentity
    let group: GroupID
    let position: SenderKeyPosition
    let isDryRun: Bool
    /// The file, nil in a dry run, and its form; nil when nothing was due.
    let written: (path: FilePath?, form: String)?
    var isReplaced = false
    var previousMessages: UInt32?
    var members: [PeerID] = []

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("identity", identity.fingerprint.hex)
            json.member("group", group.bytes)
            json.member("conversation", group.conversation)
            json.member("dryRun", isDryRun)
            json.member("path", written?.path?.bytes)
            json.member("form", written?.form)
            json.member("iteration", Int(position.iteration))
            json.member("replaced", isReplaced)
            json.member("previousMessages", previousMessages.map { Int($0) })
            json.member("members") { json in json.array(members) { json, member in json.value(member.bytes) } }
            json.member("exit", 0)
        }
    }
}
