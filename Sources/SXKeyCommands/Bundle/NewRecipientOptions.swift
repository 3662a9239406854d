import CommandKit
import CryptoPrimitives
import Keyring
import PortableBundle
import SystemIO

/// Who shall be able to open a bundle that is made: those who know one of up to four passphrases, or the owners of up to 64
/// keys, of which 40 may be X-Wing keys; never both.
struct NewRecipientOptions: Sendable {
    static let passphraseLimit = 4
    static let recipientLimit = 64

    static let recipient = OptionSpecification.value(
        "recipient", short: "r", "WHO", .text,
        "encrypt for a contact or identity of the keyring (its name, peer id, or at least 8 hex digits of the fingerprint) or "
            + "for an X25519 or X-Wing public key in base64, in place of a passphrase; up to 64, or 40 X-Wing keys",
        isRepeatable: true)
    static let specifications =
        [recipient] + PassphraseOption.specifications(.new, several: true) + ArgonCost.specifications

    /// The words of `--recipient`.
    let words: [[UInt8]]
    let passphrases: [PassphraseOption]
    let cost: ArgonCost

    init(_ arguments: ParsedArguments) throws(UsageError) {
        words = arguments.values("recipient")
        passphrases = PassphraseOption.list(arguments, .new)
        cost = try ArgonCost(arguments)
        if !words.isEmpty, !passphrases.isEmpty {
            throw .other(
                "a bundle is for passphrases or for keys: --recipient and --new-passphrase-file exclude each other")
        }
        if !words.isEmpty, cost.isGiven {
            throw .other("a key needs no key derivation: --argon2-memory, -passes and -lanes are for a passphrase")
        }
        if passphrases.count > Self.passphraseLimit {
            throw .other("a bundle opens with at most \(Self.passphraseLimit) passphrases")
        }
        if words.count > Self.recipientLimit { throw .other("a bundle has at most \(Self.recipientLimit) recipients") }
        if passphrases.filter({ $0.readsStandardInput() }).count > 1 {
            throw .other("standard input cannot give two passphrases")
        }
    }

    /// Somebody or something was named on the command line.
    var isGiven: Bool { !words.isEmpty || !passphrases.isEmpty }
    var readsStandardInput: Bool { passphrases.contains { $0.readsStandardInput() } }

    /// Files that an output must not be.
    var inputs: [FileIdentity] {
        passphrases.compactMap { $0.file.flatMap { try? InputFile.identity(ofOperand: $0) } }
    }

    /// True when a word can only be found in the keyring.
    var needsKeyring: Bool { words.contains { BundleRecipient.key(in: $0) == nil } }

    /// Who shall open the bundle at `path`: those that the command line names, or a passphrase that is asked for twice.
    /// `opened` is the keyring where one is needed.
    func recipients(
        for path: FilePath, _ opened: OpenedKeyring?, _ context: Context
    ) throws(CommandError) -> NewRecipients {
        if !words.isEmpty {
            let people = try recipients(opened, context)
            return NewRecipients(list: people.map(\.entry), people: people)
        }
        var list: [SXBRecipient] = []
        for passphrase in try newPassphrases(for: path, context) {
            do throws(SXBError) {
                list.append(.passphrase(try .passphrase(passphrase.secret), cost: cost.parameters))
            } catch {
                throw .entries(.container(error), path)
            }
        }
        return NewRecipients(list: list, people: [])
    }

    /// The owners of the keys that `--recipient` names, each once; says what the user should know of them.
    func recipients(_ opened: OpenedKeyring?, _ context: Context) throws(CommandError) -> [BundleRecipient] {
        var found: [BundleRecipient] = []
        for word in words {
            let recipient: BundleRecipient
            if let key = BundleRecipient.key(in: word) {
                recipient = try BundleRecipient.bare(key, word: word, in: opened)
            } else if let opened {
                recipient = try BundleRecipient.named(word, in: opened)
            } else {
                throw .bundleFailure(.noRecipient(word))
            }
            if !found.contains(where: { $0.key == recipient.key }) { found.append(recipient) }
        }
        found.warn(context, knowsOwn: opened != nil)
        return found
    }

    /// The new passphrases, each once; asked for twice where none is given.
    func newPassphrases(for path: FilePath, _ context: Context) throws(CommandError) -> [BundlePassphrase] {
        var found: [BundlePassphrase] = []
        for option in passphrases.isEmpty ? [PassphraseOption(asking: .new)] : passphrases {
            let secret = try NewPassphrase.read(option, what: "passphrase for \(quoted: path)", context)
            if !found.contains(where: { $0.secret.isEqual(to: secret) }) { found.append(BundlePassphrase(secret)) }
        }
        return found
    }
}

/// A passphrase as it was typed. A class, so that several can be handed over in an array.
final class BundlePassphrase: Sendable {
    let secret: SecretBytes

    init(_ secret: consuming SecretBytes) {
        self.secret = secret
    }
}

/// Who shall be able to open a bundle.
struct NewRecipients {
    let list: [SXBRecipient]
    /// Those of `list` who are named, where it has keys.
    let people: [BundleRecipient]
}
