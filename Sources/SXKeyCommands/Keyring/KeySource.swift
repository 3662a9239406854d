import CommandKit
import CryptoPrimitives
import Keyring
import SQLiteDatabase
import SophaxCore
import SophaxFiles
import SystemIO

/// Where a command finds keys: an identity of the keyring, or a dump of an app's keychain. Nothing of either is changed.
struct KeySource: Sendable {
    static let keychain = OptionSpecification.value(
        "keychain", "FILE", .file,
        "take the keys from this dump of an app's keychain (JSON, account to base64) in place of the keyring")
    static let options = [keychain, IdentityOption.specification] + KeyringOptions.specifications

    /// The dump.
    let dump: FilePath?
    let keyring: KeyringOptions
    private let identity: [UInt8]?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        dump = arguments.path("keychain")
        identity = arguments.value("identity")
        keyring = try KeyringOptions(arguments)
        if dump != nil, identity != nil { throw .conflict("keychain", "identity") }
        if dump == "-", keyring.readsStandardInput {
            throw .other("standard input cannot give both the keychain items and the keyring's secret")
        }
    }

    /// True when standard input gives a dump or a secret.
    var readsStandardInput: Bool { dump == "-" || keyring.readsStandardInput }

    /// Somebody said where the keys are, or what opens the keyring.
    var isGiven: Bool { dump != nil || identity != nil || namesKeyring }

    private var namesKeyring: Bool { keyring.named != nil || keyring.isSecretGiven }

    /// Files that an output must not be.
    func inputs(_ context: Context) -> [FileIdentity] {
        keyring.inputs(context) + [dump].compactMap { file in file.flatMap { try? InputFile.identity(ofOperand: $0) } }
    }

    /// Opens the keys. With a dump, the people are those of a keyring only where one is named as well.
    func open(_ context: Context) throws(CommandError) -> OpenedKeys {
        guard let dump else {
            let opened = try context.openKeyring(keyring, .readOnly)
            return try OpenedKeys(of: try opened.identity(identity), in: opened)
        }
        var input = try InputFile.forCommand(dump)
        context.warnOfExposure(input)
        let file: SecretBytes
        do throws(SecretInputError) {
            file = try SecretInput.keyFile(&input)
        } catch {
            throw .secret(error, what: KeyFileUse.keychain.what)
        }
        let items = try IdentityInput.keychainItems(file, dump, for: .keychain)
        return try OpenedKeys(items, of: dump, people: namesKeyring ? try context.openKeyring(keyring, .readOnly) : nil)
    }

    /// The keys, or nil where nobody named any and there is no keyring at the usual place.
    func openIfThere(_ context: Context) throws(CommandError) -> OpenedKeys? {
        if !isGiven {
            guard let place = try? keyring.place(context), (try? fileStatus(at: place.path)) != nil else { return nil }
        }
        return try open(context)
    }
}

/// The private items of one identity, and the people whom the keyring knows.
final class OpenedKeys {
    /// An item without its value.
    struct Listing: Sendable {
        let account: ItemAccount
        /// Bytes of the value.
        let length: Int
        /// Unix seconds; nil for a dump, which does not say it.
        let changedAt: Double?
    }

    /// How reports name it: `keyring identity "Ana"`, `"dump.json"`.
    let origin: TerminalText
    /// The user's name, UTF-8.
    let username: [UInt8]?
    /// Nil for a dump without the two private keys.
    let publicKeys: IdentityPublicKeys?
    /// In the order of their names.
    let listings: [Listing]
    let contacts: [Contact]
    /// The same people by peer id.
    let names: ContactNames
    /// The keyring that the people are of.
    let keyring: OpenedKeyring?
    /// What the app calls people, by peer id.
    private let aliases: [(id: PeerID, name: [UInt8])]
    private let place: Place
    /// Where each item of a dump is, the first of a name: a file may hold any number.
    private let dumped: [ItemAccount: Int]

    private enum Place {
        case keyring(OpenedKeyring, KeyringIdentity)
        case dump([PrivateItem], FilePath)
    }

    init(of identity: KeyringIdentity, in opened: OpenedKeyring) throws(CommandError) {
        place = .keyring(opened, identity)
        dumped = [:]
        origin = "keyring identity \(quoted: identity.name.bytes)"
        username = identity.name.bytes
        publicKeys = identity.keys
        listings = try opened.doing { (keyring) throws(KeyringError) in try keyring.items(of: identity) }.map {
            Listing(account: $0.account, length: $0.length, changedAt: $0.changedAt)
        }
        contacts = try opened.contacts()
        names = ContactNames(contacts)
        keyring = opened
        let kept = try opened.doing { (keyring) throws(KeyringError) -> PrivateItem? in
            guard let value = try keyring.item(.peerAliases, of: identity) else { return nil }
            return PrivateItem(.peerAliases, value)
        }
        aliases = AppPeople(kept.map { [$0] } ?? []).aliases
    }

    init(_ items: [PrivateItem], of path: FilePath, people: OpenedKeyring?) throws(CommandError) {
        place = .dump(items, path)
        dumped = Dictionary(items.enumerated().map { ($1.account, $0) }) { first, _ in first }
        origin = "\(quoted: path)"
        username = items.first { $0.account == .username }.map { item in
            item.value.withSpan { bytes in bytes.indices.map { bytes[$0] } }
        }
        let hasKeys = [ItemAccount.signing, .dh].allSatisfy { account in items.contains { $0.account == account } }
        publicKeys = hasKeys ? try IdentityInput.identity(of: items, path).publicKeys : nil
        listings = items.map { Listing(account: $0.account, length: $0.value.count, changedAt: nil) }
            .sorted { $0.account.bytes.lexicographicallyPrecedes($1.account.bytes) }
        contacts = try people.map { (people) throws(CommandError) in try people.contacts() } ?? []
        names = ContactNames(contacts)
        keyring = people
        aliases = AppPeople(items).aliases
    }

    /// The contact's name, else what the app calls him; UTF-8, nil for somebody whom neither knows.
    func name(of peer: PeerID) -> [UInt8]? {
        if let name = names.name(of: peer.bytes) { return name }
        let found = aliases.filter { $0.id.isSamePerson(as: peer) }
        return found.count == 1 ? found.first?.name : nil
    }

    /// The items of these kinds, in the order of their names.
    func listings(of kinds: ItemKind...) -> [Listing] {
        listings.filter { listing in listing.account.kind.map(kinds.contains) ?? false }
    }

    /// The value of an item, nil when there is none.
    func item(_ account: ItemAccount) throws(CommandError) -> SecretBytes? {
        switch place {
        case .keyring(let opened, let identity):
            return try opened.doing { (keyring) throws(KeyringError) -> SecretBytes? in
                try keyring.item(account, of: identity)
            }
        case .dump(let items, _):
            guard let item = dumped[account].map({ items[$0] }) else { return nil }
            do throws(SecretMemoryError) {
                return try item.value.copy()
            } catch {
                throw .secret(.memory(error), what: KeyFileUse.keychain.what)
            }
        }
    }

    /// The two private keys.
    func privateKeys() throws(CommandError) -> Identity {
        switch place {
        case .keyring(let opened, let identity):
            try opened.doing { (keyring) throws(KeyringError) in try keyring.privateKeys(of: identity) }
        case .dump(let items, let path): try IdentityInput.identity(of: items, path)
        }
    }
}
