import CommandKit
import CryptoPrimitives
import History
import Keyring
import PortableBundle
import SQLiteDatabase
import SophaxFiles
import SystemIO

/// A source of history that a command has opened.
struct OpenedHistory {
    let path: FilePath
    let source: any HistorySource
    /// SHA-256 of the file, nil where the source is no single file.
    let digest: [UInt8]?
}

/// Everything that history is read from, as operands of one command: message stores, bundles of any kind, archives, and
/// lines that sxkey exported. Commands see each as a `HistorySource`.
struct HistoryInputs: Sendable {
    static let operand = OperandSpecification(
        "SOURCE", .file, .oneOrMore,
        "the folder of a message store, a bundle of any kind, another archive, what sxkey exported as JSONL or JSON, or messages of btmessage, lchat or CoNET"
    )

    static let options =
        [
            BundleArguments.kindOption,
            .value(
                "key-file", short: "k", "FILE", .file,
                "the key of a store, or the key file of another archive; once for each of those, in their order",
                isRepeatable: true),
            IdentityOption.specification,
        ] + InputSecrets.severalOptions + [StoreArguments.jobs] + RelatedKeySource.options

    /// What the manual says of secrets.
    static let discussion =
        "Bundles and other archives open with passphrases: --passphrase-file or --passphrase-fd once for each, in the order of "
        + "the sources, or none to be asked. Stores, and archives that only key files open, take --key-file in the same way; "
        + "without any the key of a store is the one that the keyring has for the current identity. An archive with both kinds "
        + "of slots takes a passphrase, unless there are key files for all. A .sxb for keys opens with the keyring. Messages of btmessage, "
        + "lchat and CoNET take --related-key, and the keys that \"sxkey related import\" put into the keyring, where it is opened "
        + "(sxkey-related(1))."

    let paths: [FilePath]
    let secrets: InputSecrets
    private let kind: BundleKind?
    private let keyFiles: [FilePath]
    private let store: StoreKeySource
    private let jobs: Int?
    private let related: RelatedKeySource

    init(_ arguments: ParsedArguments, operand: String = "SOURCE") throws(UsageError) {
        related = try RelatedKeySource(arguments)
        paths = arguments.operands(operand).map { FilePath(bytes: $0) }
        secrets = try InputSecrets(arguments)
        kind = arguments.choice("kind").flatMap(BundleKind.init)
        keyFiles = arguments.values("key-file").map { FilePath(bytes: $0) }
        store = try StoreKeySource(arguments)
        jobs = arguments.number("jobs")
        if paths.count(where: { $0 == "-" }) > 1 { throw .other("standard input cannot be two sources") }
        let takers = [
            paths.contains("-"), secrets.readsStandardInput, keyFiles.contains("-"), related.readsStandardInput,
        ]
        if takers.count(where: { $0 }) > 1 || keyFiles.count(where: { $0 == "-" }) > 1 {
            throw .other("standard input cannot give two things")
        }
    }

    func workers(_ context: Context) -> Int { jobs ?? context.workers }

    var readsStandardInput: Bool {
        paths.contains("-") || secrets.readsStandardInput || keyFiles.contains("-") || related.readsStandardInput
    }

    /// Files that an output must not be.
    func inputs(_ context: Context) -> [FileIdentity] {
        (paths + keyFiles).compactMap { try? InputFile.identity(ofOperand: $0) } + secrets.inputs(context)
            + related.inputs
    }

    /// Opens them all, in their order. What can be seen without a secret is checked of each before anybody is asked.
    func open(_ context: Context) throws(CommandError) -> [OpenedHistory] {
        try open(look(context), context)
    }

    /// Looks at all of them from outside, and which of them takes which secret.
    func look(_ context: Context) throws(CommandError) -> LookedHistories {
        var looked: [LookedHistory] = []
        for path in paths { looked.append(try LookedHistory.look(path, kind: kind, related: related.kind, context)) }
        let plan = try SecretPlan(looked, keyFiles: keyFiles, passphrases: secrets.count)
        let asking = plan.passphrases.map { looked[$0].path }
        return LookedHistories(all: looked, plan: plan, passphrases: try secrets.sources(for: asking))
    }

