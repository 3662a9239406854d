import CommandKit
import CryptoPrimitives
import Keyring
import SQLiteDatabase
import Synchronization
import SystemIO

/// Which keyring a command works with, and where its secret comes from.
struct KeyringOptions: Sendable {
    static let keyring = OptionSpecification.value(
        "keyring", "FILE", .file,
        "the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or "
            + "~/.local/share)")
    static let keyFile = OptionSpecification.value(
        "keyring-key-file", "FILE", .file, "the key file that opens the keyring: 32 raw bytes, hex or base64")
    static let specifications = [keyring] + PassphraseOption.specifications(.keyring) + [keyFile]

    let named: FilePath?
    let keyFile: FilePath?
    let passphrase: PassphraseOption
    /// A secret from a descriptor or a terminal comes once; a command may open the keyring twice, to look and to change.
    private let cache = UnlockCache()

    init(_ arguments: ParsedArguments) throws(UsageError) {
        named = arguments.path("keyring")
        keyFile = arguments.path("keyring-key-file")
        passphrase = try PassphraseOption(arguments, .keyring)
        if keyFile != nil, passphrase.isGiven { throw .conflict("keyring-key-file", "keyring-passphrase-file") }
    }

    /// Files that an output must not be.
    func inputs(_ context: Context) -> [FileIdentity] {
        let keyring = try? KeyringPlace(named: named, context).path
        return [keyring, keyFile, passphrase.file].compactMap { file in
            file.flatMap { try? InputFile.identity(ofOperand: $0) }
        }
    }

    /// True when standard input gives the secret.
    var readsStandardInput: Bool { keyFile == "-" || passphrase.readsStandardInput() }

    func place(_ context: Context) throws(CommandError) -> KeyringPlace {
        try KeyringPlace(named: named, context)
    }

    /// The secret for the keyring at `path`: of the options, or asked for.
    func secret(for path: FilePath, _ context: Context) throws(CommandError) -> UnlockSecret {
        if let known = cache.secret(for: path) { return known }
        let secret = try readSecret(for: path, context)
        cache.keep(secret, for: path)
        return secret
    }

    private func readSecret(for path: FilePath, _ context: Context) throws(CommandError) -> UnlockSecret {
        if let keyFile { return try Self.key(keyFile, context) }
        if !passphrase.isGiven {
            let header: SealedHeader
            do throws(SealedError) {
                header = try SealedDatabase.inspect(path)
            } catch {
                throw .keyring(.sealed(error), path)
            }
            guard header.kind == .keyring else {
                throw .keyring(.sealed(.wrongKind(expected: .keyring, found: header.kind)), path)
            }
            // Nobody is asked for a passphrase that could not fit.
            guard header.slots.contains(where: { if case .passphrase = $0.form { true } else { false } }) else {
                throw .keyringAccess(.onlyKeyFiles(path))
            }
        }
        let typed = try passphrase.read(
            what: "passphrase for keyring \(quoted: path)", prompt: "Passphrase for keyring \(quoted: path): ", context)
        return try Self.passphrase(typed, path)
    }

    static func passphrase(_ typed: borrowing SecretBytes, _ path: FilePath) throws(CommandError) -> UnlockSecret {
        do throws(SealedError) {
            return try .passphrase(typed)
        } catch {
            throw .keyring(.sealed(error), path)
        }
    }

    static func key(_ file: FilePath, _ context: Context) throws(CommandError) -> UnlockSecret {
        let bytes = try KeyFileOption.read(file, as: .keyringKey, context)
        do throws(SealedError) {
            return try .key(bytes)
        } catch {
            throw .keyring(.sealed(error), file)
        }
    }

    /// The keyring file, which must be there; says so when others have access to it.
    func existing(_ context: Context) throws(CommandError) -> KeyringPlace {
        let place = try place(context)
        do throws(FileError) {
            _ = try fileStatus(at: place.path)
        } catch {
            if error.kind == .notFound { throw .keyringAccess(.noKeyring(place.path)) }
            throw .file(error)
        }
        for exposure in place.exposures { context.console.note("sxkey: warning: \(exposure.text)") }
        return place
    }
}

