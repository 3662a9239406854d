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
            "distribution holds your own sender key of one group as a member is handed it: for a member who lost it, or who is new.",
            "A state of MLS is not exported: a device that goes on with a copy of it breaks the group for both.",
        ],
        operands: [GroupOperand.any],
        options: [
            .value("as", "FORM", .choice(Form.allCases.map(\.rawValue)), "keychain-json (default), or distribution"),
            .flag("own", "your own sender keys too"),
            .flag("reveal", "write the keys without encryption"),
        ] + GroupKeyTarget.options + KeySource.options,
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

    init(_ arguments: ParsedArguments) throws(UsageError) {
        source = try KeySource(arguments)
        target = try GroupKeyTarget(arguments)
        words = arguments.operands("GROUP")
        form = arguments.choice("as").flatMap(Form.init) ?? .keychain
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
        let kept = try KeptGroups(keys, now: context.now)
        let groups =
            words.isEmpty ? kept.groups : try words.map { (word) throws(CommandError) in try kept.group(word) }
        let report: GroupsExported
        switch form {
        case .keychain: report = try keychain(groups, kept, keys, to: file)
        case .distribution: report = try distribution(groups[0], kept, keys, to: file)
        }
        try file.commit()
        context.console.present(report)
        return report.status
    }

    private func keychain(
        _ groups: [GroupID], _ kept: KeptGroups, _ keys: OpenedKeys, to file: GroupKeyFile
    ) throws(CommandError) -> GroupsExported {
        var items: [KeychainItem] = []
        func add(_ account: ItemAccount?, _ value: consuming SecretBytes?) {
            guard let account else { return }
            switch consume value {
            case .some(let value): items.append(KeychainItem(ByteText(account.bytes), value))
            case .none: break
            }
        }
        for group in groups {
            do throws(GroupKeyError) {
                add(.groupKey(group.bytes), try kept.cipher.shared(of: group))
                add(.peerSenderKeys(group.bytes), try kept.cipher.peers(of: group))
                if withOwn { add(.ownSenderKey(group.bytes), try kept.cipher.own(of: group)) }
            } catch {
                throw .group(.keys(group, error))
            }
        }
        do throws(GroupKeyError) {
            add(.skippedGroupKeys, try kept.cipher.skipped(of: Set(groups)))
        } catch {
            throw .group(.damagedItem(.skippedGroupKeys, error))
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
            origin: keys.origin, path: file.path, form: form, groups: groups.count, items: items.map(\.account.bytes),
            ownLeftOut: withOwn ? 0 : groups.count { kept.cipher.ownPosition(in: $0) != nil },
            mls: groups.filter(kept.mls.contains).count, unreadable: damaged.map(\.account))
    }

    private func distribution(
        _ group: GroupID, _ kept: KeptGroups, _ keys: OpenedKeys, to file: GroupKeyFile
    ) throws(CommandError) -> GroupsExported {
        if kept.mls.contains(group) { throw .group(.mls(group)) }
        let text: SecretBytes
        do throws(GroupKeyError) {
            text = try kept.cipher.distribution(of: group).json()
        } catch {
            throw .group(error == .noKey ? .noOwnKey(group) : .keys(group, error))
        }
        try file.write(text)
        return GroupsExported(
            origin: keys.origin, path: file.path, form: form, groups: 1, items: [], ownLeftOut: 0, mls: 0,
            unreadable: [])
    }
}

/// Keys that were written for another device or a member.
private struct GroupsExported: Report {
    let origin: TerminalText
    let path: FilePath
    let form: GroupExport.Form
    let groups: Int
    let items: [[UInt8]]
    /// Groups whose own key was left out.
    let ownLeftOut: Int
    let mls: Int
    let unreadable: [ItemAccount]

    var status: ExitStatus { unreadable.isEmpty ? .success : .someDamaged }

    func writeText(to stream: TextStream) {
        let what: TerminalText =
            form == .distribution ? "your own sender key" : "the keys of \(count: groups, "group")"
        stream.line("Wrote \(what) from \(origin) to \(path), and read it back")
        stream.line("  Format    \(trusted: form.rawValue), NOT ENCRYPTED")
        if form == .keychain { stream.line("  Items     \(count: items.count)") }
        if ownLeftOut > 0 {
            stream.line("  Left out  your own sender key of \(count: ownLeftOut, "group"): --own writes it")
        }
        if mls > 0 { stream.line("  Left out  the state of \(count: mls, "group") of MLS") }
        for account in unreadable {
            stream.line("  \(trusted: "damaged", .red)   \(quoted: account.bytes) cannot be read and was left out")
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("form", form.rawValue)
            json.member("groups", groups)
            json.member("items") { json in json.array(items) { json, item in json.value(item) } }
            json.member("ownKeysLeftOut", ownLeftOut)
            json.member("mlsLeftOut", mls)
            json.member("unreadableItems", unreadable.count)
            json.member("exit", Int(status.rawValue))
        }
    }
}
