import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// Why a command does nothing with a contact.
package enum ContactFailure: Error {
    case noContact([UInt8], known: [Contact])
    case severalContacts([UInt8], [Contact])
    case link(ContactLinkError, source: FilePath)
    /// Neither a link nor any file that has a person in it.
    case notASource(FilePath)
    case badSignature(FilePath)
    case weakKey(FilePath)
    case noCode(FilePath)
    case severalCodes(FilePath, Int)
    case noPeers(FilePath)
    case noPeer([UInt8], known: [[UInt8]])
    case severalPeers([UInt8])
    /// A backup with several people, of whom none was chosen.
    case choosePeers(FilePath, [[UInt8]])
    case badName([UInt8])
    /// Waits for its keys.
    case noKeys(Contact)
    case noReplacementKeys(FilePath)
    case ownIdentity(IdentityName)
    case impersonation(PeerID, of: ContactJudgement.Known, claims: Fingerprint?)
    case foreignAddress(Contact)
    case replacedKey(Contact)
    case otherContact(Contact)
    case sameKey(Contact)
    /// Nobody to ask, and no option that answers.
    case noAnswer(String)
    case declined
    case longText(limit: Int)
    case notMarked(Contact)
    case wrongForm(String)
}

extension Contact {
    /// How lists and errors name a contact: name and the first 16 digits of the id.
    var shortText: TerminalText {
        "\(name.bytes) (\(shortID))"
    }

    /// The first 16 digits of the id, of the keys or of the card.
    var shortID: TerminalText {
        if let key = currentKey { return "\(trusted: PeerID(key.fingerprint, form: .hex16).text)" }
        return "\(Array((cardPeerID?.bytes ?? []).prefix(16)))"
    }
}

extension CommandError {
    static func contact(_ failure: ContactFailure) -> ErrorMessage {
        switch failure {
        case .noContact(let word, let known):
            return error(
                .notFound, "no-contact", "there is no contact \(quoted: word)",
                [
                    known.isEmpty
                        ? "there is none at all; \"sxkey contact add\" adds one"
                        : "there is \(known.prefix(5).map(\.shortText).joined(", "))"
                ])
        case .severalContacts(let word, let found):
            return error(
                .usage, "ambiguous", "\(quoted: word) means \(found.count) contacts",
                ["one of \(found.prefix(10).map(\.shortText).joined(", ")): name it by its digits"])
        case .link(.inviteCode, _):
            return error(
                .unreadable, "invite-code",
                "a code SXPH-… cannot be read: how the app makes it from the keys is not known",
                ["ask for the link or the QR code of the contact card, or for a bundle of prekeys"])
        case .link(let reason, let source):
            return error(
                .unreadable, "bad-link", "cannot take the contact from \(quoted: source): \(reason.sentence)",
                reason.hints)
        case .notASource(let path):
            return error(
                .unreadable, "not-a-contact", "cannot take a contact from \(quoted: path): it is nothing that has one",
                [
                    "known are sophaxchat:// links, bundles of prekeys and hello messages, .sophaxbackup and .sxfe files, and "
                        + "PNG and JPEG pictures of a QR code"
                ])
        case .badSignature(let path):
            return error(
                .finding, "bad-signature",
                "the bundle in \(quoted: path) is not signed by its own key; nothing was taken from it",
                ["somebody may have put other keys into it; \"sxkey prekey verify\" shows more"])
        case .weakKey(let path):
            return error(
                .finding, "weak-key",
                "a key in \(quoted: path) gives everybody the same secret; nothing was taken from it",
                ["no app makes such a key; \"sxkey prekey verify\" shows more"])
        case .noCode(let path):
            return error(
                .unreadable, "no-code", "there is no QR code to be found in \(quoted: path)",
                ["take the picture from nearer and straight from the front, or cut the code out of it"])
        case .severalCodes(let path, let count):
            return error(
                .unreadable, "several-codes", "there are \(count) QR codes in \(quoted: path)", ["cut one of them out"])
        case .noPeers(let path):
            return error(.notFound, "no-contacts", "there are no contacts in \(quoted: path)")
        case .noPeer(let word, let known):
            return error(
                .notFound, "no-contact", "there is no contact \(quoted: word) in the backup",
                ["there is \(known.prefix(10).map { "\($0)" as TerminalText }.joined(", "))"])
        case .severalPeers(let word):
            return error(
                .usage, "ambiguous", "\(quoted: word) means several contacts of the backup", ["name one by its peer id"]
            )
        case .choosePeers(let path, let known):
            return error(
                .usage, "choose-contacts", "there are \(known.count) contacts in \(quoted: path)",
                [
                    "--all takes all of them, --peer NAME one",
                    "there is \(known.prefix(10).map { "\($0)" as TerminalText }.joined(", "))",
                ])
        case .badName(let name):
            return error(
                .usage, "bad-name", "\(quoted: name) cannot be a contact's name",
                ["a name has 1 to \(IdentityName.maximumCharacters) characters, and no control characters"])
        case .noKeys(let contact):
            return error(
                .notFound, "no-keys", "no keys of \(contact.shortText) are known yet",
                ["a card has only an address; add a bundle of prekeys, an invite link, or a backup with this contact"])
        case .noReplacementKeys(let path):
            return error(
                .unreadable, "no-keys", "there are no keys in \(quoted: path)",
                ["a contact card has only an address; a bundle of prekeys or an invite link has keys"])
        case .sameKey(let contact):
            return error(
                .failure, "same-key", "this is the key that \(contact.shortText) has already; nothing was changed")
        case .noAnswer(let option):
            return error(
                .usage, "no-terminal", "no terminal to ask on", ["say \(trusted: option)"])
        case .declined: return error(.failure, "declined", "nothing was changed")
        case .longText(let limit):
            return error(.usage, "too-long", "the answer is longer than \(limit) bytes")
        case .notMarked(let contact):
            return error(.notFound, "not-marked", "\(contact.shortText) is not marked as verified")
        case .wrongForm(let form):
            return error(
                .usage, "no-such-number", "one's own numbers have no form \(trusted: form)",
                ["one of \(trusted: SafetyNumberPair.Own.allCases.map(\.rawValue).joined(separator: ", "))"])
        case .ownIdentity, .impersonation, .foreignAddress, .replacedKey, .otherContact: return alarm(failure)
        }
    }

