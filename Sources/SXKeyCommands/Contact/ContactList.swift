import CommandKit
import Keyring
import SQLiteDatabase
import SophaxCore
import SystemIO

/// `sxkey contact list`
struct ContactList: Command {
    static let specification = CommandSpecification(
        noun: "contact", verb: "list",
        summary: "list the contacts and whether they are verified",
        options: KeyringOptions.specifications,
        examples: [
            Example("sxkey contact list --keyring-key-file keyring.key", "list all contacts"),
            Example("sxkey contact list --keyring-key-file keyring.key --json", "the same for a script"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.locked), StatusNote(.notFound, "no keyring"),
        ]
    )

    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try KeyringOptions(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let contacts = try context.openKeyring(options, .readOnly).contacts()
        context.console.present(ContactTable(contacts: contacts, zone: context.zone))
        return .success
    }
}

/// A line for each contact.
struct ContactTable: Report {
    let contacts: [Contact]
    let zone: LocalZone

    func writeText(to stream: TextStream) {
        guard !contacts.isEmpty else {
            stream.line("No contacts. \"sxkey contact add\" adds one.")
            return
        }
        var table = Table([
            .init("NAME", limit: 40), .init("PEER ID"), .init("STANDING"), .init("FIRST SEEN"), .init("LAST SEEN"),
            .init("NOTES"),
        ])
        for contact in contacts {
            table.add([
                "\(contact.name.bytes)", contact.shortID, ContactText.standing(contact, zone),
                ContactText.day(contact.currentKey?.firstSeen, zone),
                ContactText.day(contact.currentKey?.lastSeen, zone),
                contact.isBlocked ? TerminalText(trusted: "blocked", .red) : "",
            ])
        }
        table.write(to: stream)
        stream.line()
        stream.line(
            "\(count: contacts.count, "contact") · verified \(count: contacts.count(where: \.isVerified)) · blocked \(count: contacts.count(where: \.isBlocked))"
        )
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("contacts") { json in
                json.array(contacts) { json, contact in
                    json.object { json in ContactText.writeMembers(of: contact, to: &json) }
                }
            }
        }
    }
}
