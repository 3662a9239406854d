import CommandKit
import SophaxFiles

/// Findings in plain words, worst first, with some examples of each kind.
struct FindingText {
    let findings: FindingList
    /// Examples shown of each kind; JSON has more.
    static let shownExamples = 5

    func write(to stream: TextStream) {
        for severity in [Finding.Severity.damage, .risk, .note] {
            for kind in Finding.Kind.allCases where kind.severity == severity && findings.count(kind) > 0 {
                write(kind, to: stream)
            }
        }
    }

    private func write(_ kind: Finding.Kind, to stream: TextStream) {
        let count = findings.count(kind)
        stream.line("  \(label(kind)) \(trusted: kind.sentence(count))")
        // Which conversations these are is said above; thousands of message ids would say nothing more.
        guard kind != .missingIsEdited else { return }
        let examples = findings.examples[kind] ?? []
        for finding in examples.prefix(Self.shownExamples) {
            let parts = Self.parts(of: finding)
            if !parts.isEmpty { stream.line("              \(parts)") }
        }
        let rest = count - min(count, Self.shownExamples)
        if rest > 0, !examples.isEmpty {
            stream.line(
                "              and \(count: rest) more \(trusted: "(--json lists up to \(FindingList.maximumExamples))", .dim)"
            )
        }
    }

    private func label(_ kind: Finding.Kind) -> TerminalText {
        switch kind.severity {
        case .damage:
            kind == .missingAttachment
                ? TerminalText(trusted: "missing  ", .red) : TerminalText(trusted: "damaged  ", .red)
        case .risk: TerminalText(trusted: "AT RISK  ", .yellow)
        case .note: TerminalText(trusted: "note     ", .dim)
        }
    }

    private static func parts(of finding: Finding) -> TerminalText {
        var parts: [TerminalText] = []
        if let item = finding.item { parts.append("\(item.bytes)") }
        if let conversation = finding.conversation, conversation.text != finding.item {
            parts.append("in \(conversation.text.bytes)")
        }
        // An id says more to people than a place in a text that they do not see.
        if let offset = finding.offset, finding.item == nil || finding.kind.severity == .damage {
            parts.append("at byte \(offset)")
        }
        var text = parts.joined(" ")
        if let detail = finding.detail { text += text.isEmpty ? "\(detail)" : ": \(detail)" }
        return text
    }

    func writeJSON(to json: inout JSONWriter) {
        let kinds = Finding.Kind.allCases.filter { findings.count($0) > 0 }.sorted { $0.severity > $1.severity }
        json.array(kinds) { json, kind in
            json.object { json in
                json.member("code", kind.rawValue)
                json.member("severity", kind.severity.name)
                json.member("count", findings.count(kind))
                json.member("meaning", kind.sentence(findings.count(kind)))
                json.member("examples") { json in
                    json.array(findings.examples[kind] ?? []) { json, finding in
                        json.object { json in
                            if let conversation = finding.conversation {
                                json.member("conversation", conversation.text.bytes)
                            }
                            if let item = finding.item { json.member("item", item.bytes) }
                            if let offset = finding.offset { json.member("offset", offset) }
                            if let detail = finding.detail { json.member("detail", detail) }
                        }
                    }
                }
            }
        }
    }
}

extension FindingList {
    /// The exit status that a verification with these findings ends with.
    var exitStatus: ExitStatus {
        switch worst {
        case .damage: .someDamaged
        case .risk: .finding
        case .note, nil: .success
        }
    }
}

extension Finding.Severity {
    var name: String {
        switch self {
        case .damage: "damage"
        case .risk: "risk"
        case .note: "note"
        }
    }
}

extension Finding.Kind {
    /// What it means, for `count` of them; lower case, no full stop.
    func sentence(_ count: Int) -> String {
        func of(_ singular: String, _ plural: String? = nil) -> String { Quantity.count(count, singular, plural) }
        let lack = count == 1 ? "lacks" : "lack"
        let has = count == 1 ? "has" : "have"
        return switch self {
        case .missingIsEdited: "\(of("message")) \(lack) the key \"isEdited\", which these versions require"
        case .unreadableByApps: "\(of("message")) that the apps cannot decode"
        case .duplicateID: "\(of("message")) with an id that stands before"
        case .missingField: "\(of("message")) without a field that the apps require"
        case .wrongType: "\(of("message")) with a value of the wrong type"
        case .unknownValue: "\(of("message")) with a direction, status or hop count that no app writes"
        case .repeatedKey: "\(of("message")) with a key that stands twice"
        case .unknownKeys: "\(of("message")) with keys that no known version writes; they are kept"
        case .implausibleDate: "\(of("date")) before 2010 or after 2100: a clock or a unit was wrong"
        case .otherConversation: "\(of("conversation")) inside the file of another"
        case .expired: "\(of("message")) that should have disappeared \(count == 1 ? "is" : "are") still there"
        case .repairedText: "\(of("value")) not strict JSON or UTF-8; shown repaired, the source is kept"
        case .unreadableMessage: "\(of("message")) could not be read"
        case .damagedFile: "\(of("file")) cannot be opened"
        case .unreadableFile: "\(of("file")) cannot be read"
        case .notMessages: "\(of("file")) \(has) no list of messages"
        case .orphanedFile: "\(of("older group file")) that newer apps no longer look at"
        case .nameCollision: "\(of("file name")) shared by several conversations"
        case .unexpectedName: "\(of("conversation")) under a file name that is not its own: files may have been swapped"
        case .foreignFile: "\(of("file")) that no app made; left alone"
        case .keptAside: "\(of("file")) with what no app can read, kept by sxkey"
        case .nonceReuse: "\(of("nonce")) used twice under one key: the texts are no longer secret, make a new key"
        case .identicalCopy: "\(of("file")) that \(count == 1 ? "is a copy" : "are copies") of another, byte for byte"
        case .missingAttachment: "\(of("attachment")) that messages refer to"
        case .orphanedAttachment: "\(of("attachment")) that no readable message refers to"
        case .damagedAttachment: "\(of("attachment")) cannot be opened"
        case .noAttachmentFolder: "attachments were not checked"
        case .attachmentsNotIncluded: "\(of("attachment")) not in this bundle: the apps export none"
        case .peerIDMismatch: "\(of("peer")) whose id does not fit the keys"
        case .peerKeyInvalid: "\(of("peer")) with a key of the wrong length"
        case .safetyNumberMismatch: "\(of("peer")) whose stored safety number does not fit the keys"
        case .fingerprintMismatch: "the fingerprint does not fit the identity's keys"
        case .pseudoConversation: "\(of("entry", "entries")) that \(count == 1 ? "is" : "are") no conversation; skipped"
        case .conversationKeyMismatch: "\(of("conversation")) filed under another name; regrouped"
        case .weakIterations: "fewer key derivation iterations than the apps write"
        case .versionByteMismatch: "the version byte and the key derivation do not belong together"
        case .passphraseForm: "the passphrase fits in another form than it was typed"
        case .refusedByApps: "the apps refuse this file"
        case .unreadableContent: "\(of("part")) not as the format says"
        }
    }
}
