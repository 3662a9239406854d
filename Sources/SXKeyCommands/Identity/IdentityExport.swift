import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// `sxkey identity export`
struct IdentityExport: Command {
    /// What can be written; the raw values are also those of the keyring's records.
    enum Format: String, CaseIterable {
        case sophaxid = "sophaxid-v2"
        case firstSophaxid = "sophaxid-v1"
        case keychain = "keychain-json"
    }

    /// The apps' own rule (format SophaxChat 3.2.4).
    static let shortestPassphrase = 16

    static let specification = CommandSpecification(
        noun: "identity", verb: "export",
        summary: "write an identity to a file, and prove that the file holds it",
        discussion: [
            "sophaxid-v2 is what the apps import: the two identity keys and the name, encrypted with 720,000 iterations of PBKDF2. "
                + "sophaxid-v1 is for an early app only; later ones refuse it. keychain-json has every item, storage.master and the "
                + "prekeys too, and is NOT encrypted, so it needs --reveal.",
            "The passphrase of a .sophaxid must have at least \(shortestPassphrase) characters. As the app does, spaces at both ends are "
                + "taken off before they are counted; the app does not take them off when it imports, so type it without them there.",
            "The written file is read back and opened before success is said. The keyring keeps when and where that was.",
        ],
        operands: [IdentityOption.optionalOperand],
        options: [
            .value(
                "format", "FORMAT", .choice(Format.allCases.map(\.rawValue)), "what to write (default: sophaxid-v2)"),
            .flag("reveal", "write private keys without encryption, with --format keychain-json"),
        ] + ExportTarget.options + PassphraseOption.specifications(.new) + KeyringOptions.specifications,
        examples: [
            Example(
                "sxkey identity export --out ana.sophaxid --new-passphrase-file passphrase.txt --keyring-key-file keyring.key",
                "write the current identity for the app"),
            Example(
                "sxkey identity export Ana --format keychain-json --reveal --out ana.json --keyring-key-file keyring.key",
                "write every private item, without encryption"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.usage, "the passphrase is shorter than the app takes"),
            StatusNote(.wrongSecret), StatusNote(.wouldOverwrite),
            StatusNote(.notFound, "no such identity, or no keyring"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let word: [UInt8]?
    private let format: Format
    private let path: FilePath
    private let force: Bool
    private let passphrase: PassphraseOption
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        word = arguments.operand("IDENTITY")
        format = arguments.choice("format").flatMap(Format.init) ?? .sophaxid
        path = arguments.requiredPath("out")
        force = arguments.flag("force")
        passphrase = try PassphraseOption(arguments, .new)
        options = try KeyringOptions(arguments)
        if path == "-" { throw .other("an identity is not written to standard output", hint: "name a file with --out") }
        if format == .keychain, passphrase.isGiven {
            throw .other("keychain-json is not encrypted, so it takes no passphrase")
        }
        if format == .keychain, !arguments.flag("reveal") {
            throw .other(
                "keychain-json writes all private keys without encryption",
                hint: "say --reveal if that is what you want, and keep the file where nobody else gets at it")
        }
        if passphrase.readsStandardInput(), options.readsStandardInput {
            throw .other("standard input cannot give both passphrases")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let inputs =
            options.inputs(context)
            + [passphrase.file].compactMap { file in file.flatMap { try? InputFile.identity(ofOperand: $0) } }
        do throws(FileError) {
            try OutputFile.check(path, replacing: force, notSameAs: inputs)
        } catch {
            throw .output(error)
        }
        let opened = try context.openKeyring(options, .readWrite)
        let identity = try opened.identity(word)
        let bytes: ExportBytes =
            switch format {
            case .sophaxid: try bundle(.identity(context.bundleLimits), identity, opened, context)
            case .firstSophaxid: try bundle(.firstIdentity(context.bundleLimits), identity, opened, context)
            case .keychain: try keychain(identity, opened)
            }
        // Before an earlier export may be replaced.
        try proveContent(bytes, identity, opened, context)
        try write(bytes, inputs)
        let sha256: [UInt8]
        do throws(CommandError) {
            sha256 = try readBack(bytes)
        } catch {
            try? removeFile(path)
            throw error
        }
        let record = IdentityExportRecord(
            madeAt: context.now, kind: format.rawValue, path: (absolutePath(path) ?? path).bytes, sha256: sha256,
            readBackAt: context.now)
        do throws(CommandError) {
            try opened.doing { (keyring) throws(KeyringError) in try keyring.addExport(record, of: identity) }
        } catch {
            // One that has taken the place of an earlier export is proven, and all there is.
            if !force { try? removeFile(path) }
            throw error
        }
        let items = try opened.doing { (keyring) throws(KeyringError) in try keyring.items(of: identity) }
        let lacks = format == .keychain ? [] : items.map(\.account).filter { !Self.inBundle.contains($0) }
        context.console.present(
            ExportedIdentity(
                identity: identity, path: path, format: format, sha256: sha256, lacks: lacks, trimmed: bytes.trimmed))
        return .success
    }

    /// What a .sophaxid holds.
    static let inBundle: [ItemAccount] = [.signing, .dh, .username]

    /// The bytes of the file, and what opens it again. A class, since secrets cannot be copied.
    final class ExportBytes {
        let bytes: SecretBytes
        let passphrase: SecretBytes?
        let trimmed: Bool

        init(_ bytes: consuming SecretBytes, passphrase: consuming SecretBytes? = nil, trimmed: Bool = false) {
            self.bytes = bytes
            self.passphrase = passphrase
            self.trimmed = trimmed
        }
    }

    private func bundle(
        _ recipe: BundleRecipe, _ identity: KeyringIdentity, _ opened: OpenedKeyring, _ context: Context
    ) throws(CommandError) -> ExportBytes {
        let secret = try Self.newPassphrase(passphrase, path, context)
        let keys = try opened.doing { (keyring) throws(KeyringError) in try keyring.privateKeys(of: identity) }
        return try Self.seal(keys, recipe, secret, path, context)
    }

    /// A passphrase that an app takes, as it was typed.
    static func newPassphrase(
        _ passphrase: PassphraseOption, _ path: FilePath, _ context: Context
    ) throws(CommandError) -> SecretBytes {
        let typed = try passphrase.readNew(what: "passphrase for \(quoted: path)", context)
        let secret = try trimmed(typed)
        let characters = GraphemeCount.count(in: secret)
        guard characters >= shortestPassphrase else {
            throw .identity(.shortExportPassphrase(found: characters, minimum: shortestPassphrase))
        }
        return typed
    }

    private static func trimmed(_ typed: borrowing SecretBytes) throws(CommandError) -> SecretBytes {
        let kept = typed.withSpan { PassphraseTrimming.kept(of: $0) }
        return try memory { () throws(SecretMemoryError) in try typed.slice(kept) }
    }

    /// The bytes of a .sophaxid under a passphrase as it was typed.
    static func seal(
        _ keys: borrowing Identity, _ recipe: BundleRecipe, _ typed: borrowing SecretBytes, _ path: FilePath,
        _ context: Context
    ) throws(CommandError) -> ExportBytes {
        let secret = try trimmed(typed)
        let text: SecretBytes
        do throws(EncodingError) {
            text = try IdentityText.make(keys, exportedAt: appTime(context.now))
        } catch {
            throw .secret(.memory(.exhausted(requested: 0)), what: "identity")
        }
        let sealed: [UInt8]
        do throws(BundleError) {
            sealed = try text.withSpan { (text) throws(BundleError) in
                try BundleWriter.seal(text, as: recipe, passphrase: secret)
            }
        } catch {
            throw .bundle(error, path)
        }
        let isTrimmed = secret.count < typed.count
        do throws(SecretMemoryError) {
            return ExportBytes(try SecretBytes(copying: sealed.span), passphrase: secret, trimmed: isTrimmed)
        } catch {
            throw .secret(.memory(error), what: "identity")
        }
    }

    /// A JSON number, seconds since 2001, to the millisecond.
    private static func appTime(_ unixSeconds: Double) -> String {
        let seconds = unixSeconds - AppTime.epoch2001
        return seconds == seconds.rounded() ? "\(Int64(seconds))" : "\((seconds * 1000).rounded() / 1000)"
    }

    private func keychain(
        _ identity: KeyringIdentity, _ opened: OpenedKeyring
    ) throws(CommandError) -> ExportBytes {
        let items = try opened.doing { (keyring) throws(KeyringError) in try Self.items(of: identity, in: keyring) }
        do throws(EncodingError) {
            return ExportBytes(try KeychainFile.text(of: items))
        } catch {
            throw .secret(.memory(.exhausted(requested: 0)), what: "keychain items")
        }
    }

    private static func items(
        of identity: KeyringIdentity, in keyring: Keyring
    ) throws(KeyringError) -> [KeychainItem] {
        var items: [KeychainItem] = []
        for listing in try keyring.items(of: identity) {
            guard let value = try keyring.item(listing.account, of: identity) else { continue }
            items.append(KeychainItem(ByteText(listing.account.bytes), value))
        }
        return items
    }

    private func write(_ export: ExportBytes, _ inputs: [FileIdentity]) throws(CommandError) {
        do throws(FileError) {
            var output = try OutputFile(creatingAt: path, replacing: force, notSameAs: inputs)
            try export.bytes.withSpan { (bytes) throws(FileError) in try output.writeUnbuffered(bytes) }
            try output.commit()
        } catch {
            throw .output(error)
        }
    }

    // MARK: Proof

    /// Reads the file and compares it byte by byte with what was proven; gives its SHA-256.
    private func readBack(_ export: ExportBytes) throws(CommandError) -> [UInt8] {
        let found = try Self.read(path)
        guard found.isEqual(to: export.bytes) else { throw .identity(.exportProof(path)) }
        return found.withSpan { SHA256.hash($0) }
    }

    /// An export as it is on the disk.
    static func read(_ path: FilePath) throws(CommandError) -> SecretBytes {
        var input = try InputFile.forCommand(path)
        do throws(SecretInputError) {
            return try SecretInput.keyFile(&input)
        } catch {
            throw .secret(error, what: "identity")
        }
    }

    /// Opens what is to be written as an import would, and compares what is in it with the keyring.
    private func proveContent(
        _ export: ExportBytes, _ identity: KeyringIdentity, _ opened: OpenedKeyring, _ context: Context
    ) throws(CommandError) {
        switch export.passphrase {
        case .some(let passphrase):
            let bytes = export.bytes.withSpan { span in span.indices.map { span[$0] } }
            guard let file = try? BundleFile(bytes: bytes, limits: context.bundleLimits) else {
                throw .identity(.exportProof(path))
            }
            try prove(IdentityInput.open(file, passphrase, path, context).identity, identity, opened)
        case nil:
            let held = try Self.accounts(in: export.bytes, path, of: identity, opened)
            let items = try opened.doing { (keyring) throws(KeyringError) in try keyring.items(of: identity) }
            guard items.allSatisfy({ held.contains($0.account) }) else { throw .identity(.exportProof(path)) }
        }
    }

    /// The items of an identity that the keychain items in `file` hold with the value that the keyring has now.
    static func accounts(
        in file: borrowing SecretBytes, _ path: FilePath, of identity: KeyringIdentity, _ opened: OpenedKeyring
    ) throws(CommandError) -> [ItemAccount] {
        let imported = try IdentityInput.keychain(file, path)
        guard imported.fingerprint == identity.fingerprint else { return [] }
        let merge = try opened.doing { (keyring) throws(KeyringError) in
            try keyring.compare(imported.items, with: identity)
        }
        // The keys are those of the fingerprint.
        return inBundle + merge.equal
    }

    private func prove(
        _ found: BundleIdentity?, _ identity: KeyringIdentity, _ opened: OpenedKeyring
    ) throws(CommandError) {
        let keys = try opened.doing { (keyring) throws(KeyringError) in try keyring.privateKeys(of: identity) }
        let fits = found?.withKeys { found in
            found.signingSeed.isEqual(to: keys.signingSeed) && found.dhPrivate.isEqual(to: keys.dhPrivate)
                && Array(found.username.utf8) == identity.name.bytes
        }
        guard fits == true else { throw .identity(.exportProof(path)) }
    }

    private static func memory(
        _ make: () throws(SecretMemoryError) -> SecretBytes
    ) throws(CommandError) -> SecretBytes {
        do throws(SecretMemoryError) { return try make() } catch { throw .secret(.memory(error), what: "identity") }
    }
}

/// An export that was written and read back.
private struct ExportedIdentity: Report {
    let identity: KeyringIdentity
    let path: FilePath
    let format: IdentityExport.Format
    let sha256: [UInt8]
    /// Items that the file does not hold.
    let lacks: [ItemAccount]
    /// Spaces were taken off the passphrase.
    let trimmed: Bool

    func writeText(to stream: TextStream) {
        stream.line(
            "Exported \(identity.name.bytes, .bold) to \(quoted: path), and read it back: it holds this identity")
        stream.line("  Fingerprint  \(trusted: identity.fingerprint.hex)")
        stream.line(
            "  Format       \(trusted: format.rawValue)\(trusted: format == .keychain ? ", NOT ENCRYPTED" : "")")
        stream.line("  SHA-256      \(trusted: Hex.encode(sha256.span))")
        if trimmed {
            stream.line(
                "  \(trusted: "note", .yellow)         spaces at the ends of the passphrase were taken off, as the app does; type it without them"
            )
        }
        if !lacks.isEmpty {
            let names = lacks.prefix(3).map { "\($0.bytes)" as TerminalText }.joined(", ")
            let more: TerminalText = lacks.count > 3 ? " and \(lacks.count - 3) more" : ""
            stream.line("  Not in it    \(names)\(more): a .sophaxid has no room for them")
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", identity.name.bytes)
            json.member("fingerprint", identity.fingerprint.hex)
            json.member("path", path.bytes)
            json.member("format", format.rawValue)
            json.member("sha256", Hex.encode(sha256.span))
            json.member("passphraseTrimmed", trimmed)
            json.member("lacks") { json in
                json.array(lacks) { json, account in json.value(account.bytes) }
            }
        }
    }
}
