import JSONCoding

/// `editMessage`: a ratchet message whose content says which message has which new text. Format: SophaxChat 8.8.
///
/// The description of the format leaves open whether the ratchet message stands alone or with an id, as in `message`; both
/// are read, and written as they were read.
public enum EditMessagePayload: WirePayloadBody, Hashable, Sendable {
    case withID(ChatMessagePayload)
    case alone(RatchetMessage)

    public var ratchetMessage: RatchetMessage {
        switch self {
        case .withID(let payload): payload.ratchetMessage
        case .alone(let message): message
        }
    }

    package init(_ object: JSONObject) throws(FormatError) {
        if object.has("ratchetMessage") {
            self = .withID(try ChatMessagePayload(object))
        } else {
            self = .alone(try RatchetMessage(object))
        }
    }

    package var json: [UInt8] {
        switch self {
        case .withID(let payload): payload.json
        case .alone(let message): message.json
        }
    }
}
