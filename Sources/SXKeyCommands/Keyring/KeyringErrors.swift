import CommandKit
import CryptoPrimitives
import Keyring
import SQLiteDatabase
import SophaxCore
import SystemIO

/// Why a command does not get at the keyring, or at an identity in it.
package enum KeyringAccessError: Error {
    /// Neither --keyring, SXKEY_KEYRING, XDG_DATA_HOME nor HOME.
    case noPlace
    case noKeyring(FilePath)
    case keyringExists(FilePath)
    /// It opens with key files only, and none was given.
    case onlyKeyFiles(FilePath)
    /// Scalars of a new passphrase.
    case shortPassphrase(found: Int, minimum: Int)
    /// A store's key was neither given nor is there a keyring.
    case noStoreKey(command: String)
    /// The identity has no key of a message store.
    case noStorageMaster(KeyringIdentity)
    case noCurrentIdentity([KeyringIdentity], FilePath)
    case noIdentity([UInt8], known: [KeyringIdentity])
    case severalIdentities([UInt8], [KeyringIdentity])
}

extension KeyringIdentity {
    /// How lists and errors name an identity: name and the first 16 hex digits.
    var shortText: TerminalText {
        "\(name.bytes) (\(trusted: PeerID(fingerprint, form: .hex16).text))"
    }
}

extension CommandError {
    static func keyringAccess(_ error: KeyringAccessError) -> ErrorMessage {
        switch error {
        case .noPlace:
            return Self.error(
                .usage, "no-keyring-place", "there is no place for the keyring: HOME is not set",
                ["name it with --keyring FILE, or in the variable SXKEY_KEYRING"])
        case .noKeyring(let path):
            return Self.error(
                .notFound, "no-keyring", "there is no keyring at \(quoted: path)",
                ["\"sxkey keyring init\" makes one", "--keyring FILE and the variable SXKEY_KEYRING name another"])
        case .keyringExists(let path):
            return Self.error(
                .wouldOverwrite, "keyring-exists", "there is a file at \(quoted: path) already",
                ["a keyring is never overwritten; \"sxkey keyring info\" shows what it is"])
        case .onlyKeyFiles(let path):
            return Self.error(
                .usage, "needs-key-file", "the keyring \(quoted: path) opens with a key file, not with a passphrase",
                ["give it with --keyring-key-file FILE"])
        case .shortPassphrase(let found, let minimum):
            return Self.error(
                .usage, "short-passphrase",
                "the new passphrase has \(found) characters; at least \(minimum) are needed",
                ["four or more random words are easy to keep and hard to guess"])
        case .noStoreKey(let command):
            return Self.error(
                .usage, nil, "--key-file FILE is missing",
                [
                    "without it the key comes from the keyring, and there is none: \"sxkey keyring init\" makes one",
                    "\"sxkey \(trusted: command) --help\" shows how it is used",
                ])
        case .noStorageMaster(let identity):
            return Self.error(
                .notFound, "no-storage-master", "the identity \(identity.shortText) has no storage.master",
                [
                    "a .sophaxid or .sxfe export does not hold it; keychain items do: \"sxkey identity import FILE\"",
                    "--key-file FILE gives the key of the store, --identity names another identity",
                ])
        case .noCurrentIdentity(let known, let path):
            return known.isEmpty
                ? Self.error(
                    .notFound, "no-identity", "the keyring \(quoted: path) holds no identity",
                    ["\"sxkey identity import\" takes one from an export, \"sxkey identity new\" makes one"])
                : Self.error(
                    .notFound, "no-current-identity", "no identity of the keyring \(quoted: path) is the current one",
                    [
                        "there is \(known.map(\.shortText).joined(", "))",
                        "\"sxkey identity use IDENTITY\" makes one the current one",
                    ])
        case .noIdentity(let word, let known):
            return Self.error(
                .notFound, "no-identity", "there is no identity \(quoted: word)",
                [known.isEmpty ? "there is none at all" : "there is \(known.map(\.shortText).joined(", "))"])
        case .severalIdentities(let word, let found):
            return Self.error(
                .usage, "ambiguous", "\(quoted: word) means \(found.count) identities",
                ["one of \(found.map(\.shortText).joined(", "))"])
        }
    }

