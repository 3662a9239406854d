import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// Messages that were opened and those that were not, and how many of each.
struct GroupOpenReport {
    let results: [GroupMessageResult]
    let captured: CapturedGroupMessages
    let keys: OpenedKeys
    let failedFiles: Int
    /// How to exit for files that could not be read.
    let failure: ExitStatus?
    let advances: Bool
    let zone: LocalZone

    private func count(_ kind: GroupMessageResult.Kind) -> Int {
        let untold =
            switch kind {
            case .unreadable: captured.untoldUnreadable
            case .sealed: captured.untoldSealed
            case .mls: captured.untoldMLS
            default: 0
            }
        return results.count { $0.kind == kind } + untold
    }

    private var findings: Int { results.count(where: \.isFinding) }

    /// How strongly it is proven who sent the messages of groups.
    private var senders: SenderCounts {
        var counts = SenderCounts()
        for result in results where result.payload != nil { counts.add(result.captured.proof) }
        return counts
    }

    /// Opened messages of which the user does not know who sent them.
    private var unjudged: Int {
        results.count { $0.kind == .opened && !$0.captured.proof.isVouchedFor && !$0.isFinding }
    }

    private var read: Int {
        captured.others + GroupMessageResult.Kind.allCases.reduce(0) { $0 + count($1) }
    }

    /// Messages that are of groups, opened or not.
    private var groupMessages: Int { read - captured.others - count(.unreadable) - count(.sealed) }

    /// Groups of which a message was opened.
    var openedGroups: Set<GroupID> {
        Set(results.filter { $0.kind == .opened }.compactMap { $0.payload.map { GroupID(bytes: $0.groupID) } })
    }

    /// Nothing that was sealed is for this identity.
    private var isNothingUnsealed: Bool {
        let notAuthentic = results.count { result in
            if case .sealed(let failure) = result.captured.content { return failure.isNotAuthentic }
            return false
        }
        let sealed = count(.sealed)
        return sealed > 0 && notAuthentic + captured.untoldNotAuthentic == sealed && sealed == read
    }

    var status: ExitStatus {
        guard let failure else { return ownStatus }
        return read == 0 ? failure : ownStatus.combined(with: .someDamaged)
    }

    /// Of what was read.
    private var ownStatus: ExitStatus {
        if read == 0, captured.emptyQueues > 0 { return .success }
        if groupMessages == 0 {
            if count(.sealed) + count(.unreadable) == 0 { return .notFound }
            if isNothingUnsealed { return .wrongSecret }
            return count(.unreadable) == read ? .unreadable : .someDamaged
        }
        if count(.opened) == 0, count(.notAuthentic) > 0, count(.notAuthentic) == groupMessages { return .wrongSecret }
        var status = ExitStatus.success
        if count(.opened) + captured.others < read { status = .someDamaged }
        return findings > 0 ? status.combined(with: .finding) : status
    }

    /// What became of each message.
    func presentMessages(_ console: Console) {
        for result in results {
            if console.options.json {
                line(console) { json in write(result, to: &json) }
            } else {
                write(result, to: console.output)
            }
        }
    }

    /// The counts, once it is certain what became of the positions.
    func presentSummary(_ console: Console) {
        guard console.options.json else { return writeSummary(to: console.output) }
        line(console) { json in writeSummary(to: &json) }
    }

    private func line(_ console: Console, _ body: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        body(&json)
        console.output.write(json: json.bytes)
        console.output.write(bytes: [UInt8(ascii: "\n")])
    }

    // MARK: - Text

    private func write(_ result: GroupMessageResult, to stream: TextStream) {
        switch result.captured.content {
        case .message(let payload): write(payload, result, to: stream)
        case .mls(let group):
            stream.line("  \(trusted: "not opened", .yellow)  \(place(result))group \(group.bytes) is one of MLS")
        case .unreadable(let reason):
            stream.line("  \(trusted: "unreadable", .red)  \(place(result))\(trusted: reason)")
        case .sealed(let failure):
            stream.line("  \(trusted: "not opened", .yellow)  \(place(result))\(trusted: failure.sentence)")
        }
    }

