/// The types of messages that the apps have had. Format: SophaxChat 8.8.
public enum WireType: String, Hashable, Sendable, CaseIterable {
    case hello
    case initiateSession
    /// Of the first version only.
    case sessionAck
    case message
    case ack
    case typing
    case readReceipt
    case reaction
    case sealed
    case relay
    case groupMessage
    case groupReaction
    case groupReadReceipt
    case groupMemberLeft
    case groupDeleted
    case groupEditMessage
    case editMessage
    case senderKeyRequest
    case storeAndForward
    case storeAndForwardDelivery
    case deadDrop
    case channelAnnouncement
    case mlsWelcome
    case mlsCommit
    case mlsMessage
    case mlsCommitRequest
    case mlsReaction
    case mlsCoordinatorHandoff
    case mlsGroupEditMessage
    case deviceLinkRequest
    case deviceSyncMessage
    case sssShareDelivery
    case sssShareRequest
    case sssShareResponse
    case remoteWipe
    case dhtPing
    case dhtPong
    case dhtFindNode
    case dhtFindNodeResp
    case dhtStore
    case dhtFindValue
    case dhtFindValueResp

    /// The type with this word, compared byte by byte; nil for one that is not known.
    public init?(_ word: [UInt8]) {
        // Swift would take two spellings of a text for one.
        guard let type = WireType(rawValue: String(decoding: word, as: UTF8.self)),
            type.rawValue.utf8.elementsEqual(word)
        else { return nil }
        self = type
    }
}
