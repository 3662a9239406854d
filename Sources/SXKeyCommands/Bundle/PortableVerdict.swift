import CommandKit
import Keyring
import PortableBundle
import SophaxCore
import SophaxFiles
import SystemIO

/// What a verification of a `.sxb` found, and one verdict.
struct PortableVerdict: Report {
    let audit: BundleAudit
    let review: ItemReview
    let source: SXBSource
    let signer: BundleSigner?
    let path: FilePath
    let zone: LocalZone

    private var manifest: Manifest { source.manifest }
    /// Things that the maker of the bundle could not read.
    private var unreadable: Int { manifest.notIncluded.count { $0.reason == .unreadable } }

    var status: ExitStatus {
        let findings = audit.findings.exitStatus
        let found = review.hasUnfit ? ExitStatus.finding.combined(with: findings) : findings
        return unreadable > 0 ? ExitStatus.someDamaged.combined(with: found) : found
    }

    private var text: PortableText {
        PortableText(audit: audit, manifest: manifest, signer: signer, kind: source.header.kind)
    }

    private var lost: Int { audit.conversations.reduce(0) { $0 + $1.lost } }
    private var atRisk: [BundleAudit.Conversation] { audit.conversations.filter(\.isAtRisk) }

    private var counts: [(name: String, key: String, value: Int)] {
        [
            ("read", "read", audit.messages + lost), ("ok", "ok", audit.messages),
            ("at risk", "atRisk", atRisk.reduce(0) { $0 + $1.messages }),
            ("damaged", "damaged", lost + audit.findings.count(.unreadableContent)),
            ("missing", "missing", audit.findings.count(.missingAttachment)),
        ]
    }

    func writeText(to stream: TextStream) {
        let kind: TerminalText = source.header.kind == .passphrase ? "opened with a passphrase" : "opened with a key"
        stream.line("Verified \(path): sxkey bundle, \(kind)")
        stream.line()
        text.write(zone: zone, to: stream)
        stream.line()
        stream.line("  \(trusted: "ok       ", .green) authentic: \(proven)")
        if !atRisk.isEmpty {
            let amount: TerminalText = "\(count: atRisk.count, "conversation")"
            stream.line(
                "  \(TerminalText(trusted: "AT RISK  ", .yellow)) \(amount) that app versions since April 2026 cannot decode"
            )
        }
        review.write(to: stream)
        FindingText(findings: audit.findings).write(to: stream)
        if unreadable > 0 {
            stream.line(
                "  \(TerminalText(trusted: "missing  ", .red)) \(count: unreadable, "item") could not be read when the bundle was made"
            )
        }
        stream.line()
        stream.line("\(trusted: counts.map { "\($0.name) \(Quantity.count($0.value))" }.joined(separator: " · "))")
        stream.line("Verdict: \(verdict) (exit \(status.rawValue))")
    }

    private var proven: TerminalText {
        var parts: [TerminalText] = []
        if audit.owner != nil { parts.append("an identity with both keys") }
        if audit.preKeys > 0 { parts.append("\(count: audit.preKeys, "prekey item")") }
        if !audit.contacts.isEmpty { parts.append("\(count: audit.contacts.count, "contact")") }
        if audit.groups > 0 { parts.append("\(count: audit.groups, "group")") }
        if !audit.conversations.isEmpty {
            parts.append(
                "\(count: audit.messages, "message") of \(count: audit.conversations.count, "conversation")")
        }
        if audit.attachments > 0 {
            parts.append("\(count: audit.attachments, "attachment") (\(size: audit.attachmentBytes))")
        }
        return parts.isEmpty ? "nothing is in it" : parts.joined(", ")
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
            json.member("kind", "sxb")
            json.member("opensWith", source.header.kind.rawValue)
            json.member("verdict", status.name)
            json.member("exit", Int(status.rawValue))
            json.member("counts") { json in
                json.object { json in for count in counts { json.member(count.key, count.value) } }
            }
            text.writeMembers(to: &json)
            json.member("items") { json in json.object { json in review.writeMembers(to: &json) } }
            json.member("findings") { json in FindingText(findings: audit.findings).writeJSON(to: &json) }
        }
    }
}

