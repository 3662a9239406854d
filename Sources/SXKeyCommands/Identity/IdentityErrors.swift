import CommandKit
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// Why an identity was not made, taken in, written or removed.
package enum IdentityFailure: Error {
    /// Nothing is left of the name after trimming, or it has more than 64 characters.
    case badName([UInt8])
    /// The file has a name that the keyring cannot keep.
    case badNameInFile([UInt8], FilePath)
    case notAnIdentityFile(FilePath)
    /// It has no X-Wing key.
    case noRecipientKey(KeyringIdentity)
    /// A message backup or an Android backup: no keys in it.
    case noKeysInBundle(BundleKind, FilePath)
    /// A private key of the bundle is missing or damaged.
    case damagedKeys(FilePath)
    case torKey(TorKeyFile, FilePath)
    /// Keychain items without one that an identity needs; the accounts that are there.
    case keychainLacks(String, accounts: [[UInt8]], FilePath)
    case keychainKeyLength(String, found: Int, FilePath)
    case keychainAccount([UInt8], FilePath)
    /// The public half that stands beside a private key is another one.
    case publicPartDiffers(String, FilePath)
    /// What the file says of its identity does not fit its keys.
    case fingerprintDiffers(stated: Fingerprint, found: Fingerprint, FilePath)
    /// `--expect` names another identity than the file holds.
    case unexpected(expected: [UInt8], found: Fingerprint, FilePath)
    case pipe(FilePath)
    /// `--own-bundle` proves nothing of the identity's ML-DSA key.
    case ownBundle(OwnBundle.Problem, FilePath)
    // Export.
    case shortExportPassphrase(found: Int, minimum: Int)
    case needsReveal
    case revealOnTerminal
    /// What is read back from the written file is not what was written.
    case exportProof(FilePath)
    // Removing.
    case notExported(KeyringIdentity)
    /// No export that is still there as it was written; what was found instead.
    case exportGone([FilePath])
    /// `--export` names a file that is no export of this identity that was read back.
    case notThatExport(FilePath, KeyringIdentity)
    /// The exports that are there do not hold these items.
    case exportLacks([ItemAccount], KeyringIdentity)
    case destroyOther(typed: [UInt8], KeyringIdentity)
    /// A bundle that was made for the keys of the identity alone.
    case onlyItselfOpens(FilePath, KeyringIdentity)
    // Signatures.
    case signature(FileSignatureError, FilePath)
}

extension CommandError {
    static func identity(_ failure: IdentityFailure) -> ErrorMessage {
        switch failure {
        case .badName(let name):
            return Self.error(.usage, "bad-name", "\(quoted: name) cannot be a name", [Self.nameRule])
        case .badNameInFile(let name, let path):
            return Self.error(
                .unreadable, "bad-name", "the name \(quoted: name) in \(quoted: path) cannot be kept",
                [Self.nameRule, "--name NAME gives the identity another one here"])
        case .noRecipientKey(let identity):
            return Self.error(
                .notFound, "no-recipient-key", "\(identity.shortText) has no X-Wing key",
                ["\"sxkey prekey rotate --post-quantum\" makes post-quantum keys; bundles go to its X25519 key without"]
            )
        case .notAnIdentityFile(let path):
            return Self.error(
                .unreadable, "not-an-identity", "cannot take an identity from \(quoted: path): it is not a known file",
                [
                    "known are identity exports (.sophaxid), full exports (.sxfe) and keychain items as JSON; Android exports no identity"
                ])
        case .noKeysInBundle(let kind, let path):
            return Self.error(
                .notFound, "no-keys",
                "cannot take an identity from \(quoted: path): \(trusted: kind.titleWithArticle) holds messages and no keys",
                ["identity exports (.sophaxid) and full exports (.sxfe) hold the keys"])
        case .damagedKeys(let path):
            return Self.error(
                .unreadable, "damaged-keys",
                "cannot take an identity from \(quoted: path): a private key in it is missing or damaged",
                ["\"sxkey bundle verify\" says which"])
        case .torKey(let key, let path): return torKey(key, path)
        case .keychainLacks(let account, let accounts, let path):
            let there = accounts.prefix(10).map { "\($0)" as TerminalText }.joined(", ")
            return Self.error(
                .notFound, "no-keys",
                "cannot take an identity from \(quoted: path): it has no item \(trusted: account)",
                [accounts.isEmpty ? "it has no items at all" : "it has \(there)"])
        case .keychainKeyLength(let account, let found, let path):
            return Self.error(
                .unreadable, "bad-key",
                "cannot take an identity from \(quoted: path): \(trusted: account) has \(found) bytes, not 32")
        case .keychainAccount(let account, let path):
            return Self.error(
                .unreadable, "bad-account",
                "cannot take an identity from \(quoted: path): it has an item of the name \(quoted: account)",
                ["a name is UTF-8 of 1 to \(ItemAccount.maximumLength) bytes"])
        case .publicPartDiffers(let account, let path):
            return Self.error(
                .unreadable, "public-key-differs",
                "cannot take an identity from \(quoted: path): the public key beside \(trusted: account) is another one",
                ["the file is damaged or put together from two identities; nothing was changed"])
        case .fingerprintDiffers(let stated, let found, let path):
            return Self.error(
                .finding, "fingerprint-differs",
                "cannot take an identity from \(quoted: path): its messages belong to another identity than its keys",
                ["its messages: \(trusted: stated.hex)", "its keys: \(trusted: found.hex)", "nothing was changed"])
        case .unexpected(let expected, let found, let path):
            return Self.error(
                .finding, "other-identity", "\(quoted: path) holds another identity than the expected one",
                ["expected: \(expected)", "found: \(trusted: found.hex)", "nothing was changed"])
        case .pipe(let path):
            return Self.error(
                .usage, "pipe", "\(quoted: path) is not a regular file, so what it is cannot be told before it is read",
                ["write it to a file first"])
        case .ownBundle(let problem, let path):
            return Self.error(
                problem == .noSigningKey ? .notFound : .finding, "own-bundle",
                "cannot tell the ML-DSA key by \(quoted: path): \(trusted: problem.text)",
                [
                    "a bundle serves that this identity published, with an ML-DSA key; \"sxkey prekey verify\" shows what it holds",
                    "nothing was changed",
                ])
        case .shortExportPassphrase(let found, let minimum):
            return Self.error(
                .usage, "short-passphrase",
                "the app wants a passphrase of at least \(minimum) characters, spaces at both ends not counted; this one has \(found)",
                ["four or more random words are easy to keep and hard to guess"])
        case .needsReveal:
            return Self.error(
                .usage, "needs-reveal", "keychain-json writes all private keys without encryption",
                ["say --reveal if that is what you want, and keep the file where nobody else gets at it"])
        case .revealOnTerminal:
            return Self.error(
                .usage, "reveal-on-terminal", "private keys are not shown on a terminal",
                ["send the output to a file or a pipe, for example | cat"])
        case .exportProof(let path):
            return Self.error(
                .failure, "proof-failed", "what is read back from \(quoted: path) is not what was written",
                ["the file was removed; the disk may be failing"])
        case .notExported, .exportGone, .notThatExport, .exportLacks, .destroyOther, .onlyItselfOpens:
            return removal(failure)
        case .signature(let error, let path): return signature(error, path)
        }
    }

