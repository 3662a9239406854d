import CommandKit
import CryptoPrimitives
import JSONCoding
import SophaxFiles
import SystemIO

/// Shows what a file of a related app has in it, one thing after the other.
struct WireRelated {
    private let path: FilePath
    private let context: Context
    /// Nil where nothing is to be opened.
    private let opener: RelatedOpener?

    init(_ path: FilePath, _ opener: RelatedOpener?, _ context: Context) {
        self.path = path
        self.opener = opener
        self.context = context
    }

    /// What became of an item; nil for inspect.
    struct Shown {
        let item: RelatedItem
        let outcome: RelatedOutcome?
        /// Made for one's own key with one's own id as sender: somebody else made it.
        var hasOwnSender = false
    }

    /// Nothing of these apps is signed.
    private static let proof = SenderProof(nil)
    /// The word in JSON.
    private static let ownSender = "own-sender"

    func look(at item: RelatedItem) -> Shown {
        var shown = Shown(item: item, outcome: opener.map { $0.open(item) })
        if case .opened = shown.outcome, case .envelope(let envelope) = item.content, envelope.kind == .chat {
            shown.hasOwnSender = opener?.keys.ownPeerIDs.contains(ByteText(envelope.senderID)) == true
        }
        return shown
    }

    // MARK: - Text

    func writeText(_ shown: Shown, to stream: TextStream) {
        let item = shown.item
        if case .unreadable(let problem) = item.content {
            return stream.line("  \(trusted: "unreadable", .red)  \(item.place.text)\(trusted: problem.sentence)")
        }
        stream.line("  \(item.place.text)\(title(of: item))")
        for line in details(of: item, isOpened: shown.outcome != nil) { stream.line("      \(line)") }
        if item.saysSender { stream.line("      \(Self.proof.strength.label)\(Self.proof.text)") }
        if shown.hasOwnSender {
            stream.line(
                "      \(trusted: "finding", .red)  its sender is your own id, and it was made for your own key: somebody else made it"
            )
        }
        switch shown.outcome {
        case nil, .clear: break
        case .notOpened(let failure):
            stream.line("      \(trusted: "not opened", .yellow)  \(trusted: failure.sentence)")
        case .opened(let plaintext): write(plaintext, item, to: stream)
        }
    }

    private func title(of item: RelatedItem) -> TerminalText {
        switch item.content {
        case .envelope(let envelope):
            "\(trusted: envelope.kind.word, .bold)  from \(envelope.senderID) to \(envelope.recipientID)  "
                + "\(when(envelope.timestamp))  \(size: item.size)"
        case .payload(let payload): "\(trusted: payload.kind.word, .bold)  without an envelope  \(size: item.size)"
        case .sealed(let sealed):
            "\(trusted: "sealed message", .bold)  \(trusted: sealed.form.title)  \(size: item.size)"
        case .record(let record):
            "\(trusted: "record", .bold)  from \(record.senderID) in \(record.conversationID)  \(when(record.timestamp))"
        case .threadKey: "\(trusted: "thread key", .bold)  wrapped for one person"
        case .box: "\(trusted: "sealed", .bold)  \(size: item.size)"
        case .invite(let invite): "\(trusted: "invitation", .bold)  to \(invite.slug) at \(invite.host)"
        case .openPGP: "\(trusted: "OpenPGP message", .bold)  \(size: item.size)"
        case .unreadable: ""
        }
    }