    /// Opens what was looked at.
    func open(_ histories: LookedHistories, _ context: Context) throws(CommandError) -> [OpenedHistory] {
        let (looked, plan) = (histories.all, histories.plan)
        var passphrases = histories.passphrases[...]
        var keys = plan.keyFiles[...]
        let people = try KeyringPeople(secrets, store, isGiven: secrets.keyring.isSecretGiven, context)
        var opened: [OpenedHistory?] = Array(repeating: nil, count: looked.count)
        for (place, one) in looked.enumerated() {
            if case .related = one.outside { continue }
            let passphrase = plan.passphrases.contains(place) ? passphrases.popFirst() : nil
            let keyFile = plan.keys.contains(place) ? keys.popFirst() : nil
            opened[place] = try open(one, passphrase, keyFile, people, context)
        }
        try openRelated(looked, people, context, into: &opened)
        // The keyring may have been opened for a later source only; its names are for all.
        let all = opened.compactMap { $0 }
        guard let names = people.names, !names.isEmpty else { return all }
        return all.map {
            OpenedHistory(path: $0.path, source: NamedHistory($0.source, names: names), digest: $0.digest)
        }
    }

    private func open(
        _ one: LookedHistory, _ passphrase: PassphraseOption?, _ keyFile: FilePath?, _ people: KeyringPeople,
        _ context: Context
    ) throws(CommandError) -> OpenedHistory {
        switch one.outside {
        case .store(let folder):
            let opened: OpenedStoreKey =
                if let keyFile {
                    OpenedStoreKey(try KeyFileOption.read(keyFile, context), origin: "from \(quoted: keyFile)")
                } else {
                    try people.storeKey(opening: folder, context)
                }
            StoreArguments.noteInterrupted(one.path, context)
            do throws(HistoryError) {
                return OpenedHistory(
                    path: one.path, source: try StoreHistory(folder, key: opened.key, path: one.path), digest: nil)
            } catch {
                throw .history(error, one.path)
            }
        case .bundle(.app(let file)):
            let digest = SHA256.hash(file.bytes.span)
            let input = try BundleInputs.openApp(one.path, file, passphrase, context)
            return OpenedHistory(
                path: one.path, source: EntryHistory(input.source, file.header.kind.historyKind, path: one.path),
                digest: digest)
        case .bundle(.portable(let header)):
            let secret =
                header.kind == .passphrase
                ? [try BundleInputs.passphrase(passphrase ?? PassphraseOption(asking: .input), one.path, context)]
                : try people.identityKeys(context)
            let input = try BundleInputs.openPortable(one.path, secret, context)
            return OpenedHistory(
                path: one.path, source: EntryHistory(input.source, .sxb, path: one.path),
                digest: try Self.digest(of: one.path, context))
        case .archive:
            let secret: UnlockSecret
            if let keyFile {
                secret = try SealedSecret.key(keyFile, .archive, context)
            } else {
                let typed = try (passphrase ?? PassphraseOption(asking: .input)).read(for: one.path, context)
                secret = try SealedSecret.passphrase(typed, .archive, one.path)
            }
            let opened = try context.openArchive(at: one.path, .readOnly, unlocking: secret)
            return OpenedHistory(
                path: one.path, source: try opened.history(), digest: try Self.digest(of: one.path, context))
        // Together, by `openRelated`.
        case .related: throw .noMessages(one.path)
        case .lines:
            let digest = try Self.digest(of: one.path, context)
            do throws(HistoryError) {
                return OpenedHistory(path: one.path, source: try JSONLinesHistory(one.path), digest: digest)
            } catch {
                throw .history(error, one.path)
            }
        }
    }

    /// Opens what is of related apps, all of it together: a key that one file brings opens messages of the others.
    private func openRelated(
        _ looked: [LookedHistory], _ people: KeyringPeople, _ context: Context, into opened: inout [OpenedHistory?]
    ) throws(CommandError) {
        let documents = looked.map { one -> RelatedDocument? in
            if case .related(let document) = one.outside { document } else { nil }
        }
        guard let first = documents.firstIndex(where: { $0 != nil }) else { return }
        let opener = RelatedOpener(try related.read(try people.relatedItems(), context))
        for case let document? in documents { opener.learn(from: document) }
        var hasMessages = documents.contains { $0 == nil }
        for (place, document) in documents.enumerated() {
            guard let document else { continue }
            let path = looked[place].path
            let digest = try Self.digest(of: path, context)
            do throws(HistoryError) {
                let history = try RelatedHistory(document, opener, path: path, size: looked[place].size)
                hasMessages = hasMessages || !history.isEmpty
                opened[place] = OpenedHistory(path: path, source: history, digest: digest)
            } catch {
                throw .history(error, path)
            }
        }
        if !hasMessages { throw .history(.related(.noMessages), looked[first].path) }
    }