    private func writeSummary(to stream: TextStream) {
        if !results.isEmpty { stream.line() }
        let untold = captured.untoldUnreadable + captured.untoldSealed + captured.untoldMLS
        if untold > 0 { stream.line("  and \(count: untold) more that cannot be read or opened") }
        var parts: [TerminalText] = GroupMessageResult.Kind.allCases.compactMap { kind in
            let count = count(kind)
            return count > 0 || kind == .opened ? "\(trusted: kind.title) \(count: count)" : nil
        }
        if captured.others > 0 { parts.append("other \(count: captured.others)") }
        stream.line("read \(count: read) · \(parts.joined(" · "))")
        if senders.total > 0 { stream.line("senders: \(senders.text)") }
        if count(.mls) > 0 { stream.line("MLS is not opened: \(CommandError.mlsReason)") }
        if count(.alreadyUsed) > 0, !advances {
            stream.line("Keys that were used do not come back; an earlier key reads with --keys FILE")
        }
        if count(.unproven) > 0 {
            stream.line(
                "What nobody is proven to have signed moves no position: without --advance it opens; a contact proves it"
            )
        }
        if advances, count(.opened) > 0 { stream.line("The keyring's positions moved on") }
        stream.line("Verdict: \(verdict) (exit \(Int(status.rawValue)))")
    }

    private var verdict: TerminalText {
        switch status {
        case .success where unjudged > 0:
            "everything was opened; nothing says who wrote \(count: unjudged, "message")"
        case .success where read == 0: "the queue is empty"
        case .success: TerminalText(trusted: "all is well", .green)
        case .finding:
            TerminalText(trusted: "\(Quantity.count(findings, "message")) may not be from whom they say", .red)
        case .wrongSecret: "the keys open not one of the messages"
        case .notFound: "there is no group message"
        case .someDamaged where groupMessages == 0:
            TerminalText(trusted: "there is no group message in what could be read and unsealed", .yellow)
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
        case nil where result.isLeftClosed:
            stream.line("    \(trusted: "not opened", .yellow): nothing proves that this member sent it")
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
        case .sealed(let failure): return failure.sentence
        case .mls: return "the group is one of MLS, whose messages are not opened"
        case .message: break
        }
        if result.isLeftClosed { return "nothing proves that this member sent it, and --advance would use up a key" }
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
        json.member("signature") { json in result.captured.proof.writeJSON(to: &json) }
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
                    json.member("read", read)
                    for kind in GroupMessageResult.Kind.allCases { json.member(kind.key, count(kind)) }
                    json.member("other", captured.others)
                    json.member("senders") { json in senders.writeJSON(to: &json) }
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
        case .unproven: "unproven"
        case .unreadable: "unreadable"
        case .sealed: "sealed"
        case .mls: "of MLS"
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
        case .unproven: "unproven"
        case .unreadable: "unreadable"
        case .sealed: "sealed"
        case .mls: "mls"
        }
    }
}

/// Who a group message is from, in words.
enum GroupVerdict {
    static func word(_ form: GroupMessageForm) -> String {
        switch form {
        case .bound: "bound"
        case .plain: "plain"
        case .sharedKey: "shared-key"
        }
    }

    static func warning(_ result: GroupMessageResult) -> TerminalText? {
        if result.captured.proof.strength == .bad {
            return "the sender did not sign it: it was changed, or another member made it"
        }
        if result.captured.proof.strength == .replacedKey { return result.captured.proof.text }
        guard result.isFromAnother, let sender = result.captured.envelopeSender else { return nil }
        return "the message around it is from \(sender.bytes): that member may have made it"
    }

    static func note(_ result: GroupMessageResult) -> TerminalText? {
        switch result.captured.proof.strength {
        case .unknown where result.captured.envelopeSender == nil:
            "no signature is around it, so nothing says who wrote it"
        case .unknown: "no key of this sender is known, so nothing says who wrote it"
        case .selfSigned: "signed by keys that the file itself brings; nobody vouches for them"
        case .own, .verifiedContact, .contact, .replacedKey, .bad: nil
        }
    }
}