/// Who signed a bundle, as far as the keyring knows him.
struct BundleSigner {
    let signature: SXBSignature
    /// The name that the keyring has for him.
    let name: [UInt8]?
    /// His safety number was compared, or he is one of the keyring's own identities.
    let isVerified: Bool

    init(_ signature: SXBSignature, _ opened: OpenedKeyring?) throws(CommandError) {
        self.signature = signature
        let fingerprint = signature.signer.fingerprint
        var (name, isVerified): ([UInt8]?, Bool) = (nil, false)
        if let opened {
            let own = try opened.doing { (keyring) throws(KeyringError) in try keyring.identity(fingerprint) }
            let contact = try opened.contacts().first { $0.currentKey?.fingerprint == fingerprint }
            name = own?.name.bytes ?? contact?.name.bytes
            isVerified = own != nil || contact?.isVerified == true
        }
        self.name = name
        self.isVerified = isVerified
    }

    var who: TerminalText {
        let id = "\(PeerID(signature.signer.fingerprint, form: .hex16).text)"
        guard let name else { return "\(trusted: id), whom the keyring does not know" }
        return "\(name) (\(trusted: id))\(trusted: isVerified ? "" : ", who is not verified")"
    }
}

/// The public side of what is in a `.sxb`.
struct PortableText {
    let audit: BundleAudit
    let manifest: Manifest
    let signer: BundleSigner?
    let kind: SXBKind

    func write(zone: LocalZone, to stream: TextStream) {
        let made = manifest.createdAt > 0 ? zone.time(at: manifest.createdAt) : nil
        stream.line(
            "  Made         \(trusted: made.map { "\($0.date.dayAndMinuteText) \($0.offsetText)" } ?? "at an unknown time") by \(manifest.creator)"
        )
        if let owner = audit.owner {
            stream.line(
                "  Identity     \(owner.name, .bold)   \(trusted: PeerID(owner.keys.fingerprint, form: .hex16).text)")
            stream.line("  Fingerprint  \(trusted: owner.keys.fingerprint.hex)")
        } else if let fingerprint = manifest.owner.fingerprint {
            stream.line(
                "  Belongs to   \(manifest.owner.name?.bytes ?? [])   \(fingerprint)   (its keys are not in it)")
        }
        if kind == .publicKey, signer == nil {
            stream.line("  Signed by    \(trusted: "nobody", .yellow): anybody can have made it")
        }
        if let signer {
            stream.line("  Signed by    \(signer.who)")
            if !signer.signature.isForReader {
                stream.line("               who did not make it for you: somebody passed it on")
            }
        }
        for contact in audit.contacts.prefix(20) {
            stream.line(
                "  Contact      \(contact.name)   \(Array(contact.id.prefix(16)))\(trusted: contact.isVerified ? "   verified" : "")"
            )
        }
        if audit.contacts.count > 20 { stream.line("               and \(audit.contacts.count - 20) more") }
        writeConversations(zone, to: stream)
        let missing = manifest.notIncluded.filter { $0.item == nil && $0.reason != .none }
        if !missing.isEmpty {
            stream.line()
            let names = missing.map { "\($0.part.word) (\($0.reason.words))" as TerminalText }.joined(", ")
            stream.line("  Not in it    \(names)")
        }
    }

