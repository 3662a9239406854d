import CryptoPrimitives
import JSONCoding
import SophaxFiles
import SystemIO

/// History of a related app: its own records, or sealed messages that open with the keys at hand.
///
/// Each message is brought into the shape of the iOS app, with all that was there before in the member `related`
/// (sxkey-formats(5), "Messages of related apps"). It is opened when the source is made, so every pass sees the same.
package struct RelatedHistory: HistorySource {
    package let origin: HistoryOrigin
    private let conversations: [(id: ConversationID, messages: [[UInt8]])]
    private let losses: [HistoryLoss]

    /// Keys and the like, and no messages: it is there for other files of the run.
    package let isEmpty: Bool

    /// - Parameter opener: has learned what all files of the run bring.
    /// - Throws: `.related` when nothing opens and nothing was in clear, and when there is nothing in it that somebody wrote.
    package init(
        _ document: RelatedDocument, _ opener: RelatedOpener, path: FilePath, size: Int
    ) throws(HistoryError) {
        var gathering = Gathering(own: opener.keys.ownPeerIDs)
        opener.beginFile()
        for (place, item) in document.items.enumerated() {
            gathering.take(item, opener.open(item), isFirst: place == 0)
        }
        isEmpty = gathering.count == 0 && gathering.unreadable == 0
        if gathering.count == 0, let failure = gathering.failure { throw .related(failure) }
        if isEmpty, !gathering.hasKeys { throw .related(.noMessages) }
        conversations = gathering.conversations
        let name = ByteText(path.bytes)
        var losses: [HistoryLoss] = []
        if gathering.unreadable > 0 {
            losses.append(HistoryLoss(name, .conversations, .messages(gathering.unreadable)))
        }
        if let failure = gathering.failure {
            losses.append(HistoryLoss(name, .conversations, .notOpened(gathering.notOpened, failure)))
        }
        if gathering.ownSenders > 0 {
            losses.append(HistoryLoss(name, .conversations, .ownSender(gathering.ownSenders)))
        }
        self.losses = losses
        let kind = gathering.app ?? document.kind.app
        origin = HistoryOrigin(kind.historyKind, path: path, bytes: size, messages: gathering.count)
    }

    /// One file alone.
    package init(_ document: RelatedDocument, keys: RelatedKeys, path: FilePath, size: Int) throws(HistoryError) {
        let opener = RelatedOpener(keys)
        opener.learn(from: document)
        try self.init(document, opener, path: path, size: size)
    }

    package func send(_ request: HistoryRequest, to sink: any HistorySink) throws(HistoryError) {
        for loss in losses { try sink.take(loss) }
        for (id, messages) in conversations where request.conversations(id) {
            var start = 0
            while start < messages.count {
                let end = min(start + Self.piece, messages.count)
                var part = try Self.part(id, Array(messages[start..<end]))
                part.isFirst = start == 0
                part.isLast = end == messages.count
                try sink.take(part)
                start = end
            }
        }
        request.progress(origin.bytes)
    }

    /// Messages that go on together.
    private static let piece = 2_000

    private static func part(_ id: ConversationID, _ messages: [[UInt8]]) throws(HistoryError) -> HistoryPart {
        let sources = messages.map { SourceScanner.Source(json: $0, platform: .ios, isStrict: true) }
        do throws(OutOfMemory) {
            var scanner = try SourceScanner()
            // What was written here reads back.
            let read = try scanner.messages(sources).compactMap { $0 }
            return HistoryPart(id, read, isStrict: true, bytes: messages.reduce(0) { $0 + $1.count })
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
    }
}

/// Sorts what was opened into conversations, in the order in which these begin.
private struct Gathering {
    let own: Set<ByteText>
    private(set) var conversations: [(id: ConversationID, messages: [[UInt8]])] = []
    private(set) var count = 0
    private(set) var unreadable = 0
    private(set) var notOpened = 0
    /// Messages for one's own key with one's own id as sender.
    private(set) var ownSenders = 0
    /// A key was in it, which opened.
    private(set) var hasKeys = false
    /// Why the first that did not open did not.
    private(set) var failure: RelatedFailure?
    /// The app of the first message that says it.
    private(set) var app: RelatedApp?
    private var places: [ConversationID: Int] = [:]

    init(own: Set<ByteText>) {
        self.own = own
    }

    mutating func take(_ item: RelatedItem, _ outcome: RelatedOutcome, isFirst: Bool) {
        switch outcome {
        case .notOpened(let reason):
            // A title is no message; a key is none either, but there are messages that need it.
            guard item.isMessage || item.bringsKey else { return }
            notOpened += 1
            failure = failure ?? reason
        case .clear:
            switch item.content {
            case .record(let record): take(record)
            case .unreadable: unreadable += 1
            default: break
            }
        case .opened(let plaintext): take(item, plaintext, isFirst: isFirst)
        }
    }

    private mutating func take(_ item: RelatedItem, _ plaintext: RelatedPlaintext, isFirst: Bool) {
        if item.bringsKey { hasKeys = true }
        guard item.isMessage else { return }
        switch (item.content, plaintext.content) {
        case (.envelope(let envelope), .text(let text)): take(envelope, text)
        case (.payload, .text(let text)), (.sealed, .text(let text)):
            // Who sent it, and when, is not said.
            take(alone: text, item, in: Array("sealed.btmessage".utf8), .btmessage)
        case (.box, .text(let text)): take(alone: text, item, in: plaintext.stream, plaintext.app)
        case (.box, .frame(let frame)):
            // The frame that a stream begins with is no message.
            if isFirst, frame.kind == CoNETFrame.mailbox { return }
            take(alone: frame.json, item, in: plaintext.stream, plaintext.app)
        case (.openPGP, .text(let text)):
            let conversation = plaintext.app == .conet ? "conet.openpgp" : "sealed.openpgp"
            take(alone: text, item, in: Array(conversation.utf8), plaintext.app)
        default: break
        }
    }

    private mutating func add(_ message: RelatedMessageText, _ app: RelatedApp?) {
        self.app = self.app ?? app
        count += 1
        let id = ConversationID(ByteText(message.conversation))
        if let place = places[id] {
            conversations[place].messages.append(message.json)
        } else {
            places[id] = conversations.count
            conversations.append((id, [message.json]))
        }
    }

    private func direction(sender: [UInt8]) -> MessageDirection {
        own.isEmpty ? .unknown : own.contains(ByteText(sender)) ? .sent : .received
    }

    private mutating func take(_ record: BTMessageRecord) {
        var message = RelatedMessageText(
            id: record.id, conversation: RelatedNames.id(record.conversationID, of: .btmessage), body: record.text)
        message.direction = direction(sender: record.senderID)
        message.sender = RelatedNames.id(record.senderID, of: .btmessage)
        message.unixSeconds = record.timestamp
        message.isDelivered = record.delivered
        message.origin(.btmessage, "record", json: record.source)
        add(message, .btmessage)
    }

    private mutating func take(_ envelope: BTMessageEnvelope, _ text: [UInt8]) {
        let messageID: [UInt8]
        let conversation: [UInt8]
        let direction: MessageDirection
        switch envelope.payload {
        case .chat(let id, _):
            messageID = id
            conversation = envelope.senderID
            // What opens with one's own key was made for it: nobody sends that to somebody else.
            direction = .received
            if own.contains(ByteText(envelope.senderID)) { ownSenders += 1 }
        case .groupChat(let group, let id, _):
            messageID = id
            conversation = group
            direction = self.direction(sender: envelope.senderID)
        case .keyExchange, .acknowledgement, .discovery, .groupKey: return
        }
        var message = RelatedMessageText(
            id: messageID, conversation: RelatedNames.id(conversation, of: .btmessage), body: text)
        message.direction = direction
        message.sender = RelatedNames.id(envelope.senderID, of: .btmessage)
        message.unixSeconds = envelope.timestamp
        message.origin(.btmessage, "envelope", json: envelope.source)
        add(message, .btmessage)
    }

    /// A message of which nothing is known but its text: it is told by its sealed bytes.
    private mutating func take(
        alone text: [UInt8], _ item: RelatedItem, in conversation: [UInt8], _ app: RelatedApp?
    ) {
        let sealed = item.sealedBytes
        let digest = SHA256.hash(sealed.span)
        var message = RelatedMessageText(
            id: Array(Hex.encode(digest.span).utf8), conversation: conversation, body: text)
        message.origin(app, sealed: sealed)
        add(message, app)
    }
}

/// The source JSON of a message of a related app.
private struct RelatedMessageText {
    let id: [UInt8]
    let conversation: [UInt8]
    let body: [UInt8]
    var direction = MessageDirection.unknown
    var sender: [UInt8]?
    var unixSeconds: Double?
    var isDelivered: Bool?
    private var related: [UInt8] = []

    init(id: [UInt8], conversation: [UInt8], body: [UInt8]) {
        self.id = id
        self.conversation = conversation
        self.body = body
    }

    private var isText: Bool { JSONText.firstInvalidUTF8(body.span) == nil }

    private func begin(_ app: RelatedApp?) -> JSONObjectText {
        var text = JSONObjectText()
        text.add("app", text: app.map { Array($0.rawValue.utf8) })
        // The app shows "<binary>" in its place.
        if !isText { text.add("binary", data: body) }
        return text
    }

    mutating func origin(_ app: RelatedApp?, _ key: StaticString, json: [UInt8]) {
        var text = begin(app)
        text.add(key, json: AppMessageList.line(json))
        related = text.finished
    }

    mutating func origin(_ app: RelatedApp?, sealed: [UInt8]) {
        var text = begin(app)
        text.add("sealed", data: sealed)
        related = text.finished
    }

    var json: [UInt8] {
        var text = JSONObjectText()
        text.add("id", text: id)
        text.add("peerID", text: conversation)
        switch direction {
        case .sent: text.add("direction", text: Array("sent".utf8))
        case .received: text.add("direction", text: Array("received".utf8))
        case .unknown: break
        }
        text.add("body", text: isText ? body : BTMessageRecord.binary)
        text.add("timestamp", number: unixSeconds.map { $0 - AppTime.epoch2001 })
        // Nothing else says what became of it.
        if direction == .sent, let isDelivered {
            text.add("status", text: Array((isDelivered ? "delivered" : "sending").utf8))
        } else if direction == .received {
            text.add("status", text: Array("delivered".utf8))
        }
        text.add("senderID", text: sender)
        text.add("isEdited", flag: false)
        text.add("related", json: related)
        return text.finished
    }
}

extension RelatedPlaintext {
    /// The conversation of messages that say none: the app, and which key they opened with.
    fileprivate var stream: [UInt8] {
        Array("\(app?.rawValue ?? "sealed").\(keyID ?? "")".utf8)
    }
}

extension RelatedItem {
    /// Whether it is something that somebody wrote, and no key, title or frame about the stream itself.
    fileprivate var isMessage: Bool {
        switch content {
        case .envelope(let envelope): envelope.kind == .chat || envelope.kind == .groupChat
        case .payload(let payload): payload.kind == .chat || payload.kind == .groupChat
        case .sealed, .record, .openPGP: true
        case .box:
            if case .thread(_, let name) = place { name == "message" || name == "messages" } else { true }
        case .threadKey, .invite, .unreadable: false
        }
    }

    /// What it was before it was opened.
    fileprivate var sealedBytes: [UInt8] {
        switch content {
        case .box(let box): box
        case .openPGP(let message): message
        case .sealed(let sealed): sealed.json
        case .payload(let payload): payload.bytes
        case .envelope, .record, .threadKey, .invite, .unreadable: []
        }
    }
}

extension RelatedDocument.Kind {
    fileprivate var app: RelatedApp {
        switch self {
        case .btmessage, .records: .btmessage
        case .lchat, .invite, .boxes: .lchat
        case .conet: .conet
        case .openPGP: .openPGP
        }
    }
}

extension RelatedApp {
    fileprivate var historyKind: HistoryOrigin.Kind {
        switch self {
        case .btmessage: .btmessage
        case .lchat: .lchat
        case .conet: .conet
        case .openPGP: .openpgp
        }
    }
}
