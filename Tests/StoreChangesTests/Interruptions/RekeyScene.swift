import CryptoPrimitives
import Keyring
import SQLiteDatabase
import SophaxCore
import SophaxFiles
import SystemIO
import TestSupport

@testable import StoreChanges

/// A folder with a store and its key, in a file or in a keyring, in which `store rekey` is interrupted.
struct RekeyScene: InterruptedScene {
    enum KeyPlace: CaseIterable {
        /// `--key-file old.key --out new.key`
        case out
        /// `--key-file old.key --new-key-file given.key`
        case given
        case keyring
    }

    let place: KeyPlace
    let keeps: Bool
    /// An app writes into the store right before the exchange of the first run; later ones keep the old folder, as what the
    /// app wrote is not proven.
    let isDisturbed: Bool
    let store: ChangedStore
    private static let secret = [UInt8](repeating: 0x2a, count: 32)

    var path: String { store.folder.path }

    /// What the app writes, from the folder that holds the store.
    var late: String? { isDisturbed ? "phone/" + Self.lateName : nil }
    private static let lateName = "sophax_messages/late.tmp"

    init(_ place: KeyPlace, keeps: Bool, isDisturbed: Bool = false) throws {
        self.place = place
        self.keeps = keeps
        self.isDisturbed = isDisturbed
        store = try ChangedStore(conversations: 2, attachments: [700, 1])
        let folder = store.folder
        // What no app makes comes along as it is; a run that keeps nothing refuses it.
        if keeps {
            _ = folder.makeFolder("phone/other")
            folder.write("not of the app", to: "phone/other/a.txt")
            _ = symlinkFile("a.txt", folder.file("phone/other/link"))
        }
        switch place {
        case .out: folder.write(ChangedStore.oldBytes, to: "old.key")
        case .given:
            folder.write(ChangedStore.oldBytes, to: "old.key")
            folder.write(ChangedStore.newBytes, to: "given.key")
        case .keyring:
            folder.write(Self.secret, to: "keyring.key")
            let keyring = try Keyring.make(
                at: FilePath(folder.file("keyring.sxdb")),
                slots: [NewSlot(.key(SecretBytes(copying: Self.secret.span)))])
            let identity = try Identity(
                signingSeed: SecretBytes(copying: [UInt8](repeating: 1, count: 32).span),
                dhPrivate: SecretBytes(copying: [UInt8](repeating: 2, count: 32).span), username: "ana")
            guard let name = IdentityName(trimming: "ana") else { throw Failure(text: "no name") }
            let added = try keyring.addIdentity(identity, name: name, origin: "new", at: 1)
            try keyring.setItem(.storageMaster, of: added, to: store.oldKey.bytes, at: 1)
        }
    }

    private func symlinkFile(_ target: String, _ path: String) -> Bool {
        (try? makeLink(FilePath(path), to: FilePath(target))) != nil
    }

    /// The command for a copy of the scene in `folder`.
    func command(_ folder: String, keeps: Bool? = nil) -> [String] {
        let keeps = keeps ?? self.keeps
        var words = ["store", "rekey", folder + "/phone", "--jobs", "1"]
        switch place {
        case .out: words += ["--key-file", folder + "/old.key", "--out", folder + "/new.key"]
        case .given: words += ["--key-file", folder + "/old.key", "--new-key-file", folder + "/given.key"]
        case .keyring: words += ["--keyring", folder + "/keyring.sxdb", "--keyring-key-file", folder + "/keyring.key"]
        }
        return words + (keeps ? [] : ["--no-keep"])
    }

    /// Runs it with the recorder.
    func probe(_ folder: String, _ options: [String] = []) -> ChildProcess {
        let keeps = keeps || (isDisturbed && !options.contains { $0.hasPrefix("disturb=") })
        return ChildProcess.run(
            [ChildProcess.builtProducts + "/StoreProbe", folder] + options + ["--"] + command(folder, keeps: keeps),
            seconds: 120)
    }

    /// The status of a run that is not disturbed.
    var usualStatus: Int32 { keeps ? 3 : 0 }

    /// The store may have its new key already.
    var goodStatuses: Set<Int32> { isDisturbed ? [0, 3] : [0, usualStatus] }

    // MARK: - What must hold

