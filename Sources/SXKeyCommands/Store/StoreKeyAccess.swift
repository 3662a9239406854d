import CommandKit
import CryptoPrimitives
import History
import Keyring
import SQLiteDatabase
import SophaxCore
import SophaxFiles
import StoreChanges
import SystemIO

/// The key of a message store, where it came from, and the names that the keyring has for people.
final class OpenedStoreKey {
    let key: SecretBytes
    /// What people are told about the key's origin.
    let origin: TerminalText
    let names: ContactNames

    init(_ key: consuming SecretBytes, origin: TerminalText, names: ContactNames = ContactNames()) {
        self.key = key
        self.origin = origin
        self.names = names
    }
}

/// Where the key of a store comes from: `--key-file`, else `storage.master` of an identity in the keyring.
struct StoreKeySource: Sendable {
    static let options =
        [KeyFileOption.specification(isRequired: false), IdentityOption.specification]
        + KeyringOptions.specifications

    let keyFile: FilePath?
    let identity: [UInt8]?
    let keyring: KeyringOptions
    private let command: String

    init(_ arguments: ParsedArguments) throws(UsageError) {
        keyFile = arguments.path("key-file")
        identity = arguments.value("identity")
        keyring = try KeyringOptions(arguments)
        command = arguments.specification.words
        if keyFile != nil, identity != nil { throw .conflict("key-file", "identity") }
    }

    /// Somebody said where the key is, or what opens the keyring.
    var isGiven: Bool {
        keyFile != nil || namesKeyring
    }

    /// Somebody spoke of a keyring, or of an identity in it.
    var namesKeyring: Bool {
        identity != nil || keyring.named != nil || keyring.isSecretGiven
    }

    /// Nobody named a key or a keyring, and there is no keyring at the usual place.
    func isMissing(_ context: Context) throws(CommandError) -> Bool {
        guard keyFile == nil, identity == nil, keyring.named == nil else { return false }
        // Without a place for a keyring there is none.
        guard let place = try? keyring.place(context) else { return true }
        return (try? fileStatus(at: place.path)) == nil
    }

    /// Reads the key. Of a keyring it is `storage.master`; where that opens nothing in `folder`, and a rekey was interrupted
    /// after the store had its new key and before the keyring knew, it is `storage.master.next`.
    func read(_ context: Context, opening folder: StoreFolder? = nil) throws(CommandError) -> OpenedStoreKey {
        if let keyFile {
            return OpenedStoreKey(try KeyFileOption.read(keyFile, context), origin: "from \(quoted: keyFile)")
        }
        try requireKeyring(context)
        let (opened, identity) = try openKeyring(.readOnly, context)
        return try Self.key(of: identity, in: opened, opening: folder)
    }

    /// Says what is missing where there is neither a key nor a keyring.
    func requireKeyring(_ context: Context) throws(CommandError) {
        if try isMissing(context) { throw .keyringAccess(.noStoreKey(command: command)) }
    }

    /// The key of a store that an identity of the keyring has.
    static func key(
        of identity: KeyringIdentity, in opened: OpenedKeyring, opening folder: StoreFolder?
    ) throws(CommandError) -> OpenedStoreKey {
        let names = try opened.doing { (keyring) throws(KeyringError) in ContactNames(try keyring.contacts()) }
        guard let key = try Self.item(.storageMaster, of: identity, in: opened) else {
            throw .keyringAccess(.noStorageMaster(identity))
        }
        if let folder, let next = try Self.item(.storageMasterNext, of: identity, in: opened) {
            let (current, other) = (try SharedKey(copying: key), try SharedKey(copying: next))
            let census = KeyCensus(folder)
            if try !census.opens(current), try census.opens(other) {
                return OpenedStoreKey(
                    next, origin: "storage.master.next from keyring identity \(quoted: identity.name.bytes)",
                    names: names)
            }
        }
        return OpenedStoreKey(
            key, origin: "storage.master from keyring identity \(quoted: identity.name.bytes)", names: names)
    }

    /// The keyring that the options name, and the identity in it.
    func openKeyring(
        _ mode: SealedDatabase.AccessMode, _ context: Context
    ) throws(CommandError) -> (OpenedKeyring, KeyringIdentity) {
        let opened = try context.openKeyring(keyring, mode)
        return (opened, try opened.identity(identity))
    }

    /// A store's key that the keyring keeps; nil when there is none.
    static func item(
        _ account: ItemAccount, of identity: KeyringIdentity, in opened: OpenedKeyring
    ) throws(CommandError) -> SecretBytes? {
        let key = try opened.doing { (keyring) throws(KeyringError) -> SecretBytes? in
            try keyring.item(account, of: identity)
        }
        guard let key else { return nil }
        guard key.count == StoreKey.length else {
            throw .keyring(.damagedItem(account: account.bytes), opened.path)
        }
        return key
    }

    /// Files that an output must not be.
    func inputs(_ context: Context) -> [FileIdentity] {
        let file = keyFile.flatMap { try? InputFile.identity(ofOperand: $0) }
        return keyring.inputs(context) + [file].compactMap { $0 }
    }
}

extension SharedKey {
    /// A key with the same bytes.
    convenience init(copying key: borrowing SecretBytes) throws(CommandError) {
        do throws(SecretMemoryError) {
            self.init(try key.copy())
        } catch {
            throw .storeFile(.outOfMemory(requested: StoreKey.length))
        }
    }
}

extension KeyCensus {
    /// Whether the key opens one of the files, or there are none.
    func opens(_ key: SharedKey) throws(CommandError) -> Bool {
        do throws(ChangeError) { return try opensAny(key) } catch { throw .change(error, .rekey, store.messagesPath) }
    }
}

/// The names that the keyring has for those whom an app knows by peer id.
typealias ContactNames = PeerNames

extension PeerNames {
    /// How a conversation is shown: the name and the first 16 digits where the keyring knows who it is, else its id.
    func title(of conversation: ConversationID) -> TerminalText {
        guard conversation.kind == .direct, let name = name(of: conversation.text.bytes) else {
            return "\(conversation.text.bytes)"
        }
        return "\(name) (\(Array(conversation.text.bytes.prefix(16))))"
    }
}
