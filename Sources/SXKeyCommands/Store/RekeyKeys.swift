import CommandKit
import CryptoPrimitives
import Keyring
import SophaxFiles
import StoreChanges
import SystemIO

/// Why there is no new key for a store.
package enum RekeyFailure: Error {
    /// There is no attachment folder beside the messages.
    case noAttachments(FilePath)
    /// The new key is the old one.
    case sameKey
    /// The file of --out exists, and no interrupted run explains it.
    case outExists(FilePath)
    /// A key or keyring would be written into the folder that is changed.
    case insideStore(FilePath)
    /// What was written does not read back.
    case keyProof(FilePath)
    /// The store has its new key, and the keyring could not be told.
    case keyringNotSwitched(FilePath, CommandErrorText)
}

/// The words of another error, inside of one.
package struct CommandErrorText: Sendable {
    let text: TerminalText
}

extension CommandError {
    static func rekey(_ failure: RekeyFailure) -> ErrorMessage {
        switch failure {
        case .noAttachments(let path):
            Self.error(
                .notFound, "no-attachments",
                "there is no folder sophax_attachments beside the messages of \(quoted: path)",
                [
                    "messages and attachments share one key: without them the attachments could no longer be opened with it",
                    "name the folder that holds both, or say --messages-only",
                ])
        case .sameKey:
            Self.error(
                .usage, "same-key", "the new key is the one that the store has", ["nothing was changed"])
        case .outExists(let path):
            Self.error(
                .wouldOverwrite, nil, "cannot create \(quoted: path): it exists already",
                ["--new-key-file takes the new key from a file that exists"])
        case .insideStore(let path):
            Self.error(
                .failure, "inside-store", "\(quoted: path) is in the folder that is changed",
                ["keep keys outside of the store that they open"])
        case .keyProof(let path):
            Self.error(
                .failure, "not-proven",
                "what was written to \(quoted: path) is not what is read back; the store is as it was")
        case .keyringNotSwitched(let path, let reason):
            Self.error(
                .failure, "keyring-not-switched",
                "the store has its new key, but the keyring \(quoted: path) still has it as storage.master.next: \(reason.text)",
                ["run the same command again to finish"])
        }
    }
}

/// `--new-key-file` and `--out` of rekey.
struct NewKeyOptions: Sendable {
    let newKeyFile: FilePath?
    let out: FilePath?
    let source: StoreKeySource

    init(_ arguments: ParsedArguments, source: StoreKeySource) throws(UsageError) {
        newKeyFile = arguments.path("new-key-file")
        out = arguments.path("out")
        self.source = source
        if newKeyFile != nil, out != nil { throw .conflict("new-key-file", "out") }
        if source.keyFile == nil, out != nil {
            throw .other(
                "--out is for a key that came from --key-file", hint: "a keyring keeps the new key itself")
        }
        if arguments.flag("dry-run") { return }
        if source.keyFile != nil, newKeyFile == nil, out == nil {
            throw .other(
                "--key-file needs --out FILE or --new-key-file FILE",
                hint: "--out writes a random new key, --new-key-file takes one that exists")
        }
        if source.keyFile == "-", newKeyFile == "-" { throw .other("standard input cannot give both keys") }
    }
}

/// The old and the new key of a store, and where they are kept, so that whatever happens one of the kept keys opens what
/// stands under the store's name.
final class RekeyKeys {
    let old: SharedKey
    private let options: NewKeyOptions
    private let keyring: (opened: OpenedKeyring, identity: KeyringIdentity)?
    /// The new key where it is known before it is made: given, or left by an interrupted run.
    private(set) var candidate: SharedKey?
    private var made: SharedKey?
    /// The file of --out was made by this run.
    private var wroteOut = false
    /// storage.master.next was put into the keyring by this run.
    private var putNext = false
    /// The other key that was storage.master.next before, and the item that was made to keep it.
    private var displaced: (key: SharedKey, item: ItemAccount?)?
    private var keptAs: ItemAccount?

