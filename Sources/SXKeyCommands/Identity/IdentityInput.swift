import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// An identity out of a file, with all that was proven of it before the keyring is touched.
final class ImportedIdentity {
    let keys: Identity
    /// As the file has it, trimmed; nil when it has none that the keyring can keep.
    let name: IdentityName?
    /// The name as the file has it.
    let rawName: [UInt8]
    /// `identity`, `full-export` or `keychain`.
    let origin: String
    /// What the file holds besides the two keys and the name, and what was proven of it.
    private(set) var items: [PrivateItem]
    /// Messages in the file, which the keyring does not take.
    let messages: Int

    init(
        keys: consuming Identity, rawName: [UInt8], origin: String, items: [PrivateItem] = [], messages: Int = 0
    ) {
        self.keys = keys
        self.rawName = rawName
        name = IdentityName(trimming: String(decoding: rawName, as: UTF8.self))
        self.origin = origin
        self.items = items
        self.messages = messages
    }

    var fingerprint: Fingerprint { keys.fingerprint }

    func add(_ item: PrivateItem) { items.append(item) }
}

/// Reads an identity from one of the files that the apps and sxkey write.
struct IdentityInput: Sendable {
    static let operand = OperandSpecification(
        "FILE", .file, .one, "an identity export (.sophaxid), a full export (.sxfe), or keychain items as JSON")
    static let options = PassphraseOption.specifications

