import CommandKit
import CryptoPrimitives
import Keyring
import PortableBundle
import SophaxCore
import SophaxFiles
import StoreChanges
import SystemIO

/// `sxkey bundle restore`
struct BundleRestore: Command {
    static let specification = CommandSpecification(
        noun: "bundle", verb: "restore",
        summary: "bring back what a bundle holds: into the keyring, into a store, or both",
        discussion: [
            "Into the keyring go the identity with its prekeys and group keys, and the contacts. The fingerprint and all safety numbers are "
                + "the same afterwards, for they are made of the keys. What the keyring has already stays as it is. An identity whose name "
                + "another one has is refused; --name gives it another name.",
            "With --store the messages and attachments become a store: a new one under the key of --new-key-file, under the identity's "
                + "storage.master, or under a new random key that --key-out gets; where DIR is a store already, they are merged into it by "
                + "message id, and the folder as it was is kept. With --store and a key file, and no keyring named, nothing else is restored.",
            "Ratchet sessions are left in the bundle unless --include-sessions is given, and are marked as stale then: the other side has gone "
                + "on, so they only serve to read. Of a bundle that was made for a key, verified marks, the history of keys and sessions are "
                + "only taken when the signature in it is one of your own or of a verified contact.",
            "The bundle is read to its end and proven before anything is changed.",
        ],
        operands: [BundleInputs.operand],
        options: BundleInputs.options + [
            .value("store", "DIR", .folder, "restore messages and attachments into this store, new or not"),
            KeyFileOption.specification(isRequired: false),
            .value("new-key-file", "FILE", .file, "the key of the new store"),
            .value("key-out", "FILE", .file, "make a random key for the new store, and write it to this file"),
            IdentityOption.specification,
            .value("name", "NAME", .text, "the name to keep the identity under (default: the name in the bundle)"),
            .flag("use", "make it the current identity"),
            .flag("include-sessions", "restore ratchet sessions, marked as stale"),
            .flag("no-attachments", "leave the attachments out"),
            StoreChangeOptions.dryRun, StoreChangeOptions.noKeep,
        ],
        examples: [
            Example(
                "sxkey bundle restore sample.sxfe -p passphrase.txt --dry-run --keyring-key-file keyring.key",
                "show what would be restored into the keyring"),
            Example(
                "sxkey bundle restore sample.sxfe -p passphrase.txt --store restored --key-out restored.key",
                "make a store of the messages in an export, under a new key"),
        ],
        exitStatuses: [
            StatusNote(.success),
            StatusNote(
                .someDamaged,
                "values in the keyring differ from the bundle's and were kept, or something could not be restored"),
            StatusNote(.unreadable, "cut off, damaged, or not a known bundle"), StatusNote(.wrongSecret),
            StatusNote(.newerVersion), StatusNote(.locked, "another process is changing the store"),
            StatusNote(
                .finding,
                "another identity has the name, the keys are not those of the fingerprint, or a contact pretends to be another"
            ),
            StatusNote(.wouldOverwrite), StatusNote(.notFound),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let bundle: BundleInputs
    private let store: RestoreStoreOptions?
    private let name: IdentityName?
    private let use: Bool
    private let takesSessions: Bool
    private let isDryRun: Bool
    private let restoresKeyring: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        bundle = try BundleInputs(arguments)
        store = try RestoreStoreOptions(arguments)
        name = try arguments.value("name").map { (text) throws(UsageError) in try IdentityNameArgument.read(text) }
        use = arguments.flag("use")
        takesSessions = arguments.flag("include-sessions")
        isDryRun = arguments.flag("dry-run")
        let keyring = bundle.secrets.keyring
        let namesKeyring = keyring.named != nil || keyring.isSecretGiven
        restoresKeyring = store == nil || store?.hasKeyFile == false || namesKeyring
        if !restoresKeyring, name != nil || use || takesSessions {
            throw .other(
                "--name, --use and --include-sessions are about the keyring, and only the store is restored",
                hint: "name the keyring with --keyring FILE")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        if restoresKeyring { _ = try bundle.secrets.keyring.existing(context) }
        let place = try store.map { (store) throws(CommandError) in
            try store.look(context, bundle.inputs(context), isDryRun: isDryRun)
        }
        let opened = try bundle.open(context)[0]
        var report = RestoreReport(path: opened.path, manifest: opened.source.manifest, isDryRun: isDryRun)
        var storageMaster: SharedKey?
        if restoresKeyring {
            let documents = try prove(opened, context)
            let keyring = try context.openKeyring(bundle.secrets.keyring, isDryRun ? .readOnly : .readWrite)
            let restorer = KeyringRestorer(
                bundle: opened, documents: documents, name: name, use: use, takesSessions: takesSessions,
                isDryRun: isDryRun)
            let restored = try restorer.run(keyring, context)
            report.keyring = restored
            storageMaster = try restorer.storageMaster(keyring, word: store?.identity)
        }
        if let store, let place {
            do throws(CommandError) {
                report.store = try store.restore(
                    opened, place, storageMaster, bundle.workers(context), isDryRun, context)
            } catch {
                if restoresKeyring, !isDryRun {
                    context.console.note("sxkey: note: the keyring was restored; the store was not")
                }
                throw error
            }
        }
        if !restoresKeyring { report.origin = try BundleTrust.judge(opened)?.text }
        context.console.present(report)
        return report.status
    }

    /// Reads the whole bundle, proves it, and keeps its documents.
    private func prove(
        _ opened: OpenedInput, _ context: Context
    ) throws(CommandError) -> [BundlePart: ItemsDocument] {
        let progress = context.progress
        progress.begin("Reading", total: opened.source.manifest.totalBytes, unit: .bytes)
        defer { progress.finish() }
        do throws(EntryError) {
            var sink = DocumentSplit(rest: IgnoredEntries()) { progress.advance(by: $0) }
            try opened.source.send(to: &sink)
            return try sink.documents()
        } catch {
            throw .entries(error, opened.path)
        }
    }
}
