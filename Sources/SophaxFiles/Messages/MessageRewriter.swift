import JSONCoding

/// Writes a stored message as the newest app reads it, with the least change of bytes.
///
/// The newest iOS app requires `isEdited` and stops at a whole conversation for one message that it cannot decode (formats
/// section 4.3); Android refuses unknown keys (formats sections 3.5, 4.4). Nothing is invented: a message that lacks what the
/// app requires is refused, and its source is the caller's to keep.
package struct MessageRewriter: Sendable {
    package let platform: MessagePlatform
    /// Nil leaves peer ids as they are.
    package let peerIDs: PeerIDForm?

    package init(for platform: MessagePlatform = .ios, peerIDs: PeerIDForm? = nil) {
        self.platform = platform
        self.peerIDs = peerIDs
    }

    /// Rewrites a message of the app's own shape; one of the other platform is refused.
    ///
    /// - Parameters:
    ///   - isStrict: the scan of its document was strict.
    ///   - conversation: where it was found, for a message that does not say.
    package func rewrite(
        _ message: StoredMessage, isStrict: Bool, in conversation: ConversationID? = nil
    ) -> RewrittenMessage {
        if isStrict {
            switch MessageShape(message, platform).verdict {
            case .good where !changesPeers(message): return .unchanged
            case .lacksIsEdited where !changesPeers(message):
                return .changed(Self.addingIsEdited(message.sourceJSON), [MessageChange(.addedIsEdited, Self.isEdited)])
            default: break
            }
        }
        return rewrite(source: message.sourceJSON, in: conversation)
    }

    /// Rewrites a message's own object.
    package func rewrite(source: [UInt8], in conversation: ConversationID? = nil) -> RewrittenMessage {
        guard let object = MessageObject(source) else { return .refused(.unreadable) }
        do throws(MessageRefusal) {
            var writer = MessageWriter(object, platform: platform, peerIDs: peerIDs)
            let json = try writer.write(in: conversation)
            guard StrictJSON.isObject(json) else { return .refused(.unreadable) }
            return writer.changes.isEmpty && StrictJSON.isObject(source) ? .unchanged : .changed(json, writer.changes)
        } catch {
            return .refused(error)
        }
    }

    /// The message as the newest app reads it: its source, or what became of it.
    package func json(
        _ message: StoredMessage, isStrict: Bool, in conversation: ConversationID? = nil
    ) throws(MessageRefusal) -> [UInt8] {
        switch rewrite(message, isStrict: isStrict, in: conversation) {
        case .unchanged: message.sourceJSON
        case .changed(let json, _): json
        case .refused(let refusal): throw refusal
        }
    }

    private static let isEdited = ByteText("isEdited")

    /// The object with one member more before its last bracket.
    private static func addingIsEdited(_ source: [UInt8]) -> [UInt8] {
        Array(source.dropLast()) + Array(",\"isEdited\":false}".utf8)
    }

    private func changesPeers(_ message: StoredMessage) -> Bool {
        guard let peerIDs else { return false }
        func changes(_ id: ByteText?) -> Bool {
            guard let id, case .changed = peerIDs.answer(for: id.bytes) else { return false }
            return true
        }
        return changes(message.text(.peerID)?.byteText) || changes(message.text(.senderID)?.byteText)
            || (message.has(.reactions) && message.reactions.contains { changes($0.sender) })
            || (message.has(.deliveredBy) && message.list(.deliveredBy).contains { changes($0) })
            || (message.has(.readBy) && message.list(.readBy).contains { changes($0) })
    }
}

/// What an app's decoder makes of a message in strict JSON, told from its record alone.
struct MessageShape {
    enum Verdict { case good, lacksIsEdited, needsWork }

    let verdict: Verdict

    init(_ message: StoredMessage, _ platform: MessagePlatform) {
        verdict = Self.verdict(message, platform)
    }

    static func required(_ platform: MessagePlatform) -> [StoredMessage.Field] {
        switch platform {
        case .ios: [.id, .peerID, .direction, .body, .timestamp, .status, .isEdited]
        case .android: [.id, .peerID, .direction, .body]
        }
    }

