import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SystemIO

/// `sxkey identity show`
struct IdentityShow: Command {
    static let specification = CommandSpecification(
        noun: "identity", verb: "show",
        summary: "show an identity in every form that the apps know it by",
        discussion: [
            "Name, peer id in all lengths, fingerprint, onion address, the safety numbers as the apps show them to the owner, the age of "
                + "the prekeys, and when it was last backed up: written by \"sxkey identity export\" and read back.",
            "An identity with post-quantum keys has a recipient key too: an X-Wing public key, with which \"sxkey bundle create --recipient\" "
                + "encrypts bundles for it. --recipient-key prints it alone, for somebody else's command line.",
            "Private keys are shown with --reveal only, and never on a terminal: send the output to a file or a pipe.",
        ],
        operands: [IdentityOption.optionalOperand],
        options: [
            .flag("reveal", "show the two private identity keys in hex as well"),
            .flag("recipient-key", "print the X-Wing public key alone, in base64"),
        ] + KeyringOptions.specifications,
        examples: [
            Example("sxkey identity show", "show the current one"),
            Example("sxkey identity show Ana --keyring-key-file keyring.key --json", "the same for a script"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.notFound, "no such identity, or no keyring"),
        ]
    )

    private let word: [UInt8]?
    private let reveal: Bool
    private let recipientKey: Bool
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        word = arguments.operand("IDENTITY")
        reveal = arguments.flag("reveal")
        recipientKey = arguments.flag("recipient-key")
        if recipientKey, reveal || arguments.globals.json {
            throw .other("--recipient-key prints one line, and excludes --reveal and --json")
        }
        if reveal, arguments.globals.json {
            throw .other(
                "--reveal and --json exclude each other",
                hint: "\"sxkey identity export --format keychain-json --reveal\" writes private values as JSON")
        }
        options = try KeyringOptions(arguments)
    }

    /// The X-Wing key that bundles are encrypted for, and whether what is kept as it is none.
    private static func recipientKey(
        of identity: KeyringIdentity, in opened: OpenedKeyring
    ) throws(CommandError) -> (key: [UInt8]?, isDamaged: Bool) {
        do throws(KeyringError) {
            return (try opened.keyring.recipientKey(of: identity), false)
        } catch .unfitItem {
            return (nil, true)
        } catch {
            throw .keyring(error, opened.path)
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        if reveal, context.console.output.isTerminal { throw .identity(.revealOnTerminal) }
        let opened = try context.openKeyring(options, .readOnly)
        let identity = try opened.identity(word)
        let (key, isDamaged) = try Self.recipientKey(of: identity, in: opened)
        if recipientKey {
            if isDamaged {
                throw .bundleFailure(.damagedRecipientKey(identity.shortText, ItemAccount.xWing.bytes))
            }
            guard let key else { throw .identity(.noRecipientKey(identity)) }
            context.console.output.line("\(trusted: Base64.encode(key.span))")
            return .success
        }
        let details = try opened.doing { (keyring) throws(KeyringError) in
            try keyring.reading { () throws(KeyringError) in
                // What is shown is proven: the private keys open and give these public ones.
                _ = try keyring.privateKeys(of: identity)
                return IdentityDetails(
                    identity: identity, items: try keyring.items(of: identity),
                    preKeys: try keyring.preKeys(of: identity), recipientKey: key,
                    recipientKeyIsDamaged: isDamaged, exports: try keyring.exports(of: identity),
                    now: context.now, zone: context.zone)
            }
        }
        context.console.present(details)
        if reveal {
            try show(opened.doing { (keyring) throws(KeyringError) in try keyring.privateKeys(of: identity) }, context)
        }
        return .success
    }

    /// Writes the keys past every buffer.
    private func show(_ keys: borrowing Identity, _ context: Context) throws(CommandError) {
        let output = context.console.output
        do throws(EncodingError) {
            output.write("  Signing key  ")
            try SecretEncoding.encodeHex(keys.signingSeed).withSpan { output.writeUnbuffered($0) }
            output.write("   PRIVATE: Ed25519 seed\n  DH key       ")
            try SecretEncoding.encodeHex(keys.dhPrivate).withSpan { output.writeUnbuffered($0) }
            output.write("   PRIVATE: X25519\n")
        } catch {
            throw .secret(.memory(.exhausted(requested: Identity.keyLength * 2)), what: "private key")
        }
    }
}

/// An identity with all that is known of it.
private struct IdentityDetails: Report {
    let identity: KeyringIdentity
    let items: [ItemListing]
    let preKeys: PreKeyInventory
    let recipientKey: [UInt8]?
    /// The item is there, and no key.
    let recipientKeyIsDamaged: Bool
    let exports: [IdentityExportRecord]
    let now: Double
    let zone: LocalZone

