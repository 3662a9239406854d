import CommandKit
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// Why a bundle is not made, or not restored, although everything can be read.
package enum BundleMakingFailure: Error {
    /// The kind of file cannot hold all of it.
    case wouldLose([FormatLoss], BundleOutputKind, FilePath)
    /// The kind of file has private keys in it, and the source has none.
    case noIdentity(BundleKind, FilePath)
    /// Another identity of the keyring has the name.
    case otherIdentity(IdentityName, found: Fingerprint, present: KeyringIdentity, FilePath)
    /// Nothing says which key a store gets, or has.
    case noStoreKey(FilePath)
}

extension CommandError {
    static func making(_ failure: BundleMakingFailure) -> ErrorMessage {
        switch failure {
        case .wouldLose(let losses, let kind, let path):
            let lines = losses.prefix(12).map { "lost: \($0.text)" as TerminalText }
            let more: [TerminalText] =
                losses.count > 12 ? ["and \(losses.count - 12) more; --lossy --json lists all"] : []
            return error(
                .failure, "would-lose",
                "cannot write \(quoted: path): \(trusted: kind.titleWithArticle) cannot hold all of it; nothing was written",
                lines + more + ["--lossy writes it without that; a .sxb holds everything"])
        case .noIdentity(let kind, let path):
            return error(
                .notFound, "no-identity",
                "cannot write \(quoted: path): \(trusted: kind.titleWithArticle) has the private keys of an identity, and there are none in the source",
                ["a .sophaxbackup or a .sxb needs none"])
        case .otherIdentity(let name, let found, let present, let path):
            return error(
                .finding, "other-identity",
                "cannot restore \(quoted: path): the keyring has another identity called \(quoted: present.name.bytes); nothing was changed",
                [
                    "in the keyring: \(trusted: present.fingerprint.hex)", "in the bundle:  \(trusted: found.hex)",
                    "--name NAME restores \(quoted: name.bytes) beside it, under another name",
                ])
        case .noStoreKey(let path):
            return error(
                .usage, "no-store-key", "nothing says which key \(quoted: path) has, or gets",
                [
                    "--key-file FILE opens a store that is there; --new-key-file FILE or --key-out FILE is for a new one",
                    "without them it is storage.master of the identity: neither the keyring nor the bundle has one",
                ])
        }
    }
}