    private func details(of item: RelatedItem, isOpened: Bool) -> [TerminalText] {
        switch item.content {
        case .envelope(let envelope):
            ["id  \(envelope.id)"] + details(of: envelope.payload, isOpened: isOpened)
        case .payload(let payload): details(of: payload, isOpened: isOpened)
        case .record(let record):
            record.text.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
                "\(trusted: "│ ", .dim)\(Array(line))"
            }
        case .invite(let invite):
            ["its secret has \(count: invite.tokenLength, "letter") and is not shown"]
        case .sealed, .threadKey, .box, .openPGP, .unreadable: []
        }
    }

    private func details(of payload: BTMessagePayload, isOpened: Bool) -> [TerminalText] {
        switch payload {
        case .chat(let id, let sealed): ["message  \(id), \(trusted: sealed.form.title)"]
        case .keyExchange(let key): ["a public key of \(trusted: key.count == X25519.keyLength ? "X25519" : "X-Wing")"]
        case .acknowledgement(let id): ["message  \(id) arrived"]
        case .discovery: []
        case .groupChat(let group, let id, _): ["message  \(id) in group \(group)"]
        case .groupKey(let group, let sealed):
            [
                "group  \(group.id) \(quoted: group.name), \(count: group.members.count, "member"), \(trusted: sealed.form.title)"
            ]
        }
    }

    private func write(_ plaintext: RelatedPlaintext, _ item: RelatedItem, to stream: TextStream) {
        let app: TerminalText = plaintext.app.map { ", of \(trusted: $0.title)" } ?? ""
        let opened = TerminalText(trusted: "opened", .green)
        switch plaintext.content {
        case .text(let text):
            guard JSONText.firstInvalidUTF8(text.span) == nil else {
                return stream.line("      \(opened)\(app)  <binary>, \(size: text.count): --json has the bytes")
            }
            stream.line("      \(opened)\(app)")
            for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
                stream.line("      \(trusted: "│ ", .dim)\(Array(line))")
            }
        case .frame(let frame):
            stream.line("      \(opened)\(app)  kind \(quoted: frame.kind ?? [])")
            stream.line("      \(trusted: "│ ", .dim)\(frame.json)")
        case .groupKey:
            let id: TerminalText = plaintext.keyID.map { " \(trusted: $0)" } ?? ""
            stream.line(
                "      \(opened)  the key\(id) is used for this group; it is not shown, and nothing proves who sent it")
            if plaintext.isAnotherKey {
                stream.line(
                    "      \(trusted: "note", .yellow)  another key for this group is known already; both are tried")
            }
        case .threadKey: stream.line("      \(opened)  the key is used for what follows; it is not shown")
        }
    }

    private func when(_ unixSeconds: Double) -> TerminalText {
        guard let local = context.zone.time(at: unixSeconds) else { return "at no date of the calendar" }
        return "\(trusted: local.date.dayText) \(trusted: local.date.secondText) \(trusted: local.offsetText)"
    }

    // MARK: - JSON

    func writeJSON(_ shown: Shown, to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            write(shown.item.place, to: &json)
            json.member("app", shown.item.app?.rawValue)
            json.member("size", shown.item.size)
            write(shown.item.content, to: &json)
            if shown.item.saysSender {
                json.member("signature") { json in Self.proof.writeJSON(to: &json) }
                json.member("findings") { json in
                    json.array(shown.hasOwnSender ? [Self.ownSender] : []) { json, code in json.value(code) }
                }
            }
            switch shown.outcome {
            case nil: break
            case .clear:
                if !shown.item.isUnreadable { json.member("outcome", "clear") }
            case .notOpened(let failure):
                json.member("outcome", "not-opened")
                json.member("problem") { json in Self.write(failure.code, failure.sentence, to: &json) }
            case .opened(let plaintext):
                json.member("outcome", "opened")
                json.member("plaintext") { json in Self.write(plaintext, to: &json) }
            }
        }
    }

    private func write(_ place: RelatedItem.Place, to json: inout JSONWriter) {
        switch place {
        case .whole: break
        case .line(let number): json.member("line", number)
        case .element(let number): json.member("number", number)
        case .frame(let number): json.member("frame", number)
        case .thread(let number, let name):
            json.member("thread", number)
            json.member("part", name)
        }
    }

    private static func write(_ code: String, _ text: String, to json: inout JSONWriter) {
        json.object { json in
            json.member("code", code)
            json.member("text", text)
        }
    }

    private func write(_ content: RelatedItem.Content, to json: inout JSONWriter) {
        switch content {
        case .envelope(let envelope):
            json.member("type", envelope.kind.word)
            json.member("id", envelope.id)
            json.member("senderID", envelope.senderID)
            json.member("recipient", envelope.recipientID)
            json.member("ttl", envelope.ttl.flatMap { Int(exactly: $0) })
            json.member("time", RFC3339.format(unixSeconds: envelope.timestamp))
            write(envelope.payload, to: &json)
        case .payload(let payload):
            json.member("type", payload.kind.word)
            write(payload, to: &json)
        case .sealed(let sealed):
            json.member("type", "sealed")
            json.member("form", sealed.form.rawValue)
        case .record(let record):
            json.member("type", "record")
            json.member("id", record.id)
            json.member("conversation", record.conversationID)
            json.member("senderID", record.senderID)
            json.member("time", RFC3339.format(unixSeconds: record.timestamp))
            json.member("body", record.text)
            json.member("delivered", record.delivered)
        case .threadKey: json.member("type", "thread-key")
        case .box: json.member("type", "box")
        case .invite(let invite):
            json.member("type", "invite")
            json.member("host", invite.host)
            json.member("slug", invite.slug)
        case .openPGP: json.member("type", "openpgp")
        case .unreadable(let problem):
            json.member("problem") { json in Self.write(problem.code, problem.sentence, to: &json) }
        }
    }

    private func write(_ payload: BTMessagePayload, to json: inout JSONWriter) {
        switch payload {
        case .chat(let id, let sealed):
            json.member("messageID", id)
            json.member("form", sealed.form.rawValue)
        case .keyExchange(let key): json.member("publicKey", Base64.encode(key.span))
        case .acknowledgement(let id): json.member("messageID", id)
        case .discovery(let bytes): json.member("payload", Base64.encode(bytes.span))
        case .groupChat(let group, let id, _):
            json.member("messageID", id)
            json.member("groupID", group)
        case .groupKey(let group, let sealed):
            json.member("groupID", group.id)
            json.member("groupName", group.name)
            json.member("members", group.members.count)
            json.member("form", sealed.form.rawValue)
        }
    }

    private static func write(_ plaintext: RelatedPlaintext, to json: inout JSONWriter) {
        json.object { json in
            json.member("app", plaintext.app?.rawValue)
            switch plaintext.content {
            case .text(let text):
                if JSONText.firstInvalidUTF8(text.span) == nil {
                    json.member("body", text)
                } else {
                    json.member("binary", Base64.encode(text.span))
                }
            case .frame(let frame):
                json.member("kind", frame.kind)
                json.member("body", frame.json)
            case .groupKey:
                json.member("handsOutKey", true)
                json.member("anotherKey", plaintext.isAnotherKey)
            case .threadKey: json.member("handsOutKey", true)
            }
            json.member("keyID", plaintext.keyID)
        }
    }
}

