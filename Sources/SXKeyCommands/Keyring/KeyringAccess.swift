import CommandKit
import Keyring
import SQLiteDatabase
import SystemIO

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
