import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// `sxkey identity combine`
struct IdentityCombine: Command {
    static let specification = CommandSpecification(
        noun: "identity", verb: "combine",
        summary: "put shares together, and take the identity that they give into the keyring",
        discussion: [
            "Takes shares in every form that \"sxkey identity split\" writes (of the pages the .txt; the .html is for printing), those of the apps, alone, in lists or in keychain items "
                + "(sss.shares), SLIP-39 words, pages, and texts scanned from their QR codes: a share or several in each FILE, \"-\" is "
                + "standard input. Without a FILE it asks for words on the terminal.",
            "Shares that sxkey made prove that they are whole and belong together, and not whose they are: compare the fingerprint. Of those "
                + "that an app made, and of words, only the public keys can be compared: with --expect, or with an identity or contact of the "
                + "keyring. What nothing proves is not taken in.",
            "With more shares than are needed, those that were changed are found and named. Then the identity is taken in only if --expect names "
                + "it or it is an identity of the keyring: one holder alone could have made the others. Shares that are encrypted for a holder open "
                + "where one of the keyring's identities is that holder. With --out the identity is written as a .sophaxid, as "
                + "\"sxkey identity export\" writes it, and the keyring stays as it is.",
        ],
        operands: [OperandSpecification("FILE", .file, .any, "shares; as many as are needed")],
        options: [
            .value(
                "expect", "IDENTITY", .text,
                "the identity that must come out: a peer id, or 8 or more hex digits of its fingerprint"),
            .value("name", "NAME", .text, "the name to keep it under (default: the one in the shares)"),
            .flag("use", "make it the current one"),
            .flag("dry-run", "show which identity comes out, and write nothing"),
            .value("out", short: "o", "PATH", .file, "write a .sophaxid in place of the keyring"),
            .flag("force", short: "f", "overwrite an existing file"),
        ] + PassphraseOption.specifications + PassphraseOption.specifications(.new) + KeyringOptions.specifications,
        examples: [
            Example(
                "sxkey identity combine share-1-of-5.json share-3-of-5.json share-4-of-5.json --dry-run "
                    + "--keyring-key-file keyring.key",
                "see which identity three shares give"),
            Example(
                "sxkey identity combine share-1-of-3.words share-3-of-3.words --keyring-key-file keyring.key",
                "take an identity in from two sheets of words"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.failure, "too few shares, or shares of several sets"),
            StatusNote(.usage, "a share twice, or words and JSON together"),
            StatusNote(
                .someDamaged, "the identity came out, and some shares did not belong to it or could not be read"),
            StatusNote(.unreadable, "a damaged share, or no share"),
            StatusNote(.wrongSecret, "an encrypted share that no identity here opens"), StatusNote(.newerVersion),
            StatusNote(.finding, "other keys than were shared or expected, or keys that nothing proves"),
            StatusNote(.wouldOverwrite), StatusNote(.notFound, "no such file, or no keyring"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let paths: [FilePath]
    private let expected: [UInt8]?
    private let name: IdentityName?
    private let use: Bool
    private let isDryRun: Bool
    private let out: FilePath?
    private let force: Bool
    private let passphrase: PassphraseOption
    private let newPassphrase: PassphraseOption
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        paths = arguments.operands("FILE").map { FilePath(bytes: $0) }
        expected = try arguments.value("expect").map { (text) throws(UsageError) in
            try IdentityNameArgument.readPrefix(text)
        }
        name = try arguments.value("name").map { (text) throws(UsageError) in try IdentityNameArgument.read(text) }
        use = arguments.flag("use")
        isDryRun = arguments.flag("dry-run")
        out = arguments.path("out")
        force = arguments.flag("force")
        passphrase = try PassphraseOption(arguments)
        newPassphrase = try PassphraseOption(arguments, .new)
        options = try KeyringOptions(arguments)
        if out == "-" { throw .other("an identity is not written to standard output", hint: "name a file with --out") }
        if out == nil, newPassphrase.isGiven { throw .other("a new passphrase is for the file of --out") }
        if out != nil, use { throw .conflict("out", "use") }
        let readers = [
            paths.contains("-"), passphrase.readsStandardInput(), newPassphrase.readsStandardInput(),
            options.readsStandardInput,
        ]
        if readers.count(where: { $0 }) > 1 || paths.count(where: { $0 == "-" }) > 1 {
            throw .other("standard input can give one thing only")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        if let out {
            do throws(FileError) {
                try OutputFile.check(out, replacing: force, notSameAs: inputs(context))
            } catch {
                throw .output(error)
            }
        } else if !isDryRun || options.named != nil {
            _ = try options.existing(context)
        }
        var given: GivenShares
        if paths.isEmpty {
            given = GivenShares(words: try TypedWords.read(context), from: TypedWords.path)
        } else {
            given = try GivenShares(paths, context)
        }
        let opened = try openKeyring(needed: !given.sealed.isEmpty, context)
        if let opened { try given.open(with: opened) }
        given.leaveOutOthers()
        if given.count == 0, let closed = given.closed.first { throw closed }
        let combined = try combine(given, opened, context)
        let found = try prove(combined, opened, isWords: !given.words.isEmpty)
        return try keep(combined, found, opened, context)
    }

    /// The keyring: to take the identity in, to open shares, or to know whose they are.
    private func openKeyring(needed: Bool, _ context: Context) throws(CommandError) -> OpenedKeyring? {
        let isWanted = needed || options.isSecretGiven || options.named != nil
        guard isWanted || (out == nil && !isDryRun) else {
            // What a dry run finds is compared with the keyring where there is one.
            guard out == nil, (try? options.existing(context)) != nil else { return nil }
            return try context.openKeyring(options, .readOnly)
        }
        return try context.openKeyring(options, out == nil && !isDryRun ? .readWrite : .readOnly)
    }

    private func inputs(_ context: Context) -> [FileIdentity] {
        let files = paths + [passphrase.file, newPassphrase.file].compactMap { $0 }
        return options.inputs(context) + files.compactMap { try? InputFile.identity(ofOperand: $0) }
    }

    // MARK: - Putting together

    private func combine(
        _ given: GivenShares, _ opened: OpenedKeyring?, _ context: Context
    ) throws(CommandError) -> CombinedShares {
        guard given.count > 0 else { throw .shares(.set(.noShares, [])) }
        guard given.words.isEmpty || given.plain.isEmpty else { throw .shares(.twoForms) }
        guard given.words.isEmpty else { return try combineWords(given, context) }
        if passphrase.isGiven {
            context.console.note("sxkey: warning: only words have a passphrase; the one that was given is not used")
        }
        let own = try opened?.doing { (keyring) throws(KeyringError) in try keyring.identities() }.map(\.fingerprint)
        let combined: IdentityShareSet.Combined
        let places = given.plain.map { GivenPlace($0.share, $0.path) }
        do throws(IdentityShareSetError) {
            combined = try IdentityShareSet.combine(given.plain.map(\.share)) { fingerprint in
                expected.map { fingerprint.hexBytes.starts(with: $0) } ?? (own ?? []).contains(fingerprint)
            }
        } catch {
            if case .tooFew = error, let closed = given.closed.first { throw closed }
            throw .shares(.set(error, places))
        }
        do throws(IdentityError) {
            return CombinedShares(
                try combined.identity.copy(), isProven: combined.isProven, strays: combined.strays.map { places[$0] },
                rawName: combined.owner?.name ?? [], given: given)
        } catch {
            throw .shares(.memory)
        }
    }

    private func combineWords(_ given: GivenShares, _ context: Context) throws(CommandError) -> CombinedShares {
        let typed: SecretBytes
        if passphrase.isGiven {
            typed = try passphrase.read(what: "passphrase of the words", prompt: "Passphrase of the words: ", context)
        } else {
            do throws(SecretMemoryError) { typed = try SecretBytes(count: 0) } catch { throw .shares(.memory) }
        }
        let secret: SecretBytes
        do throws(WordShareError) {
            secret = try WordShareSet.combine(given.words.map(\.share), passphrase: typed)
        } catch {
            throw .shares(.placedWords(error, Self.file(of: error, given)))
        }
        guard secret.count == IdentitySecret.length else { throw .shares(.secretLength(found: secret.count)) }
        do throws(IdentityError) {
            let identity = try IdentitySecret.identity(secret, username: "")
            return CombinedShares(identity, isProven: false, strays: [], rawName: [], given: given)
        } catch {
            throw .shares(.memory)
        }
    }

    /// The file of the share that an error names.
    private static func file(of error: WordShareError, _ given: GivenShares) -> FilePath? {
        switch error {
        case .doesNotFit(let group, let member), .repeatedShare(let group, let member):
            given.words.last { $0.share.group == group && $0.share.member == member }?.path
        case .differentSets: given.words.last { $0.share.parameters != given.words[0].share.parameters }?.path
        default: nil
        }
    }

    // MARK: - Proving

    /// By what it is certain that the identity is the right one.
    private func prove(
        _ combined: CombinedShares, _ opened: OpenedKeyring?, isWords: Bool
    ) throws(CommandError) -> SharesProof {
        let fingerprint = combined.fingerprint
        if let expected {
            guard fingerprint.hexBytes.starts(with: expected) else {
                throw .shares(.unexpected(expected: expected, found: fingerprint))
            }
        }
        if combined.isProven, combined.strays.isEmpty { return .shares }
        if expected != nil { return .expected }
        if let opened {
            if let own = try opened.doing({ (keyring) throws(KeyringError) in try keyring.identity(fingerprint) }) {
                return .identity(own.name)
            }
            // A contact may be the holder who made the others: among shares that do not all fit he is no proof.
            if combined.strays.isEmpty,
                let contact = try opened.contacts().first(where: { $0.currentKey?.fingerprint == fingerprint })
            {
                return .contact(contact.name)
            }
        }
        if combined.isProven { throw .shares(.disputed(fingerprint, strays: combined.strays)) }
        throw .shares(.unproven(fingerprint, isWords: isWords))
    }

    // MARK: - Keeping

    private func keep(
        _ combined: CombinedShares, _ proof: SharesProof, _ opened: OpenedKeyring?, _ context: Context
    ) throws(CommandError) -> ExitStatus {
        let present = try opened.flatMap { (opened) throws(CommandError) in
            try opened.doing { (keyring) throws(KeyringError) in try keyring.identity(combined.fingerprint) }
        }
        // The name of an identity that is there stays.
        let kept = out == nil ? present?.name : nil
        if let name, let kept, name != kept {
            context.console.note(
                "sxkey: warning: the identity is in the keyring as \(kept.bytes), and stays so; \"sxkey identity rename\" gives it another name"
            )
        }
        let name = kept ?? self.name ?? present?.name ?? combined.name
        var isCurrent = present?.isCurrent ?? false
        if let out, !isDryRun {
            try write(combined, name, to: out, context)
        } else if let opened, out == nil {
            let isFirst = try opened.doing { (keyring) throws(KeyringError) in try keyring.identities().isEmpty }
            isCurrent = isCurrent || use || isFirst
            if !isDryRun { try take(combined, name, present, into: opened, context) }
        }
        let report = CombineReport(
            combined: combined, name: name, proof: proof, wasThere: present != nil, isCurrent: isCurrent, out: out,
            isDryRun: isDryRun)
        context.console.present(report)
        return report.status
    }

    private func take(
        _ combined: CombinedShares, _ name: IdentityName, _ present: KeyringIdentity?, into opened: OpenedKeyring,
        _ context: Context
    ) throws(CommandError) {
        try opened.doing { (keyring) throws(KeyringError) in
            try keyring.changing { () throws(KeyringError) in
                let identity: KeyringIdentity
                if let present {
                    identity = present
                } else {
                    identity = try keyring.addIdentity(
                        combined.identity, name: name, origin: "shares", at: context.now)
                }
                if use { try keyring.use(identity) }
            }
            // Said only after what is in the keyring was read back and its keys fit.
            guard let kept = try keyring.identity(combined.fingerprint) else { throw .noIdentity }
            _ = try keyring.privateKeys(of: kept)
        }
    }

    private func write(
        _ combined: CombinedShares, _ name: IdentityName, to out: FilePath, _ context: Context
    ) throws(CommandError) {
        let typed = try IdentityExport.newPassphrase(newPassphrase, out, context)
        let named: Identity
        do throws(IdentityError) { named = try combined.identity.named(name.text) } catch { throw .shares(.memory) }
        let export = try IdentityExport.seal(named, .identity(context.bundleLimits), typed, out, context)
        do throws(FileError) {
            var output = try OutputFile(creatingAt: out, replacing: force, notSameAs: inputs(context))
            try export.bytes.withSpan { (bytes) throws(FileError) in try output.writeUnbuffered(bytes) }
            try output.commit()
        } catch {
            throw .output(error)
        }
        let found = try IdentityExport.read(out)
        guard found.isEqual(to: export.bytes) else { throw .identity(.exportProof(out)) }
    }
}

/// What shares gave. A class, since private keys cannot be copied.
final class CombinedShares: Sendable {
    let identity: Identity
    /// The shares themselves prove it.
    let isProven: Bool
    /// Shares that do not belong to the others.
    let strays: [GivenPlace]
    /// The name in the shares; empty where they have none.
    let rawName: [UInt8]
    /// How many shares were given.
    let given: Int
    /// Shares of lists that could not be read.
    let faults: [ShareFault]
    /// Sealed shares that nothing here opened.
    let closed: Int

    init(
        _ identity: consuming Identity, isProven: Bool, strays: [GivenPlace], rawName: [UInt8], given: GivenShares
    ) {
        self.identity = identity
        self.isProven = isProven
        self.strays = strays
        self.rawName = rawName
        self.given = given.count
        faults = given.faults
        closed = given.closed.count
    }

    var fingerprint: Fingerprint { identity.fingerprint }

    /// The name in the shares; where they have none that can be kept, the one that the apps give to who has none.
    var name: IdentityName {
        IdentityName.foreign(rawName) ?? .anonymous
    }
}

extension Identity {
    /// The same keys under a name.
    func named(_ username: String) throws(IdentityError) -> Identity {
        let seed: SecretBytes
        do throws(SecretMemoryError) { seed = try signingSeed.copy() } catch { throw .memory(error) }
        let dh: SecretBytes
        do throws(SecretMemoryError) { dh = try dhPrivate.copy() } catch { throw .memory(error) }
        return try Identity(signingSeed: seed, dhPrivate: dh, username: username)
    }
}