    /// What is authentic, or well-formed, and yet must not be taken.
    private static func alarm(_ failure: ContactFailure) -> ErrorMessage {
        switch failure {
        case .ownIdentity(let name):
            return error(
                .finding, "own-identity",
                "these are your own keys, the identity \(quoted: name.bytes); nothing was changed",
                ["one's own identity is no contact"])
        case .impersonation(let id, let known, let claims):
            let whose: TerminalText
            let fingerprint: TerminalText
            switch known {
            case .contact(let contact):
                whose = "the contact \(contact.shortText)"
                let key = contact.currentKey ?? contact.keys.first
                fingerprint = key.map { "\(trusted: $0.fingerprint.hex)" } ?? "\((contact.cardPeerID?.bytes ?? []))…"
            case .identity(let name, let own):
                whose = "your own identity \(quoted: name.bytes)"
                fingerprint = "\(trusted: own.hex)"
            }
            return error(
                .finding, "impersonation",
                "IMPERSONATION: somebody uses the peer id \(id.bytes) of \(whose) with other keys; nothing was changed",
                [
                    "known fingerprint   \(fingerprint)",
                    claims.map { "these keys have     \(trusted: $0.hex)" } ?? "these have no keys, only the id",
                    "a peer id is the hash of the keys: the same 16 digits with other keys do not happen by chance",
                ])
        case .foreignAddress(let contact):
            return error(
                .finding, "foreign-address",
                "the onion address is not that of \(contact.shortText): it belongs to another signing key; nothing was changed",
                ["an onion address is made from the signing key; whoever answers at this one is somebody else"])
        case .replacedKey(let contact):
            return error(
                .finding, "replaced-key",
                "this is an earlier key of \(contact.shortText), which another has replaced; nothing was changed",
                ["\"sxkey contact history\" shows when; \"sxkey contact replace-key\" would take the earlier key back"])
        case .otherContact(let contact):
            return error(
                .finding, "other-contact", "this is the key of \(contact.shortText); nothing was changed",
                ["one key is one person; remove that contact first if both are the same"])
        default: return error(.failure, nil, "nothing was changed")
        }
    }
}
