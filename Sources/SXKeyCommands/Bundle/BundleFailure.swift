import CommandKit
import Keyring
import SystemIO

/// Why a command does nothing with bundles that are good by themselves.
package enum BundleFailure: Error {
    /// A bundle that is not made or restored.
    case making(BundleMakingFailure)
    /// Passphrases on the command line for another number of inputs than there are to open.
    case passphraseCount(given: Int, wanted: [FilePath])
    /// A new passphrase below what the format's reader takes.
    case shortPassphrase(found: Int, minimum: Int, forApp: Bool)
    case tooManyPassphrases(limit: Int)
    case tooManyRecipients(limit: Int)
    /// Neither a contact, an identity, nor a key.
    case noRecipient([UInt8])
    case severalRecipients([UInt8], [TerminalText])
    /// A contact that waits for its keys.
    case recipientWithoutKeys(TerminalText)
    /// A key with which no secret can be shared.
    case weakRecipientKey([UInt8])
    /// The X-Wing key of an identity is none: who, and which item.
    case damagedRecipientKey(TerminalText, [UInt8])
    /// Two bundles of two people: the path of each, and the fingerprint of its identity.
    case otherIdentities(FilePath, String, FilePath, String)
    /// A pipe or device that brings no export of an app.
    case unknownPipe(FilePath)
    /// Nothing in the bundle is called so.
    case noEntry([UInt8], known: [String])
    /// The entry holds private keys.
    case needsReveal(String)
    /// A link, a pipe or a device, which cannot be replaced by a new file.
    case notChangeable(FilePath)
    /// An app's export opens with one passphrase.
    case onePassphraseOnly(FilePath)
    /// The key derivation of an app's export is the app's.
    case noArgonInExports(FilePath)
    /// It opens with private keys, and none was given or fits.
    case needsIdentity(FilePath)
}

extension CommandError {
    static func bundleFailure(_ failure: BundleFailure) -> ErrorMessage {
        switch failure {
        case .making(let failure): return making(failure)
        case .passphraseCount(let given, let wanted):
            let names = wanted.prefix(4).map { "\(quoted: $0)" as TerminalText }.joined(", ")
            return error(
                .usage, "passphrase-count",
                "\(count: given, "passphrase") given, and \(count: wanted.count, "input") to open: \(names)",
                [
                    "give --passphrase-file or --passphrase-fd once for each, in the order of the files; the same file may be named twice",
                    "give none to be asked for each",
                ])
        case .shortPassphrase(let found, let minimum, let forApp):
            let who: TerminalText = forApp ? "the app that reads it wants" : "sxkey wants"
            return error(
                .usage, "short-passphrase",
                "the new passphrase has \(count: found, "character"); \(who) at least \(minimum)",
                ["four or more random words are easy to keep and hard to guess"])
        case .tooManyPassphrases(let limit):
            return error(.usage, "too-many-passphrases", "a bundle opens with at most \(limit) passphrases")
        case .tooManyRecipients(let limit):
            return error(.usage, "too-many-recipients", "a bundle has at most \(limit) recipients")
        case .noRecipient(let word):
            let short = word.count <= 80 ? word : Array(word.prefix(20)) + Array("…".utf8)
            return error(
                .notFound, "no-recipient",
                "\(quoted: short) is no recipient: no contact or identity of the keyring, and no key",
                [
                    "a contact or identity is named by its name, its peer id, or at least 8 hex digits of its fingerprint",
                    "a key is the base64 of the 32 bytes of an X25519 public key, or of the 1,216 bytes of an X-Wing one",
                ])
        case .severalRecipients(let word, let found):
            return error(
                .usage, "ambiguous", "\(quoted: word) means \(found.count) recipients",
                ["one of \(found.prefix(10).joined(", ")): name it by its digits"])
        case .recipientWithoutKeys(let who):
            return error(
                .notFound, "no-keys", "the keys of \(who) are not known yet, so nothing can be encrypted for them",
                ["\"sxkey contact add\" takes them from a bundle of prekeys, an invite or a backup"])
        case .weakRecipientKey(let word):
            return error(
                .usage, "weak-key", "\(quoted: word) is no key that a secret can be shared with",
                [
                    "its X25519 part has a small order, or its ML-KEM part has a number that is too large: no app makes such a key"
                ])
        case .damagedRecipientKey(let who, let account):
            return error(
                .unreadable, "damaged-recipient-key",
                "the item \(account) of \(who) is damaged, so nothing can be encrypted for it",
                [
                    "\"sxkey prekey rotate --post-quantum\" puts it aside and makes a new X-Wing key",
                    "--recipient with the X25519 key in base64 does without",
                ])
        case .otherIdentities(let first, let mine, let second, let theirs):
            return error(
                .finding, "other-identity",
                "cannot merge \(quoted: first) and \(quoted: second): they belong to two identities",
                [
                    "\(quoted: first): \(mine)", "\(quoted: second): \(theirs)",
                    "messages of two people in one bundle could not be told apart; nothing was written",
                ])
        case .unknownPipe(let path):
            return error(
                .unreadable, "pipe", "cannot open \(quoted: path): what comes out of it is no export of an app",
                ["a .sxb is read from a regular file only, for its end is looked at first: write it to a file first"])
        case .noEntry(let word, let known):
            let names = known.prefix(6).map { "\($0)" as TerminalText }.joined(", ")
            let more: TerminalText = known.count > 6 ? " and \(known.count - 6) more" : ""
            return error(
                .notFound, "no-entry", "there is nothing called \(quoted: word) in the bundle",
                [known.isEmpty ? "it is empty" : "there is \(names)\(more)"])
        case .needsReveal(let name):
            return error(
                .usage, "needs-reveal", "\(quoted: name) holds private keys, which would be written without encryption",
                ["say --reveal if that is what you want, and keep the folder where nobody else gets at it"])
        case .notChangeable(let path):
            return error(
                .usage, "not-changeable",
                "\(quoted: path) is a link or no regular file, so no new file can take its place",
                ["name the file itself, or write the new one elsewhere with --out"])
        case .onePassphraseOnly(let path):
            return error(
                .usage, "one-passphrase",
                "\(quoted: path) is an app's export, which opens with one passphrase and nothing else",
                ["\"sxkey bundle convert\" makes a .sxb of it, which can have several, or be for keys"])
        case .noArgonInExports(let path):
            return error(
                .usage, "no-argon2", "\(quoted: path) is an app's export, whose key derivation the app chooses",
                ["leave --argon2-memory, -passes and -lanes out"])
        case .needsIdentity(let path):
            return error(
                .wrongSecret, "no-matching-recipient",
                "cannot open \(quoted: path): it was made for other keys than those of the identities in the keyring",
                [
                    "--keyring FILE names another keyring",
                    "\"sxkey bundle info\" shows for how many recipients it was made",
                ])
        }
    }

    /// A folder that is made is never mixed with what is there.
    static func folderOutput(_ failure: FileError) -> ErrorMessage {
        guard failure.kind == .exists else { return CommandError.output(failure).message }
        return error(
            .wouldOverwrite, nil, "cannot create \(quoted: failure.path): there is something called so already",
            ["name a folder that is not there yet"])
    }
}
