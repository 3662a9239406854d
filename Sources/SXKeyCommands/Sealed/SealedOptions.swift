import CommandKit
import CryptoPrimitives
import SQLiteDatabase
import Synchronization
import SystemIO

/// Which keyring a command works with, and where its secret comes from.
typealias KeyringOptions = SealedOptions<KeyringNoun>
/// Which archive a command works with, and where its secret comes from.
typealias ArchiveOptions = SealedOptions<ArchiveNoun>

/// Which sealed file of a noun a command works with, and where its secret comes from.
struct SealedOptions<Noun: SealedNoun>: Sendable {
    /// `--keyring FILE`, `--archive FILE`.
    static var place: OptionSpecification {
        let kind = Noun.kind
        return .value(
            kind.name, "FILE", .file,
            "the \(kind.name) (default: the one that \(kind.variable) names, else sxkey/\(kind.fileName) in "
                + "XDG_DATA_HOME or ~/.local/share)")
    }
    static var keyFile: OptionSpecification {
        .value(
            keyFileName, "FILE", .file,
            "the key file that opens the \(Noun.kind.name): 32 raw bytes, hex or base64")
    }
    static var specifications: [OptionSpecification] {
        [place] + PassphraseOption.specifications(Noun.kind.secretPrefix) + [keyFile]
    }

    private static var keyFileName: String { Noun.kind.name + "-key-file" }

    let named: FilePath?
    let keyFile: FilePath?
    let passphrase: PassphraseOption
    /// A secret from a descriptor or a terminal comes once; a command may open the file twice, to look and to change.
    private let cache = UnlockCache()

    init(_ arguments: ParsedArguments) throws(UsageError) {
        named = arguments.path(Noun.kind.name)
        keyFile = arguments.path(Self.keyFileName)
        passphrase = try PassphraseOption(arguments, Noun.kind.secretPrefix)
        if keyFile != nil, passphrase.isGiven {
            throw .conflict(Self.keyFileName, Noun.kind.secretPrefix.rawValue + "passphrase-file")
        }
    }

    /// Files that an output must not be.
    func inputs(_ context: Context) -> [FileIdentity] {
        let file = try? place(context).path
        return [file, keyFile, passphrase.file].compactMap { file in
            file.flatMap { try? InputFile.identity(ofOperand: $0) }
        }
    }

    /// True when standard input gives the secret.
    var readsStandardInput: Bool { keyFile == "-" || passphrase.readsStandardInput() }

    /// The command line says where the secret is; else only the terminal is left.
    var isSecretGiven: Bool { keyFile != nil || passphrase.isGiven }

    func place(_ context: Context) throws(CommandError) -> SealedPlace {
        try SealedPlace(Noun.kind, named: named, context)
    }

    /// The secret for the file at `path`: of the options, or asked for.
    func secret(for path: FilePath, _ context: Context) throws(CommandError) -> UnlockSecret {
        if let known = cache.secret(for: path) { return known }
        let secret = try readSecret(for: path, context)
        cache.keep(secret, for: path)
        return secret
    }

    private func readSecret(for path: FilePath, _ context: Context) throws(CommandError) -> UnlockSecret {
        let kind = Noun.kind
        if let keyFile { return try SealedSecret.key(keyFile, kind, context) }
        if !passphrase.isGiven {
            let header = try SealedOutside.header(kind, path)
            // Nobody is asked for a passphrase that could not fit.
            guard header.takesPassphrase else { throw .sealedAccess(.onlyKeyFiles(kind, path)) }
        }
        let typed = try passphrase.read(
            what: "passphrase for \(trusted: kind.name) \(quoted: path)",
            prompt: "Passphrase for \(trusted: kind.name) \(quoted: path): ", context)
        return try SealedSecret.passphrase(typed, kind, path)
    }

    /// The file, which must be there; says so when others have access to it.
    func existing(_ context: Context) throws(CommandError) -> SealedPlace {
        let place = try place(context)
        do throws(FileError) {
            _ = try fileStatus(at: place.path)
        } catch {
            if error.kind == .notFound { throw .sealedAccess(.noFile(Noun.kind, place.path)) }
            throw .file(error)
        }
        for exposure in place.exposures { context.console.note("sxkey: warning: \(exposure.text)") }
        return place
    }
}

/// Secrets of sealed files, out of what was typed or read.
enum SealedSecret {
    static func passphrase(
        _ typed: borrowing SecretBytes, _ kind: SealedFileKind, _ path: FilePath
    ) throws(CommandError) -> UnlockSecret {
        do throws(SealedError) {
            return try .passphrase(typed)
        } catch {
            throw .sealed(error, kind, path)
        }
    }

    static func key(
        _ file: FilePath, _ kind: SealedFileKind, _ context: Context
    ) throws(CommandError) -> UnlockSecret {
        let bytes = try KeyFileOption.read(file, as: .sealedKey(kind), context)
        do throws(SealedError) {
            return try .key(bytes)
        } catch {
            throw .sealed(error, kind, file)
        }
    }
}

extension SealedHeader {
    /// One of the slots opens with a passphrase.
    var takesPassphrase: Bool {
        slots.contains { if case .passphrase = $0.form { true } else { false } }
    }

    /// One of the slots opens with a key file.
    var takesKeyFile: Bool { slots.contains { $0.form == .keyFile } }
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

/// A sealed file that is open, for what is done with the file itself.
struct OpenedSealedFile<Noun: SealedNoun> {
    let file: SealedDatabase
    let secret: UnlockSecret
    let path: FilePath

    /// Does work on the file and says its errors with the file's name.
    func doing<R: ~Copyable>(_ body: (SealedDatabase) throws(SealedError) -> R) throws(CommandError) -> R {
        do throws(SealedError) {
            return try body(file)
        } catch {
            throw .sealed(error, Noun.kind, path)
        }
    }

    /// The slots as they are in the file now.
    func slots() throws(CommandError) -> [SealedHeader.Slot] {
        try doing { (file) throws(SealedError) in try file.header().slots }
    }
}

extension Context {
    /// Opens the file of a command for what is done with the file itself.
    func openSealedFile<Noun: SealedNoun>(
        _ options: SealedOptions<Noun>, _ mode: SealedDatabase.AccessMode
    ) throws(CommandError) -> OpenedSealedFile<Noun> {
        let place = try options.existing(self)
        let secret = try options.secret(for: place.path, self)
        do throws(SealedError) {
            let file = try SealedDatabase(opening: place.path, kind: Noun.kind, mode: mode, unlocking: secret)
            return OpenedSealedFile(file: file, secret: secret, path: place.path)
        } catch {
            throw .sealed(error, Noun.kind, place.path)
        }
    }
}