    /// SHA-256 of a regular file, read piece by piece.
    private static func digest(of path: FilePath, _ context: Context) throws(CommandError) -> [UInt8] {
        var input = try InputFile.forCommand(path)
        var hash = SHA256()
        context.progress.begin("Reading \(quoted: path)", total: input.size ?? 0, unit: .bytes)
        defer { context.progress.finish() }
        do throws(FileError) {
            while true {
                let piece = try input.read(upTo: 1 << 20)
                guard !piece.isEmpty else { return hash.finish() }
                hash.update(piece.span)
                context.progress.advance(by: piece.count)
            }
        } catch {
            throw .file(error)
        }
    }
}

/// The sources of a command, looked at from outside.
struct LookedHistories {
    let all: [LookedHistory]
    let plan: SecretPlan
    /// One for each source of `plan.passphrases`.
    let passphrases: [PassphraseOption]
}

/// A source of history of which only the outside was looked at.
struct LookedHistory {
    enum Outside {
        case store(StoreFolder)
        case bundle(LookedInput.Outside)
        case archive(SealedHeader)
        /// Text that begins as JSON does.
        case lines
        /// Of btmessage, lchat or CoNET.
        case related(RelatedDocument)
    }

    let path: FilePath
    let outside: Outside
    /// Bytes of the file, where they were needed.
    var size = 0

    /// What a file has of a related app; nil for any other. What has a mark of its own is not looked into.
    private static func document(
        _ path: FilePath, _ beginning: [UInt8], _ related: RelatedFileKind?
    ) throws(CommandError) -> RelatedDocument? {
        let isMarked = BundleKind(magicOf: beginning.span) != nil || beginning.starts(with: SXBFormat.beginning)
        guard !isMarked else { return nil }
        var file: LookedFile
        do throws(FileError) { file = try LookedFile(InputFile(opening: path)) } catch { throw .file(error) }
        do throws(RelatedFileError) {
            return try RelatedDocument.read(&file, as: related)
        } catch {
            throw .relatedFile(error, path)
        }
    }

    /// Finds out what an operand is, and checks all that needs no secret.
    ///
    /// `kind` is what a file without a mark of its own is; one with a mark is what the mark says.
    static func look(
        _ path: FilePath, kind: BundleKind?, related: RelatedFileKind? = nil, _ context: Context
    ) throws(CommandError) -> LookedHistory {
        guard path != "-" else { return try bundle(path, kind: kind, context) }
        let status: FileStatus
        do throws(FileError) { status = try fileStatus(at: path) } catch { throw .file(error) }
        if status.kind == .folder {
            do throws(StoreFolderError) {
                return LookedHistory(path: path, outside: .store(try StoreFolder(at: path)))
            } catch {
                throw .folder(error)
            }
        }
        guard status.kind == .regular else { return try bundle(path, kind: kind, context) }
        let beginning: [UInt8]
        do throws(FileError) {
            var input = try InputFile(opening: path)
            beginning = try input.read(upTo: 64)
        } catch {
            throw .file(error)
        }
        if beginning.starts(with: SealedHeader.beginning) {
            return LookedHistory(path: path, outside: .archive(try SealedOutside.header(.archive, path)))
        }
        if kind == nil, let document = try document(path, beginning, related) {
            return LookedHistory(path: path, outside: .related(document), size: status.size)
        }
        if kind == nil, isText(beginning) { return LookedHistory(path: path, outside: .lines) }
        let isMarked = BundleKind(magicOf: beginning.span) != nil || beginning.starts(with: SXBFormat.beginning)
        return try bundle(path, kind: isMarked ? nil : kind, context)
    }

