import CommandKit
import CryptoPrimitives
import Keyring
import SQLiteDatabase
import SophaxCore
import SystemIO

/// Why a command does not get at a key or an identity of the keyring.
package enum KeyringAccessError: Error {
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
        case .sealed(let error): return sealed(error, .keyring, path)
        case .damagedItem(let account):
            return Self.error(
                .unreadable, "damaged-item",
                cannot + "the item \(quoted: account) does not open; another program has changed it",
                ["\"sxkey keyring verify\" names every item that does not open"])
        case .unfitItem(let account):
            return Self.error(
                .unreadable, "unfit-item",
                cannot + "the item \(quoted: account) is damaged: it opens, and is not the key that it should be",
                [
                    "\"sxkey keyring verify\" says what is wrong with it; the keyring is whole, so it came in like that",
                    "\"sxkey prekey rotate\" makes prekeys that take its place; \"sxkey prekey publish --classical\" does without",
                ])
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
}
