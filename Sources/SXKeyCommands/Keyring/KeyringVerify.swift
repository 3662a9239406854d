import CommandKit
import Keyring
import SQLiteDatabase
import SophaxCore
import SystemIO

/// `sxkey keyring verify`
struct KeyringVerify: Command {
    static let specification = CommandSpecification(
        noun: "keyring", verb: "verify",
        summary: "prove that everything in the keyring is whole",
        discussion: [
            "Reads both copies of the header, every page, SQLite's own structure, and every private item, and computes the public keys "
                + "of every identity again. A key that is no key, as a seed beside the hash of another, is a finding; another item that is whole, but not as an app reads it, is a note. Nothing is changed. An older page or file that somebody has put back is not found."
        ],
        options: KeyringOptions.specifications,
        examples: [Example("sxkey keyring verify", "verify the keyring")],
        exitStatuses: [
            StatusNote(.success), StatusNote(.someDamaged, "something is damaged; the findings say what"),
            StatusNote(.unreadable), StatusNote(.finding, "all opens, but a key is not what it should be"),
            StatusNote(.wrongSecret), StatusNote(.newerVersion), StatusNote(.locked),
            StatusNote(.notFound),
        ]
    )

    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try KeyringOptions(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openSealedFile(options, .readOnly)
        let findings = try opened.doing { (file) throws(SealedError) in try file.verify(depth: .full) }
        let pages = try opened.doing { (file) throws(SealedError) in try file.header().pages }
        var judgement: Keyring.Judgement?
        if !findings.contains(where: \.isDamage) {
            do throws(KeyringError) {
                judgement = try Keyring(opened.file, isReadOnly: true).judge()
            } catch {
                throw .keyring(error, opened.path)
            }
        }
        let verdict = KeyringVerdict(path: opened.path, pages: pages, findings: findings, judgement: judgement)
        context.console.present(verdict)
        return verdict.status
    }
}

/// How bad a line of the report is; the raw values are the words in JSON.
private enum LineKind: String {
    case damage
    case risk
    case note

    var label: TerminalText {
        switch self {
        case .damage: TerminalText(trusted: "damaged  ", .red)
        case .risk: TerminalText(trusted: "AT RISK  ", .yellow)
        case .note: TerminalText(trusted: "note     ")
        }
    }
}

private struct KeyringVerdict: Report {
    let path: FilePath
    let pages: Int
    let findings: [SealedFinding]
    /// Nil when the file is too damaged to look further.
    let judgement: Keyring.Judgement?

    var status: ExitStatus {
        let isDamaged =
            findings.contains(where: \.isDamage) || judgement?.damaged.isEmpty == false
            || judgement?.broken.isEmpty == false
        if isDamaged { return .someDamaged }
        return judgement?.unfit.isEmpty == false ? .finding : .success
    }

    private var lines: [(kind: LineKind, text: TerminalText)] {
        findings.map { ($0.isDamage ? .damage : .note, $0.text) }
            + (judgement?.damaged ?? []).map { entry in
                (.damage, "the item \(entry.account.bytes) of \(trusted: short(entry.identity)) does not open")
            }
            + (judgement?.broken ?? []).map { identity in
                (.damage, "the private keys of \(trusted: short(identity)) are missing, or do not give its public keys")
            }
            + (judgement?.unusual ?? []).map { entry in
                (
                    entry.account.kind?.isUnfit(entry.problem) == true ? .risk : .note,
                    "the item \(entry.account.bytes) of \(trusted: short(entry.identity)) is not as an app reads it: \(entry.problem.text)"
                )
            }
    }

    private func short(_ fingerprint: Fingerprint) -> String { PeerID(fingerprint, form: .hex16).text }

    func writeText(to stream: TextStream) {
        stream.line("Verified the keyring \(quoted: path)")
        stream.line()
        if let judgement {
            stream.line(
                "  \(trusted: "ok       ", .green) \(count: pages, "page"), \(count: judgement.identities - judgement.broken.count, "identity", "identities"), \(count: judgement.items - judgement.damaged.count, "private item")"
            )
        }
        for line in lines {
            stream.line("  \(line.kind.label) \(line.text)")
        }
        if status == .finding {
            stream.line(
                "  → \"sxkey prekey rotate\" makes new prekeys; of other keys an export or bundle may have a good copy")
        } else if status != .success {
            stream.line("  → take a copy that \"sxkey keyring backup\" made back into use")
        }
        stream.line()
        let word =
            switch status {
            case .success: TerminalText(trusted: "all is well", .green)
            case .finding: TerminalText(trusted: "the keyring is whole, but a key in it is not", .yellow)
            default: TerminalText(trusted: "not all is well", .red)
            }
        stream.line("Verdict: \(word) (exit \(status.rawValue))")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("pages", pages)
            json.member("identities", judgement?.identities)
            json.member("items", judgement?.items)
            json.member("findings") { json in
                json.array(lines) { json, line in
                    json.object { json in
                        json.member("damage", line.kind == .damage)
                        json.member("severity", line.kind.rawValue)
                        json.member("text", line.text.plain)
                    }
                }
            }
            json.member("verdict", status.name)
            json.member("exit", Int(status.rawValue))
        }
    }
}
