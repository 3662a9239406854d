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
            "Of keychain items every kind that the apps have is looked at: what is not as an app reads it, and what no known app has, is named "
                + "and kept byte for byte. Verified marks, names and blocks that the app kept of people who are contacts here are told; "
                + "--people takes them into the contact book, marks only where the number is that of the contact's key.",
            "How apps store the ML-DSA key is not known: 64 bytes that prove themselves are used, others are kept and sign nothing, until "
                + "--own-bundle gives a bundle of prekeys that this identity published and whose ML-DSA key it is.",
            "The key file of Tor's onion service is recognised and explained: it holds the key in a form that the seed cannot be got "
                + "back from.",
        ],
        operands: [IdentityInput.operand],
        options: IdentityInput.options + [
            .value("name", "NAME", .text, "the name to keep it under (default: the name in the file)"),
            .value(
                "expect", "IDENTITY", .text,
                "refuse an identity whose fingerprint does not begin with these 8 or more hex digits"),
            OwnBundle.option,
            .flag("use", "make it the current one"),
            .flag("people", "take the app's verified marks, names and blocks of people into the contact book as well"),
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
            StatusNote(
                .finding,
                "another identity than the expected one, one that does not fit its messages, or items that are not as an app reads them"
            ),
            StatusNote(.notFound, "no such file, or no keyring"),
        ]
    )

    private let input: IdentityInput
    private let name: IdentityName?
    private let expected: [UInt8]?
    private let ownBundle: OwnBundle?
    private let use: Bool
    private let takesPeople: Bool
    private let isDryRun: Bool
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        input = try IdentityInput(arguments)
        name = try arguments.value("name").map { (text) throws(UsageError) in try IdentityNameArgument.read(text) }
        expected = try arguments.value("expect").map { (text) throws(UsageError) in
            try IdentityNameArgument.readPrefix(text)
        }
        ownBundle = OwnBundle(arguments)
        use = arguments.flag("use")
        takesPeople = arguments.flag("people")
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
        if let ownBundle { try ownBundle.prove(imported, input.path) }
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
        return outcome.status
    }

    /// What would be done.
    private func plan(
        _ imported: ImportedIdentity, _ name: IdentityName, _ keyring: Keyring, _ context: Context
    ) throws(KeyringError) -> ImportOutcome {
        let before = try keyring.identities()
        let current = before.first { $0.isCurrent }
        let present = before.first { $0.fingerprint == imported.fingerprint }
        var merge = ItemMerge()
        // The keys of an identity that is there are those of the file, or it would be another one.
        let ofIdentity = [ItemAccount.dh, .signing] + (imported.rawName.isEmpty ? [] : [.username])
        if let present {
            merge = try keyring.compare(keyring.placing(imported.items, of: present), with: present)
            merge.equal += ofIdentity.filter { $0 != .username || imported.name == present.name }
        } else {
            merge.added = ofIdentity + imported.items.map(\.account)
        }
        let keptName = present.map { !imported.rawName.isEmpty && imported.name != $0.name } ?? false
        let people = try keyring.plan(for: AppPeople(imported.items), of: imported.keys.publicKeys, at: context.now)
        let becomesCurrent = use || before.isEmpty
        return ImportOutcome(
            path: input.path, isDryRun: isDryRun, fingerprint: imported.fingerprint, name: present?.name ?? name,
            origin: imported.origin, wasThere: present != nil, merge: merge, before: current,
            isCurrent: becomesCurrent || present?.isCurrent == true,
            sameName: before.filter { $0.name == name && $0.fingerprint != imported.fingerprint },
            messages: imported.messages, read: ofIdentity.count + imported.items.count,
            keptName: keptName ? imported.rawName : nil, review: ItemReview(imported.items), people: people,
            takesPeople: takesPeople)
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
            _ = try keyring.merge(keyring.placing(imported.items, of: identity), into: identity, at: context.now)
            if use { try keyring.use(identity) }
            if takesPeople { try keyring.take(outcome.people, at: context.now) }
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
