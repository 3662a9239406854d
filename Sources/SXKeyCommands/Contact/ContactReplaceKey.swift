import CommandKit
import Keyring
import SQLiteDatabase
import SophaxCore

/// `sxkey contact replace-key`
struct ContactReplaceKey: Command {
    static let specification = CommandSpecification(
        noun: "contact", verb: "replace-key",
        summary: "link another key to a contact, because you know that it is the same person",
        discussion: [
            "New keys are a new peer id, for instance after somebody has set up the app again. Only you can say that it is the same "
                + "person: ask on another way, best face to face. Both fingerprints are shown; it asks, or takes --yes. The earlier key "
                + "stays as history, and the contact is no longer verified: compare the new number."
        ],
        operands: [ContactOperand.specification, ContactSource.operand],
        options: [Context.yesOption] + ContactSource.options + KeyringOptions.specifications,
        examples: [
            Example(
                "sxkey contact replace-key Carla carla-new.txt --yes --keyring-key-file keyring.key",
                "link the keys of an invite link to Carla")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.failure, "the answer was not yes, or it is the key already"),
            StatusNote(.unreadable, "nothing that keys can be taken from"), StatusNote(.wrongSecret),
            StatusNote(.locked),
            StatusNote(.finding, "a bad signature, one's own keys, or those of another contact"),
            StatusNote(.notFound, "no such contact, file or keyring"),
        ]
    )

    private let word: [UInt8]
    private let source: ContactSource
    private let isAnswered: Bool
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        word = arguments.operand("CONTACT") ?? []
        source = try ContactSource(arguments, all: false)
        isAnswered = arguments.flag("yes")
        options = try KeyringOptions(arguments)
        if source.path == "-", options.readsStandardInput {
            throw .other("standard input cannot be both the source and the keyring's secret")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let content = try source.read(context)
        guard let sourced = content.people.first, content.people.count == 1 else {
            if content.people.isEmpty { throw .contact(.noReplacementKeys(source.path)) }
            throw .contact(.choosePeers(source.path, content.people.compactMap { $0.person.name?.bytes }))
        }
        let person = sourced.person
        let opened = try context.openKeyring(options, .readWrite)
        let contact = try opened.contact(word)
        let plan = try opened.doing { (keyring) throws(KeyringError) in
            try keyring.judgeReplacement(of: contact, by: person)
        }
        try check(plan, person, contact)
        let new = person.keys?.fingerprint.hex ?? ""
        let change = KeyChange(contact: contact, new: new, warnings: sourced.warnings)
        for warning in sourced.warnings { context.console.note("sxkey: warning: \(warning.text)") }
        if !isAnswered {
            context.console.note(change.comparison)
            try context.confirm(
                "Is the new key the same person's, and do you know that from elsewhere?", unless: false)
        }
        let result = try opened.doing { (keyring) throws(KeyringError) in
            try keyring.replaceKey(of: contact, by: person, at: context.now)
        }
        try check(result, person, contact)
        guard case .done(let changed) = result else { return .failure }
        context.console.present(KeyChangeReport(change: change, contact: changed))
        return .success
    }

    private func check(
        _ replacement: Keyring.KeyReplacement, _ person: NewContact, _ contact: Contact
    ) throws(CommandError) {
        switch replacement {
        case .done: return
        case .same: throw .contact(.sameKey(contact))
        case .ownIdentity(let name): throw .contact(.ownIdentity(name))
        case .impersonation(let id, let known):
            throw .contact(.impersonation(id, of: known, claims: person.keys?.fingerprint))
        case .otherContact(let other): throw .contact(.otherContact(other))
        case .noKeys: throw .contact(.noReplacementKeys(source.path))
        }
    }
}

/// Both fingerprints of a change.
private struct KeyChange {
    let contact: Contact
    let new: String
    let warnings: [SourcedPerson.Warning]

    var old: String? { contact.currentKey?.fingerprint.hex }

    var comparison: TerminalText {
        "\(contact.name.bytes)\n  Key until now  \(trusted: old ?? "none")\n  New key        \(trusted: new)"
    }
}

private struct KeyChangeReport: Report {
    let change: KeyChange
    let contact: Contact

    func writeText(to stream: TextStream) {
        stream.line("Replaced the key of \(contact.name.bytes, .bold)   \(trusted: "NOT VERIFIED", .yellow)")
        stream.line("  Key until now  \(trusted: change.old ?? "none")")
        stream.line("  New key        \(trusted: change.new)")
        if change.contact.isVerified { stream.line("  The verified mark was the earlier key's, and is gone") }
        stream.line("  → sxkey safety show \(contact.shortID)")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("outcome", "replaced")
            json.member("from", change.old)
            json.member("to", change.new)
            json.member("markCleared", change.contact.isVerified)
            ContactText.writeMembers(of: contact, to: &json)
        }
    }
}
