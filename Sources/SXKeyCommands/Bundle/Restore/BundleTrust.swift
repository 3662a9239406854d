import CommandKit
import Keyring
import PortableBundle
import SophaxCore

/// What a bundle is trusted for, and why. Design section 7: without a passphrase, or the restorer's own or a verified signer,
/// verified marks, key history and sessions are dropped.
enum BundleTrust {
    /// Whoever knows the passphrase made it; an app's export is nothing else.
    case passphrase
    /// An identity of this keyring signed it, for its reader.
    case own(KeyringIdentity)
    /// A contact whose safety number was compared signed it, for its reader.
    case verified(Contact)
    /// Signed by a contact who was not verified.
    case unverified(Contact)
    /// Signed by keys that nobody here knows.
    case unknown(IdentityPublicKeys)
    /// Signed, and made for others than its reader: somebody has passed it on.
    case passedOn(IdentityPublicKeys)
    case unsigned

    var isTrusted: Bool {
        switch self {
        case .passphrase, .own, .verified: true
        case .unverified, .unknown, .passedOn, .unsigned: false
        }
    }

    /// The word in JSON.
    var code: String {
        switch self {
        case .passphrase: "passphrase"
        case .own: "own-signature"
        case .verified: "verified-signature"
        case .unverified: "unverified-signature"
        case .unknown: "unknown-signature"
        case .passedOn: "passed-on"
        case .unsigned: "unsigned"
        }
    }

    /// Judges a bundle after its last byte was read.
    static func judge(_ bundle: OpenedInput, _ keyring: Keyring) throws(KeyringError) -> BundleTrust {
        guard let portable = bundle.portable, portable.header.kind == .publicKey else { return .passphrase }
        guard let signature = portable.signature else { return .unsigned }
        guard signature.isForReader else { return .passedOn(signature.signer) }
        let fingerprint = signature.signer.fingerprint
        if let own = try keyring.identity(fingerprint) { return .own(own) }
        let contacts = try keyring.contacts()
        if let contact = contacts.first(where: { $0.currentKey?.fingerprint == fingerprint }) {
            return contact.isVerified ? .verified(contact) : .unverified(contact)
        }
        return .unknown(signature.signer)
    }

    /// Judges a bundle for keys by the keyring that opened it, after its last byte was read; nil for one with a passphrase.
    static func judge(_ bundle: OpenedInput) throws(CommandError) -> BundleTrust? {
        guard let portable = bundle.portable, portable.header.kind == .publicKey else { return nil }
        guard let opened = bundle.keyring else { return .unsigned }
        return try opened.doing { (keyring) throws(KeyringError) in try judge(bundle, keyring) }
    }

    /// Who signed it, for people.
    var text: TerminalText {
        switch self {
        case .passphrase: "opened with its passphrase"
        case .own(let identity): "signed by your own identity \(identity.shortText)"
        case .verified(let contact): "signed by \(contact.shortText), who is verified"
        case .unverified(let contact): "signed by \(contact.shortText), who is NOT VERIFIED"
        case .unknown(let keys):
            "signed by keys that are not in the keyring: \(trusted: PeerID(keys.fingerprint, form: .hex16).text)"
        case .passedOn(let keys):
            "signed by \(trusted: PeerID(keys.fingerprint, form: .hex16).text) for somebody else, and passed on"
        case .unsigned: "NOT SIGNED: anybody can have made it"
        }
    }

    /// Fingerprint of the signer.
    var signer: Fingerprint? {
        switch self {
        case .own(let identity): identity.fingerprint
        case .verified(let contact), .unverified(let contact): contact.currentKey?.fingerprint
        case .unknown(let keys), .passedOn(let keys): keys.fingerprint
        case .passphrase, .unsigned: nil
        }
    }
}
