import CommandKit
import Keyring
import PortableBundle
import SophaxCore
import SophaxFiles
import SystemIO

/// `sxkey bundle verify`
struct BundleVerify: Command {
    static let specification = CommandSpecification(
        noun: "bundle", verb: "verify",
        summary: "open a bundle and check everything in it",
        discussion: [
            "The passphrase is tried with every key derivation that the app has used for this kind of file, as typed, trimmed as "
                + "the app trims, and in both Unicode normal forms. Then every value inside is read and the parts are held "
                + "against each other: keys, fingerprints, peer ids, safety numbers, messages.",
            "The apps' exports have one authentication tag over everything, so a wrong passphrase and a damaged file cannot be "
                + "told apart. Of a .sxb they can; every chunk, every hash and every message of it is checked, and of a signed one who "
                + "signed it.",
        ],
        operands: [BundleInputs.operand],
        options: BundleInputs.options,
        examples: [
            Example("sxkey bundle verify sample.sxfe", "ask for the passphrase and check a full export"),
            Example("sxkey bundle verify sample.sophaxbackup --passphrase-file passphrase.txt", "without asking"),
            Example("sxkey bundle verify sample.sxfe --passphrase-fd 3 --json 3<passphrase.txt", "for a script"),
        ],
        exitStatuses: [
            StatusNote(.success),
            StatusNote(.someDamaged, "some of the content cannot be read; the counts say how much"),
            StatusNote(.unreadable, "cut off, or not a known export"),
            StatusNote(.wrongSecret, "wrong passphrase, or the file is damaged"), StatusNote(.newerVersion),
            StatusNote(.finding, "authentic, but something is at risk"), StatusNote(.notFound),
        ]
    )

    private let bundle: BundleInputs

    init(_ arguments: ParsedArguments) throws(UsageError) {
        bundle = try BundleInputs(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try bundle.open(context)[0]
        if let content = opened.content {
            let verdict = BundleVerdict(content: content, path: opened.path, zone: context.zone)
            context.console.present(verdict)
            return verdict.status
        }
        guard let source = opened.portable else { return .failure }
        let audit: BundleAudit
        var review = ItemReview()
        context.progress.begin("Verifying", total: source.manifest.totalBytes, unit: .bytes)
        do throws(EntryError) {
            audit = try BundleAudit.run(
                source, now: context.now, progress: { context.progress.advance(by: $0) },
                look: { (document) throws(DocumentError) in try review.add(document) })
        } catch {
            context.progress.finish()
            throw .entries(error, opened.path)
        }
        context.progress.finish()
        var signer: BundleSigner?
        if let signature = source.signature { signer = try BundleSigner(signature, opened.keyring) }
        let verdict = PortableVerdict(
            audit: audit, review: review, source: source, signer: signer, path: opened.path, zone: context.zone)
        context.console.present(verdict)
        return verdict.status
    }
}

/// What a verification found, and one verdict.
struct BundleVerdict: Report {
    let content: BundleContent
    let path: FilePath
    let zone: LocalZone

    var status: ExitStatus { content.findings.exitStatus }

    private var messages: BundleMessages? { content.backup?.messages }
    private var atRisk: [BundleConversation] { messages?.conversations.filter(\.isAtRisk) ?? [] }
    private var unreadable: Int {
        content.findings.count(.unreadableMessage) + content.findings.count(.unreadableContent)
    }

    private var counts: [(name: String, key: String, value: Int)] {
        let read = messages?.lists.reduce(0) { $0 + $1.tally.messages } ?? 0
        return [
            ("read", "read", read + content.findings.count(.unreadableMessage)), ("ok", "ok", messages?.count ?? 0),
            ("merged", "merged", read - (messages?.count ?? 0)),
            ("at risk", "atRisk", atRisk.reduce(0) { $0 + $1.messages }), ("damaged", "damaged", unreadable),
        ]
    }

    func writeText(to stream: TextStream) {
        stream.line(
            "Verified \(path): \(trusted: content.bundle.header.kind.title), \(trusted: content.bundle.derivation.title)"
        )
        stream.line()
        if let identity = content.identity { BundleText.write(identity, to: stream) }
        if let backup = content.backup { BundleText.write(backup, zone: zone, to: stream) }
        stream.line()
        stream.line("  \(trusted: "ok       ", .green) \(trusted: proven)")
        if !atRisk.isEmpty {
            let amount: TerminalText = "\(count: atRisk.count, "conversation")"
            let label = TerminalText(trusted: "AT RISK  ", .yellow)
            stream.line("  \(label) \(amount) that app versions since April 2026 cannot decode:")
            stream.line("              importing this file there fails")
        }
        FindingText(findings: content.findings).write(to: stream)
        stream.line()
        stream.line("\(trusted: counts.map { "\($0.name) \(Quantity.count($0.value))" }.joined(separator: " · "))")
        stream.line("Verdict: \(verdict) (exit \(status.rawValue))")
    }

    private var proven: String {
        var parts: [String] = []
        if content.identity?.publicKeys != nil { parts.append("an identity with both keys") }
        if let messages {
            parts.append(
                "\(Quantity.count(messages.count, "message")) of \(Quantity.count(messages.conversations.count, "conversation"))"
            )
        }
        if let backup = content.backup, !backup.peers.isEmpty {
            parts.append(Quantity.count(backup.peers.count, "contact"))
        }
        return parts.isEmpty ? "authentic" : "authentic: " + parts.joined(separator: ", ")
    }

    private var verdict: TerminalText {
        switch status {
        case .success: TerminalText(trusted: "all is well", .green)
        case .finding: TerminalText(trusted: "all is authentic, but not all is safe", .yellow)
        default: TerminalText(trusted: "not all is well", .red)
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("kind", content.bundle.header.kind.rawValue)
            json.member("keyDerivation", content.bundle.derivation.name)
            json.member("passphraseForm", content.bundle.passphraseForm.rawValue)
            json.member("verdict", status.name)
            json.member("exit", Int(status.rawValue))
            json.member("counts") { json in
                json.object { json in for count in counts { json.member(count.key, count.value) } }
            }
            BundleText.writeMembers(of: content, to: &json)
            json.member("findings") { json in FindingText(findings: content.findings).writeJSON(to: &json) }
        }
    }
}
