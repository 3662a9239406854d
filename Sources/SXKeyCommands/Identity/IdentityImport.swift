import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SystemIO

/// `sxkey identity import`
struct IdentityImport: Command {
    static let specification = CommandSpecification(
        noun: "identity", verb: "import",
        summary: "take an identity from an export into the keyring",
        discussion: [
            "Takes identity exports and full exports of all versions, and keychain items as JSON (account to base64), of which every "
                + "item is kept. The file is read to its end and its keys are proven before the keyring is opened; the import happens "
                + "as a whole or not at all.",
            "An identity that is there already gets the items that it lacks; values that differ are left as they are and named. Another "
                + "identity is added beside those that are there, and becomes the current one only when there is none, or with --use. "
                + "Nothing is ever replaced. --expect refuses every other identity than the one that is meant.",
            "The key file of Tor's onion service is recognised and explained: it holds the key in a form that the seed cannot be got "
                + "back from.",
        ],
        operands: [IdentityInput.operand],
        options: IdentityInput.options + [
            .value("name", "NAME", .text, "the name to keep it under (default: the name in the file)"),
            .value(
                "expect", "IDENTITY", .text,
                "refuse an identity whose fingerprint does not begin with these 8 or more hex digits"),
            .flag("use", "make it the current one"),
            .flag("dry-run", "show what would be done, and change nothing"),
        ] + KeyringOptions.specifications,
        examples: [
            Example(
                "sxkey identity import sample.sxfe --passphrase-file passphrase.txt --keyring-key-file keyring.key",
                "take the identity of a full export"),
            Example(
                "sxkey identity import sample.sxfe -p passphrase.txt --dry-run --keyring-key-file keyring.key",
                "show what that would change"),
        ],
        exitStatuses: [
            StatusNote(.success),
            StatusNote(.someDamaged, "values in the keyring differ from the file's; they were kept"),
            StatusNote(.unreadable, "not a file with an identity, or its keys are damaged"),
            StatusNote(.wrongSecret), StatusNote(.newerVersion),
            StatusNote(.finding, "another identity than the expected one, or one that does not fit its messages"),
            StatusNote(.notFound, "no such file, or no keyring"),
        ]
    )

    private let input: IdentityInput
    private let name: IdentityName?
    private let expected: [UInt8]?
    private let use: Bool
    private let isDryRun: Bool
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        input = try IdentityInput(arguments)
        name = try arguments.value("name").map { (text) throws(UsageError) in try IdentityNameArgument.read(text) }
        expected = try arguments.value("expect").map { (text) throws(UsageError) in
            try IdentityNameArgument.readPrefix(text)
        }
        use = arguments.flag("use")
        isDryRun = arguments.flag("dry-run")
        options = try KeyringOptions(arguments)
        if input.readsStandardInput, options.readsStandardInput {
            throw .other("standard input cannot give both passphrases")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        _ = try options.existing(context)
        let imported = try input.read(context)
        if let expected, !imported.fingerprint.hexBytes.starts(with: expected) {
            throw .identity(.unexpected(expected: expected, found: imported.fingerprint, input.path))
        }
        guard let name = name ?? imported.name else {
            throw .identity(.badNameInFile(imported.rawName, input.path))
        }
        let opened = try context.openKeyring(options, isDryRun ? .readOnly : .readWrite)
        let outcome = try opened.doing { (keyring) throws(KeyringError) in
            isDryRun
                ? try keyring.reading { () throws(KeyringError) in try plan(imported, name, keyring, context) }
                : try take(imported, name, into: keyring, context)
        }
        context.console.present(outcome)
        return outcome.merge.different.isEmpty ? .success : .someDamaged
    }

    /// What would be done.
    private func plan(
        _ imported: ImportedIdentity, _ name: IdentityName, _ keyring: Keyring, _ context: Context
    ) throws(KeyringError) -> ImportOutcome {
        let before = try keyring.identities()
        let current = before.first { $0.isCurrent }
        let present = before.first { $0.fingerprint == imported.fingerprint }
        var merge = ItemMerge()
        if let present {
            merge = try keyring.compare(imported.items, with: present)
        } else {
            merge.added = [.dh, .signing, .username] + imported.items.map(\.account)
        }
        let becomesCurrent = use || before.isEmpty
        return ImportOutcome(
            path: input.path, isDryRun: isDryRun, fingerprint: imported.fingerprint, name: present?.name ?? name,
            origin: imported.origin, wasThere: present != nil, merge: merge, before: current,
            isCurrent: becomesCurrent || present?.isCurrent == true,
            sameName: before.filter { $0.name == name && $0.fingerprint != imported.fingerprint },
            messages: imported.messages)
    }

