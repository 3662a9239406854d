import CommandKit
import CryptoPrimitives
import Keyring
import PortableBundle
import SophaxFiles
import SystemIO

/// `sxkey bundle create`
struct BundleCreate: Command {
    private static let contentOptions: [OptionSpecification] = [
        .value(
            "store", "DIR", .folder,
            "a message store to put in: the folder that holds sophax_messages and sophax_attachments, or sophax_messages itself"
        ),
        .flag("no-attachments", "leave the attachments of the store out"),
        .flag("include-sessions", "put ratchet sessions in as well"),
    ]

    static let specification = CommandSpecification(
        noun: "bundle", verb: "create",
        summary: "put an identity, its contacts and a store into one encrypted file",
        discussion: [
            "A .sxb, sxkey's own bundle, holds everything: the items of an identity with its prekeys and group keys, all contacts with "
                + "their keys, verified marks and history, and with --store the messages, the attachments and what waits to be sent. "
                + "It is encrypted for up to four passphrases, or with --recipient for keys; then it is signed by the identity. "
                + "For X-Wing keys alone it stays closed to who breaks X25519 one day; one X25519 recipient among them takes that away.",
            "The other kinds are the exports of the apps, which hold less. What a kind cannot hold is listed, and nothing is written "
                + "unless --lossy is given.",
            "Without --store it is the identity alone; with --store and --key-file, and no keyring named, it is the store alone. Ratchet "
                + "sessions are left out unless --include-sessions is given: restored, they would be behind the other side's.",
            "The new file is read back whole before it gets its name, and the keyring keeps when and where that was.",
        ],
        options: BundleOutput.specifications + contentOptions + StoreKeySource.options + [StoreArguments.jobs],
        examples: [
            Example(
                "sxkey bundle create --out ana.sxb --new-passphrase-file passphrase.txt --keyring-key-file keyring.key",
                "the current identity with all that belongs to it"),
            Example(
                "sxkey bundle create --store phone --key-file storage.key --out phone.sxb "
                    + "--new-passphrase-file passphrase.txt", "a store with its attachments, without an identity"),
            Example(
                "sxkey bundle create --store phone --key-file storage.key --lossy --out phone.sophaxbackup "
                    + "--new-passphrase-file passphrase.txt", "the messages of a store, for the app"),
            Example(
                "sxkey bundle create --out ana.sophaxid --lossy --new-passphrase-file passphrase.txt "
                    + "--keyring-key-file keyring.key", "the keys of the current identity, for the app"),
        ],
        exitStatuses: [
            StatusNote(.success),
            StatusNote(.failure, "the kind of file cannot hold all of it, and --lossy is not given"),
            StatusNote(.usage, "the passphrase is shorter than the reader takes"),
            StatusNote(.someDamaged, "some of the store could not be read; the rest is in the bundle"),
            StatusNote(.wrongSecret), StatusNote(.wouldOverwrite),
            StatusNote(.notFound, "no such store, identity, recipient or keyring"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let output: BundleOutput
    private let storePath: FilePath?
    private let key: StoreKeySource
    private let takesAttachments: Bool
    private let takesSessions: Bool
    private let jobs: Int?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        output = try BundleOutput(arguments)
        storePath = arguments.path("store")
        key = try StoreKeySource(arguments)
        takesAttachments = !arguments.flag("no-attachments")
        takesSessions = arguments.flag("include-sessions")
        jobs = arguments.number("jobs")
        if storePath == nil {
            if key.keyFile != nil { throw .other("--key-file is the key of a store; name it with --store") }
            if !takesAttachments { throw .other("--no-attachments is about a store; name it with --store") }
        }
        if output.recipients.readsStandardInput, key.keyring.readsStandardInput {
            throw .other("standard input cannot give both passphrases")
        }
    }

    /// The store alone: nobody spoke of an identity or a keyring.
    private var isStoreAlone: Bool { storePath != nil && key.keyFile != nil && !key.namesKeyring }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let folder = try storePath.map { (path) throws(CommandError) in try Self.folder(path) }
        let inputs =
            key.inputs(context) + output.recipients.inputs
            + (folder.map { $0.allFiles.compactMap { try? fileStatus(at: $0.path).identity } } ?? [])
        try output.check(notSameAs: inputs)
        var opened: OpenedKeyring?
        var identity: KeyringIdentity?
        if !isStoreAlone {
            let keyring = try context.openKeyring(key.keyring, .readWrite)
            opened = keyring
            identity = try keyring.identity(key.identity)
        } else if output.recipients.needsKeyring {
            opened = try context.openKeyring(key.keyring, .readOnly)
        }
        var documents: KeyringDocuments?
        if let identity, let opened {
            documents = try KeyringDocuments.read(identity, in: opened, includingSessions: takesSessions)
        }
        let store = try folder.map { (folder) throws(CommandError) in
            try storeSource(folder, identity, opened, context)
        }
        let source = try joined(documents, store, identity, context)
        let writing = BundleWriting(output: output, inputs: inputs)
        let written = try writing.write(
            source, keyring: opened, signer: identity, context)
        if let identity, let opened { try record(written, identity, opened, context) }
        let report = BundleWritten(written: written, store: store, identity: identity)
        context.console.present(report)
        return report.status
    }

    private static func folder(_ path: FilePath) throws(CommandError) -> StoreFolder {
        do throws(StoreFolderError) { return try StoreFolder(at: path) } catch { throw .folder(error) }
    }

    /// The key of the store: from a file, else the identity's.
    private func storeKey(
        _ folder: StoreFolder, _ identity: KeyringIdentity?, _ opened: OpenedKeyring?, _ context: Context
    ) throws(CommandError) -> SecretBytes {
        if let file = key.keyFile { return try KeyFileOption.read(file, context) }
        guard let identity, let opened else { throw .keyringAccess(.noStoreKey(command: "bundle create")) }
        let found = try opened.doing { (keyring) throws(KeyringError) -> SecretBytes? in
            try keyring.item(.storageMaster, of: identity)
        }
        guard let found else { throw .keyringAccess(.noStorageMaster(identity)) }
        guard found.count == StoreKey.length else {
            throw .keyring(.damagedItem(account: ItemAccount.storageMaster.bytes), opened.path)
        }
        return found
    }

    private func storeSource(
        _ folder: StoreFolder, _ identity: KeyringIdentity?, _ opened: OpenedKeyring?, _ context: Context
    ) throws(CommandError) -> StoreSource {
        let secret = try storeKey(folder, identity, opened, context)
        let progress = context.progress
        let attachments = folder.attachments.reduce(0) { $0 + $1.size }
        progress.begin("Reading", total: folder.totalBytes - (takesAttachments ? 0 : attachments), unit: .bytes)
        let source: StoreSource
        do throws(EntryError) {
            source = try StoreSource(
                folder, key: secret, createdAt: context.now, creator: Program.creator,
                workers: jobs ?? context.workers, includesAttachments: takesAttachments
            ) { progress.advance(by: $0) }
        } catch {
            progress.finish()
            throw .entries(error, folder.messagesPath)
        }
        progress.finish()
        if source.isWrongKey { throw .wrongStoreKey(storePath ?? folder.messagesPath) }
        return source
    }

    private func joined(
        _ documents: KeyringDocuments?, _ store: StoreSource?, _ identity: KeyringIdentity?, _ context: Context
    ) throws(CommandError) -> AnyEntrySource {
        switch (documents, identity, store) {
        case (let documents?, let identity?, let store?):
            let own = documents.source(identity, createdAt: context.now)
            return AnyEntrySource(JoinedSource(own, store))
        case (let documents?, let identity?, nil):
            return AnyEntrySource(documents.source(identity, createdAt: context.now))
        case (_, _, let store?): return AnyEntrySource(store)
        default: throw .sealedAccess(.noPlace(.keyring))
        }
    }

    /// Notes in the keyring that there is a copy of the identity elsewhere; only of one that was read back.
    private func record(
        _ written: BundleWriting.Outcome, _ identity: KeyringIdentity, _ opened: OpenedKeyring, _ context: Context
    ) throws(CommandError) {
        guard output.kind.holdsIdentity, output.verifies else { return }
        var digest = written.sha256 ?? []
        if digest.isEmpty { digest = try BundleWriting.sha256(of: output.path) }
        let record = IdentityExportRecord(
            madeAt: context.now, kind: output.kind.recordKind,
            path: (absolutePath(output.path) ?? output.path).bytes, sha256: digest, readBackAt: context.now)
        try opened.doing { (keyring) throws(KeyringError) in try keyring.addExport(record, of: identity) }
    }
}

extension StoreFolder {
    var allFiles: [StoreFile] { conversations + blobs + attachments }
}

extension BundleOutputKind {
    /// Whether it has the private keys of an identity.
    var holdsIdentity: Bool {
        switch self {
        case .sxb, .sophaxid, .sxfe: true
        case .sophaxbackup, .android: false
        }
    }

    /// What the keyring calls it in its list of exports.
    var recordKind: String {
        switch self {
        case .sxb: "sxb-v2"
        case .sophaxid: IdentityExport.Format.sophaxid.rawValue
        case .sxfe: "sxfe-v1"
        case .sophaxbackup: "sophaxbackup-v2"
        case .android: "android"
        }
    }
}
