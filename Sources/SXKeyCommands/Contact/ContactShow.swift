import CommandKit
import Keyring
import SQLiteDatabase
import SophaxCore
import SystemIO

/// `sxkey contact show`
struct ContactShow: Command {
    static let specification = CommandSpecification(
        noun: "contact", verb: "show",
        summary: "show all that is known of a contact",
        operands: [ContactOperand.specification],
        options: KeyringOptions.specifications,
        examples: [
            Example("sxkey contact show Bob --keyring-key-file keyring.key", "show Bob's ids, keys and standing")
        ],
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
        let contact = try context.openKeyring(options, .readOnly).contact(word)
        context.console.present(ContactCardText(contact: contact, zone: context.zone))
        return .success
    }
}

/// Everything of one contact.
private struct ContactCardText: Report {
    let contact: Contact
    let zone: LocalZone

    func writeText(to stream: TextStream) {
        stream.line("\(contact.name.bytes, .bold)   \(ContactText.standing(contact, zone))")
        if contact.isBlocked { stream.line("  \(trusted: "Blocked", .red)") }
        if let key = contact.currentKey {
            let first = ContactText.day(key.firstSeen, zone)
            let last = ContactText.day(key.lastSeen, zone)
            for (index, form) in [PeerID.Form.hex16, .hex32].enumerated() {
                let label = index == 0 ? "Peer id      " : "             "
                stream.line("  \(trusted: label)\(trusted: PeerID(key.fingerprint, form: form).text)")
            }
            stream.line("  Fingerprint  \(trusted: key.fingerprint.hex)")
            stream.line("  Signing key  \(trusted: hex(key.keys.signing))")
            stream.line("  DH key       \(trusted: hex(key.keys.dh))")
            stream.line(
                "  Seen         first \(first), last \(last), from \(trusted: ContactText.title(ofOrigin: key.origin))")
            if let mark = key.mark {
                stream.line("  Compared     \(trusted: mark.number) (\(trusted: mark.form.rawValue))")
            }
        } else if let id = contact.cardPeerID {
            stream.line("  Peer id      \(id.bytes)   (from a card; no keys yet)")
        }
        if let onion = contact.onion {
            stream.line("  Address      \(onion)\(trusted: contact.port.map { ":\($0)" } ?? "")")
        }
        for key in contact.keys where !key.isCurrent {
            stream.line("  Earlier key  \(trusted: key.fingerprint.hex)")
            stream.line(
                "               from \(ContactText.day(key.firstSeen, zone)) until it was replaced on \(ContactText.day(key.replacedAt, zone))"
            )
        }
    }

    private func hex(_ bytes: [UInt8]) -> String {
        // A fingerprint's text is that of any 32 bytes.
        (try? Fingerprint(bytes: bytes).hex) ?? ""
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            ContactText.writeMembers(of: contact, to: &json)
            json.member("keys") { json in
                json.array(contact.keys) { json, key in
                    json.object { json in
                        json.member("fingerprint", key.fingerprint.hex)
                        json.member("signingPublic", hex(key.keys.signing))
                        json.member("dhPublic", hex(key.keys.dh))
                        json.member("current", key.isCurrent)
                        json.member("firstSeen", ContactText.time(key.firstSeen))
                        json.member("lastSeen", ContactText.time(key.lastSeen))
                        json.member("replaced", key.replacedAt.flatMap { ContactText.time($0) })
                        json.member("origin", key.origin)
                        json.member("peerIDs") { json in
                            json.array(key.peerIDs) { json, id in json.value(id.bytes) }
                        }
                        json.member("mark") { json in ContactText.write(key.mark, to: &json) }
                    }
                }
            }
        }
    }
}