    private func writeConversations(_ zone: LocalZone, to stream: TextStream) {
        guard !audit.conversations.isEmpty else { return }
        stream.line()
        var table = Table([
            .init("CONVERSATION"), .init("KIND"), .init("MESSAGES", .right), .init("FIRST"), .init("LAST"),
            .init("NOTES"),
        ])
        for conversation in audit.conversations {
            let notes: [TerminalText] =
                (conversation.isAtRisk ? [TerminalText(trusted: "at risk", .yellow)] : [])
                + (conversation.platform == .android ? ["Android"] : [])
            table.add([
                "\(conversation.id.text.bytes)", "\(trusted: conversation.id.kind.rawValue)",
                "\(count: conversation.messages)", day(conversation.firstTime, zone),
                day(conversation.lastTime, zone), notes.joined(", "),
            ])
        }
        table.write(to: stream)
    }

    private func day(_ time: Double?, _ zone: LocalZone) -> TerminalText {
        time.flatMap { zone.time(at: $0) }.map { "\(trusted: $0.date.dayText)" } ?? "–"
    }

    /// Members of an object: `made`, `creator`, `identity`, `signer`, `contacts`, `conversations`, `notIncluded`.
    func writeMembers(to json: inout JSONWriter) {
        json.member("made", manifest.createdAt > 0 ? RFC3339.format(unixSeconds: manifest.createdAt) : nil)
        json.member("creator", manifest.creator)
        if let owner = audit.owner {
            json.member("identity") { json in
                json.object { json in
                    json.member("username", owner.name)
                    json.member("fingerprint", owner.keys.fingerprint.hex)
                    json.member("peerID", PeerID(owner.keys.fingerprint, form: .hex16).text)
                }
            }
        }
        if let signer {
            json.member("signer") { json in
                json.object { json in
                    json.member("fingerprint", signer.signature.signer.fingerprint.hex)
                    json.member("name", signer.name)
                    json.member("verified", signer.isVerified)
                    json.member("forReader", signer.signature.isForReader)
                }
            }
        }
        json.member("contacts") { json in
            json.array(audit.contacts) { json, contact in
                json.object { json in
                    json.member("id", contact.id)
                    json.member("username", contact.name)
                    json.member("fingerprint", contact.fingerprint)
                    json.member("verified", contact.isVerified)
                }
            }
        }
        json.member("conversations") { json in
            json.array(audit.conversations) { json, conversation in
                json.object { json in
                    json.member("id", conversation.id.text.bytes)
                    json.member("kind", conversation.id.kind.rawValue)
                    json.member("platform", conversation.platform.name)
                    json.member("messages", conversation.messages)
                    json.member("first", conversation.firstTime.flatMap { RFC3339.format(unixSeconds: $0) })
                    json.member("last", conversation.lastTime.flatMap { RFC3339.format(unixSeconds: $0) })
                    json.member("atRisk", conversation.isAtRisk)
                }
            }
        }
        json.member("notIncluded") { json in
            json.array(manifest.notIncluded) { json, omission in
                json.object { json in
                    json.member("part", omission.part.rawValue)
                    json.member("reason", omission.reason.text)
                    if let item = omission.item { json.member("item", item.bytes) }
                }
            }
        }
    }
}

extension Manifest.Omission.Reason {
    /// In plain words.
    var words: TerminalText {
        switch self {
        case .notAsked: "not asked for"
        case .none: "there was none"
        case .notInSource: "the source had no room for it"
        case .unreadable: "could not be read"
        case .other(let text): "\(text)"
        }
    }
}

extension BundlePart {
    /// The same at the beginning of a line.
    var title: TerminalText {
        switch self {
        case .identity: "Identity"
        case .preKeys: "Prekeys"
        case .contacts: "Contacts"
        case .groups: "Groups"
        case .sessions: "Sessions"
        case .conversations: "Messages"
        case .blobs: "Waiting"
        case .attachments: "Attachments"
        }
    }

    /// What people call it.
    var word: TerminalText {
        switch self {
        case .identity: "identity"
        case .preKeys: "prekeys"
        case .contacts: "contacts"
        case .groups: "groups"
        case .sessions: "sessions"
        case .conversations: "messages"
        case .blobs: "waiting messages"
        case .attachments: "attachments"
        }
    }
}
