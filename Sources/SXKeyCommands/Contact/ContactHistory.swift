import CommandKit
import Keyring
import SQLiteDatabase
import SystemIO

/// `sxkey contact history`
struct ContactHistory: Command {
    static let specification = CommandSpecification(
        noun: "contact", verb: "history",
        summary: "show what happened to a contact",
        discussion: [
            "When the contact was added, renamed, blocked, marked as verified, and when its key was replaced, with both fingerprints."
        ],
        operands: [ContactOperand.specification],
        options: KeyringOptions.specifications,
        examples: [Example("sxkey contact history Bob --keyring-key-file keyring.key", "show what happened to Bob")],
        exitStatuses: [
            StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.locked),
            StatusNote(.notFound, "no such contact or keyring"),
        ]
    )

    private let word: [UInt8]
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        word = arguments.operand("CONTACT") ?? []
        options = try KeyringOptions(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openKeyring(options, .readOnly)
        let contact = try opened.contact(word)
        let events = try opened.doing { (keyring) throws(KeyringError) in try keyring.history(of: contact) }
        context.console.present(ContactEvents(contact: contact, events: events, zone: context.zone))
        return .success
    }
}

/// The events of one contact.
private struct ContactEvents: Report {
    let contact: Contact
    let events: [ContactEvent]
    let zone: LocalZone

    func writeText(to stream: TextStream) {
        stream.line("\(contact.name.bytes, .bold) (\(contact.shortID))   \(ContactText.standing(contact, zone))")
        for event in events {
            let lines = Self.lines(event)
            stream.line("  \(ContactText.minute(event.at, zone))  \(lines[0])")
            for line in lines.dropFirst() { stream.line("                    \(line)") }
        }
    }

    private static func lines(_ event: ContactEvent) -> [TerminalText] {
        let detail = event.detail
        let (from, to) = (detail.from ?? [], detail.to ?? [])
        let origin: TerminalText =
            detail.origin.map {
                " (\(trusted: ContactText.title(ofOrigin: String(decoding: $0, as: UTF8.self))))"
            } ?? ""
        switch event.kind {
        case .added: return ["added\(origin)", "\(to)"]
        case .keysLearned: return ["keys learned\(origin)", "\(to)"]
        case .keyReplaced: return ["key replaced\(origin)", "from \(from)", "to   \(to)"]
        case .renamed: return ["renamed from \(quoted: from) to \(quoted: to)"]
        case .addressChanged: return ["address\(origin)", "\(to)"]
        case .blocked: return ["blocked"]
        case .unblocked: return ["unblocked"]
        case .marked: return ["marked as verified: \(detail.number ?? []) (\(detail.form ?? []))"]
        case .unmarked: return ["mark taken away: \(detail.number ?? []) (\(detail.form ?? []))"]
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            ContactText.writeMembers(of: contact, to: &json)
            json.member("events") { json in
                json.array(events) { json, event in
                    json.object { json in
                        json.member("at", ContactText.time(event.at))
                        json.member("what", event.kind.rawValue)
                        let detail = event.detail
                        if let from = detail.from { json.member("from", from) }
                        if let to = detail.to { json.member("to", to) }
                        if let form = detail.form { json.member("form", form) }
                        if let number = detail.number { json.member("number", number) }
                        if let origin = detail.origin { json.member("origin", origin) }
                    }
                }
            }
        }
    }
}