    /// Fields that the app's decoder knows.
    static func known(_ platform: MessagePlatform) -> [StoredMessage.Field] {
        switch platform {
        case .ios: StoredMessage.Field.allCases.filter { $0 != .timestampMs }
        case .android:
            [
                .id, .peerID, .direction, .body, .timestampMs, .status, .replyToID, .attachmentMimeType, .expiresAt,
                .reactions, .editedAt,
            ]
        }
    }

    /// The words that a field may have, where it is an enumeration.
    static func words(_ field: StoredMessage.Field) -> [[UInt8]]? {
        switch field {
        case .direction: directions
        case .status: statuses
        default: nil
        }
    }

    private static let directions = ["sent", "received"].map { Array($0.utf8) }
    /// In the order that a message goes through them.
    static let statuses = ["sending", "failed", "delivered", "read"].map { Array($0.utf8) }

    private static func bits(_ fields: [StoredMessage.Field]) -> UInt32 { fields.reduce(0) { $0 | $1.bit } }
    private static let requiredBits = bits(required(.ios))
    private static let requiredBitsOnAndroid = bits(required(.android))
    private static let knownBits = bits(known(.ios))
    private static let knownBitsOnAndroid = bits(known(.android))
    private static let numberBits = bits([
        .timestamp, .timestampMs, .expiresAt, .receivedAt, .editedAt, .hopCount, .audioDuration,
    ])

    private static func verdict(_ message: StoredMessage, _ platform: MessagePlatform) -> Verdict {
        let record = message.record
        let android = platform == .android
        let known = android ? knownBitsOnAndroid : knownBits
        guard record.broken == 0, record.repeated == 0, record.wrong & known == 0, record.null & known == 0 else {
            return .needsWork
        }
        if android, record.unknown > 0 || record.present & ~known != 0 { return .needsWork }
        for field in [StoredMessage.Field.direction, .status] where message.has(field) {
            guard let words = words(field), message.isPlain(field) else { return .needsWork }
            guard message.withSource(field, { text in words.contains { isSame($0, text) } }) else { return .needsWork }
        }
        if message.has(.hopCount), UInt8(exactly: record.hop_count) == nil { return .needsWork }
        if android {
            for field in [StoredMessage.Field.timestampMs, .expiresAt, .editedAt] where message.has(field) {
                guard message.withSource(field, { NumberText.isInteger($0) }) else { return .needsWork }
            }
        } else if record.present & numberBits != 0, !numbersAreReadable(message) {
            return .needsWork
        }
        let missing = (android ? requiredBitsOnAndroid : requiredBits) & ~record.present
        if missing == 0 { return .good }
        return missing == StoredMessage.Field.isEdited.bit ? .lacksIsEdited : .needsWork
    }

    private static func numbersAreReadable(_ message: StoredMessage) -> Bool {
        for field in [StoredMessage.Field.timestamp, .expiresAt, .receivedAt, .editedAt, .audioDuration, .hopCount]
        where message.has(field) {
            guard let number = message.number(field), number.isFinite else { return false }
            if number.isZero, !message.withSource(field, { NumberText.isPlainZero($0) }) { return false }
        }
        return true
    }

    private static func isSame(_ word: [UInt8], _ text: Span<UInt8>) -> Bool {
        word.count == text.count && word.indices.allSatisfy { word[$0] == text[$0] }
    }
}

/// Numbers whose spelling matters to a decoder.
enum NumberText {
    /// No digit but 0: what is not zero but too small for a double is refused by Foundation.
    static func isPlainZero(_ text: Span<UInt8>) -> Bool {
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "1")...UInt8(ascii: "9"): return false
            case UInt8(ascii: "e"), UInt8(ascii: "E"): return true
            default: break
            }
        }
        return true
    }

    /// Digits and perhaps a minus, within 64 bits: what Kotlin reads as a `Long`.
    static func isInteger(_ text: Span<UInt8>) -> Bool {
        guard text.count > 0, text.count <= 20 else { return false }
        return Int64(String(decoding: (0..<text.count).map { text[$0] }, as: UTF8.self)) != nil
    }
}
