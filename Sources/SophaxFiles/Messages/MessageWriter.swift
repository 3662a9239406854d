import JSONCoding

/// Writes one message member by member, as an app's decoder wants it.
struct MessageWriter {
    private let object: MessageObject
    private let platform: MessagePlatform
    private let peerIDs: PeerIDForm?
    private var copy = JSONCopy(.strict)
    private(set) var changes: [MessageChange] = []
    private var isFirst = true
    private var written: Set<StoredMessage.Field> = []

    init(_ object: MessageObject, platform: MessagePlatform, peerIDs: PeerIDForm?) {
        self.object = object
        self.platform = platform
        self.peerIDs = peerIDs
    }

    /// The message, or why it cannot be written.
    mutating func write(in conversation: ConversationID?) throws(MessageRefusal) -> [UInt8] {
        let known = Set(MessageShape.known(platform))
        copy.append(UInt8(ascii: "{"))
        for (index, member) in object.members.enumerated() {
            if let field = object.fields[index], known.contains(field) {
                guard object.fields.lastIndex(of: field) == index else {
                    dropEarlier(member, field)
                    continue
                }
                try write(member, field)
            } else {
                writeUnknown(member)
            }
        }
        for field in MessageShape.required(platform) where !written.contains(field) {
            try fill(field, in: conversation)
        }
        copy.append(UInt8(ascii: "}"))
        return copy.output
    }

    private mutating func note(_ kind: MessageChange.Kind, _ name: [UInt8]) {
        let change = MessageChange(kind, ByteText(name))
        if !changes.contains(change) { changes.append(change) }
    }

    private mutating func note(_ kind: MessageChange.Kind, _ field: StoredMessage.Field) {
        note(kind, Array(field.name.utf8))
    }

    private mutating func comma() {
        if !isFirst { copy.append(UInt8(ascii: ",")) }
        isFirst = false
    }

    /// A key that stands again later, which is the one that counts.
    private mutating func dropEarlier(_ member: JSONPiece, _ field: StoredMessage.Field) {
        guard let last = object.member(field) else { return }
        note(spelled(member) == spelled(last) ? .droppedCopy : .droppedOther, field)
    }

    private func spelled(_ member: JSONPiece) -> [UInt8] {
        var copy = JSONCopy(.canonical)
        copy.append(member, of: object.source)
        return copy.output
    }

    // MARK: What the app does not know

    private mutating func writeUnknown(_ member: JSONPiece) {
        guard platform == .ios else {
            // A null of another app's key says nothing.
            note(member.value.kind == .null ? .droppedNull : .droppedKey, member.key)
            return
        }
        var value = JSONCopy(.strict)
        value.appendKey(member, of: object.source)
        value.append(member, of: object.source)
        guard value.invalidValues == 0, StrictJSON.isObject([0x7B] + value.output + [0x7D]) else {
            note(.droppedValue, member.key)
            return
        }
        if value.replacements > 0 { note(.replacedText, member.key) }
        if value.escapes > 0 { note(.escapedText, member.key) }
        comma()
        copy.append(value.output)
    }

    // MARK: What it knows

    private mutating func write(_ member: JSONPiece, _ field: StoredMessage.Field) throws(MessageRefusal) {
        let isRequired = MessageShape.required(platform).contains(field)
        if member.value.kind == .null {
            if !isRequired { note(.droppedNull, field) }
            return
        }
        guard let value = try value(member, field) else {
            // What is required is refused where it is missed, unless there is something that says the same.
            if !isRequired || field == .isEdited { note(.droppedValue, field) }
            return
        }
        written.insert(field)
        comma()
        copy.append(UInt8(ascii: "\""))
        copy.append(field.name.utf8)
        copy.append("\":".utf8)
        copy.append(value)
    }

    /// The value as the app reads it; nil where it refuses it.
    private mutating func value(_ member: JSONPiece, _ field: StoredMessage.Field) throws(MessageRefusal) -> [UInt8]? {
        switch field {
        case .id, .peerID, .direction, .body, .status, .replyToID, .attachmentID, .attachmentMimeType,
            .attachmentFilename, .senderID:
            guard member.value.kind == .string else { return nil }
            return try text(member, field)
        case .timestamp, .timestampMs, .expiresAt, .receivedAt, .editedAt, .hopCount, .audioDuration:
            guard member.value.kind == .number else { return nil }
            return number(member, field)
        case .isEdited:
            return member.value.kind == .bool ? Array(object.source[member.text]) : nil
        case .reactions:
            return member.value.kind == .object ? people(member, field) : nil
        case .deliveredBy, .readBy:
            return member.value.kind == .array ? people(member, field) : nil
        }
    }