    init(_ options: NewKeyOptions, _ unit: ChangeUnit, _ context: Context) throws(CommandError) {
        self.options = options
        for path in [options.out].compactMap({ $0 }) { try Self.refuse(path, inside: unit) }
        let isMissing = try options.source.isMissing(context)
        if options.source.keyFile != nil || isMissing {
            keyring = nil
            old = try options.source.read(context).shared()
        } else {
            let (opened, identity) = try options.source.openKeyring(.readWrite, context)
            try Self.refuse(opened.path, inside: unit)
            guard let key = try StoreKeySource.item(.storageMaster, of: identity, in: opened) else {
                throw .keyringAccess(.noStorageMaster(identity))
            }
            keyring = (opened, identity)
            old = SharedKey(key)
        }
        if let file = options.newKeyFile {
            candidate = SharedKey(try KeyFileOption.read(file, context))
        } else if let out = options.out, (try? fileStatus(at: out)) != nil {
            // Whether it may be taken is seen when it is known what an interrupted run left.
            if let key = try? KeyFileOption.read(out, context) { candidate = SharedKey(key) }
        } else if let keyring {
            let next = try StoreKeySource.item(.storageMasterNext, of: keyring.identity, in: keyring.opened)
            if let next { candidate = SharedKey(next) }
        }
    }

    private static func refuse(_ path: FilePath, inside unit: ChangeUnit) throws(CommandError) {
        guard let folder = try? resolvedPath(path.parent) else { return }
        let inside = folder == unit.path || folder.bytes.starts(with: unit.path.bytes + [UInt8(ascii: "/")])
        if inside { throw .rekey(.insideStore(path)) }
    }

    /// The key that an earlier run had chosen.
    func found() throws(ChangeError) -> SharedKey {
        guard let candidate else { throw .wrongKey }
        return candidate
    }

    /// The new key, after `prepare`.
    func new() throws(CommandError) -> SharedKey {
        guard let made else { throw .rekey(.sameKey) }
        return made
    }

    // MARK: - Before the store is touched

    /// Chooses the new key and puts it where it stays: in the keyring as storage.master.next, or in the file of --out; and
    /// reads it back from there.
    ///
    /// - Parameter mayReuse: an interrupted run may have left the file of --out.
    func prepare(mayReuse: Bool, _ context: Context) throws(CommandError) {
        if let out = options.out, (try? fileStatus(at: out, followingLinks: false)) != nil,
            !mayReuse || candidate == nil
        {
            throw .rekey(.outExists(out))
        }
        let key: SharedKey
        if let candidate { key = candidate } else { key = try Self.random(context) }
        if old.bytes.isEqual(to: key.bytes) { throw .rekey(.sameKey) }
        if let keyring {
            try put(key, keyring.opened, keyring.identity, context)
        } else if let out = options.out, candidate == nil {
            try write(key, out, context)
            wroteOut = true
        } else if let file = options.newKeyFile ?? options.out, file != "-" {
            try Self.bringToDisk(file)
        }
        made = key
    }

    /// Whoever made the file may have left it in memory alone: the power could take it after the store has its key.
    private static func bringToDisk(_ path: FilePath) throws(CommandError) {
        do throws(FileError) { try syncFile(path) } catch { throw .file(error) }
    }

    private static func random(_ context: Context) throws(CommandError) -> SharedKey {
        do throws(SecretMemoryError) {
            return SharedKey(try context.randomness.secret(StoreKey.length))
        } catch {
            throw .storeFile(.outOfMemory(requested: StoreKey.length))
        }
    }

    private func put(
        _ key: SharedKey, _ opened: OpenedKeyring, _ identity: KeyringIdentity, _ context: Context
    ) throws(CommandError) {
        var before: SharedKey?
        if let found = try StoreKeySource.item(.storageMasterNext, of: identity, in: opened) {
            if found.isEqual(to: key.bytes) {
                // A run that was killed had put it there; that the keyring's journal went may not be on the disk yet.
                try Self.bringToDisk(opened.path)
                return
            }
            before = SharedKey(found)
        }
        putNext = true
        let date = StoreChangeOptions.date(context)
        try opened.doing { (keyring) throws(KeyringError) in
            try keyring.changing { () throws(KeyringError) in
                // A key that another store may have by now is never lost.
                if let before {
                    let (item, isNew) = try Self.keep(before.bytes, date, keyring, identity, context.now)
                    displaced = (before, isNew ? item : nil)
                }
                try keyring.setItem(.storageMasterNext, of: identity, to: key.bytes, at: context.now)
            }
        }
        let stored = try StoreKeySource.item(.storageMasterNext, of: identity, in: opened)
        guard let stored, stored.isEqual(to: key.bytes) else { throw .rekey(.keyProof(opened.path)) }
    }