    /// JSON begins with a brace or a bracket, perhaps after white space and a byte order mark.
    private static func isText(_ beginning: [UInt8]) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = beginning.starts(with: mark) ? beginning.dropFirst(3) : beginning[...]
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    private static func bundle(
        _ path: FilePath, kind: BundleKind?, _ context: Context
    ) throws(CommandError) -> LookedHistory {
        let input: LookedInput
        do throws(CommandError) {
            input = try LookedInput.look(path, kind: kind, context)
        } catch {
            if case .bundle(.notAnExport, _) = error { throw .notHistory(path) }
            throw error
        }
        if case .app(let file) = input.outside, file.header.kind == .identity { throw .noMessages(path) }
        return LookedHistory(path: path, outside: .bundle(input.outside))
    }
}

/// Which of the sources takes which secret of the command line.
struct SecretPlan {
    /// Places of the sources that take a passphrase, in their order.
    private(set) var passphrases: [Int] = []
    /// Places of those that take a key file.
    private(set) var keys: [Int] = []
    /// The files for these; empty where the keyring has the keys.
    let keyFiles: [FilePath]

    init(_ looked: [LookedHistory], keyFiles: [FilePath], passphrases given: Int) throws(CommandError) {
        self.keyFiles = keyFiles
        var either: [Int] = []
        var onlyKeys: [Int] = []
        for (place, one) in looked.enumerated() {
            switch one.outside {
            case .store: keys.append(place)
            case .bundle(.app): passphrases.append(place)
            case .bundle(.portable(let header)): if header.kind == .passphrase { passphrases.append(place) }
            case .archive(let header):
                switch (header.takesPassphrase, header.takesKeyFile) {
                case (true, true): either.append(place)
                case (true, false): passphrases.append(place)
                case (false, _):
                    keys.append(place)
                    onlyKeys.append(place)
                }
            case .lines, .related: break
            }
        }
        if !either.isEmpty, keyFiles.count == keys.count + either.count, given == passphrases.count {
            keys = (keys + either).sorted()
        } else {
            passphrases = (passphrases + either).sorted()
        }
        if keyFiles.isEmpty {
            if let place = onlyKeys.first { throw .sourceKeyFile(looked[place].path) }
            keys = []
        } else if keyFiles.count != keys.count {
            throw .keyFileCount(given: keyFiles.count, wanted: keys.map { looked[$0].path })
        }
    }
}

/// What the keyring gives for sources: keys of stores and bundles, and names of people. It is opened once, when it is needed
/// or when the command line gives its secret.
private final class KeyringPeople {
    private let secrets: InputSecrets
    private let store: StoreKeySource
    private var opened: OpenedKeyring?
    private var keys: [SXBSecret]?
    private(set) var names: PeerNames?

    init(
        _ secrets: InputSecrets, _ store: StoreKeySource, isGiven: Bool, _ context: Context
    ) throws(CommandError) {
        self.secrets = secrets
        self.store = store
        if isGiven { _ = try keyring(context) }
    }

    private func keyring(_ context: Context) throws(CommandError) -> OpenedKeyring {
        if let opened { return opened }
        let found = try secrets.openKeyring(context)
        let contacts = try found.doing { (keyring) throws(KeyringError) in try keyring.contacts() }
        names = PeerNames(contacts)
        opened = found
        return found
    }

    /// The items of the identity, where the keyring is opened anyway: keys of related apps may be among them.
    func relatedItems() throws(CommandError) -> OpenedKeys? {
        guard let opened else { return nil }
        return try OpenedKeys(of: try opened.identity(store.identity), in: opened)
    }

    func identityKeys(_ context: Context) throws(CommandError) -> [SXBSecret] {
        if let keys { return keys }
        let found = try keyring(context).identityKeys(context)
        keys = found
        return found
    }

    /// `storage.master` of the identity that the command names, or of the current one.
    func storeKey(opening folder: StoreFolder, _ context: Context) throws(CommandError) -> OpenedStoreKey {
        try store.requireKeyring(context)
        let found = try keyring(context)
        return try StoreKeySource.key(of: found.identity(store.identity), in: found, opening: folder)
    }
}

extension PeerNames {
    /// The names that the keyring has for people, under every key of theirs.
    init(_ contacts: [Contact]) {
        self.init()
        for contact in contacts {
            for key in contact.keys { add(contact.name.bytes, of: key.fingerprint) }
        }
    }
}

extension BundleKind {
    /// What provenance calls it.
    var historyKind: HistoryOrigin.Kind {
        switch self {
        case .identity: .identity
        case .backup: .backup
        case .fullExport: .fullExport
        case .android: .android
        }
    }
}
