/// Turns a message of one platform into one of the other (formats sections 3.6, 4.3, 4.4).
///
/// Ids of messages are kept as they are: both apps take any text, and the case is that of the sender. Peer ids become those
/// of the other platform as far as they are known. What the other platform has no place for is in the list of changes.
package struct PlatformConversion: Sendable {
    /// Android keeps this many messages of a conversation, and drops older ones when it saves.
    package static let androidCeiling = 500

    /// The platform that the result is for.
    package let target: MessagePlatform
    private let peerIDs: PeerIDForm?
    private let readAt: Double?
    /// The same message of an iOS app, perhaps: where its times are those of the message as far as Android counts, they are
    /// taken.
    private var counterpart: MessageObject?

    /// To Android, whose peer ids have 16 digits.
    package static let toAndroid = PlatformConversion(target: .android, peerIDs: .short, readAt: nil)

    /// To iOS.
    ///
    /// - Parameters:
    ///   - peerIDs: the form of peer ids there; nil keeps 16 digits, which some versions have.
    ///   - readAt: seconds since 1970 for a message without a time, which Android takes to be of now; nil refuses it.
    package static func toIOS(peerIDs: PeerIDForm? = nil, readAt: Double? = nil) -> PlatformConversion {
        PlatformConversion(target: .ios, peerIDs: peerIDs, readAt: readAt)
    }

    private init(target: MessagePlatform, peerIDs: PeerIDForm?, readAt: Double?) {
        self.target = target
        self.peerIDs = peerIDs
        self.readAt = readAt
    }

    /// The same conversion beside a message of an iOS app that may be this one.
    func beside(_ source: [UInt8]) -> PlatformConversion {
        var conversion = self
        conversion.counterpart = MessageObject(source)
        return conversion
    }

    /// Converts a message of the other platform; one that has the target's shape already is refused.
    package func convert(
        _ message: StoredMessage, isStrict: Bool, in conversation: ConversationID? = nil
    ) -> RewrittenMessage {
        let source: MessagePlatform = target == .ios ? .android : .ios
        switch MessageRewriter(for: source).rewrite(message, isStrict: isStrict, in: conversation) {
        case .refused(let refusal): return .refused(refusal)
        case .unchanged: return convert(message.sourceJSON, [])
        case .changed(let json, let changes):
            // That iOS wants isEdited concerns nobody here.
            return convert(json, changes.filter { $0.kind != .addedIsEdited })
        }
    }

    /// `json` is strict, of the shape that the source's app reads.
    private func convert(_ json: [UInt8], _ changes: [MessageChange]) -> RewrittenMessage {
        guard let object = MessageObject(json) else { return .refused(.unreadable) }
        do throws(MessageRefusal) {
            var writer = ConversionWriter(object, changes: changes, peerIDs: peerIDs, counterpart: counterpart)
            let converted = try target == .android ? writer.android() : writer.ios(readAt: readAt)
            return .changed(converted, writer.changes)
        } catch {
            return .refused(error)
        }
    }
}

/// Writes one converted message.
private struct ConversionWriter {
    private let object: MessageObject
    private(set) var changes: [MessageChange]
    private let peerIDs: PeerIDForm?
    private let counterpart: MessageObject?
    private var copy = JSONCopy(.strict)
    private var isFirst = true

    init(_ object: MessageObject, changes: [MessageChange], peerIDs: PeerIDForm?, counterpart: MessageObject?) {
        self.object = object
        self.changes = changes
        self.peerIDs = peerIDs
        self.counterpart = counterpart
    }

    mutating func android() throws(MessageRefusal) -> [UInt8] {
        let held: Set<StoredMessage.Field> = [
            .id, .peerID, .direction, .body, .timestamp, .status, .replyToID, .attachmentMimeType, .expiresAt,
            .reactions,
            .isEdited, .editedAt,
        ]
        begin()
        for field in [StoredMessage.Field.id, .peerID, .direction, .body] { copyValue(field) }
        guard let time = try milliseconds(.timestamp) else { throw .unusable(.timestamp) }
        add(.timestampMs, time)
        for field in [StoredMessage.Field.status, .replyToID, .attachmentMimeType] { copyValue(field) }
        if let time = try milliseconds(.expiresAt) { add(.expiresAt, time) }
        copyValue(.reactions)
        let isEdited = object.member(.isEdited).map { Array(object.source[$0.text]) == Array("true".utf8) } ?? false
        if isEdited {
            if let time = try milliseconds(.editedAt) {
                add(.editedAt, time)
            } else {
                note(.unknownEditTime, .isEdited)
            }
        } else if object.member(.editedAt) != nil {
            // Android takes any time here for an edit.
            note(.droppedValue, .editedAt)
        }
        for (index, member) in object.members.enumerated() {
            guard let field = object.fields[index] else {
                note(.droppedKey, member.key)
                continue
            }
            if !held.contains(field), member.value.kind != .null { note(.droppedKey, field) }
        }
        return end()
    }

