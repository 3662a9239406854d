import CommandKit
import Keyring
import SQLiteDatabase
import SystemIO

/// `sxkey safety list`
struct SafetyList: Command {
    static let specification = CommandSpecification(
        noun: "safety", verb: "list",
        summary: "list who is verified, since when and by which number",
        options: KeyringOptions.specifications,
        examples: [Example("sxkey safety list --keyring-key-file keyring.key", "see who is left to verify")],
        exitStatuses: [
            StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.locked), StatusNote(.notFound, "no keyring"),
        ]
    )

    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try KeyringOptions(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openKeyring(options, .readOnly)
        // Those who are left to verify come first.
        let contacts = try opened.contacts()
        let ordered = contacts.filter { !$0.isVerified } + contacts.filter(\.isVerified)
        context.console.present(VerifiedTable(contacts: ordered, zone: context.zone))
        return .success
    }
}

private struct VerifiedTable: Report {
    let contacts: [Contact]
    let zone: LocalZone

    func writeText(to stream: TextStream) {
        guard !contacts.isEmpty else {
            stream.line("No contacts. \"sxkey contact add\" adds one.")
            return
        }
        var table = Table([
            .init("NAME", limit: 40), .init("PEER ID"), .init("STANDING"), .init("NUMBER THAT WAS COMPARED"),
        ])
        for contact in contacts {
            table.add([
                "\(contact.name.bytes)", contact.shortID, ContactText.standing(contact, zone),
                contact.currentKey?.mark.map { "\(trusted: $0.number)" } ?? "",
            ])
        }
        table.write(to: stream)
        stream.line()
        let verified = contacts.count(where: \.isVerified)
        stream.line("verified \(count: verified) · not verified \(count: contacts.count - verified)")
    }

    func writeJSON(to json: inout JSONWriter) {
        ContactTable(contacts: contacts, zone: zone).writeJSON(to: &json)
    }
}
