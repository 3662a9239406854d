import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// Messages that were opened and those that were not, and how many of each.
struct GroupOpenReport {
    let results: [GroupMessageResult]
    let keys: OpenedKeys
    let kept: KeptGroups
    let failedFiles: Int
    /// How to exit for files that could not be read.
    let failure: ExitStatus?
    let advances: Bool
    let zone: LocalZone

    private func count(_ kind: GroupMessageResult.Kind) -> Int { results.count { $0.kind == kind } }
    private var findings: Int { results.count { $0.isFinding } }
    /// Opened messages whose signature is not one of somebody who is known.
    private var unjudged: Int {
        results.count { result in
            guard result.kind == .opened else { return false }
            if case .good = result.captured.verdict { return false }
            return !result.isFinding
        }
    }

    /// Messages that are of groups, opened or not.
    private var groupMessages: Int { results.count - count(.other) - count(.unreadable) }

    var status: ExitStatus {
        var status = ExitStatus.success
        if groupMessages == 0 {
            status = count(.unreadable) > 0 && count(.other) == 0 ? .unreadable : .notFound
        } else if count(.opened) == 0, count(.notAuthentic) > 0, count(.notAuthentic) == groupMessages {
            status = .wrongSecret
        } else {
            if count(.opened) + count(.other) < results.count { status = .someDamaged }
            if findings > 0 { status = status.combined(with: .finding) }
        }
        guard let failure else { return status }
        return results.isEmpty ? failure : status.combined(with: .someDamaged)
    }

    func present(_ console: Console) {
        guard console.options.json else { return writeText(to: console.output) }
        for result in results { line(console) { json in write(result, to: &json) } }
        line(console) { json in writeSummary(to: &json) }
    }

    private func line(_ console: Console, _ body: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        body(&json)
        console.output.write(json: json.bytes)
        console.output.write(bytes: [UInt8(ascii: "\n")])
    }

    // MARK: - Text

    private func writeText(to stream: TextStream) {
        for result in results {
            switch result.captured.content {
            case .message(let payload): write(payload, result, to: stream)
            case .mls(let group):
                stream.line("  \(trusted: "not opened", .yellow)  \(place(result))group \(group.bytes) is one of MLS")
            case .unreadable(let reason):
                stream.line("  \(trusted: "unreadable", .red)  \(place(result))\(trusted: reason)")
            case .other: break
            }
        }
        if !results.isEmpty { stream.line() }
        let parts: [TerminalText] = GroupMessageResult.Kind.allCases.compactMap { kind in
            let count = count(kind)
            return count > 0 || kind == .opened ? "\(trusted: kind.title) \(count: count)" : nil
        }
        stream.line("read \(count: results.count) · \(parts.joined(" · "))")
        if count(.mls) > 0 { stream.line("MLS is not opened: \(CommandError.mlsReason)") }
        if count(.alreadyUsed) > 0, !advances {
            stream.line("Keys that were used do not come back; an earlier key reads with --keys FILE")
        }
        if advances, count(.opened) > 0 { stream.line("The keyring's positions moved on") }
        stream.line("Verdict: \(verdict) (exit \(Int(status.rawValue)))")
    }

    private var verdict: TerminalText {
        switch status {
        case .success where unjudged > 0:
            "everything was opened; nothing says who wrote \(count: unjudged, "message")"
        case .success: TerminalText(trusted: "all is well", .green)
        case .finding:
            TerminalText(trusted: "\(Quantity.count(findings, "message")) may not be from whom they say", .red)
        case .wrongSecret: "the keys open not one of the messages"
        case .notFound: "there is no group message"
        case .unreadable: "there is no message that can be read"
        default: TerminalText(trusted: "not everything was opened", .yellow)
        }
    }

    private func place(_ result: GroupMessageResult) -> TerminalText {
        let path: TerminalText = "\(result.captured.path)"
        switch result.captured.place {
        case .whole: return path + ": "
        case .line(let number): return path + " line \(number): "
        case .frame(let number, _): return path + " frame \(number): "
        case .waiting(_, let number), .held(let number): return path + " number \(number): "
        case .waitingList: return path + ": "
        }
    }

    private func write(_ payload: GroupMessagePayload, _ result: GroupMessageResult, to stream: TextStream) {
        let name = GroupText.name(of: payload.senderPeerID, keys)
        let sender = GroupText.title(payload.senderPeerID, name ?? payload.senderUsername)
        let claimed: TerminalText = name == nil ? " (calls itself so)" : ""
        let number: TerminalText = payload.senderKeyIteration.map { " #\(Int($0))" } ?? ""
        let time = ContactText.minute(payload.timestamp.unixSeconds, zone)
        stream.line("\(time)  \(sender)\(claimed)\(number)  in \(payload.groupID)")
        switch result.outcome {
        case .success(let opened):
            for line in opened.body.split(separator: 0x0A, omittingEmptySubsequences: false) {
                stream.line("    \(Array(line))")
            }
            if let attachment = opened.attachment {
                let type: TerminalText = payload.attachmentMimeType.map { ", \($0)" } ?? ""
                stream.line("    [attachment: \(size: attachment.count)\(type)]")
            } else if opened.isAttachmentDamaged {
                stream.line("    [attachment: \(trusted: "damaged", .red), it does not open]")
            }
        case .failure(let error):
            stream.line("    \(trusted: "not opened", .yellow): \(trusted: error.sentence)")
        case nil: break
        }
        if let warning = GroupVerdict.warning(result) { stream.line("    \(trusted: "WARNING", .red)  \(warning)") }
        if let note = GroupVerdict.note(result) { stream.line("    \(trusted: "note", .dim)  \(note)") }
    }

