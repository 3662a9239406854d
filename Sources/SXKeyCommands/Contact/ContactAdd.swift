import CommandKit
import Keyring
import SQLiteDatabase
import SophaxCore

/// `sxkey contact add`
struct ContactAdd: Command {
    static let specification = CommandSpecification(
        noun: "contact", verb: "add",
        summary: "add a person, or note that one was seen again",
        discussion: [
            "A person is known by the keys. The same person under 16, 32 and 64 hex digits of the same keys is one contact, and a name "
                + "never links keys: other keys under a known name are another contact, with a warning. Who uses the peer id of somebody "
                + "known with other keys is an impersonator: exit status 8, and nothing is changed. A bundle of prekeys whose signature is "
                + "not good is refused.",
            "A contact card (sophaxchat://add) has an address and no keys: it makes a contact that waits for them. Put a link between "
                + "quotes, for the shell takes \"&\" for its own.",
        ],
        operands: [ContactSource.operand],
        options: [
            .value("name", "NAME", .text, "call the contact so, instead of what the source says"),
            .flag("all", "of a backup, take all contacts"),
        ] + ContactSource.options + KeyringOptions.specifications,
        examples: [
            Example("sxkey contact add bob.json --keyring-key-file keyring.key", "add Bob from a bundle of prekeys"),
            Example(
                "sxkey contact add sample.sophaxbackup --all -p passphrase.txt --keyring-key-file keyring.key --json",
                "add all contacts of a backup"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.someDamaged, "some contacts of a backup have no keys that can be read"),
            StatusNote(.unreadable, "nothing that a contact can be taken from"),
            StatusNote(.wrongSecret), StatusNote(.locked),
            StatusNote(.finding, "a bad signature, one's own keys, or somebody under the id of somebody else"),
            StatusNote(.notFound, "no such file, keyring, or contact in the backup"),
        ]
    )

    private let source: ContactSource
    private let name: [UInt8]?
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        source = try ContactSource(arguments, all: arguments.flag("all"))
        name = arguments.value("name")
        options = try KeyringOptions(arguments)
        if arguments.flag("all"), name != nil { throw .conflict("all", "name") }
        if source.path == "-", options.readsStandardInput {
            throw .other("standard input cannot be both the source and the keyring's secret")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let name = try name.map { (word) throws(CommandError) in try IdentityName.typed(word) }
        let content = try source.read(context)
        if content.people.count + content.unreadable.count > 1, name != nil {
            throw .contact(.choosePeers(source.path, content.people.compactMap { $0.person.name?.bytes }))
        }
        let opened = try context.openKeyring(options, .readWrite)
        let people = content.people.compactMap { sourced in
            Self.name(name, sourced.person).map { (sourced: sourced, name: $0) }
        }
        let results = try opened.doing { (keyring) throws(KeyringError) in
            let named = people.map { sourced, name in
                var person = sourced.person
                person.name = name
                return (person: person, name: name)
            }
            return try keyring.add(named, at: context.now)
        }
        let items = zip(people, results).map { Self.item($0.sourced, $0.name, $1.judgement, $1.contact) }
        // With one person there is one error to tell.
        if !content.isBackup, let failure = items.first?.failure { throw .contact(failure) }
        let report = ContactIntakeReport(items: items, unreadable: content.unreadable, isBackup: content.isBackup)
        for item in items {
            for warning in item.warnings { context.console.note("sxkey: warning: \(item.name.bytes): \(warning.text)") }
        }
        context.console.present(report)
        return report.status
    }

    /// What the user says, else the source, else the id.
    private static func name(_ typed: IdentityName?, _ person: NewContact) -> IdentityName? {
        typed ?? person.name ?? person.peerID.flatMap { IdentityName(trimming: $0.text) }
    }

    private static func item(
        _ sourced: SourcedPerson, _ name: IdentityName, _ judgement: ContactJudgement, _ contact: Contact?
    ) -> ContactIntakeReport.Item {
        let claims = sourced.person.keys?.fingerprint
        var item = ContactIntakeReport.Item(name: name, warnings: sourced.warnings, contact: contact)
        switch judgement {
        case .ownIdentity(let own): item.failure = .ownIdentity(own)
        case .impersonation(let id, let known): item.failure = .impersonation(id, of: known, claims: claims)
        case .foreignAddress(let contact): item.failure = .foreignAddress(contact)
        case .replaced(let contact): item.failure = .replacedKey(contact)
        case .known: item.outcome = .known
        case .completes: item.outcome = .completed
        case .new(let namesakes):
            item.outcome = .added
            guard let namesake = namesakes.first(where: { $0.name.isSimilar(to: name.bytes) }) else { break }
            let text: TerminalText =
                "\(namesake.shortText) has the same name and other keys; the two are not linked. If it is the same person, remove this contact and use \"sxkey contact replace-key\""
            item.warnings.append(.init(code: "known-name", text: text))
        }
        return item
    }
}