/// The secret that a command has read, for as long as the command runs.
private final class UnlockCache: Sendable {
    private let known = Mutex<(path: FilePath, secret: UnlockSecret)?>(nil)

    func secret(for path: FilePath) -> UnlockSecret? {
        known.withLock { $0?.path == path ? $0?.secret : nil }
    }

    func keep(_ secret: UnlockSecret, for path: FilePath) {
        known.withLock { $0 = (path, secret) }
    }
}

/// A keyring that is open, and where it is.
struct OpenedKeyring {
    let keyring: Keyring
    let path: FilePath
}

extension Context {
    /// Opens the keyring of a command.
    func openKeyring(
        _ options: KeyringOptions, _ mode: SealedDatabase.AccessMode
    ) throws(CommandError) -> OpenedKeyring {
        let place = try options.existing(self)
        let secret = try options.secret(for: place.path, self)
        do throws(KeyringError) {
            return OpenedKeyring(keyring: try Keyring(opening: place.path, mode, unlocking: secret), path: place.path)
        } catch {
            throw .keyring(error, place.path)
        }
    }
}

/// The file of a keyring that is open, for what is done with the file itself.
struct OpenedKeyringFile {
    let file: SealedDatabase
    let secret: UnlockSecret
    let path: FilePath

    /// Does work on the file and says its errors with the keyring's name.
    func doing<R: ~Copyable>(_ body: (SealedDatabase) throws(SealedError) -> R) throws(CommandError) -> R {
        do throws(SealedError) {
            return try body(file)
        } catch {
            throw .keyring(.sealed(error), path)
        }
    }

    /// The slots as they are in the file now.
    func slots() throws(CommandError) -> [SealedHeader.Slot] {
        try doing { (file) throws(SealedError) in try file.header().slots }
    }
}

extension Context {
    /// Opens the keyring of a command for what is done with its file.
    func openKeyringFile(
        _ options: KeyringOptions, _ mode: SealedDatabase.AccessMode
    ) throws(CommandError) -> OpenedKeyringFile {
        let place = try options.existing(self)
        let secret = try options.secret(for: place.path, self)
        do throws(SealedError) {
            let file = try SealedDatabase(opening: place.path, kind: .keyring, mode: mode, unlocking: secret)
            return OpenedKeyringFile(file: file, secret: secret, path: place.path)
        } catch {
            throw .keyring(.sealed(error), place.path)
        }
    }
}

extension OpenedKeyring {
    /// Does work on the keyring and says its errors with the keyring's name.
    func doing<R: ~Copyable>(_ body: (Keyring) throws(KeyringError) -> R) throws(CommandError) -> R {
        do throws(KeyringError) {
            return try body(keyring)
        } catch {
            throw .keyring(error, path)
        }
    }

    /// The identity that `word` names, or the current one.
    func identity(_ word: [UInt8]?) throws(CommandError) -> KeyringIdentity {
        guard let word else {
            if let current = try doing({ (keyring) throws(KeyringError) in try keyring.currentIdentity() }) {
                return current
            }
            let known = try doing { (keyring) throws(KeyringError) in try keyring.identities() }
            throw .keyringAccess(.noCurrentIdentity(known, path))
        }
        let found = try doing { (keyring) throws(KeyringError) in try keyring.identities(named: word) }
        guard let first = found.first else {
            let known = try doing { (keyring) throws(KeyringError) in try keyring.identities() }
            throw .keyringAccess(.noIdentity(word, known: known))
        }
        guard found.count == 1 else { throw .keyringAccess(.severalIdentities(word, found)) }
        return first
    }
}

/// `--identity` of commands that need one.
enum IdentityOption {
    static let specification = OptionSpecification.value(
        "identity", "IDENTITY", .text,
        "another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint")
    static let operand = OperandSpecification(
        "IDENTITY", .text, .one, "its name, a peer id, or at least 8 hex digits of its fingerprint")
    static let optionalOperand = OperandSpecification(
        "IDENTITY", .text, .optional,
        "its name, a peer id, or at least 8 hex digits of its fingerprint (default: the current one)")
}
