import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// `sxkey identity list`
struct IdentityList: Command {
    static let specification = CommandSpecification(
        noun: "identity", verb: "list",
        summary: "list the identities of the keyring",
        options: KeyringOptions.specifications,
        examples: [
            Example("sxkey identity list", "list them"),
            Example("sxkey identity list --keyring-key-file keyring.key --json", "the same for a script"),
        ],
        exitStatuses: [StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.notFound, "no keyring")]
    )

    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try KeyringOptions(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openKeyring(options, .readOnly)
        let rows = try opened.doing { (keyring) throws(KeyringError) in
            try keyring.reading { () throws(KeyringError) in
                var rows: [IdentityListing.Row] = []
                for identity in try keyring.identities() {
                    let backup = IdentityReport.lastBackup(try keyring.exports(of: identity))
                    rows.append(.init(identity: identity, backup: backup))
                }
                return rows
            }
        }
        context.console.present(IdentityListing(rows: rows, zone: context.zone))
        return .success
    }
}

private struct IdentityListing: Report {
    struct Row {
        let identity: KeyringIdentity
        let backup: IdentityExportRecord?
    }

    let rows: [Row]
    let zone: LocalZone

    func writeText(to stream: TextStream) {
        guard !rows.isEmpty else {
            stream.line("No identity yet: \"sxkey identity import FILE\", or \"sxkey identity new NAME\"")
            return
        }
        var table = Table([
            .init(""), .init("NAME"), .init("PEER ID"), .init("ADDED"), .init("FROM"), .init("LAST BACKED UP"),
        ])
        for row in rows {
            table.add([
                row.identity.isCurrent ? "*" : "", "\(row.identity.name.bytes, .bold)",
                "\(trusted: PeerID(row.identity.fingerprint, form: .hex16).text)",
                IdentityReport.moment(row.identity.createdAt, zone), "\(row.identity.origin)",
                row.backup.map { IdentityReport.moment($0.madeAt, zone) } ?? TerminalText(trusted: "never", .yellow),
            ])
        }
        table.write(to: stream)
        stream.line("  * the current one")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("identities") { json in
                json.array(rows) { json, row in
                    json.object { json in
                        IdentityReport.writeMembers(of: row.identity, to: &json)
                        json.member(
                            "lastBackup", row.backup.flatMap { RFC3339.format(unixSeconds: $0.madeAt) })
                    }
                }
            }
        }
    }
}