    // MARK: - JSON

    private func write(_ result: GroupMessageResult, to json: inout JSONWriter) {
        json.object { json in
            json.member("path", result.captured.path.bytes)
            switch result.captured.place {
            case .whole: break
            case .line(let number): json.member("line", number)
            case .frame(let number, let offset):
                json.member("frame", number)
                json.member("offset", offset)
            case .waiting(_, let number), .held(let number): json.member("number", number)
            case .waitingList(let recipient): json.member("recipient", recipient.bytes)
            }
            json.member("outcome", result.kind.rawValue)
            json.member("reason", reason(result))
            if let payload = result.payload { write(payload, result, to: &json) }
        }
    }

    private func reason(_ result: GroupMessageResult) -> String? {
        switch result.captured.content {
        case .unreadable(let reason): return reason
        case .mls: return "the group is one of MLS, whose messages are not opened"
        case .other: return "it is no message of a group"
        case .message: break
        }
        if case .failure(let error) = result.outcome { return error.sentence }
        return nil
    }

    private func write(_ payload: GroupMessagePayload, _ result: GroupMessageResult, to json: inout JSONWriter) {
        json.member("group", payload.groupID)
        json.member("messageID", payload.messageID)
        json.member("senderID", payload.senderPeerID.bytes)
        json.member("contact", GroupText.name(of: payload.senderPeerID, keys))
        json.member("senderUsername", payload.senderUsername)
        json.member("time", RFC3339.format(unixSeconds: payload.timestamp.unixSeconds))
        json.member("timestamp", payload.timestamp.secondsSince2001)
        json.member("iteration", payload.senderKeyIteration.map { Int($0) })
        json.member("replyToID", payload.replyToID)
        json.member("signature", GroupVerdict.word(result.captured.verdict))
        json.member("otherSender", result.isFromAnother)
        if case .success(let opened) = result.outcome {
            json.member("form", GroupVerdict.word(opened.form))
            json.member("skipped", opened.skipped)
            json.member("body", opened.body)
            json.member("attachmentMimeType", payload.attachmentMimeType)
            json.member("attachmentFilename", payload.attachmentFilename)
            json.member("attachmentSize", opened.attachment?.count)
            json.member("attachmentData", opened.attachment.map { Base64.encode($0.span) })
            json.member("attachmentDamaged", opened.isAttachmentDamaged)
        }
    }

    private func writeSummary(to json: inout JSONWriter) {
        json.object { json in
            json.member("summary") { json in
                json.object { json in
                    json.member("read", results.count)
                    for kind in GroupMessageResult.Kind.allCases { json.member(kind.key, count(kind)) }
                    json.member("findings", findings)
                    json.member("unknownSenders", unjudged)
                    json.member("failedFiles", failedFiles)
                    json.member("advanced", advances)
                    json.member("verdict", status.name)
                    json.member("exit", Int(status.rawValue))
                }
            }
        }
    }
}

extension GroupMessageResult.Kind {
    /// Before a count.
    var title: String {
        switch self {
        case .opened: "opened"
        case .noKey: "no key"
        case .tooFar: "too far"
        case .alreadyUsed: "already used"
        case .notAuthentic: "not authentic"
        case .unreadable: "unreadable"
        case .mls: "of MLS"
        case .other: "other"
        }
    }

    /// The member of the summary in JSON.
    var key: String {
        switch self {
        case .opened: "opened"
        case .noKey: "noKey"
        case .tooFar: "tooFar"
        case .alreadyUsed: "alreadyUsed"
        case .notAuthentic: "notAuthentic"
        case .unreadable: "unreadable"
        case .mls: "mls"
        case .other: "other"
        }
    }
}

/// Who a group message is from, in words.
enum GroupVerdict {
    /// The word in JSON; nil for a payload without an envelope.
    static func word(_ verdict: SignatureVerdict?) -> String? {
        switch verdict {
        case .good: "good"
        case .possession: "possession"
        case .learned: "learned"
        case .bad: "bad"
        case .unknownSender: "unknown-sender"
        case nil: nil
        }
    }

    static func word(_ form: GroupMessageForm) -> String {
        switch form {
        case .bound: "bound"
        case .plain: "plain"
        case .sharedKey: "shared-key"
        }
    }

    static func warning(_ result: GroupMessageResult) -> TerminalText? {
        if case .bad = result.captured.verdict {
            return "the sender did not sign it: it was changed, or another member made it"
        }
        guard result.isFromAnother, let sender = result.captured.envelopeSender else { return nil }
        return "the message around it is from \(sender.bytes): that member may have made it"
    }

    static func note(_ result: GroupMessageResult) -> TerminalText? {
        switch result.captured.verdict {
        case .unknownSender: "no key of this sender is known, so nothing says who wrote it"
        case .possession, .learned: "signed by keys that the file itself brings; nobody vouches for them"
        case nil: "no signature is around it, so nothing says who wrote it"
        case .good, .bad: nil
        }
    }
}
