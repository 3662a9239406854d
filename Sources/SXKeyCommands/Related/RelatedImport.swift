import CommandKit
import CryptoPrimitives
import Keyring
import SophaxFiles
import SystemIO

/// `sxkey related import`
struct RelatedImport: Command {
    static let specification = CommandSpecification(
        noun: "related", verb: "import",
        summary: "take keys of btmessage, lchat and CoNET into the keyring",
        discussion: [
            "The keys become items of the current identity, or of --identity: the identity of btmessage under the names that its keychain "
                + "has, the others under names of sxkey's own. They go where the identity goes, into bundles and back, and \"sxkey wire open\" "
                + "and \"sxkey archive import\" find them there.",
            "Nothing is replaced: an item that is there with another value stays, and is named. One identity of sxkey keeps one identity "
                + "of btmessage, its peer id and its keys as a whole; make another for another. Two files with different values for one "
                + "item are refused before anything is written.",
            "A file of 32 bytes does not say what it is for: --as does, and --group of which group of btmessage a key is.",
        ],
        operands: [OperandSpecification("FILE", .file, .oneOrMore, "a file with keys; \"-\" is standard input")],
        options: [
            .value(
                "as", "KIND",
                .choice([RelatedKeyKind.x25519, .groupKey, .privateKey, .threadKey, .streamKey].map(\.rawValue)),
                "what keys are for that do not say it"),
            .value("group", "ID", .text, "the group that a btmessage-group-key is of"),
        ] + GroupChange.options,
        examples: [
            Example(
                "sxkey related import btmessage.json --keyring-key-file keyring.key",
                "keep an identity of btmessage"),
            Example(
                "sxkey related import btmessage.json --dry-run --keyring-key-file keyring.key --json",
                "see what that would add"),
        ],
        exitStatuses: [
            StatusNote(.success),
            StatusNote(.someDamaged, "some items are there with another value, or say not what they are for"),
            StatusNote(.unreadable, "a file gives no key that could be kept"), StatusNote(.wrongSecret),
            StatusNote(.finding, "two files have different values for one item"), StatusNote(.locked),
            StatusNote(.notFound, "no such file, no keyring, or no such identity"),
        ],
        seeAlso: ["sxkey-wire(1)", "sxkey-formats(5)"]
    )

    private let paths: [FilePath]
    private let kind: RelatedKeyKind?
    /// Of which group keys are that name none.
    private let group: ByteText?
    private let change: GroupChange

    init(_ arguments: ParsedArguments) throws(UsageError) {
        paths = arguments.operands("FILE").map { FilePath(bytes: $0) }
        kind = arguments.choice("as").flatMap(RelatedKeyKind.init)
        change = try GroupChange(arguments)
        let id: [UInt8]? = arguments.value("group")
        if (kind == .groupKey) != (id != nil) {
            throw .other("--as btmessage-group-key and --group ID go together")
        }
        if let id, id.isEmpty || id.count > RelatedLimits.idBytes {
            throw .other("the id of a group has 1 to \(RelatedLimits.idBytes) bytes")
        }
        group = id.map { ByteText($0) }
        if paths.count(where: { $0 == "-" }) + (change.keyring.readsStandardInput ? 1 : 0) > 1 {
            throw .other("standard input can be read for one thing only")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        var offer = RelatedOffer()
        for (place, path) in paths.enumerated() {
            var keys = RelatedKeys()
            try RelatedKeySource.add(path, to: &keys, context)
            if let kind {
                do throws(RelatedKeyError) { try keys.take(anyAs: kind, group: group) } catch {
                    throw .relatedKey(error, path)
                }
            }
            try take { () throws(RelatedOffer.Failure) in try offer.add(keys, file: place) }
        }
        let found = try take { () throws(RelatedOffer.Failure) in try offer.items() }
        guard !found.isEmpty else { throw .related(.nothingToImport(paths[0])) }
        let (opened, identity) = try change.open(context)
        var items: [PrivateItem] = []
        var leftOut = offer.leftOut
        for item in found {
            guard let account = ItemAccount(bytes: item.account.bytes) else {
                leftOut += 1
                continue
            }
            do throws(SecretMemoryError) {
                items.append(PrivateItem(account, try item.value.copy()))
            } catch {
                throw .related(.memory)
            }
        }
        let (now, isDryRun) = (context.now, change.isDryRun)
        let offered = items
        let merge = try opened.doing { (keyring) throws(KeyringError) in
            isDryRun
                ? try keyring.compare(offered, with: identity) : try keyring.merge(offered, into: identity, at: now)
        }
        let report = RelatedImported(
            identity: identity, merge: merge, leftOut: leftOut, isDryRun: isDryRun)
        context.console.present(report)
        return report.status
    }

    private func take<R>(_ body: () throws(RelatedOffer.Failure) -> R) throws(CommandError) -> R {
        do throws(RelatedOffer.Failure) {
            return try body()
        } catch {
            switch error {
            case .memory: throw .related(.memory)
            case .conflict(let conflict):
                throw .related(.twoValues(conflict.account, paths[conflict.first], paths[conflict.second]))
            }
        }
    }
}

/// What became of the items.
private struct RelatedImported: Report {
    let identity: KeyringIdentity
    let merge: ItemMerge
    let leftOut: Int
    let isDryRun: Bool

    var status: ExitStatus { merge.different.isEmpty && leftOut == 0 ? .success : .someDamaged }

    private var read: Int { merge.added.count + merge.equal.count + merge.different.count + leftOut }

    func writeText(to stream: TextStream) {
        let verb: TerminalText = isDryRun ? "Would take" : "Took"
        stream.line("\(verb) keys of related apps into the keyring, for \(identity.title)")
        for account in merge.added { stream.line("  added     \(account.bytes)") }
        for account in merge.different {
            let why: TerminalText =
                account.unit == nil
                ? "is there with another value, which stays"
                : "is not taken: another identity of btmessage is there, which stays"
            stream.line("  \(trusted: "differs", .yellow)   \(account.bytes) \(why)")
        }
        if leftOut > 0 {
            stream.line(
                "  \(trusted: "left out", .yellow)  \(count: leftOut, "key"): nothing says what it is for, or of which group; see --as"
            )
        }
        stream.line()
        stream.line(
            "read \(count: read) · added \(count: merge.added.count) · unchanged \(count: merge.equal.count) · different \(count: merge.different.count) · left out \(count: leftOut)"
        )
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("identity", identity.fingerprint.hex)
            json.member("dryRun", isDryRun)
            json.member("added") { json in json.array(merge.added) { json, account in json.value(account.bytes) } }
            json.member("unchanged") { json in json.array(merge.equal) { json, account in json.value(account.bytes) } }
            json.member("different") { json in
                json.array(merge.different) { json, account in json.value(account.bytes) }
            }
            json.member("leftOut", leftOut)
            json.member("exit", Int(status.rawValue))
        }
    }
}
