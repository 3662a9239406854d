import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// `sxkey group export`
struct GroupExport: Command {
    enum Form: String, CaseIterable {
        case keychain = "keychain-json"
        case distribution
    }

    static let specification = CommandSpecification(
        noun: "group", verb: "export",
        summary: "write the keys of groups for another device of yours, or your own key for a member",
        discussion: [
            "keychain-json (the default) holds the members' sender keys, the shared keys and the skipped keys as items under the app's "
                + "account names, as \"sxkey group import\" and --keychain read them. It is not encrypted, so it takes --reveal. Your own "
                + "sender key is left out unless --own is given: two devices that send with the same key use its numbers twice.",
            "distribution holds your own sender key of one group as a member is handed it: for a member who lost it, or who is new. With "
                + "--invite it is an invitation, with the name and the members. Skipped keys are written however old they are.",
            "A state of MLS is not exported: a device that goes on with a copy of it breaks the group for both.",
        ],
        operands: [GroupOperand.any],
        options: [
            .value("as", "FORM", .choice(Form.allCases.map(\.rawValue)), "keychain-json (default), or distribution"),
            .flag("own", "your own sender keys too, with your fingerprint, so that nobody else takes them"),
            .flag("reveal", "write the keys without encryption"),
        ] + GroupInvitation.options + GroupKeyTarget.options + KeySource.options,
        examples: [
            Example(
                "sxkey group export --reveal --out groups.json --keyring-key-file keyring.key", "all groups"),
            Example(
                "sxkey group export E8EEABCD --as distribution --out my-key.json --keyring-key-file keyring.key",
                "your own key for a member"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.someDamaged, "items that cannot be read were left out"),
            StatusNote(.wrongSecret), StatusNote(.locked), StatusNote(.wouldOverwrite),
            StatusNote(.notFound, "no keys of such a group, no keyring, or no such identity"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let source: KeySource
    private let target: GroupKeyTarget
    private let words: [[UInt8]]
    private let form: Form
    private let withOwn: Bool
    private let invitation: GroupInvitation?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        source = try KeySource(arguments)
        target = try GroupKeyTarget(arguments)
        words = arguments.operands("GROUP")
        invitation = try GroupInvitation(arguments)
        let chosen = arguments.choice("as").flatMap(Form.init)
        if invitation != nil, chosen == .keychain { throw .other("--invite writes your own key for a member") }
        form = chosen ?? (invitation == nil ? .keychain : .distribution)
        withOwn = arguments.flag("own")
        switch form {
        case .keychain:
            if !arguments.flag("reveal") {
                throw .other(
                    "keychain-json writes the keys without encryption",
                    hint: "say --reveal if that is what you want, and keep the file where nobody else gets at it")
            }
        case .distribution:
            if words.count != 1 { throw .other("a distribution is of one group: name it") }
            if withOwn { throw .other("a distribution is your own sender key already") }
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let file = try target.checked(notSameAs: source.inputs(context))
        let keys = try source.open(context)
        let kept = try KeptGroups(keys)
        let groups =
            words.isEmpty ? kept.groups : try words.map { (word) throws(CommandError) in try kept.group(word) }
        let report: GroupsExported
        switch form {
        case .keychain: report = try keychain(groups, kept, keys, context.now, to: file)
        case .distribution: report = try distribution(groups[0], kept, keys, to: file)
        }
        try file.commit()
        context.console.present(report)
        return report.status
    }

    private func keychain(
        _ groups: [GroupID], _ kept: KeptGroups, _ keys: OpenedKeys, _ now: Double, to file: GroupKeyFile
    ) throws(CommandError) -> GroupsExported {
        var written: Set<GroupID> = []
        var items: [KeychainItem] = []
        func add(_ account: ItemAccount?, _ value: consuming SecretBytes?, of group: GroupID? = nil) -> Bool {
            guard let account else { return false }
            switch consume value {
            case .some(let value):
                items.append(KeychainItem(ByteText(account.bytes), value))
                if let group { written.insert(group) }
                return true
            case .none: return false
            }
        }
        var hasOwn = false
        for group in groups {
            do throws(GroupKeyError) {
                _ = add(.groupKey(group.bytes), try kept.cipher.shared(of: group), of: group)
                _ = add(.peerSenderKeys(group.bytes), try kept.cipher.peers(of: group), of: group)
                if withOwn, add(.ownSenderKey(group.bytes), try kept.cipher.own(of: group), of: group) { hasOwn = true }
            } catch {
                throw .group(.keys(group, error))
            }
        }
        do throws(GroupKeyError) {
            // Of all groups it is all there is, with what belongs to no group.
            let chosen = words.isEmpty ? nil : Set(groups)
            if add(.skippedGroupKeys, try kept.cipher.skipped(of: chosen)) {
                for group in groups where hasSkipped(group, kept) { written.insert(group) }
            }
        } catch {
            throw .group(.damagedItem(.skippedGroupKeys, error))
        }
        if hasOwn, let owner = keys.publicKeys?.fingerprint {
            do throws(SecretMemoryError) {
                _ = add(.groupKeysOwner, try SecretBytes(copying: owner.bytes.span))
            } catch {
                throw .secret(.memory(error), what: KeyFileUse.keychain.what)
            }
        }
        guard !items.isEmpty else { throw .group(.nothingToExport) }
        let text: SecretBytes
        do throws(EncodingError) {
            text = try KeychainFile.text(of: items)
        } catch {
            throw .secret(.memory(.exhausted(requested: 0)), what: KeyFileUse.keychain.what)
        }
        try file.write(text)
        let chosen = Set(groups)
        let damaged = kept.unreadable.filter { item in
            item.account == .skippedGroupKeys || chosen.contains(GroupID(bytes: item.account.subject))
        }
        return GroupsExported(
            origin: keys.origin, identity: keys.publicKeys?.fingerprint, path: file.path, form: form.rawValue,
            groups: written.count, items: items.map(\.account.bytes),
            skipped: GroupSkipped(kept.cipher, of: words.isEmpty ? nil : groups, now: now),
            ownLeftOut: withOwn ? 0 : groups.count { kept.cipher.ownPosition(in: $0) != nil },
            mls: groups.filter(kept.mls.contains).count, unreadable: damaged.map(\.account))
    }

    private func hasSkipped(_ group: GroupID, _ kept: KeptGroups) -> Bool {
        kept.cipher.senders(in: group).contains { !kept.cipher.skippedIterations(of: $0).isEmpty }
    }

    private func distribution(
        _ group: GroupID, _ kept: KeptGroups, _ keys: OpenedKeys, to file: GroupKeyFile
    ) throws(CommandError) -> GroupsExported {
        if kept.mls.contains(group) { throw .group(.mls(group)) }
        let invite = try invitation.map { (invitation) throws(CommandError) in try invitation.invite(from: keys) }
        try file.write(try GroupKeyWritten.text(of: group, invite, kept))
        return GroupsExported(
            origin: keys.origin, identity: keys.publicKeys?.fingerprint, path: file.path,
            form: invite == nil ? form.rawValue : "invite", groups: 1, items: [], skipped: nil, ownLeftOut: 0, mls: 0,
            unreadable: [])
    }
}

/// Keys that were written for another device or a member.
private struct GroupsExported: Report {
    let origin: TerminalText
    /// Nil for a dump without the identity keys.
    let identity: Fingerprint?
    let path: FilePath
    let form: String
    /// Of which something was written.
    let groups: Int
    let items: [[UInt8]]
    /// Of the keychain items.
    let skipped: GroupSkipped?
    /// Groups whose own key was left out.
    let ownLeftOut: Int
    let mls: Int
    let unreadable: [ItemAccount]

    private var isKeychain: Bool { form == GroupExport.Form.keychain.rawValue }

    var status: ExitStatus {
        unreadable.isEmpty && skipped?.unreadable ?? 0 == 0 ? .success : .someDamaged
    }

    func writeText(to stream: TextStream) {
        let what: TerminalText =
            isKeychain ? "the keys of \(count: groups, "group")" : "your own sender key"
        stream.line("Wrote \(what) from \(origin) to \(path), and read it back")
        stream.line("  Format    \(trusted: form), NOT ENCRYPTED")
        if isKeychain { stream.line("  Items     \(count: items.count)") }
        if let skipped, skipped.total > 0 { stream.line("  Skipped   \(count: skipped.total, "key")") }
        if ownLeftOut > 0 {
            stream.line("  Left out  your own sender key of \(count: ownLeftOut, "group"): --own writes it")
        }
        if mls > 0 { stream.line("  Left out  the state of \(count: mls, "group") of MLS") }
        for account in unreadable {
            stream.line(
                "  \(trusted: "damaged", .red)   \(quoted: GroupText.cut(account.bytes)) cannot be read and was left out"
            )
        }
        for line in skipped?.lines ?? [] { stream.line("  \(line)") }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("identity", identity?.hex)
            json.member("path", path.bytes)
            json.member("form", form)
            json.member("groups", groups)
            json.member("items") { json in json.array(items) { json, item in json.value(item) } }
            json.member("skippedKeys", skipped?.total ?? 0)
            json.member("skippedExpired", skipped?.old ?? 0)
            json.member("skippedBeyondLimit", skipped?.beyondLimit ?? 0)
            json.member("skippedWithoutOwner", skipped?.withoutOwner ?? 0)
            json.member("skippedUnreadable", skipped?.unreadable ?? 0)
            json.member("ownKeysLeftOut", ownLeftOut)
            json.member("mlsLeftOut", mls)
            json.member("unreadableItems", unreadable.count)
            json.member("exit", Int(status.rawValue))
        }
    }
}