    private func take(
        _ imported: ImportedIdentity, _ name: IdentityName, into keyring: Keyring, _ context: Context
    ) throws(KeyringError) -> ImportOutcome {
        let outcome = try keyring.changing { () throws(KeyringError) in
            let outcome = try plan(imported, name, keyring, context)
            let identity: KeyringIdentity
            if let present = try keyring.identity(imported.fingerprint) {
                identity = present
            } else {
                identity = try keyring.addIdentity(
                    imported.keys, name: name, origin: imported.origin, at: context.now)
            }
            _ = try keyring.merge(imported.items, into: identity, at: context.now)
            if use { try keyring.use(identity) }
            return outcome
        }
        // Said only after what is in the keyring was read back and its keys fit.
        guard let kept = try keyring.identity(imported.fingerprint) else { throw .noIdentity }
        _ = try keyring.privateKeys(of: kept)
        return outcome
    }
}

/// Names and fingerprints on the command line.
enum IdentityNameArgument {
    static func read(_ text: [UInt8]) throws(UsageError) -> IdentityName {
        guard let name = IdentityName(typed: text) else {
            throw .other(
                "\(quoted: text) cannot be a name",
                hint:
                    "a name has 1 to \(IdentityName.maximumCharacters) characters, and no control characters; spaces at both ends do not count"
            )
        }
        return name
    }

    /// 8 to 64 hex digits, in lower case.
    static func readPrefix(_ text: [UInt8]) throws(UsageError) -> [UInt8] {
        let lower = text.map { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) ? $0 | 0x20 : $0 }
        let isHex = lower.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        guard isHex, (Keyring.shortestPrefix...Fingerprint.length * 2).contains(lower.count) else {
            throw .other(
                "\(quoted: text) is no fingerprint",
                hint: "a peer id, or 8 to 64 hex digits from the beginning of the fingerprint")
        }
        return lower
    }
}

/// What an import did, or would do.
private struct ImportOutcome: Report {
    let path: FilePath
    let isDryRun: Bool
    let fingerprint: Fingerprint
    let name: IdentityName
    let origin: String
    let wasThere: Bool
    let merge: ItemMerge
    let before: KeyringIdentity?
    let isCurrent: Bool
    let sameName: [KeyringIdentity]
    let messages: Int

    func writeText(to stream: TextStream) {
        let done: String =
            switch (isDryRun, wasThere) {
            case (false, false): "Imported"
            case (true, false): "Would import"
            case (false, true): "Already there:"
            case (true, true): "Is already there:"
            }
        stream.line("\(trusted: done) \(name.bytes, .bold) from \(quoted: path)")
        stream.line("  Fingerprint  \(trusted: fingerprint.hex)")
        stream.line(
            "  Items        \(merge.added.count) added · \(merge.equal.count) there already · \(merge.different.count) kept, other than in the file"
        )
        for account in merge.different.prefix(20) { stream.line("    kept       \(account.bytes)") }
        for other in sameName {
            stream.line(
                "  \(trusted: "note", .yellow)         another identity has the same name: \(trusted: other.fingerprint.hex)"
            )
        }
        if messages > 0 {
            stream.line(
                "  Messages     \(count: messages) in the file are not part of a keyring; \"sxkey bundle show\" shows them"
            )
        }
        if let before, before.fingerprint != fingerprint {
            let verb = isDryRun ? "would be" : "is now"
            if isCurrent {
                stream.line("  Current      \(trusted: verb) this one, before it was \(before.shortText)")
            } else {
                stream.line(
                    "  Current      is still \(before.shortText); --use, or \"sxkey identity use\", changes that")
            }
        } else if isCurrent {
            stream.line("  Current      \(trusted: isDryRun ? "would be " : "")this one")
        }
        if isDryRun { stream.line("Nothing was changed") }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("dryRun", isDryRun)
            json.member("name", name.bytes)
            json.member("fingerprint", fingerprint.hex)
            json.member("origin", origin)
            json.member("wasThere", wasThere)
            json.member("current", isCurrent)
            json.member("currentBefore", before?.fingerprint.hex)
            json.member("items") { json in
                json.object { json in
                    json.member("added") { json in write(merge.added, to: &json) }
                    json.member("equal") { json in write(merge.equal, to: &json) }
                    json.member("different") { json in write(merge.different, to: &json) }
                }
            }
            json.member("sameName") { json in
                json.array(sameName) { json, identity in json.value(identity.fingerprint.hex) }
            }
            json.member("messages", messages)
        }
    }

    private func write(_ accounts: [ItemAccount], to json: inout JSONWriter) {
        json.array(accounts) { json, account in json.value(account.bytes) }
    }
}
