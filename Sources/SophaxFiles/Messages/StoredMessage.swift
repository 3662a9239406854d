import CSimdJSON
import JSONCoding

/// Whose lists of messages they are: which app wrote them, and reads them again.
package enum MessagePlatform: Sendable {
    case ios, android

    /// Whether the dates of a message count as Android's do.
    func hasAndroidShape(_ record: MessageRecord) -> Bool {
        record.present & StoredMessage.Field.timestamp.bit == 0
            && (self == .android || record.present & StoredMessage.Field.timestampMs.bit != 0)
    }
}

/// One message of a store or export, read from its source only where it is asked for.
///
/// Follows formats sections 4.3 (iOS) and 4.4 (Android), all ten shapes and both of them. Unknown keys stay in `sourceJSON`.
package struct StoredMessage: Sendable {
    /// Text of a message.
    package struct Text: Equatable, Sendable {
        /// UTF-8 with escapes resolved, a leading U+FEFF and NUL included.
        package let bytes: [UInt8]
        /// What strict JSON would not allow in it.
        package let problem: TextProblem.Kind?
        package var byteText: ByteText { ByteText(bytes) }
        package var string: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Fields, as `CSimdJSON.h` numbers them.
    package enum Field: UInt32, CaseIterable, Sendable {
        case id, peerID, direction, body, status, replyToID, attachmentID, attachmentMimeType, attachmentFilename
        case senderID, timestamp, timestampMs, expiresAt, receivedAt, editedAt, hopCount, audioDuration, isEdited
        case reactions, deliveredBy, readBy

        var bit: UInt32 { 1 << rawValue }
        package var name: String { String(describing: self) }
    }

    /// Messages that were read together, and the document that they stand in.
    ///
    /// A record is larger than most messages, so it is kept once: lists of messages are copied, filtered and merged.
    package final class Batch: Sendable {
        let records: [MessageRecord]
        let buffer: PlaintextBuffer
        /// Where the document begins in the buffer; offsets of the records count from there.
        let base: Int
        let platform: MessagePlatform

        package init(
            _ batch: borrowing MessageBatch, in buffer: PlaintextBuffer, at base: Int, platform: MessagePlatform = .ios
        ) {
            records = batch.withRecords { records, _ in
                var kept: [MessageRecord] = []
                kept.reserveCapacity(records.count)
                for index in records.indices { kept.append(records[index]) }
                return kept
            }
            self.buffer = buffer
            self.base = base
            self.platform = platform
        }
    }

    private let batch: Batch
    private let place: Int

    /// A message of a batch, by its place in it.
    package init(_ batch: Batch, _ place: Int) {
        self.batch = batch
        self.place = place
    }

    var record: MessageRecord { batch.records[place] }
    private var buffer: PlaintextBuffer { batch.buffer }
    private var base: Int { batch.base }

    /// The message's own object, byte for byte as the app wrote it.
    package var sourceJSON: [UInt8] { buffer.bytes(in: range(record.offset, record.length)) }

    /// Lends the message's own object.
    package func withSourceJSON<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        let range = range(record.offset, record.length)
        return try buffer.withSpan { (text) throws(E) in try body(text.extracting(range)) }
    }

    /// Lends the bytes of a value in the source, as `source` gives them.
    package func withSource<R>(_ field: Field, _ body: (Span<UInt8>) -> R) -> R {
        let span = record.span(field)
        let range = has(field) ? range(span.offset, span.length) : 0..<0
        return buffer.withSpan { body($0.extracting(range)) }
    }

    /// A string field without escapes and without faults: its text is what stands in the source.
    package func isPlain(_ field: Field) -> Bool {
        has(field) && !isWrong(field) && record.escaped & field.bit == 0 && record.broken == 0
            && field.rawValue <= Field.senderID.rawValue
    }

    /// Where the message's own object begins and ends, in bytes of its document.
    package var sourceRange: Range<Int> {
        Int(record.offset)..<Int(record.offset) + Int(record.length)
    }

    package func has(_ field: Field) -> Bool { record.present & field.bit != 0 }
    /// The field is there with a value of another type than the format says.
    package func isWrong(_ field: Field) -> Bool { record.wrong & field.bit != 0 }
    package func isRepeated(_ field: Field) -> Bool { record.repeated & field.bit != 0 }
    /// How many keys no known version has.
    package var unknownKeys: Int { Int(record.unknown) }
    /// Something in it is not strict JSON.
    package var isBroken: Bool { record.broken != 0 }

    /// A string field; nil when it is absent, null or no string.
    package func text(_ field: Field) -> Text? {
        guard has(field), !isWrong(field), field.rawValue <= Field.senderID.rawValue else { return nil }
        let raw = source(field)
        guard record.escaped & field.bit != 0 || record.broken != 0 else { return Text(bytes: raw, problem: nil) }
        let unescaped = JSONText.unescape(raw.span)
        let invalid = JSONText.firstInvalidUTF8(raw.span) == nil ? nil : TextProblem.Kind.invalidUTF8
        return Text(bytes: unescaped.bytes, problem: unescaped.problem ?? invalid)
    }

    /// The bytes of a value in the source; of a string what stands between its quotes.
    package func source(_ field: Field) -> [UInt8] {
        let span = record.span(field)
        return has(field) ? buffer.bytes(in: range(span.offset, span.length)) : []
    }

    /// A number field; nil when it is absent, null or no number. NaN when no double holds it.
    package func number(_ field: Field) -> Double? {
        guard has(field), !isWrong(field) else { return nil }
        switch field {
        case .timestamp, .timestampMs: return record.timestamp
        case .expiresAt: return record.expires_at
        case .receivedAt: return record.received_at
        case .editedAt: return record.edited_at
        case .hopCount: return record.hop_count
        case .audioDuration: return record.audio_duration
        default: return nil
        }
    }

    package var id: Text? { text(.id) }
    package var conversation: ConversationID? { text(.peerID).map { ConversationID($0.byteText) } }
    package var body: Text? { text(.body) }

    /// Android's shape: milliseconds since 1970 in `timestampMs`, which its encoder may leave out (formats section 4.4).
    package var isAndroid: Bool { batch.platform.hasAndroidShape(record) }

    package var time: AppTime? { time(isAndroid ? .timestampMs : .timestamp) }

    /// A date field in the unit of the message's platform.
    package func time(_ field: Field) -> AppTime? {
        guard let number = number(field) else { return nil }
        let unit: AppTime.Unit = isAndroid ? .millisecondsSince1970 : .secondsSince2001
        return AppTime(number, source: String(decoding: source(field), as: UTF8.self), unit: unit)
    }

    /// Missing is false, on reading (formats section 4.3). Android has `editedAt` only.
    package var isEdited: Bool { (has(.isEdited) && record.edited != 0) || (isAndroid && has(.editedAt)) }

    /// Android leaves `sending` out (formats section 4.4).
    package var status: Text? {
        text(.status) ?? (isAndroid && !has(.status) ? Text(bytes: Array("sending".utf8), problem: nil) : nil)
    }

    private static let sent = Array("sent".utf8)

    package var isSent: Bool {
        guard has(.direction), !isWrong(.direction) else { return false }
        guard isPlain(.direction) else { return text(.direction)?.bytes == Self.sent }
        return withSource(.direction) { word in
            word.count == Self.sent.count && word.indices.allSatisfy { word[$0] == Self.sent[$0] }
        }
    }

    /// Peer id → emoji, in source order.
    package var reactions: [(sender: ByteText, emoji: Text)] {
        members(.reactions, keyed: true).map { (ByteText($0.key), $0.text) }
    }

    /// The strings of `deliveredBy` or `readBy`.
    package func list(_ field: Field) -> [ByteText] {
        members(field, keyed: false).map(\.text.byteText)
    }

    private func members(_ field: Field, keyed: Bool) -> [(key: [UInt8], text: Text)] {
        guard has(field), !isWrong(field) else { return [] }
        let value = source(field)
        return unsafe value.withUnsafeBufferPointer { bytes in
            var scanner = unsafe TolerantScanner(bytes)
            let view = scanner
            var found: [(key: [UInt8], text: Text)] = []
            _ = scanner.elements(keyed: keyed, depth: 0) { key, value in
                guard value.kind == .string else { return }
                let name = key.map { key in view.withBytes(key.range) { JSONText.unescape($0).bytes } } ?? []
                let text = view.withBytes(value.range) { JSONText.unescape($0) }
                found.append((name, Text(bytes: text.bytes, problem: text.problem)))
            }
            return found
        }
    }

    private func range(_ offset: UInt32, _ length: UInt32) -> Range<Int> {
        base + Int(offset)..<base + Int(offset) + Int(length)
    }
}

extension MessageRecord {
    /// Where a field's value stands; meaningless when the field is absent.
    func span(_ field: StoredMessage.Field) -> sxj_span {
        switch field {
        case .id: id
        case .peerID: peer_id
        case .direction: direction
        case .body: body
        case .status: status
        case .replyToID: reply_to_id
        case .attachmentID: attachment_id
        case .attachmentMimeType: attachment_mime_type
        case .attachmentFilename: attachment_filename
        case .senderID: sender_id
        case .timestamp: timestamp_text
        case .timestampMs: timestamp_ms_text
        case .expiresAt: expires_at_text
        case .receivedAt: received_at_text
        case .editedAt: edited_at_text
        case .hopCount: hop_count_text
        case .audioDuration: audio_duration_text
        case .isEdited: is_edited
        case .reactions: reactions
        case .deliveredBy: delivered_by
        case .readBy: read_by
        }
    }
}
