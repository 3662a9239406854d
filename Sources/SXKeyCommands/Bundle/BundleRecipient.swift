import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore

/// Somebody who shall be able to open a bundle with a private key.
struct BundleRecipient: Sendable {
    /// X25519 public key, 32 bytes.
    let key: [UInt8]
    /// How lists name him.
    let who: TerminalText
    /// Of the keyring: the fingerprint of his identity.
    let fingerprint: Fingerprint?
    /// His safety number was compared; nil for one's own identity and for a bare key.
    let isVerified: Bool?
    /// One of the keyring's own identities.
    let isOwn: Bool

    /// The key that a word of the command line is, nil when it is no key.
    static func key(in word: [UInt8]) -> [UInt8]? {
        guard word.count == 44, word.last == UInt8(ascii: "="), let bytes = Base64.decode(word.span) else { return nil }
        return bytes.count == X25519.keyLength ? bytes : nil
    }

    /// A bare key.
    static func bare(_ key: [UInt8], word: [UInt8]) throws(CommandError) -> BundleRecipient {
        guard X25519.isPublicKey(key.span) else { throw .bundleFailure(.weakRecipientKey(word)) }
        return BundleRecipient(key: key, who: "\(word)", fingerprint: nil, isVerified: nil, isOwn: false)
    }

    /// Whom a word names in the keyring: a contact, or an identity of one's own.
    static func named(_ word: [UInt8], in opened: OpenedKeyring) throws(CommandError) -> BundleRecipient {
        let (contacts, identities) = try opened.doing { (keyring) throws(KeyringError) in
            (try keyring.contacts(named: word), try keyring.identities(named: word))
        }
        let found = contacts.map(\.shortText) + identities.map(\.shortText)
        guard found.count <= 1 else { throw .bundleFailure(.severalRecipients(word, found)) }
        if let identity = identities.first { return own(identity) }
        guard let contact = contacts.first else { throw .bundleFailure(.noRecipient(word)) }
        guard let current = contact.currentKey else { throw .bundleFailure(.recipientWithoutKeys(contact.shortText)) }
        guard X25519.isPublicKey(current.keys.dh.span) else { throw .bundleFailure(.weakRecipientKey(word)) }
        return BundleRecipient(
            key: current.keys.dh, who: contact.shortText, fingerprint: current.fingerprint,
            isVerified: contact.isVerified, isOwn: false)
    }

    /// One's own identity.
    static func own(_ identity: KeyringIdentity) -> BundleRecipient {
        BundleRecipient(
            key: identity.keys.dh, who: identity.shortText, fingerprint: identity.fingerprint, isVerified: nil,
            isOwn: true)
    }
}

extension [BundleRecipient] {
    /// Says what the user should know before he trusts that only these can open it.
    func warn(_ context: Context) {
        for recipient in self where recipient.isVerified == false {
            context.console.note(
                "sxkey: warning: \(recipient.who) is not verified: compare safety numbers (\"sxkey safety show\") before you rely on who can open it"
            )
        }
        if !contains(where: \.isOwn) {
            context.console.note(
                "sxkey: warning: no identity of your own is among the recipients: you cannot open it yourself")
        }
    }
}
