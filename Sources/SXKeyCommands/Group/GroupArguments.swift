import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// What the group commands take that change keys.
struct GroupChange: Sendable {
    static let dryRun = OptionSpecification.flag("dry-run", "show what would be done, and change nothing")
    static let options = [dryRun, IdentityOption.specification] + KeyringOptions.specifications

    let keyring: KeyringOptions
    private let identity: [UInt8]?
    let isDryRun: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        keyring = try KeyringOptions(arguments)
        identity = arguments.value("identity")
        isDryRun = arguments.flag("dry-run")
    }

    /// Opens the keyring. A dry run does all but the writing.
    func open(_ context: Context) throws(CommandError) -> (keyring: OpenedKeyring, identity: KeyringIdentity) {
        let opened = try context.openKeyring(keyring, .readWrite)
        return (opened, try opened.identity(identity))
    }
}

/// `GROUP` of the commands that have one.
enum GroupOperand {
    private static let help = "the group: its id, or the beginning of it"
    static let one = OperandSpecification("GROUP", .text, .one, help)
    static let any = OperandSpecification("GROUP", .text, .any, help + " (default: all)")
}

/// The id of a peer that a user typed or a contact has.
enum GroupPeer {
    /// Digits of a peer id that is written.
    static let digits = OptionSpecification.value(
        "peer-ids", "DIGITS", .choice(["16", "32"]),
        "digits of your own peer id and of contacts' in what is written: 32 (default), or 16 as some app versions have it"
    )

    static func form(_ arguments: ParsedArguments) -> PeerID.Form {
        arguments.choice("peer-ids") == "16" ? .hex16 : .hex32
    }

    /// The peer id of a contact by name, or the one that is typed.
    static func id(_ word: [UInt8], form: PeerID.Form, in opened: OpenedKeyring) throws(CommandError) -> PeerID {
        let typed = typed(word, form: form)
        if let typed, typed.form == form { return typed }
        if let typed {
            // Of somebody who is known, a short id can be written in full.
            let keys = try opened.contacts().flatMap(\.keys).filter { typed.matches($0.fingerprint) }
            return keys.count == 1 ? PeerID(keys[0].fingerprint, form: form) : typed
        }
        let contact = try opened.contact(word)
        guard let key = contact.currentKey else { throw .contact(.noContact(word, known: [])) }
        return PeerID(key.fingerprint, form: form)
    }

    /// A peer id that somebody typed, cut to the digits of `form` where it has more; nil for what is none.
    static func typed(_ word: [UInt8], form: PeerID.Form) -> PeerID? {
        let id = PeerID(bytes: word)
        guard id.form != .other else { return nil }
        return form.digits.map { PeerID(bytes: Array(word.prefix($0))) } ?? id
    }
}
