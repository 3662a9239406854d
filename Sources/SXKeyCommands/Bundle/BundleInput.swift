import CommandKit
import CryptoPrimitives
import Keyring
import PortableBundle
import SophaxFiles
import SystemIO

/// A bundle that was opened, whatever kind it is, as one pass over its parts.
struct OpenedInput {
    let path: FilePath
    let shape: BundleShape
    let source: AnyEntrySource
    /// The content of an app's export.
    let content: BundleContent?
    /// sxkey's own bundle.
    var portable: SXBSource?
    /// The keyring whose identity opened it.
    var keyring: OpenedKeyring?
}

/// A source of any kind.
struct AnyEntrySource: EntrySource {
    private let source: any EntrySource

    init(_ source: some EntrySource) {
        self.source = source
    }

    var manifest: Manifest { source.manifest }

    func send<S: EntrySink & ~Copyable>(to sink: inout S) throws(EntryError) {
        try source.send(to: &sink)
    }
}

extension Program {
    /// What a bundle says of who made it.
    static let creator = "\(name) \(Version.number)"
}

/// What opens the inputs of a bundle command.
struct InputSecrets: Sendable {
    /// For commands with one input.
    static let options =
        PassphraseOption.specifications + KeyringOptions.specifications
    /// For commands with several inputs.
    static let severalOptions =
        PassphraseOption.specifications(
            .input, several: true, order: "; once for each input that has one, in their order")
        + KeyringOptions.specifications

    private let passphrases: [PassphraseOption]
    let keyring: KeyringOptions

    /// Passphrases that the command line gives.
    var count: Int { passphrases.count }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        passphrases = PassphraseOption.list(arguments, .input)
        keyring = try KeyringOptions(arguments)
        let readers = passphrases.count { $0.readsStandardInput() } + (keyring.readsStandardInput ? 1 : 0)
        if readers > 1 { throw .other("standard input cannot give two secrets") }
        if passphrases.count > 1, !arguments.specification.options.contains(where: \.isRepeatable) {
            throw .conflict("passphrase-file", "passphrase-fd")
        }
    }

    var readsStandardInput: Bool { passphrases.contains { $0.readsStandardInput() } || keyring.readsStandardInput }

    /// Files that an output must not be.
    func inputs(_ context: Context) -> [FileIdentity] {
        passphrases.compactMap { $0.file.flatMap { try? InputFile.identity(ofOperand: $0) } }
            + keyring.inputs(context)
    }

    /// Where the passphrase of each of these files comes from: one option for each, or the terminal for all.
    func sources(for paths: [FilePath]) throws(CommandError) -> [PassphraseOption] {
        if passphrases.isEmpty { return paths.map { _ in PassphraseOption(asking: .input) } }
        guard passphrases.count == paths.count else {
            throw .bundleFailure(.passphraseCount(given: passphrases.count, wanted: paths))
        }
        return passphrases
    }

    /// The private keys of all identities in the keyring, which open what was made for one of them.
    func identityKeys(_ context: Context) throws(CommandError) -> [SXBSecret] {
        try openKeyring(context).identityKeys(context)
    }

    func openKeyring(_ context: Context) throws(CommandError) -> OpenedKeyring {
        try context.openKeyring(keyring, .readOnly)
    }
}

/// One or more bundles of any kind that a command reads.
struct BundleInputs: Sendable {
    static let operand = OperandSpecification(
        "FILE", .file, .one, "a bundle: an export of an app, or a .sxb of sxkey")
    static let options = [BundleArguments.kindOption] + InputSecrets.options + [StoreArguments.jobs]
    static let severalOptions = [BundleArguments.kindOption] + InputSecrets.severalOptions + [StoreArguments.jobs]

    let paths: [FilePath]
    let secrets: InputSecrets
    private let kind: BundleKind?
    private let jobs: Int?

    /// `operands` are the names of the operands that the bundles are.
    init(_ arguments: ParsedArguments, operands: [String] = ["FILE"]) throws(UsageError) {
        paths = operands.map { arguments.operandPath($0) }
        secrets = try InputSecrets(arguments)
        kind = arguments.choice("kind").flatMap(BundleKind.init)
        jobs = arguments.number("jobs")
        if paths.count(where: { $0 == "-" }) > 1 { throw .other("standard input cannot be two bundles") }
        if paths.contains("-"), secrets.readsStandardInput {
            throw .other("standard input cannot be both the bundle and the passphrase")
        }
    }

    /// Files that an output must not be.
    func inputs(_ context: Context) -> [FileIdentity] {
        paths.compactMap { try? InputFile.identity(ofOperand: $0) } + secrets.inputs(context)
    }

    func workers(_ context: Context) -> Int { jobs ?? context.workers }

