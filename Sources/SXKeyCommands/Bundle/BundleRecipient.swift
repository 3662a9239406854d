import CommandKit
import CryptoPrimitives
import Keyring
import PortableBundle
import SophaxCore

/// Somebody who shall be able to open a bundle with a private key.
struct BundleRecipient: Sendable {
    /// X25519 public key, 32 bytes, or X-Wing public key, 1,216 bytes.
    let key: [UInt8]
    /// How lists name him.
    let who: TerminalText
    /// Of the keyring: the fingerprint of his identity.
    let fingerprint: Fingerprint?
    /// His safety number was compared; nil for one's own identity and for a bare key.
    let isVerified: Bool?
    /// One of the keyring's own identities.
    let isOwn: Bool

    /// How the header of the bundle has him.
    var entry: SXBRecipient { key.count == X25519.keyLength ? .publicKey(key) : .xWing(key) }

    /// Letters of base64 of an X-Wing public key.
    private static let xWingLength = (XWing.publicKeyLength + 2) / 3 * 4

    /// The key that a word of the command line is, nil when it is no key.
    static func key(in word: [UInt8]) -> [UInt8]? {
        guard word.count == 44 || word.count == xWingLength, word.last == UInt8(ascii: "="),
            let bytes = Base64.decode(word.span)
        else { return nil }
        return bytes.count == X25519.keyLength || bytes.count == XWing.publicKeyLength ? bytes : nil
    }

    /// A bare key.
    static func bare(_ key: [UInt8], word: [UInt8]) throws(CommandError) -> BundleRecipient {
        let isUsable = key.count == X25519.keyLength ? X25519.isPublicKey(key.span) : XWing.isPublicKey(key.span)
        let short = word.count == 44 ? word : Array(word.prefix(20)) + Array("… (X-Wing)".utf8)
        guard isUsable else { throw .bundleFailure(.weakRecipientKey(short)) }
        return BundleRecipient(key: key, who: "\(short)", fingerprint: nil, isVerified: nil, isOwn: false)
    }

    /// Whom a word names in the keyring: a contact, or an identity of one's own.
    static func named(_ word: [UInt8], in opened: OpenedKeyring) throws(CommandError) -> BundleRecipient {
        let (contacts, identities) = try opened.doing { (keyring) throws(KeyringError) in
            (try keyring.contacts(named: word), try keyring.identities(named: word))
        }
        let found = contacts.map(\.shortText) + identities.map(\.shortText)
        guard found.count <= 1 else { throw .bundleFailure(.severalRecipients(word, found)) }
        if let identity = identities.first { return try own(identity, in: opened) }
        guard let contact = contacts.first else { throw .bundleFailure(.noRecipient(word)) }
        guard let current = contact.currentKey else { throw .bundleFailure(.recipientWithoutKeys(contact.shortText)) }
        guard X25519.isPublicKey(current.keys.dh.span) else { throw .bundleFailure(.weakRecipientKey(word)) }
        return BundleRecipient(
            key: current.keys.dh, who: contact.shortText, fingerprint: current.fingerprint,
            isVerified: contact.isVerified, isOwn: false)
    }

    /// One's own identity: its X-Wing key where it has one.
    static func own(_ identity: KeyringIdentity, in opened: OpenedKeyring) throws(CommandError) -> BundleRecipient {
        let xWing = try opened.doing { (keyring) throws(KeyringError) in try keyring.recipientKey(of: identity) }
        return BundleRecipient(
            key: xWing ?? identity.keys.dh, who: identity.shortText, fingerprint: identity.fingerprint, isVerified: nil,
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
        for recipient in self where recipient.isOwn && recipient.key.count != X25519.keyLength {
            context.console.note(
                "sxkey: note: only the X-Wing key of \(recipient.who) opens it: a copy of the keyring, a bundle or keychain-json holds that, and a .sophaxid does not"
            )
        }
        if !contains(where: \.isOwn) {
            context.console.note(
                "sxkey: warning: no identity of your own is among the recipients: you cannot open it yourself")
        }
    }
}
