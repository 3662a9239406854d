import CSimdJSON
import JSONCoding

/// Counts of the messages of one document, and what was found in them.
package struct MessageTally: Sendable {
    package var messages = 0
    package var sent = 0
    package var edited = 0
    /// Messages that app versions since April 2026 cannot decode; one is enough for them to lose the whole conversation.
    package var unreadableByApps = 0
    /// Messages whose `expiresAt` has passed.
    package var expired = 0
    /// Bytes of message bodies as they stand in the source.
    package var bodyBytes = 0
    /// Seconds since 1970; only plausible dates count.
    package var firstTime: Double?
    package var lastTime: Double?
    /// Each conversation id with its messages, in order of first appearance.
    package var conversations: [(id: ConversationID, messages: Int)] = []
    /// Attachment ids that messages refer to, each with the offset of the first such message.
    package var attachments: [ByteText: Int] = [:]
    package var findings = FindingList()

    package init() {}
}

/// Judges every message of a document, in one pass and without copies.
package struct MessageAudit: MessageSink {
    /// Different conversation ids counted in one document; one is the rule.
    static let maximumConversations = 1_000

    package private(set) var tally = MessageTally()
    private let now: Double
    private let platform: MessagePlatform
    private var ids = MessageIDTable()
    private var lastConversation: [UInt8] = []
    private var lastIndex = 0

    /// `now` in seconds since 1970, for messages that should have disappeared. `platform`: whose app reads the document.
    package init(now: Double, platform: MessagePlatform = .ios) {
        self.now = now
        self.platform = platform
    }

    package mutating func restart() {
        tally = MessageTally()
        ids.removeAll()
        lastConversation = []
        lastIndex = 0
    }

    package mutating func take(_ batch: borrowing MessageBatch) -> Bool {
        batch.withRecords { records, text in
            for index in records.indices { judge(records[index], text) }
        }
        return true
    }

    /// What the generated decoder of the newest app requires (formats section 4.3).
    private static let required = bits([.id, .peerID, .direction, .body, .timestamp, .status, .isEdited])
    private static let requiredOnAndroid = bits([.id, .peerID, .direction, .body])
    /// All that Android's decoder knows; any other key is an error to it (formats sections 3.5 and 4.4).
    private static let knownOnAndroid = bits([
        .id, .peerID, .direction, .body, .timestampMs, .status, .replyToID, .attachmentMimeType, .expiresAt, .reactions,
        .editedAt,
    ])
    /// Missing is fine there, null is not.
    private static let notNullOnAndroid = bits([.timestampMs, .status, .reactions])

    private static func bits(_ fields: [StoredMessage.Field]) -> UInt32 { fields.reduce(0) { $0 | $1.bit } }

    private mutating func judge(_ record: MessageRecord, _ text: Span<UInt8>) {
        tally.messages += 1
        judgeID(record, text)
        judgeConversation(record, text)
        judgeTimes(record, text)
        judgeShape(record, text)
        if record.edited != 0 { tally.edited += 1 }
        if record.present & StoredMessage.Field.body.bit != 0 {
            tally.bodyBytes += Int(record.body.length)
        }
        if let attachment = known(.attachmentID, record) {
            let id = ByteText(unescaped(attachment, .attachmentID, record, text))
            if tally.attachments[id] == nil { tally.attachments[id] = Int(record.offset) }
        }
    }

    private mutating func judgeID(_ record: MessageRecord, _ text: Span<UInt8>) {
        guard let id = known(.id, record), id.length > 0 else { return }
        let isNew: Bool
        if record.escaped & StoredMessage.Field.id.bit != 0 {
            isNew = ids.insert(unescaped: unescaped(id, .id, record, text), in: text)
        } else {
            isNew = ids.insert(text, offset: id.offset, length: id.length)
        }
        if !isNew { add(.duplicateID, record, text) }
    }

    private mutating func judgeConversation(_ record: MessageRecord, _ text: Span<UInt8>) {
        guard let place = known(.peerID, record) else { return }
        let start = Int(place.offset)
        if !tally.conversations.isEmpty, isSame(text, start, Int(place.length), as: lastConversation) {
            tally.conversations[lastIndex].messages += 1
            return
        }
        lastConversation = copy(text, place)
        let id = ConversationID(ByteText(unescaped(place, .peerID, record, text)))
        if let index = tally.conversations.firstIndex(where: { $0.id == id }) {
            lastIndex = index
            tally.conversations[index].messages += 1
        } else if tally.conversations.count < Self.maximumConversations {
            if !tally.conversations.isEmpty { add(.otherConversation, record, text) }
            lastIndex = tally.conversations.count
            tally.conversations.append((id, 1))
        } else {
            lastConversation = []
        }
    }

    private mutating func judgeTimes(_ record: MessageRecord, _ text: Span<UInt8>) {
        let isMilliseconds = platform.hasAndroidShape(record)
        let unit: AppTime.Unit = isMilliseconds ? .millisecondsSince1970 : .secondsSince2001
        let field: StoredMessage.Field = isMilliseconds ? .timestampMs : .timestamp
        if known(field, record) != nil {
            let time = AppTime.unixSeconds(record.timestamp, unit)
            if AppTime.plausible.contains(time) {
                if time < tally.firstTime ?? .infinity { tally.firstTime = time }
                if time > tally.lastTime ?? -.infinity { tally.lastTime = time }
            } else {
                add(.implausibleDate, record, text)
            }
        }
        if known(.expiresAt, record) != nil, AppTime.unixSeconds(record.expires_at, unit) < now {
            tally.expired += 1
            add(.expired, record, text)
        }
        let received = known(.receivedAt, record) == nil ? nil : AppTime.unixSeconds(record.received_at, unit)
        let edited = known(.editedAt, record) == nil ? nil : AppTime.unixSeconds(record.edited_at, unit)
        for time in [received, edited] {
            if let time, !AppTime.plausible.contains(time) { add(.implausibleDate, record, text) }
        }
    }

    private mutating func judgeShape(_ record: MessageRecord, _ text: Span<UInt8>) {
        if record.unknown > 0 { add(.unknownKeys, record, text) }
        if record.repeated != 0 { add(.repeatedKey, record, text) }
        if record.wrong != 0 { add(.wrongType, record, text) }
        if record.broken != 0 { add(.repairedText, record, text) }
        let missing = (platform == .android ? Self.requiredOnAndroid : Self.required) & ~record.present
        let isEdited = StoredMessage.Field.isEdited.bit
        if missing & ~isEdited != 0 { add(.missingField, record, text) }
        if missing & isEdited != 0 { add(.missingIsEdited, record, text) }
        let valuesKnown = judgeWords(record, text)
        if !valuesKnown { add(.unknownValue, record, text) }
        let isRefused = record.broken != 0 || !valuesKnown || isRefusedOnPlatform(record)
        if missing != 0 || isRefused {
            tally.unreadableByApps += 1
            if missing != isEdited || isRefused { add(.unreadableByApps, record, text) }
        }
    }

    /// Whether the app that reads the document stops at a key or at the type of a value.
    private func isRefusedOnPlatform(_ record: MessageRecord) -> Bool {
        switch platform {
        case .ios:
            // Keys that it does not know are ignored, whatever they hold.
            record.wrong & ~StoredMessage.Field.timestampMs.bit != 0
        case .android:
            record.wrong != 0 || record.unknown > 0 || (record.present | record.null) & ~Self.knownOnAndroid != 0
                || record.null & Self.notNullOnAndroid != 0
        }
    }

    /// Whether direction and status have values that the apps know, and `hopCount` fits its byte.
    private mutating func judgeWords(_ record: MessageRecord, _ text: Span<UInt8>) -> Bool {
        var good = true
        if let direction = known(.direction, record) {
            if word(direction, text, is: "sent") {
                tally.sent += 1
            } else if !word(direction, text, is: "received") {
                good = false
            }
        }
        if let status = known(.status, record) {
            // In the order of how often they occur.
            good =
                good
                && (word(status, text, is: "read") || word(status, text, is: "delivered")
                    || word(status, text, is: "sending") || word(status, text, is: "failed"))
        }
        if known(.hopCount, record) != nil, UInt8(exactly: record.hop_count) == nil { good = false }
        return good
    }

    private func word(_ place: sxj_span, _ text: Span<UInt8>, is word: StaticString) -> Bool {
        guard Int(place.length) == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { expected in
            for index in 0..<expected.count where unsafe text[Int(place.offset) + index] != expected[index] {
                return false
            }
            return true
        }
    }

    private mutating func add(_ kind: Finding.Kind, _ record: MessageRecord, _ text: Span<UInt8>) {
        let offset = Int(record.offset)
        let id = known(.id, record)
        let isExample = tally.findings.count(kind) < FindingList.maximumExamples
        let item = isExample ? id.map { ByteText(unescaped($0, .id, record, text)) } : nil
        tally.findings.add(kind) { Finding(kind, item: item, offset: offset) }
    }

    /// The place of a field that is there with the right type.
    private func known(_ field: StoredMessage.Field, _ record: MessageRecord) -> sxj_span? {
        record.present & field.bit != 0 && record.wrong & field.bit == 0 ? record.span(field) : nil
    }

    private func unescaped(
        _ place: sxj_span, _ field: StoredMessage.Field, _ record: MessageRecord, _ text: Span<UInt8>
    ) -> [UInt8] {
        let raw = copy(text, place)
        return record.escaped & field.bit != 0 ? JSONText.unescape(raw.span).bytes : raw
    }

    private func copy(_ text: Span<UInt8>, _ place: sxj_span) -> [UInt8] {
        (Int(place.offset)..<Int(place.offset) + Int(place.length)).map { text[$0] }
    }

    private func isSame(_ text: Span<UInt8>, _ start: Int, _ length: Int, as other: [UInt8]) -> Bool {
        guard length == other.count else { return false }
        for index in 0..<length where text[start + index] != other[index] { return false }
        return true
    }
}