    /// Opens them all, in their order. What can be seen without a secret is checked of each before anybody is asked.
    func open(_ context: Context) throws(CommandError) -> [OpenedInput] {
        var looked: [LookedInput] = []
        for path in paths { looked.append(try look(path, context)) }
        let asking = looked.filter(\.needsPassphrase).map(\.path)
        var passphrases = try secrets.sources(for: asking)[...]
        var keyring: OpenedKeyring?
        var keys: [SXBSecret] = []
        var opened: [OpenedInput] = []
        for one in looked {
            let source = one.needsPassphrase ? passphrases.popFirst() : nil
            switch one.outside {
            case .app(let file): opened.append(try Self.openApp(one.path, file, source, context))
            case .portable:
                var tried = keys
                if one.needsPassphrase {
                    tried = [try Self.passphrase(source ?? PassphraseOption(asking: .input), one.path, context)]
                } else if keyring == nil {
                    let found = try secrets.openKeyring(context)
                    keyring = found
                    keys = try found.identityKeys(context)
                    tried = keys
                }
                var input = try Self.openPortable(one.path, tried, context)
                if !one.needsPassphrase { input.keyring = keyring }
                opened.append(input)
            }
        }
        return opened
    }

    private func look(_ path: FilePath, _ context: Context) throws(CommandError) -> LookedInput {
        try LookedInput.look(path, kind: kind, context)
    }

    static func openApp(
        _ path: FilePath, _ file: BundleFile, _ passphrase: PassphraseOption?, _ context: Context
    ) throws(CommandError) -> OpenedInput {
        let option = passphrase ?? PassphraseOption(asking: .input)
        let secret = try option.read(for: path, context)
        let content = try IdentityInput.open(file, secret, path, context)
        do throws(EntryError) {
            let createdAt = content.backup?.createdAt?.unixSeconds ?? content.identity?.exportedAt?.unixSeconds ?? 0
            let source = try AppBundleSource(content, createdAt: createdAt, creator: Program.creator)
            return OpenedInput(
                path: path, shape: .app(file.header.kind), source: AnyEntrySource(source), content: content)
        } catch {
            throw .entries(error, path)
        }
    }

    static func openPortable(
        _ path: FilePath, _ secrets: [SXBSecret], _ context: Context
    ) throws(CommandError) -> OpenedInput {
        context.progress.begin("Trying the secret", total: 0, unit: .items)
        do throws(EntryError) {
            let source = try SXBSource(opening: path, secrets: secrets)
            context.progress.finish()
            return OpenedInput(
                path: path, shape: .portable, source: AnyEntrySource(source), content: nil, portable: source)
        } catch {
            context.progress.finish()
            throw .entries(error, path)
        }
    }

    static func passphrase(
        _ option: PassphraseOption, _ path: FilePath, _ context: Context
    ) throws(CommandError) -> SXBSecret {
        let typed = try option.read(for: path, context)
        do throws(SXBError) { return try SXBSecret.passphrase(typed) } catch { throw .entries(.container(error), path) }
    }
}

/// A bundle of which only the outside was looked at.
struct LookedInput {
    enum Outside {
        case app(BundleFile)
        case portable(SXBHeader)
    }

    let path: FilePath
    let outside: Outside

    var needsPassphrase: Bool {
        switch outside {
        case .app: true
        case .portable(let header): header.kind == .passphrase
        }
    }

    /// Finds out what a file is, and checks all that needs no secret. `kind` says which export it must be.
    static func look(
        _ path: FilePath, kind: BundleKind?, _ context: Context
    ) throws(CommandError) -> LookedInput {
        if kind == nil, try isPortable(path) {
            do throws(SXBError) {
                return LookedInput(path: path, outside: .portable(try SXBReader.inspect(path)))
            } catch {
                throw .entries(.container(error), path)
            }
        }
        var input = try InputFile.forCommand(path)
        do throws(BundleError) {
            let file = try BundleFile(reading: &input, forcedKind: kind, limits: context.bundleLimits)
            return LookedInput(path: path, outside: .app(file))
        } catch {
            // Of a pipe nothing can be read twice, and a .sxb is looked at from both ends.
            let isPipe = path == "-" || (try? fileStatus(at: path))?.kind != .regular
            if error == .notAnExport, isPipe { throw .bundleFailure(.unknownPipe(path)) }
            throw .bundle(error, path)
        }
    }

    /// Whether a regular file begins as sxkey's own bundle. Of a pipe nothing can be read twice.
    private static func isPortable(_ path: FilePath) throws(CommandError) -> Bool {
        guard path != "-", let status = try? fileStatus(at: path), status.kind == .regular else { return false }
        do throws(FileError) {
            var input = try InputFile(opening: path)
            return try input.read(upTo: SXBFormat.beginning.count) == SXBFormat.beginning
        } catch {
            throw .file(error)
        }
    }
}