/// What became of each person of a source.
struct ContactIntakeReport: Report {
    enum Outcome: String {
        case added, known, completed
        /// One's own identity, or an earlier key of a contact.
        case skipped
        case refused
    }

    struct Item {
        let name: IdentityName
        var warnings: [SourcedPerson.Warning]
        var contact: Contact?
        var outcome = Outcome.skipped
        var failure: ContactFailure? {
            didSet {
                switch failure {
                case .ownIdentity, .replacedKey, nil: outcome = .skipped
                default: outcome = .refused
                }
            }
        }
    }

    let items: [Item]
    /// Contacts whose keys cannot be read, by name.
    let unreadable: [[UInt8]]
    let isBackup: Bool

    private func count(_ outcome: Outcome) -> Int { items.count { $0.outcome == outcome } }

    var status: ExitStatus {
        let refused: ExitStatus = count(.refused) > 0 ? .finding : .success
        return unreadable.isEmpty ? refused : refused.combined(with: .someDamaged)
    }

    func writeText(to stream: TextStream) {
        for item in items {
            if let contact = item.contact {
                let standing: TerminalText =
                    contact.isVerified
                    ? TerminalText(trusted: "verified", .green)
                    : contact.currentKey == nil
                        ? "waits for its keys" : TerminalText(trusted: "NOT VERIFIED", .yellow)
                stream.line(
                    "\(trusted: item.outcome.title) \(contact.name.bytes, .bold) (\(contact.shortID))   \(standing)")
                if let key = contact.currentKey, !isBackup {
                    stream.line("  Fingerprint  \(trusted: key.fingerprint.hex)")
                    if key.mark == nil { stream.line("  → sxkey safety show \(contact.shortID)") }
                }
            } else if let failure = item.failure {
                let label = TerminalText(trusted: item.outcome.title, item.outcome == .refused ? .red : .dim)
                let message: ErrorMessage = CommandError.contact(failure)
                stream.line("\(label) \(item.name.bytes): \(message.message)")
                guard item.outcome == .refused else { continue }
                for hint in message.hints { stream.line("  \(hint)") }
            }
        }
        for name in unreadable { stream.line("\(trusted: "Failed", .red) \(name): it has no keys that can be read") }
        guard isBackup else { return }
        stream.line()
        stream.line(
            "read \(count: items.count + unreadable.count) · added \(count: count(.added)) · completed \(count: count(.completed)) · known \(count: count(.known)) · skipped \(count: count(.skipped)) · refused \(count: count(.refused)) · failed \(count: unreadable.count)"
        )
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("contacts") { json in
                json.array(items) { json, item in
                    json.object { json in
                        json.member("outcome", item.outcome.rawValue)
                        json.member("reason", item.failure.map { (CommandError.contact($0) as ErrorMessage).code })
                        if let contact = item.contact {
                            ContactText.writeMembers(of: contact, to: &json)
                        } else {
                            json.member("name", item.name.bytes)
                        }
                        json.member("warnings") { json in
                            json.array(item.warnings) { json, warning in
                                json.object { json in
                                    json.member("code", warning.code)
                                    json.member("meaning", warning.text.plain)
                                }
                            }
                        }
                    }
                }
            }
            json.member("counts") { json in
                json.object { json in
                    json.member("read", items.count + unreadable.count)
                    json.member("added", count(.added))
                    json.member("completed", count(.completed))
                    json.member("known", count(.known))
                    json.member("skipped", count(.skipped))
                    json.member("refused", count(.refused))
                    json.member("failed", unreadable.count)
                }
            }
            json.member("exit", Int(status.rawValue))
        }
    }
}

extension ContactIntakeReport.Outcome {
    var title: String {
        switch self {
        case .added: "Added"
        case .known: "Known already:"
        case .completed: "Keys learned of"
        case .skipped: "Skipped"
        case .refused: "REFUSED"
        }
    }
}
