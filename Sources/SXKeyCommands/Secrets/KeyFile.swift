import CommandKit
import CryptoPrimitives
import SophaxFiles
import SystemIO

/// `--key-file` of the store commands.
enum KeyFileOption {
    static func specification(isRequired: Bool) -> OptionSpecification {
        .value(
            "key-file", short: "k", "FILE", .file,
            "the store's key: 32 raw bytes, hex, base64, or keychain items as JSON with storage.master",
            isRequired: isRequired)
    }

    /// Reads a key; `what` says in an error what it is for, `allowsKeychain` whether keychain items may hold it.
    static func read(
        _ path: FilePath, what: String = "store's key", allowsKeychain: Bool = true
    ) throws(CommandError) -> SecretBytes {
        var input = try InputFile.forCommand(path)
        let bytes: SecretBytes
        do throws(SecretInputError) {
            bytes = try SecretInput.keyFile(&input)
        } catch {
            throw .secret(error, what: what)
        }
        do throws(StoreKeyError) {
            return try StoreKey.read(bytes, allowsKeychain: allowsKeychain)
        } catch {
            throw .storeKey(error, path)
        }
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
