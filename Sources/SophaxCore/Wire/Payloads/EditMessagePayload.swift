import JSONCoding

/// `editMessage`: which message has which new text. Format: SophaxChat 8.8.
///
/// The apps write it in three ways, told apart by their keys, and written again as they were read: a ratchet message whose
/// content has an `editPayload`, with an id around it or alone, and the new text in clear, which is under the signature of
/// the envelope only.
public enum EditMessagePayload: WirePayloadBody, Hashable, Sendable {
    case withID(ChatMessagePayload)
    case alone(RatchetMessage)
    /// `{messageID, newBody, editedAt}`: whoever carries the message can read it.
    case clear(MessageContent.Edit)

    /// What is encrypted; nil where nothing is.
    public var ratchetMessage: RatchetMessage? {
        switch self {
        case .withID(let payload): payload.ratchetMessage
        case .alone(let message): message
        case .clear: nil
        }
    }

    package init(_ object: JSONObject) throws(FormatError) {
        if object.has("ratchetMessage") {
            self = .withID(try ChatMessagePayload(object))
        } else if object.has("newBody") {
            self = .clear(try MessageContent.Edit(object))
        } else {
            self = .alone(try RatchetMessage(object))
        }
    }

    package var json: [UInt8] {
        switch self {
        case .withID(let payload): payload.json
        case .alone(let message): message.json
        case .clear(let edit): edit.json
        }
    }
}