    func writeText(to stream: TextStream) {
        stream.line("\(identity.name.bytes, .bold)\(trusted: identity.isCurrent ? "   the current identity" : "")")
        for (index, form) in PeerID.Form.own.dropLast().enumerated() {
            let label = index == 0 ? "Peer id      " : "             "
            let text = PeerID(identity.fingerprint, form: form).text
            stream.line("  \(trusted: label)\(trusted: text)   \(trusted: index == 0 ? "16 digits" : "32 digits")")
        }
        stream.line("  Fingerprint  \(trusted: identity.fingerprint.hex)")
        stream.line("  Onion        \(trusted: OnionAddress(of: identity.keys).text)")
        stream.line("  From         \(identity.origin), \(IdentityReport.moment(identity.createdAt, zone))")
        stream.line()
        stream.line("  Safety number, as your own phone shows it")
        for entry in IdentityReport.safetyNumbers(of: identity) {
            let groups = entry.number.text.split(separator: " ")
            for start in stride(from: 0, to: groups.count, by: 6) {
                let label = start == 0 ? entry.app : ""
                let padding = String(repeating: " ", count: 30 - label.utf8.count)
                stream.line(
                    "    \(trusted: label)\(trusted: padding)\(trusted: groups[start..<min(start + 6, groups.count)].joined(separator: " "))"
                )
            }
        }
        stream.line()
        stream.line("  Prekeys      \(preKeyText)")
        stream.line("  Post-quantum \(postQuantumText)")
        let names = items.map(\.account)
        let master: TerminalText = names.contains(.storageMaster) ? "with" : "without"
        stream.line("  Items        \(count: items.count, "private item"), \(master) storage.master")
        stream.line("  Backed up    \(backupText)")
    }

    private var preKeyText: TerminalText {
        guard preKeys.current != nil else { return "none; \"sxkey prekey rotate\" makes some" }
        let age: TerminalText =
            preKeys.currentMadeAt.map { ", signed prekey made \(IdentityReport.age(of: $0, now: now))" } ?? ""
        return "\(count: preKeys.oneTime.count, "one-time prekey")\(age)"
    }

    private var postQuantumText: TerminalText {
        var parts: [TerminalText] = []
        if preKeys.hasPostQuantumKey { parts.append("ML-KEM key") }
        if let current = preKeys.currentPostQuantum { parts.append("ML-KEM prekey id \(Int(current.id))") }
        if preKeys.hasPostQuantumSigningKey { parts.append("ML-DSA key") }
        if recipientKey != nil { parts.append("recipient key (X-Wing)") }
        if recipientKeyIsDamaged {
            parts.append(TerminalText(trusted: "a damaged recipient key", .yellow))
        }
        return parts.isEmpty ? "none" : parts.joined(", ")
    }

    private var backupText: TerminalText {
        guard let backup = IdentityReport.lastBackup(exports) else {
            return TerminalText(trusted: "never", .yellow) + ": \"sxkey identity export\" makes a copy"
        }
        return "\(IdentityReport.moment(backup.madeAt, zone)), \(backup.kind), \(quoted: backup.path)"
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            IdentityReport.writeMembers(of: identity, to: &json)
            json.member("safetyNumbers") { json in
                json.object { json in
                    for entry in IdentityReport.safetyNumbers(of: identity) {
                        json.member(entry.key, entry.number.text)
                    }
                }
            }
            json.member("preKeys") { json in
                json.object { json in
                    json.member("signed", preKeys.current.map { Int($0.id) })
                    json.member("signedMade", preKeys.currentMadeAt.flatMap { RFC3339.format(unixSeconds: $0) })
                    json.member("oneTime", preKeys.oneTime.count)
                    json.member("postQuantum", preKeys.currentPostQuantum.map { Int($0.id) })
                }
            }
            json.member("recipientKey", recipientKey.map { Base64.encode($0.span) })
            json.member("recipientKeyIsDamaged", recipientKeyIsDamaged)
            json.member("items") { json in
                json.array(items) { json, item in json.value(item.account.bytes) }
            }
            json.member("exports") { json in
                json.array(exports) { json, export in
                    json.object { json in
                        json.member("format", export.kind)
                        json.member("path", export.path)
                        json.member("sha256", Hex.encode(export.sha256.span))
                        json.member("made", RFC3339.format(unixSeconds: export.madeAt))
                        json.member("readBack", export.readBackAt.flatMap { RFC3339.format(unixSeconds: $0) })
                    }
                }
            }
            json.member(
                "lastBackup",
                IdentityReport.lastBackup(exports).flatMap { RFC3339.format(unixSeconds: $0.madeAt) })
        }
    }
}