extension WireRelated.Shown {
    /// No key opened it: a later file may bring the one that does.
    var mayOpenLater: Bool {
        guard case .notOpened(let failure) = outcome else { return false }
        switch failure {
        case .noKey, .notAuthentic: return true
        default: return false
        }
    }
}

extension WireCounts {
    /// One that was counted as not opened, and has opened since.
    mutating func addLater(_ shown: WireRelated.Shown) {
        notOpened -= 1
        opened += 1
        if notAuthentic > notOpened { notAuthentic = notOpened }
        if shown.hasOwnSender { findings += 1 }
    }

    mutating func add(_ shown: WireRelated.Shown) {
        read += 1
        if shown.item.isUnreadable {
            unreadable += 1
            return
        }
        // An invitation is no message.
        if case .invite = shown.item.content {} else { senders.add(SenderProof(nil)) }
        if shown.hasOwnSender { findings += 1 }
        switch shown.outcome {
        case nil: break
        case .clear: clear += 1
        case .opened: opened += 1
        case .notOpened(let failure):
            notOpened += 1
            if failure.isNotAuthentic { notAuthentic += 1 }
        }
    }
}

extension RelatedItem {
    /// Whether it names a sender.
    fileprivate var saysSender: Bool {
        switch content {
        case .envelope, .record: true
        case .payload, .sealed, .threadKey, .box, .invite, .openPGP, .unreadable: false
        }
    }

    fileprivate var isUnreadable: Bool { if case .unreadable = content { true } else { false } }
}

extension RelatedItem.Place {
    /// Where it is, with two spaces behind; nothing for a file that is one thing.
    fileprivate var text: TerminalText {
        switch self {
        case .whole: ""
        case .line(let number): "line \(number)  "
        case .element(let number): "number \(number)  "
        case .frame(let number): "frame \(number)  "
        case .thread(let number, let name): "thread \(number) \(trusted: name)  "
        }
    }
}

extension RelatedApp {
    /// As people write it.
    var title: String {
        switch self {
        case .btmessage: "btmessage"
        case .lchat: "lchat"
        case .conet: "CoNET"
        case .openPGP: "OpenPGP"
        }
    }
}

extension BTMessageSealed.Form {
    fileprivate var title: String {
        switch self {
        case .xwing: "sealed with X-Wing"
        case .x25519: "sealed with X25519, the earlier form"
        }
    }
}

extension RelatedDocument.Kind {
    var title: String {
        switch self {
        case .btmessage: "messages of btmessage"
        case .records: "messages that btmessage kept"
        case .lchat: "keys and messages of threads of lchat"
        case .invite: "an invitation of lchat"
        case .conet: "frames of a mailbox stream of CoNET"
        case .openPGP: "OpenPGP messages"
        case .boxes: "sealed messages of lchat or frames of CoNET: without the key nothing says which"
        }
    }
}