    /// The keys that a user has in `folder`, in the order in which they would be tried.
    func keys(_ folder: String) throws -> [SharedKey] {
        func file(_ name: String) -> SharedKey? {
            guard let bytes = fileBytes(folder + "/" + name),
                let key = try? StoreKey.read(SecretBytes(copying: bytes.span))
            else { return nil }
            return SharedKey(key)
        }
        switch place {
        case .out: return ["old.key", "new.key"].compactMap(file)
        case .given: return ["old.key", "given.key"].compactMap(file)
        case .keyring:
            let (keyring, identity) = try keyring(folder)
            return try [ItemAccount.storageMaster, .storageMasterNext].compactMap { account in
                guard let key = try keyring.item(account, of: identity) else { return nil }
                return SharedKey(key)
            }
        }
    }

    private func keyring(_ folder: String) throws -> (Keyring, KeyringIdentity) {
        let keyring = try Keyring(
            opening: FilePath(folder + "/keyring.sxdb"), .readWrite,
            unlocking: .key(SecretBytes(copying: Self.secret.span)))
        guard let identity = try keyring.currentIdentity() else { throw Failure(text: "no identity") }
        return (keyring, identity)
    }

    /// After an interruption: the name is there, and one of the keys at hand opens every text under it.
    func checkNothingLost(_ folder: String) throws {
        guard fileStatusKind(folder + "/phone") == .folder else { throw Failure(text: "the store's name is gone") }
        let keys = try keys(folder)
        let opened = try keys.map { try ChangedStore.opened(folder + "/phone", store.texts.keys, $0) }
        guard opened.contains(store.texts) else {
            throw Failure(text: "no key opens all: \(opened.map(\.count)) of \(store.texts.count)")
        }
        if keeps { try checkForeign(folder + "/phone") }
    }

    private func checkForeign(_ root: String) throws {
        guard fileBytes(root + "/other/a.txt") == Array("not of the app".utf8),
            TreeNames.linkText(root + "/other/link") == "a.txt"
        else { throw Failure(text: "what is foreign was lost") }
    }

    /// After another run: the new key opens every text under the name, nothing is left beside it but the kept folder, which
    /// the old key opens; and the keyring knows.
    ///
    /// - Parameter interrupted: an earlier run may have been killed before it knew that the old folder may go.
    func checkDone(_ folder: String, interrupted: Bool = false) throws {
        let names = TreeNames.names(folder)
        let kept = names.filter { $0.hasPrefix("phone.before-rekey-") }
        let rest = Set(names).subtracting(kept).subtracting(["phone", "old.key", "new.key", "given.key"])
            .subtracting(["keyring.key", "keyring.sxdb"])
        guard rest.isEmpty else { throw Failure(text: "\(rest.sorted()) is left") }
        let unit = TreeNames.names(folder + "/phone")
        guard unit == (keeps ? ["other"] : []) + ["sophax_attachments", "sophax_messages"] else {
            throw Failure(text: "the store has \(unit)")
        }
        let new = try newKey(folder)
        guard try ChangedStore.opened(folder + "/phone", store.texts.keys, new) == store.texts else {
            throw Failure(text: "the new key does not open the store")
        }
        // A first run that was killed after its last step had done all; then the second is a rekey of its own.
        guard keeps ? !kept.isEmpty : kept.isEmpty || interrupted else { throw Failure(text: "kept: \(kept)") }
        if let oldest = kept.first {
            guard try ChangedStore.opened(folder + "/" + oldest, store.texts.keys, store.oldKey) == store.texts else {
                throw Failure(text: "the old key does not open the kept folder")
            }
            if keeps { try checkForeign(folder + "/" + oldest) }
        }
        if keeps { try checkForeign(folder + "/phone") }
    }

    func checkCompleted(_ folder: String) throws { try checkDone(folder, interrupted: true) }

    private func newKey(_ folder: String) throws -> SharedKey {
        if place == .keyring {
            let (keyring, identity) = try keyring(folder)
            guard try keyring.item(.storageMasterNext, of: identity) == nil else {
                throw Failure(text: "storage.master.next is still there")
            }
            let accounts = try keyring.items(of: identity).map(\.account)
                .filter { $0.text.hasPrefix("storage.master.before-") }
            var old = false
            for account in accounts {
                guard let key = try keyring.item(account, of: identity) else { continue }
                if key.isEqual(to: store.oldKey.bytes) { old = true }
            }
            guard old else { throw Failure(text: "the old key is lost: \(accounts.map(\.text))") }
            guard let key = try keyring.item(.storageMaster, of: identity) else { throw Failure(text: "no key") }
            return SharedKey(key)
        }
        guard let key = try keys(folder).last else { throw Failure(text: "no key") }
        return key
    }

    private func fileStatusKind(_ path: String) -> FileKind? { (try? fileStatus(at: FilePath(path)))?.kind }
}