    private mutating func text(_ member: JSONPiece, _ field: StoredMessage.Field) throws(MessageRefusal) -> [UInt8]? {
        if let words = MessageShape.words(field) {
            guard let word = object.text(member), words.contains(word) else { return nil }
        }
        if field.holdsPeers, let changed = changedPeer(member, field) { return changed }
        var value = JSONCopy(.strict)
        value.append(member, of: object.source)
        if value.replacements > 0 {
            switch field {
            case .id, .peerID, .senderID, .attachmentID: throw .brokenID(field)
            case .replyToID: return nil
            default: note(.replacedText, field)
            }
        }
        if value.escapes > 0 { note(.escapedText, field) }
        return value.output
    }

    /// A peer id in its other form, between quotes; nil where it stays.
    private mutating func changedPeer(_ piece: JSONPiece, _ field: StoredMessage.Field) -> [UInt8]? {
        guard let peerIDs, let id = object.text(piece), case .changed(let changed) = peerIDs.answer(for: id) else {
            return nil
        }
        note(.changedPeerID, field)
        return [UInt8(ascii: "\"")] + changed + [UInt8(ascii: "\"")]
    }

    private mutating func number(_ member: JSONPiece, _ field: StoredMessage.Field) -> [UInt8]? {
        let text = Array(object.source[member.text])
        let number = member.value.number
        guard number.isFinite else { return nil }
        if field == .hopCount, UInt8(exactly: number) == nil { return nil }
        if platform == .android {
            if NumberText.isInteger(text.span) { return text }
            guard let whole = Int64(exactly: number) else { return nil }
            note(.respelledNumber, field)
            return Array("\(whole)".utf8)
        }
        guard number.isZero, !NumberText.isPlainZero(text.span) else { return text }
        note(.respelledNumber, field)
        return Array((number.sign == .minus ? "-0" : "0").utf8)
    }

    /// The strings of `reactions`, `deliveredBy` or `readBy`; what is no string among them is left out.
    private mutating func people(_ member: JSONPiece, _ field: StoredMessage.Field) -> [UInt8] {
        let keyed = field == .reactions
        var value = JSONCopy(.strict)
        value.append(UInt8(ascii: keyed ? "{" : "["))
        var isFirst = true
        for piece in object.pieces(member) {
            guard piece.value.kind == .string else {
                note(.droppedValue, field)
                continue
            }
            if !isFirst { value.append(UInt8(ascii: ",")) }
            isFirst = false
            if keyed {
                if let peerIDs, case .changed(let changed) = peerIDs.answer(for: piece.key) {
                    note(.changedPeerID, field)
                    value.appendString(changed[...])
                    value.append(UInt8(ascii: ":"))
                } else {
                    value.appendKey(piece, of: object.source)
                }
                value.append(piece, of: object.source)
            } else if let changed = changedPeer(piece, field) {
                value.append(changed)
            } else {
                value.append(piece, of: object.source)
            }
        }
        value.append(UInt8(ascii: keyed ? "}" : "]"))
        if value.replacements > 0 { note(.replacedText, field) }
        if value.escapes > 0 { note(.escapedText, field) }
        return value.output
    }

    // MARK: What it requires and is not there

    private mutating func fill(
        _ field: StoredMessage.Field, in conversation: ConversationID?
    ) throws(MessageRefusal) {
        let value: [UInt8]
        switch field {
        case .isEdited:
            note(.addedIsEdited, field)
            value = Array("false".utf8)
        case .body:
            note(.emptyBody, field)
            value = Array("\"\"".utf8)
        case .peerID:
            guard object.member(field).map({ $0.value.kind == .null }) ?? true, let conversation,
                JSONText.firstInvalidUTF8(conversation.text.bytes.span) == nil
            else { throw .unusable(field) }
            note(.addedConversation, field)
            var text: [UInt8] = []
            JSONText.appendQuoted(peerIDs?.id(conversation.text.bytes) ?? conversation.text.bytes, to: &text)
            value = text
        default: throw .unusable(field)
        }
        comma()
        copy.append(UInt8(ascii: "\""))
        copy.append(field.name.utf8)
        copy.append("\":".utf8)
        copy.append(value)
    }
}