    static func keyring(_ error: KeyringError, _ path: FilePath) -> ErrorMessage {
        let cannot: TerminalText = "cannot use the keyring \(quoted: path): "
        switch error {
        case .database(let error): return database(error, cannot)
        case .sealed(let error): return sealed(error, cannot)
        case .damagedItem(let account):
            return Self.error(
                .unreadable, "damaged-item",
                cannot + "the item \(quoted: account) does not open; another program has changed it",
                ["\"sxkey keyring verify\" names every item that does not open"])
        case .damagedRow(let table):
            return Self.error(
                .unreadable, "damaged-row", cannot + "a row of the table \(trusted: table) is not what it must be",
                ["another program has changed it; \"sxkey keyring verify\" looks at everything"])
        case .identityExists: return Self.error(.failure, "identity-exists", "the identity is in the keyring already")
        case .noIdentity: return Self.error(.notFound, "no-identity", "the keyring no longer holds this identity")
        case .noContact:
            return Self.error(
                .notFound, "no-contact", "the keyring no longer holds this contact, or its key has been replaced",
                ["run the command again"])
        case .noPrivateKeys:
            return Self.error(.unreadable, "no-private-keys", cannot + "the identity has lost a private key")
        case .memory(let error): return memory(error, cannot)
        case .libraryFailure: return Self.error(.failure, nil, cannot + "the crypto library failed")
        }
    }

    static func memory(_ error: SecretMemoryError, _ cannot: TerminalText) -> ErrorMessage {
        Self.error(.failure, "no-memory", cannot + "no locked memory for its keys")
    }

    static func database(_ error: DatabaseError, _ cannot: TerminalText) -> ErrorMessage {
        switch error {
        case .locked:
            return Self.error(
                .locked, nil, cannot + "another process is using it", ["wait until it has finished, and run this again"]
            )
        case .newerSchema(let found, let known):
            return Self.error(
                .newerVersion, "newer-schema",
                cannot + "a newer sxkey made it (schema \(found), this one knows \(known))",
                ["nothing was changed; use that sxkey"])
        case .notThisKind:
            return Self.error(.unreadable, "other-kind", cannot + "what is inside was not made by sxkey")
        case .damaged(let what):
            return Self.error(
                .unreadable, "damaged", cannot + "it is damaged: \(what)", ["take a backup of it back into use"])
        case .truncated(let expected, let found):
            return Self.error(
                .unreadable, "truncated", cannot + "it is cut off: \(found) pages, where \(expected) must be",
                ["take a backup of it back into use"])
        case .laterJournal:
            return Self.error(
                .unreadable, "later-journal",
                cannot + "the journal beside it (its name with -journal) belongs to a later state of the file",
                [
                    "put back the file that the journal belongs to, and the interrupted change is undone",
                    "if this earlier copy is what you want, move the journal away first",
                ])
        case .replaced:
            return Self.error(
                .failure, "replaced", cannot + "another file was put in its place meanwhile", ["run the command again"])
        case .readOnly:
            return Self.error(.failure, "read-only", cannot + "it cannot be written here")
        case .unfinishedChange:
            return Self.error(
                .failure, "unfinished-change",
                cannot + "a change was interrupted and must be undone, and it cannot be written here",
                ["run the command where the keyring and its folder can be written"])
        case .full:
            return Self.error(
                .failure, "no-space", cannot + "no space left on the device",
                ["nothing was changed; make room, and run the command again"])
        case .inputOutput(_, let code):
            let reason = FileError(.read, "", code: code).reason
            return Self.error(.failure, nil, cannot + "reading or writing failed: \(trusted: reason)")
        case .cannotOpen(let code):
            let reason = FileError(.open, "", code: code).reason
            return Self.error(.failure, nil, cannot + "\(trusted: reason)")
        case .libraryTooOld(let found, let needed):
            return Self.error(.failure, nil, cannot + "libsqlite3 is too old: \(found), needed is \(needed)")
        case .libraryLacks(let what): return Self.error(.failure, nil, cannot + "this libsqlite3 has no \(what)")
        case .constraint(_, let rule): return Self.error(.failure, nil, cannot + "it would break a rule: \(rule)")
        case .outOfMemory: return Self.error(.failure, "no-memory", cannot + "no memory")
        case .tooBig: return Self.error(.failure, "too-large", cannot + "a value is too large")
        case .interrupted: return Self.error(.failure, nil, cannot + "interrupted")
        case .nestedTransaction:
            return Self.error(.failure, nil, cannot + "a change inside of a change (a fault of sxkey)")
        case .setting(let name): return Self.error(.failure, nil, cannot + "SQLite did not take the setting \(name)")
        case .sql(let code, let message):
            return Self.error(.failure, nil, cannot + "SQLite says \(quoted: message) (\(code); a fault of sxkey)")
        }
    }
}