    /// Keeps a key as storage.master.before-DATE, numbered where another one has that name; one of them may have it already.
    private static func keep(
        _ key: borrowing SecretBytes, _ date: String, _ keyring: Keyring, _ identity: KeyringIdentity, _ now: Double
    ) throws(KeyringError) -> (item: ItemAccount, isNew: Bool) {
        var number = 1
        while true {
            let account = ItemAccount.storageMasterBefore(date, number: number)
            guard let present = try keyring.item(account, of: identity) else {
                try keyring.setItem(account, of: identity, to: key, at: now)
                return (account, true)
            }
            if present.isEqual(to: key) { return (account, false) }
            number += 1
        }
    }

    private func write(_ key: SharedKey, _ path: FilePath, _ context: Context) throws(CommandError) {
        do throws(CommandError) {
            try StoreKeyFile.write(key, to: path, context)
        } catch {
            if case .output(let file) = error, file.kind == .exists { throw .rekey(.outExists(path)) }
            throw error
        }
    }

    /// Nothing was changed: what `prepare` made goes again, and what it displaced is back.
    func takeBack(_ context: Context) {
        if wroteOut, let out = options.out { try? removeFile(out) }
        if putNext, let keyring {
            _ = try? keyring.opened.doing { (open) throws(KeyringError) in
                try open.changing { () throws(KeyringError) in
                    guard let displaced else {
                        try open.removeItem(.storageMasterNext, of: keyring.identity)
                        return
                    }
                    try open.setItem(
                        .storageMasterNext, of: keyring.identity, to: displaced.key.bytes, at: context.now)
                    if let item = displaced.item { try open.removeItem(item, of: keyring.identity) }
                }
            }
        }
    }

    // MARK: - After the exchange

    /// The store has its new key: the keyring makes it storage.master, and keeps the old one under another name. Gives where
    /// the new key is.
    func settle(_ context: Context) throws(CommandError) -> TerminalText {
        guard let keyring else {
            if let out = options.out { return "in \(quoted: out)" }
            return "in \(quoted: options.newKeyFile ?? "-")"
        }
        guard let key = made ?? candidate else { return "" }
        let date = StoreChangeOptions.date(context)
        var kept: ItemAccount?
        do throws(KeyringError) {
            let open = keyring.opened.keyring
            try open.changing { () throws(KeyringError) in
                if let current = try open.item(.storageMaster, of: keyring.identity), !current.isEqual(to: key.bytes) {
                    kept = try Self.keep(current, date, open, keyring.identity, context.now).item
                    try open.setItem(.storageMaster, of: keyring.identity, to: key.bytes, at: context.now)
                }
                try open.removeItem(.storageMasterNext, of: keyring.identity)
            }
        } catch {
            let message = CommandError.keyring(error, keyring.opened.path).message.message
            throw .rekey(.keyringNotSwitched(keyring.opened.path, CommandErrorText(text: message)))
        }
        keptAs = kept
        return "storage.master of keyring identity \(quoted: keyring.identity.name.bytes)"
    }

    // MARK: - What is said of them

    /// How many records each key opens, and where the keys are.
    func lines(
        opens count: Int, oldOpens: Int, folder: FilePath, kept: FilePath?, place: TerminalText, messagesOnly: Bool
    ) -> [(label: String, text: TerminalText)] {
        var lines: [(label: String, text: TerminalText)] = []
        lines.append(("New key", "opens \(count: count, "record") in \(quoted: folder); it is \(place)"))
        let keeper: TerminalText = keptAs.map { "; it is \($0.bytes) of the keyring identity" } ?? ""
        if let kept {
            lines.append(
                (
                    "Old key",
                    "still opens \(count: oldOpens, "record") in \(quoted: kept.lastComponent), and every copy made earlier\(keeper)"
                ))
        } else {
            lines.append(("Old key", "opens none of it any more, but still every copy made earlier\(keeper)"))
        }
        if messagesOnly {
            lines.append(("Attachments", "were left aside: the old key opens them, and the new one does not"))
        }
        return lines
    }

    func writeMembers(newOpens: Int, oldOpens: Int, to json: inout JSONWriter) {
        json.member("newKey") { json in
            json.object { json in
                json.member("opens", newOpens)
                json.member("file", (options.out ?? options.newKeyFile)?.bytes)
                json.member("item", keyring == nil ? nil : ItemAccount.storageMaster.bytes)
            }
        }
        json.member("oldKey") { json in
            json.object { json in
                json.member("opens", oldOpens)
                json.member("file", options.source.keyFile?.bytes)
                json.member("item", keptAs?.bytes)
            }
        }
    }
}
