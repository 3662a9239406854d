import CommandKit
import SophaxFiles
import SystemIO

extension CommandError {
    /// `what` says which secret, such as `passphrase for "old.sophaxbackup"`; it is escaped already.
    /// `option` is what the options for it begin with, such as `keyring-passphrase`.
    static func secret(_ error: SecretInputError, _ what: String, _ option: String) -> ErrorMessage {
        switch error {
        case .file(let failure):
            return CommandError.file(failure).message
        case .notOpen(let descriptor):
            return Self.error(
                .usage, "not-open", "descriptor \(descriptor) is not open for reading",
                ["pass it in with the shell: --\(trusted: option)-fd 3 3<FILE"])
        case .empty(let path):
            return Self.error(.usage, "empty-secret", "\(quoted: path) holds no \(trusted: what)")
        case .lineBreak(let path):
            return Self.error(
                .usage, "line-break", "\(quoted: path) has a line break inside the passphrase",
                ["one line ending at the very end is taken off; write the passphrase on one line"])
        case .nul(let path):
            return Self.error(
                .usage, "nul", "\(quoted: path) has a NUL byte inside the passphrase",
                ["a file saved as UTF-16 looks like that; save it as UTF-8"])
        case .tooLong(let path, let limit):
            return Self.error(.usage, "too-long", "\(quoted: path) is longer than \(limit) bytes")
        case .noTerminal:
            return Self.error(
                .usage, "no-terminal", "no terminal to ask for the \(trusted: what)",
                ["give it with --\(trusted: option)-file FILE, or --\(trusted: option)-fd N"])
        case .noAnswer:
            return Self.error(.usage, "no-answer", "no \(trusted: what) was given")
        case .terminal(let code):
            let failure = FileError(.read, "/dev/tty", code: code)
            return Self.error(.failure, nil, "cannot read from the terminal: \(trusted: failure.reason)")
        case .memory:
            return Self.error(.failure, "no-memory", "no locked memory for the \(trusted: what)")
        }
    }

    static func storeKey(_ error: StoreKeyError, _ path: FilePath, _ use: KeyFileUse) -> ErrorMessage {
        let forms: TerminalText =
            switch use {
            case .storeKey:
                "a key file holds 32 raw bytes, 64 hex digits, 44 characters of base64, or keychain items as JSON"
            case .sealedKey: "a key file holds 32 raw bytes, 64 hex digits, or 44 characters of base64"
            case .identity, .keychain: "keychain items are a JSON object of account names with values in base64"
            }
        let reason: TerminalText
        var hints = [forms]
        switch error {
        case .empty: reason = "it is empty"
        case .tooLarge(_, let ceiling): reason = "it is larger than \(ceiling) bytes"
        case .wrongLength(let found): reason = "it has \(count: found, "byte"), as none of the forms has"
        case .notHexadecimal: reason = "its 64 characters are not all hex digits"
        case .notBase64: reason = "its 44 characters are not base64"
        case .wrongKeyLength(let found): reason = "the key has \(found) bytes, not 32"
        case .notJSON(let offset): reason = "it begins like JSON and is none (byte \(offset))"
        case .noStorageMaster(let accounts):
            reason = "it has no item storage.master"
            let names = accounts.prefix(10).map { "\($0.bytes)" as TerminalText }.joined(", ")
            hints = [accounts.isEmpty ? "it has no items at all" : "it has \(names)"]
        case .repeatedItem(let account): reason = "it has \(account.bytes) more than once"
        case .itemNotBase64(let account): reason = "\(account.bytes) is not base64"
        case .itemWrongLength(let found): reason = "storage.master has \(found) bytes, not 32"
        case .outOfMemory: reason = "there is no locked memory for it"
        }
        if use == .identity {
            return Self.error(
                .unreadable, "bad-keychain", "cannot take an identity from \(quoted: path): \(reason)", hints)
        }
        if use == .keychain {
            return Self.error(
                .unreadable, "bad-keychain", "cannot read keychain items from \(quoted: path): \(reason)", hints)
        }
        return Self.error(.wrongSecret, "bad-key-file", "cannot take the key from \(quoted: path): \(reason)", hints)
    }
}
