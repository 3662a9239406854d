import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// What the safety commands share: the contact, the own identity, and the keyring.
struct SafetyArguments: Sendable {
    static let options = [IdentityOption.specification] + KeyringOptions.specifications
    static let statuses = [
        StatusNote(.wrongSecret), StatusNote(.locked), StatusNote(.notFound, "no such contact, identity or keyring"),
    ]
    static let numberOperand = OperandSpecification(
        "NUMBER", .text, .oneOrMore, "the number as the phone shows it, in any Unicode digits, in one word or many")

    let word: [UInt8]?
    let identity: [UInt8]?
    let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        word = arguments.operand("CONTACT")
        identity = arguments.value("identity")
        options = try KeyringOptions(arguments)
    }

    /// A contact with keys, and the numbers of the pair.
    func pair(_ opened: OpenedKeyring) throws(CommandError) -> (contact: Contact, pair: SafetyNumberPair) {
        let contact = try opened.contact(word ?? [])
        guard let key = contact.currentKey else { throw .contact(.noKeys(contact)) }
        let mine = try opened.identity(identity)
        return (contact, SafetyNumberPair(mine: mine.keys, theirs: key.keys))
    }

    static func typed(_ words: [[UInt8]]) throws(CommandError) -> TypedSafetyNumber {
        do throws(TypedSafetyNumber.Problem) {
            return try TypedSafetyNumber(cleaning: words)
        } catch {
            throw .safety(.typed(error))
        }
    }
}
