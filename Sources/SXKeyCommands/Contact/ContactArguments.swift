import CommandKit
import Keyring
import SystemIO

/// `CONTACT` of the commands that have one.
enum ContactOperand {
    static let specification = OperandSpecification(
        "CONTACT", .text, .one, "the contact: a name, a peer id, or at least 8 hex digits of the fingerprint")
    static let optional = OperandSpecification(
        "CONTACT", .text, .optional, "the contact: a name, a peer id, or at least 8 hex digits of the fingerprint")
}

extension OpenedKeyring {
    /// The one contact that `word` names.
    func contact(_ word: [UInt8]) throws(CommandError) -> Contact {
        let found = try doing { (keyring) throws(KeyringError) in try keyring.contacts(named: word) }
        guard let first = found.first else {
            let known = try doing { (keyring) throws(KeyringError) in try keyring.contacts() }
            throw .contact(.noContact(word, known: known))
        }
        guard found.count == 1 else { throw .contact(.severalContacts(word, found)) }
        return first
    }

    func contacts() throws(CommandError) -> [Contact] {
        try doing { (keyring) throws(KeyringError) in try keyring.contacts() }
    }
}

extension IdentityName {
    /// A name that the user typed for a contact.
    static func typed(_ word: [UInt8]) throws(CommandError) -> IdentityName {
        guard let name = IdentityName(typed: word) else { throw .contact(.badName(word)) }
        return name
    }

    /// A name from a source, without the control characters that it may have; nil when nothing is left, or too much.
    static func foreign(_ bytes: [UInt8]) -> IdentityName? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where scalar.properties.generalCategory != .control { kept.append(scalar) }
        return IdentityName(trimming: String(kept))
    }
}

/// Questions before something is changed for good.
extension Context {
    static let yesOption = OptionSpecification.flag("yes", "do not ask")

    /// Goes on only when the answer is yes; `option` is what answers where nobody can be asked.
    func confirm(_ question: TerminalText, unless isAnswered: Bool, option: String = "--yes") throws(CommandError) {
        if isAnswered { return }
        let answer = try ask(question + " [y/N] ", option: option).filter { $0 != 0x20 && $0 != 0x0d }
        let lower = answer.map { $0 | 0x20 }
        guard lower == Array("y".utf8) || lower == Array("yes".utf8) else { throw .contact(.declined) }
    }

    /// One line from the terminal.
    func ask(_ question: TerminalText, option: String) throws(CommandError) -> [UInt8] {
        guard mayAsk else { throw .contact(.noAnswer(option)) }
        console.output.flush()
        do throws(PromptError) {
            return try TerminalQuestion.ask(Array(question.plain.utf8))
        } catch {
            switch error {
            case .noTerminal: throw .contact(.noAnswer(option))
            case .endOfInput: throw .contact(.declined)
            case .tooLong(let limit): throw .contact(.longText(limit: limit))
            case .system(let code): throw .file(FileError(.read, "/dev/tty", code: code))
            }
        }
    }
}
