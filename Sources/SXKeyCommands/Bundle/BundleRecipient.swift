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

    var isXWing: Bool { key.count == XWing.publicKeyLength }

    /// A bare key, which may be that of one of one's own identities.
    static func bare(_ key: [UInt8], word: [UInt8], in opened: OpenedKeyring?) throws(CommandError) -> BundleRecipient {
        let isUsable = key.count == X25519.keyLength ? X25519.isPublicKey(key.span) : XWing.isPublicKey(key.span)
        let short = word.count == 44 ? word : Array(word.prefix(20)) + Array("… (X-Wing)".utf8)
        guard isUsable else { throw .bundleFailure(.weakRecipientKey(short)) }
        let owner = try opened?.owner(of: key)
        return BundleRecipient(
            key: key, who: "\(short)", fingerprint: owner?.fingerprint, isVerified: nil, isOwn: owner != nil)
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
        let xWing: [UInt8]?
        do throws(KeyringError) {
            xWing = try opened.keyring.recipientKey(of: identity)
        } catch .unfitItem(let account) {
            throw .bundleFailure(.damagedRecipientKey(identity.shortText, account))
        } catch {
            throw .keyring(error, opened.path)
        }
        return BundleRecipient(
            key: xWing ?? identity.keys.dh, who: identity.shortText, fingerprint: identity.fingerprint, isVerified: nil,
            isOwn: true)
    }
}

extension [BundleRecipient] {
    /// Says what the user should know before he trusts that only these can open it.
    ///
    /// - Parameter knowsOwn: bare keys were held to those of the keyring.
    func warn(_ context: Context, knowsOwn: Bool) {
        for recipient in self where recipient.isVerified == false {
            context.console.note(
                "sxkey: warning: \(recipient.who) is not verified: compare safety numbers (\"sxkey safety show\") before you rely on who can open it"
            )
        }
        for recipient in self where recipient.isOwn && recipient.isXWing {
            context.console.note(
                "sxkey: note: only the X-Wing key of \(recipient.who) opens it: a copy of the keyring, a bundle or keychain-json holds that; a .sophaxid and the shares of \"identity split\" do not"
            )
        }
        let classical = filter { !$0.isXWing }
        if classical.count < count, let first = classical.first {
            let others: TerminalText = classical.count > 1 ? " and \(classical.count - 1) more" : ""
            context.console.note(
                "sxkey: warning: who can break X25519 one day can open it all the same: it is for \(first.who)\(others), by an X25519 key, besides X-Wing keys"
            )
        }
        if !contains(where: \.isOwn) {
            let known: TerminalText = knowsOwn ? "" : ", as far as can be told without the keyring"
            context.console.note(
                "sxkey: warning: no identity of your own is among the recipients\(known): you cannot open it yourself")
        }
    }
}

extension OpenedKeyring {
    /// The identity of one's own that a public key belongs to.
    fileprivate func owner(of key: [UInt8]) throws(CommandError) -> KeyringIdentity? {
        for identity in try doing({ (keyring) throws(KeyringError) in try keyring.identities() }) {
            if identity.keys.dh == key { return identity }
            // One that cannot be read is nobody's.
            if let xWing = try? keyring.recipientKey(of: identity), xWing == key { return identity }
        }
        return nil
    }
}
