import CommandKit
import CryptoPrimitives
import SQLiteDatabase
import SophaxFiles
import SystemIO

/// What a key file is read for.
package enum KeyFileUse: Hashable, Sendable {
    case storeKey
    /// A key file of the keyring or of an archive.
    case sealedKey(SealedFileKind)
    /// Keychain items with the keys of an identity.
    case identity
    /// Keychain items that a command looks into.
    case keychain

    var what: String {
        switch self {
        case .storeKey: "store's key"
        case .sealedKey(let kind): "\(kind.name)'s key"
        case .identity, .keychain: "keychain items"
        }
    }
}

/// `--key-file` of the store commands.
enum KeyFileOption {
    static func specification(isRequired: Bool) -> OptionSpecification {
        .value(
            "key-file", short: "k", "FILE", .file,
            "the store's key: 32 raw bytes, hex, base64, or keychain items as JSON with storage.master",
            isRequired: isRequired)
    }

    /// Reads a key; `use` says what it is for, and with that whether keychain items may hold it.
    static func read(
        _ path: FilePath, as use: KeyFileUse = .storeKey, _ context: Context
    ) throws(CommandError) -> SecretBytes {
        var input = try InputFile.forCommand(path)
        context.warnOfExposure(input)
        let bytes: SecretBytes
        do throws(SecretInputError) {
            bytes = try SecretInput.keyFile(&input)
        } catch {
            throw .secret(error, what: use.what)
        }
        do throws(StoreKeyError) {
            return try StoreKey.read(bytes, allowsKeychain: use == .storeKey)
        } catch {
            throw .storeKey(error, path, use)
        }
    }
}

extension Context {
    /// Warns when others than the owner have access to a file that holds a secret. A pipe or a device is nobody's copy.
    func warnOfExposure(_ input: borrowing InputFile) {
        guard let exposure = SealedPlace.Exposure(ofSecretIn: input) else { return }
        console.note("sxkey: warning: \(exposure.text)")
    }
}

extension InputFile {
    /// Opens an operand; `-` is standard input.
    static func forCommand(_ path: FilePath) throws(CommandError) -> InputFile {
        do throws(FileError) {
            return path == "-" ? try InputFile(standardInput: path) : try InputFile(opening: path)
        } catch {
            throw .file(error)
        }
    }

    /// Which file an operand is, without opening it.
    static func identity(ofOperand path: FilePath) throws(FileError) -> FileIdentity {
        path == "-" ? try InputFile(standardInput: path).identity : try fileStatus(at: path).identity
    }
}