    private static let nameRule: TerminalText =
        "a name has 1 to \(IdentityName.maximumCharacters) characters; spaces at both ends do not count"

    private static func torKey(_ key: TorKeyFile, _ path: FilePath) -> ErrorMessage {
        let hint: TerminalText = "import the .sophaxid or .sxfe export of the same identity: it holds the seed"
        switch key.half {
        case .secret:
            return Self.error(
                .unreadable, "tor-key",
                "cannot take an identity from \(quoted: path): it is the key of Tor's onion service, in expanded form",
                [
                    "the expanded key is a hash of the identity's seed: the seed, which the apps need, cannot be got back from it",
                    hint, "keep this file secret all the same: it can sign in the name of the identity",
                ])
        case .public:
            return Self.error(
                .unreadable, "tor-key",
                "cannot take an identity from \(quoted: path): it is the public key of Tor's onion service",
                ["it holds no private key at all", hint])
        }
    }

    private static func removal(_ failure: IdentityFailure) -> ErrorMessage {
        let destroy: TerminalText = "--yes-destroy FINGERPRINT removes it all the same; then nothing brings it back"
        switch failure {
        case .notExported(let identity):
            return Self.error(
                .failure, "not-exported", "\(identity.shortText) was never exported, so removing it would destroy it",
                ["\"sxkey identity export\" writes an export and reads it back", destroy])
        case .exportGone(let paths):
            return Self.error(
                .failure, "export-gone",
                "no export of it is still there as it was written: \(paths.prefix(3).map { "\(quoted: $0)" as TerminalText }.joined(", "))",
                ["--export FILE says where an export is now", destroy])
        case .notThatExport(let path, let identity):
            return Self.error(
                .failure, "not-that-export",
                "\(quoted: path) is not as \"sxkey identity export\" or \"sxkey bundle create\" wrote it and read it back for \(identity.shortText)",
                ["export it once more", destroy])
        case .exportLacks(let accounts, _):
            let names = accounts.prefix(6).map { "\($0.bytes)" as TerminalText }.joined(", ")
            let more: TerminalText = accounts.count > 6 ? " and \(accounts.count - 6) more" : ""
            return Self.error(
                .failure, "export-lacks-items",
                "removing it would destroy what no export of it holds: \(names)\(more)",
                [
                    "a .sophaxid has the two identity keys and the name only: without storage.master the phone's message store stays closed, "
                        + "without prekeys a first message to them stays closed",
                    "\"sxkey bundle create --out FILE.sxb\" writes everything, sessions with --include-sessions",
                    "\"sxkey identity export --format keychain-json --reveal\" writes everything without encryption",
                    destroy,
                ])
        case .onlyItselfOpens(let path, let identity):
            return Self.error(
                .failure, "only-itself-opens",
                "nothing in this keyring but \(identity.shortText) itself opens \(quoted: path), so it would be lost with it",
                ["\"sxkey bundle create\" with a passphrase makes one that stays readable", destroy])
        case .destroyOther(let typed, let identity):
            return Self.error(
                .usage, "other-fingerprint", "\(quoted: typed) is not the fingerprint of \(identity.shortText)",
                ["type all 64 digits, as \"sxkey identity show\" shows them; nothing was removed"])
        default: return Self.error(.failure, nil, "the identity cannot be removed")
        }
    }
}
