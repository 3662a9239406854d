import CommandKit
import CryptoPrimitives
import Keyring
import PortableBundle
import SophaxCore
import SophaxFiles
import SystemIO

/// What `bundle create` or `bundle convert` wrote.
struct BundleWritten: Report {
    let written: BundleWriting.Outcome
    /// The bundle that it was made from.
    var input: FilePath?
    /// The store that it was made from.
    var store: StoreSource?
    var identity: KeyringIdentity?

    var status: ExitStatus {
        let isUnread = written.manifest.notIncluded.contains { $0.reason == .unreadable }
        let lost = store?.problems.contains { problem in
            switch problem.kind {
            case .failure: true
            case .text(_, let lost): lost > 0
            case .foreign: false
            }
        }
        return isUnread || lost == true ? .someDamaged : .success
    }

    private var manifest: Manifest { written.manifest }

    private func count(_ part: BundlePart) -> Int { manifest.entries(of: part).count }

    /// Parts that a `.sxb` has, in words.
    private var holds: String {
        let documents: [(BundlePart, String)] = [
            (.identity, "the identity"), (.preKeys, "prekeys"), (.contacts, "contacts"), (.groups, "group keys"),
            (.sessions, "sessions"),
        ]
        var words = documents.filter { manifest.parts.contains($0.0) }.map(\.1)
        if count(.conversations) > 0 {
            words.append(
                "\(Quantity.count(written.messages, "message")) of \(Quantity.count(written.conversations, "conversation"))"
            )
        }
        if count(.blobs) > 0 { words.append(Quantity.count(count(.blobs), "queue")) }
        if count(.attachments) > 0 { words.append(Quantity.count(count(.attachments), "attachment")) }
        return words.isEmpty ? "nothing" : words.joined(separator: ", ")
    }

    private var exportHolds: String {
        let messages =
            "\(Quantity.count(written.messages, "message")) of \(Quantity.count(written.conversations, "conversation"))"
        return switch written.kind {
        case .sxb: holds
        case .sophaxid: "the two keys of the identity, and its name"
        case .sophaxbackup: messages + ", and contacts"
        case .sxfe: "the two keys of the identity, \(messages), and contacts"
        case .android: messages
        }
    }

    func writeText(to stream: TextStream) {
        let proof = written.isVerified ? ", and read it back" : ", not read back (--no-verify)"
        let from: TerminalText = input.map { " from \(quoted: $0)" } ?? ""
        stream.line("Wrote \(quoted: written.path)\(from)\(trusted: proof): \(trusted: written.kind.titleWithArticle)")
        if let identity { stream.line("  Identity     \(identity.shortText)") }
        stream.line("  Holds        \(trusted: exportHolds)")
        stream.line("  Size         \(size: written.size)")
        for recipient in written.recipients { stream.line("  For          \(recipient.who)") }
        if let signer = written.signer { stream.line("  Signed by    \(signer.shortText)") }
        if written.isTrimmed {
            stream.line(
                "  \(trusted: "note", .yellow)         spaces at the ends of the passphrase were taken off, as the app does; type it without them"
            )
        }
        writeOmissions(to: stream)
        for loss in written.losses {
            stream.line("  \(trusted: loss.isFromFile ? "Lost" : "Note")         \(loss.text)")
        }
        writeProblems(to: stream)
        stream.line("\(trusted: counts.map { "\($0.name) \(Quantity.count($0.value))" }.joined(separator: " · "))")
    }

    private func writeOmissions(to stream: TextStream) {
        let whole = manifest.notIncluded.filter { $0.item == nil && $0.reason != .none }
        guard written.kind == .sxb, !whole.isEmpty else { return }
        for part in BundlePart.allCases {
            guard let omission = whole.first(where: { $0.part == part }) else { continue }
            let why: String =
                switch omission.reason {
                case .notAsked:
                    part == .sessions
                        ? "left out; --include-sessions puts them in" : "left out, as you said"
                case .notInSource: "not in the source"
                case .none, .unreadable: "could not be read"
                case .other(let text): text
                }
            stream.line("  Not in it    \(trusted: part.rawValue): \(trusted: why)")
        }
    }

    private func writeProblems(to stream: TextStream) {
        guard let store else { return }
        if store.merged > 0 {
            stream.line("  Merged       \(count: store.merged, "message") that stood in two files of a conversation")
        }
        for problem in store.problems.prefix(20) {
            switch problem.kind {
            case .failure(let failure):
                stream.line(
                    "  \(trusted: "not read", .red)     \(problem.file.path.lastComponent): \(trusted: failure.reason)")
            case .text(let problems, let lost):
                let first = problems.first.map { "\($0.kind.rawValue) at byte \($0.offset)" } ?? "not JSON"
                stream.line(
                    "  \(trusted: "damaged", .red)      \(problem.file.path.lastComponent): \(trusted: first); \(count: lost, "message") lost"
                )
            case .foreign:
                stream.line("  left out     \(problem.file.path.lastComponent): no app makes such a file")
            }
        }
        if store.problems.count > 20 { stream.line("               and \(store.problems.count - 20) more") }
    }

