import CommandKit
import CryptoPrimitives
import SophaxFiles
import SystemIO

/// What all bundle commands take.
struct BundleArguments: Sendable {
    static let fileOperand = OperandSpecification("FILE", .file, .one, "an export of an app; \"-\" is standard input")
    static let kindOption = OptionSpecification.value(
        "kind", "KIND", .choice(BundleKind.allCases.map(\.rawValue)),
        "what the file is; needed only for an Android backup under another name than \(BundleKind.androidFileName)")
    static let options = [kindOption] + PassphraseOption.specifications + [StoreArguments.jobs]

    let path: FilePath
    let kind: BundleKind?
    private let passphrase: PassphraseOption?
    private let jobs: Int?

    /// For a command that opens the bundle; `operand` is the name of the operand that it is.
    init(opening arguments: ParsedArguments, operand: String = "FILE") throws(UsageError) {
        path = arguments.operandPath(operand)
        kind = arguments.choice("kind").flatMap(BundleKind.init)
        let passphrase = try PassphraseOption(arguments)
        if path == "-", passphrase.readsStandardInput() {
            throw .other("standard input cannot be both the bundle and the passphrase")
        }
        self.passphrase = passphrase
        jobs = arguments.number("jobs")
    }

    /// For a command that looks at the outside only.
    init(lookingAt arguments: ParsedArguments) {
        path = arguments.operandPath("FILE")
        kind = arguments.choice("kind").flatMap(BundleKind.init)
        passphrase = nil
        jobs = nil
    }

    /// What an output must not be: the bundle, or the file of its passphrase.
    var inputs: [FileIdentity] {
        [path, passphrase?.file].compactMap { file in file.flatMap { try? InputFile.identity(ofOperand: $0) } }
    }

    func file(_ context: Context) throws(CommandError) -> BundleFile {
        var input = try InputFile.forCommand(path)
        do throws(BundleError) {
            return try BundleFile(reading: &input, forcedKind: kind, limits: context.bundleLimits)
        } catch {
            throw .bundle(error, path)
        }
    }

    /// Opens the bundle and reads everything in it.
    func content(_ context: Context) throws(CommandError) -> BundleContent {
        try content(of: file(context), context)
    }

    /// Opens a bundle that was read already.
    func content(of file: BundleFile, _ context: Context) throws(CommandError) -> BundleContent {
        guard let passphrase else { throw .bundle(.emptyPassphrase, path) }
        let secret = try passphrase.read(for: path, context)
        let workers = jobs ?? context.workers
        let bundle: OpenedBundle
        context.progress.begin("Trying the passphrase", total: 0, unit: .items)
        do throws(BundleError) {
            bundle = try BundleOpener.open(
                file, passphrase: secret, limits: context.bundleLimits, workers: workers)
        } catch {
            throw .bundle(error, path)
        }
        context.progress.finish()
        do throws(BundleContentError) {
            return try BundleContent.read(bundle, now: context.now, workers: workers)
        } catch {
            throw .bundleContent(error, path)
        }
    }
}

extension BundleKind {
    /// What people call it, inside a sentence.
    var titleWithArticle: String {
        switch self {
        case .identity, .android: "an \(title)"
        case .backup, .fullExport: "a \(title)"
        }
    }

    /// What people call it.
    var title: String {
        switch self {
        case .identity: "identity export"
        case .backup: "message backup"
        case .fullExport: "full export"
        case .android: "Android backup"
        }
    }
}