    mutating func ios(readAt: Double?) throws(MessageRefusal) -> [UInt8] {
        begin()
        for field in [StoredMessage.Field.id, .peerID, .direction, .body] { copyValue(field) }
        if let time = try seconds(.timestampMs) {
            add(.timestamp, time)
        } else if let readAt {
            note(.addedTime, .timestampMs)
            var text: [UInt8] = []
            CanonicalNumber.append(readAt - AppTime.epoch2001, to: &text)
            add(.timestamp, text)
        } else {
            throw .unusable(.timestampMs)
        }
        if object.member(.status) == nil { add(.status, Array("\"sending\"".utf8)) } else { copyValue(.status) }
        for field in [StoredMessage.Field.replyToID, .attachmentMimeType] { copyValue(field) }
        if let time = try seconds(.expiresAt) { add(.expiresAt, time) }
        copyValue(.reactions)
        let edited = try seconds(.editedAt)
        add(.isEdited, Array((edited == nil ? "false" : "true").utf8))
        if let edited { add(.editedAt, edited) }
        return end()
    }

    // MARK: Times

    /// Milliseconds from 1970 to 2001.
    private static let epoch2001: Int64 = 978_307_200_000

    private mutating func milliseconds(_ field: StoredMessage.Field) throws(MessageRefusal) -> [UInt8]? {
        guard let member = object.member(field), member.value.kind == .number else { return nil }
        let seconds = JSONNumber.double(Array(object.source[member.text]))
        guard let whole = Int64(exactly: (seconds * 1_000).rounded()) else { throw .unusable(field) }
        let (time, overflow) = whole.addingReportingOverflow(Self.epoch2001)
        guard !overflow else { throw .unusable(field) }
        if Double(whole) / 1_000 != seconds { note(.roundedTime, field) }
        return Array("\(time)".utf8)
    }

    private mutating func seconds(_ source: StoredMessage.Field) throws(MessageRefusal) -> [UInt8]? {
        guard let member = object.member(source), member.value.kind == .number else { return nil }
        guard let time = Int64(String(decoding: object.source[member.text], as: UTF8.self)) else {
            throw .unusable(source)
        }
        let (since2001, overflow) = time.subtractingReportingOverflow(Self.epoch2001)
        guard !overflow else { throw .unusable(source) }
        let field = source == .timestampMs ? StoredMessage.Field.timestamp : source
        if let exact = counterpart.flatMap({ Self.time(field, of: $0) }), exact.milliseconds == since2001 {
            return exact.text
        }
        let seconds = Double(since2001) / 1_000
        if Int64(exactly: (seconds * 1_000).rounded()) != since2001 { note(.roundedTime, source) }
        var text: [UInt8] = []
        CanonicalNumber.append(seconds, to: &text)
        return text
    }

    /// A date of an iOS message as it stands, and as Android would count it from 2001.
    private static func time(
        _ field: StoredMessage.Field, of message: MessageObject
    ) -> (text: [UInt8], milliseconds: Int64)? {
        guard let member = message.member(field), member.value.kind == .number else { return nil }
        let text = Array(message.source[member.text])
        return Int64(exactly: (JSONNumber.double(text) * 1_000).rounded()).map { (text, $0) }
    }

    // MARK: Writing

    private mutating func note(_ kind: MessageChange.Kind, _ field: StoredMessage.Field) {
        note(kind, Array(field.name.utf8))
    }

    private mutating func note(_ kind: MessageChange.Kind, _ name: [UInt8]) {
        let change = MessageChange(kind, ByteText(name))
        if !changes.contains(change) { changes.append(change) }
    }

    private mutating func begin() {
        copy.append(UInt8(ascii: "{"))
    }

    private mutating func end() -> [UInt8] {
        copy.append(UInt8(ascii: "}"))
        guard let peerIDs else { return copy.output }
        let result = PeerIDForm.rewriting(copy.output, peerIDs)
        if result != copy.output { note(.changedPeerID, []) }
        return result
    }

    private mutating func add(_ field: StoredMessage.Field, _ value: [UInt8]) {
        if !isFirst { copy.append(UInt8(ascii: ",")) }
        isFirst = false
        copy.append(UInt8(ascii: "\""))
        copy.append(field.name.utf8)
        copy.append("\":".utf8)
        copy.append(value)
    }

    private mutating func copyValue(_ field: StoredMessage.Field) {
        guard let member = object.member(field), member.value.kind != .null else { return }
        add(field, Array(object.source[member.text]))
    }
}