    private var counts: [(name: String, value: Int)] {
        let failed = manifest.notIncluded.count { $0.reason == .unreadable }
        let skipped = store?.problems.count { if case .foreign = $0.kind { true } else { false } } ?? 0
        let refused = written.losses.reduce(0) { sum, loss in
            if case .messagesRefused = loss.reason { sum + loss.count } else { sum }
        }
        let entries = manifest.entries.count
        return [
            ("read", entries + failed + skipped), ("written", entries), ("skipped", skipped),
            ("failed", failed + refused),
        ]
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", written.path.bytes)
            json.member("input", input?.bytes)
            json.member("kind", written.kind.rawValue)
            json.member("verified", written.isVerified)
            json.member("size", written.size)
            json.member("sha256", written.sha256.map { Hex.encode($0.span) })
            json.member("bundleID", written.bundleID.map { Hex.encode($0.span) })
            json.member("fingerprint", identity?.fingerprint.hex ?? manifest.owner.fingerprint)
            json.member("parts") { json in
                json.array(BundlePart.allCases.filter { manifest.parts.contains($0) }) { json, part in
                    json.value(part.rawValue)
                }
            }
            json.member("messages", written.messages)
            json.member("conversations", written.conversations)
            json.member("attachments", count(.attachments))
            json.member("recipients") { json in
                json.array(written.recipients) { json, recipient in
                    json.object { json in json.member("fingerprint", recipient.fingerprint?.hex) }
                }
            }
            json.member("signer", written.signer?.fingerprint.hex)
            json.member("passphraseTrimmed", written.isTrimmed)
            json.member("notIncluded") { json in
                json.array(manifest.notIncluded) { json, omission in
                    json.object { json in
                        json.member("part", omission.part.rawValue)
                        json.member("reason", omission.reason.text)
                        json.member("item", omission.item?.bytes)
                    }
                }
            }
            json.member("losses") { json in
                json.array(written.losses) { json, loss in loss.writeJSON(to: &json) }
            }
            json.member("merged", store?.merged ?? 0)
            json.member("counts") { json in
                json.object { json in for count in counts { json.member(count.name, count.value) } }
            }
            json.member("exit", Int(status.rawValue))
        }
    }
}

extension FormatLoss {
    /// What it is, after the number of it.
    var text: TerminalText {
        switch reason {
        case .noPlace(let kind): "\(count: count, kind.noun, kind.nouns): no place for it"
        case .notRestored(let kind):
            "\(count: count, kind.noun, kind.nouns) stand in the file, and no app takes them out again"
        case .contactsWithoutKeys: "\(count: count, "contact") whose keys are not known"
        case .messagesRefused(let refusal):
            "\(count: count, "message") that the app could not read: \(trusted: refusal.text)"
        case .messagesChanged(let change):
            "\(count: count, "message"): \(trusted: change.kind.rawValue) \(change.field.bytes)"
        case .droppedByAndroid:
            "\(count: count, "message") beyond the last 500 of a conversation, which Android drops when it saves"
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("code", reason.code)
            json.member("count", count)
            json.member("inFile", !isFromFile)
            if case .messagesChanged(let change) = reason { json.member("field", change.field.bytes) }
        }
    }
}

extension MessageRefusal {
    var text: String {
        switch self {
        case .unusable(let field): "\(field.name) is missing or unusable"
        case .brokenID(let field): "\(field.name) is no text"
        case .unreadable: "not JSON"
        }
    }
}

extension PortableKind {
    fileprivate var noun: String {
        switch self {
        case .identity: "identity"
        case .messages: "message"
        case .contacts: "contact"
        case .attachments: "attachment"
        case .groups: "group"
        case .groupKeys: "item with group keys"
        case .preKeys: "item with prekeys"
        case .sessions: "session"
        case .aliases: "list of aliases"
        case .verifiedMarks: "verified mark"
        case .blockedPeople: "blocked person"
        case .pinnedMessages: "list of pinned messages"
        case .timers: "timer"
        case .keyHistory: "earlier key of a contact"
        case .blobs: "queue beside the messages"
        case .linkedDevices: "list of linked devices"
        case .shares: "list of shares"
        case .otherItems: "other item of the identity"
        }
    }

    fileprivate var nouns: String {
        switch self {
        case .identity: "identities"
        case .groupKeys: "items with group keys"
        case .preKeys: "items with prekeys"
        case .aliases: "lists of aliases"
        case .blockedPeople: "blocked people"
        case .pinnedMessages: "lists of pinned messages"
        case .keyHistory: "earlier keys of contacts"
        case .blobs: "queues beside the messages"
        case .linkedDevices: "lists of linked devices"
        case .shares: "lists of shares"
        case .otherItems: "other items of the identity"
        default: noun + "s"
        }
    }
}