    let path: FilePath
    private let passphrase: PassphraseOption

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.operandPath("FILE")
        passphrase = try PassphraseOption(arguments)
    }

    var readsStandardInput: Bool { passphrase.readsStandardInput() }

    /// Files that an output must not be.
    var inputs: [FileIdentity] {
        [path, passphrase.file].compactMap { file in file.flatMap { try? InputFile.identity(ofOperand: $0) } }
    }

    /// Reads the file to its end and proves what can be proven without the keyring.
    func read(_ context: Context) throws(CommandError) -> ImportedIdentity {
        switch try kind() {
        case .bundle(let kind):
            guard kind == .identity || kind == .fullExport else { throw .identity(.noKeysInBundle(kind, path)) }
            return try bundle(context)
        case .keychain: return try keychain(context)
        case .torKey(let key): throw .identity(.torKey(key, path))
        case .unknown:
            if path.lastComponent == FilePath(BundleKind.androidFileName) {
                throw .identity(.noKeysInBundle(.android, path))
            }
            throw .identity(.notAnIdentityFile(path))
        }
    }

    private func kind() throws(CommandError) -> IdentityFileKind {
        do throws(FileError) {
            var input = try InputFile(opening: path)
            guard let size = input.size else { throw FileError(.read, path, .notRegular) }
            return IdentityFileKind(beginning: try input.read(upTo: IdentityFileKind.needed), size: size)
        } catch {
            throw error.kind == .notRegular ? .identity(.pipe(path)) : .file(error)
        }
    }

    private func bundle(_ context: Context) throws(CommandError) -> ImportedIdentity {
        var input = try InputFile.forCommand(path)
        let file: BundleFile
        do throws(BundleError) {
            file = try BundleFile(reading: &input, limits: context.bundleLimits)
        } catch {
            throw .bundle(error, path)
        }
        let secret = try passphrase.read(for: path, context)
        return try Self.identity(in: Self.open(file, secret, path, context), path)
    }

    /// Opens an export and reads all that is in it.
    static func open(
        _ file: BundleFile, _ secret: borrowing SecretBytes, _ path: FilePath, _ context: Context
    ) throws(CommandError) -> BundleContent {
        let bundle: OpenedBundle
        context.progress.begin("Trying the passphrase", total: 0, unit: .items)
        do throws(BundleError) {
            bundle = try BundleOpener.open(
                file, passphrase: secret, limits: context.bundleLimits, workers: context.workers)
        } catch {
            throw .bundle(error, path)
        }
        context.progress.finish()
        do throws(BundleContentError) {
            return try BundleContent.read(bundle, now: context.now, workers: context.workers)
        } catch {
            throw .bundleContent(error, path)
        }
    }

    private static func identity(
        in content: BundleContent, _ path: FilePath
    ) throws(CommandError) -> ImportedIdentity {
        let origin = content.bundle.header.kind.rawValue
        let messages = content.backup?.messages.count ?? 0
        guard let identity = content.identity else { throw .identity(.damagedKeys(path)) }
        let imported: ImportedIdentity?
        do throws(IdentityError) {
            imported = try identity.withKeys { (keys) throws(IdentityError) in
                ImportedIdentity(
                    keys: try keys.copy(), rawName: Array(identity.username.utf8), origin: origin, messages: messages)
            }
        } catch {
            throw .identity(.damagedKeys(path))
        }
        guard let imported else { throw .identity(.damagedKeys(path)) }
        if let stated = content.backup?.fingerprint, stated != imported.fingerprint {
            throw .identity(.fingerprintDiffers(stated: stated, found: imported.fingerprint, path))
        }
        return imported
    }

    // MARK: Keychain items

    private func keychain(_ context: Context) throws(CommandError) -> ImportedIdentity {
        var input = try InputFile.forCommand(path)
        context.warnOfExposure(input)
        let file: SecretBytes
        do throws(SecretInputError) {
            file = try SecretInput.keyFile(&input)
        } catch {
            throw .secret(error, what: "keychain items")
        }
        return try Self.keychain(file, path)
    }

    /// The identity of a keychain dump.
    static func keychain(_ file: borrowing SecretBytes, _ path: FilePath) throws(CommandError) -> ImportedIdentity {
        let items = try keychainItems(file, path)
        let keys = try identity(of: items, path)
        let rawName = items.first { $0.account == .username }?.publicValue
        let rest = items.filter { ![.signing, .dh, .username].contains($0.account) }
        return ImportedIdentity(keys: keys, rawName: rawName ?? [], origin: "keychain", items: rest)
    }

    /// All items of a keychain dump.
    static func keychainItems(
        _ file: borrowing SecretBytes, _ path: FilePath, for use: KeyFileUse = .identity
    ) throws(CommandError) -> [PrivateItem] {
        let all: [KeychainItem]
        do throws(StoreKeyError) {
            all = try KeychainFile.items(of: file)
        } catch {
            throw .storeKey(error, path, use)
        }
        var items: [PrivateItem] = []
        for item in all {
            guard let account = ItemAccount(bytes: item.account.bytes) else {
                throw .identity(.keychainAccount(item.account.bytes, path))
            }
            items.append(
                PrivateItem(account, try memory(path) { () throws(SecretMemoryError) in try item.value.copy() }))
        }
        return items
    }

    /// The private keys among keychain items, proven to be whole.
    static func identity(of items: [PrivateItem], _ path: FilePath) throws(CommandError) -> Identity {
        let accounts = items.map(\.account.bytes)
        guard let signing = items.first(where: { $0.account == .signing }) else {
            throw .identity(.keychainLacks(ItemAccount.signing.text, accounts: accounts, path))
        }
        guard let dh = items.first(where: { $0.account == .dh }) else {
            throw .identity(.keychainLacks(ItemAccount.dh.text, accounts: accounts, path))
        }
        // Android keeps seed and public key together (format SophaxChat 6.5).
        let withPublic = Identity.keyLength + IdentityPublicKeys.keyLength
        guard [Identity.keyLength, withPublic].contains(signing.value.count) else {
            throw .identity(.keychainKeyLength(ItemAccount.signing.text, found: signing.value.count, path))
        }
        guard dh.value.count == Identity.keyLength else {
            throw .identity(.keychainKeyLength(ItemAccount.dh.text, found: dh.value.count, path))
        }
        let seed = try memory(path) { () throws(SecretMemoryError) in try signing.value.prefix(Identity.keyLength) }
        let dhPrivate = try memory(path) { () throws(SecretMemoryError) in try dh.value.copy() }
        let keys: Identity
        do throws(IdentityError) {
            keys = try Identity(signingSeed: seed, dhPrivate: dhPrivate, username: "")
        } catch {
            throw .identity(.damagedKeys(path))
        }
        if signing.value.count == withPublic {
            let stated = try memory(path) { () throws(SecretMemoryError) in
                try signing.value.slice(Identity.keyLength..<withPublic)
            }
            let own = keys.publicKeys.signing
            guard stated.isEqual(to: own.span) else {
                throw .identity(.publicPartDiffers(ItemAccount.signing.text, path))
            }
        }
        return keys
    }

    private static func memory(
        _ path: FilePath, _ make: () throws(SecretMemoryError) -> SecretBytes
    ) throws(CommandError) -> SecretBytes {
        do throws(SecretMemoryError) {
            return try make()
        } catch {
            throw .secret(.memory(error), what: "identity")
        }
    }
}
