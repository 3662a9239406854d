import JSONCoding

/// What a message carries, as a typed value. Members that are not known are kept, and so are types that are not.
///
/// Format: SophaxChat 8.8.
public enum WirePayload: Hashable, Sendable {
    case hello(HelloPayload)
    case initiateSession(InitiateSessionPayload)
    /// Of the first version only; what it carries is not known, and kept as it stood.
    case sessionAck(payload: [UInt8])
    case message(ChatMessagePayload)
    case ack(AckPayload)
    case typing(TypingPayload)
    case readReceipt(ReadReceiptPayload)
    case reaction(ReactionPayload)
    case sealed(SealedMessage)
    case relay(RelayPayload)
    case groupMessage(GroupMessagePayload)
    case groupReaction(GroupReactionPayload)
    case groupReadReceipt(GroupReadReceiptPayload)
    case groupMemberLeft(GroupMemberLeftPayload)
    case groupDeleted(GroupDeletedPayload)
    case groupEditMessage(GroupEditMessagePayload)
    case editMessage(EditMessagePayload)
    case senderKeyRequest(SenderKeyRequestPayload)
    case storeAndForward(StoreAndForwardPayload)
    case storeAndForwardDelivery(StoreAndForwardDeliveryPayload)
    case deadDrop(DeadDropPayload)
    case channelAnnouncement(ChannelAnnouncementPayload)
    case mlsWelcome(MLSWelcomePayload)
    case mlsCommit(MLSCommitPayload)
    case mlsMessage(MLSMessagePayload)
    case mlsCommitRequest(MLSCommitRequestPayload)
    case mlsReaction(MLSReactionPayload)
    case mlsCoordinatorHandoff(MLSCoordinatorHandoffPayload)
    case mlsGroupEditMessage(MLSGroupEditMessagePayload)
    case deviceLinkRequest(DeviceLinkPayload)
    case deviceSyncMessage(DeviceSyncPayload)
    case sssShareDelivery(ShareDeliveryPayload)
    case sssShareRequest(ShareRequestPayload)
    case sssShareResponse(ShareResponsePayload)
    case remoteWipe(RemoteWipePayload)
    case dhtPing(DHTPingPayload)
    case dhtPong(DHTPingPayload)
    case dhtFindNode(DHTFindNodePayload)
    case dhtFindNodeResp(DHTFindNodeResponsePayload)
    case dhtStore(DHTStorePayload)
    case dhtFindValue(DHTFindValuePayload)
    case dhtFindValueResp(DHTFindValueResponsePayload)
    /// A type that this version does not know, with the payload as it stood.
    case unknown(type: [UInt8], payload: [UInt8])

    /// Reads the payload of a message of this type.
    /// - Throws: `.tooLarge` above `WireLimits.messageBytes`; `.notJSON`; `.field` with the member that is wrong. A type that
    ///   is not known throws nothing.
    public init(type: [UInt8], payload: [UInt8]) throws(FormatError) {
        guard let known = WireType(type) else {
            self = .unknown(type: type, payload: payload)
            return
        }
        guard known != .sessionAck else {
            self = .sessionAck(payload: payload)
            return
        }
        let object = try JSONObject(payload, ceiling: WireLimits.messageBytes, memberLimit: WireLimits.members)
        switch known {
        case .sessionAck: self = .sessionAck(payload: payload)
        case .hello: self = .hello(try HelloPayload(object))
        case .initiateSession: self = .initiateSession(try InitiateSessionPayload(object))
        case .message: self = .message(try ChatMessagePayload(object))
        case .ack: self = .ack(try AckPayload(object))
        case .typing: self = .typing(try TypingPayload(object))
        case .readReceipt: self = .readReceipt(try ReadReceiptPayload(object))
        case .reaction: self = .reaction(try ReactionPayload(object))
        case .sealed: self = .sealed(try SealedMessage(object))
        case .relay: self = .relay(try RelayPayload(object))
        case .groupMessage: self = .groupMessage(try GroupMessagePayload(object))
        case .groupReaction: self = .groupReaction(try GroupReactionPayload(object))
        case .groupReadReceipt: self = .groupReadReceipt(try GroupReadReceiptPayload(object))
        case .groupMemberLeft: self = .groupMemberLeft(try GroupMemberLeftPayload(object))
        case .groupDeleted: self = .groupDeleted(try GroupDeletedPayload(object))
        case .groupEditMessage: self = .groupEditMessage(try GroupEditMessagePayload(object))
        case .editMessage: self = .editMessage(try EditMessagePayload(object))
        case .senderKeyRequest: self = .senderKeyRequest(try SenderKeyRequestPayload(object))
        case .storeAndForward: self = .storeAndForward(try StoreAndForwardPayload(object))
        case .storeAndForwardDelivery: self = .storeAndForwardDelivery(try StoreAndForwardDeliveryPayload(object))
        case .deadDrop: self = .deadDrop(try DeadDropPayload(object))
        case .channelAnnouncement: self = .channelAnnouncement(try ChannelAnnouncementPayload(object))
        case .mlsWelcome: self = .mlsWelcome(try MLSWelcomePayload(object))
        case .mlsCommit: self = .mlsCommit(try MLSCommitPayload(object))
        case .mlsMessage: self = .mlsMessage(try MLSMessagePayload(object))
        case .mlsCommitRequest: self = .mlsCommitRequest(try MLSCommitRequestPayload(object))
        case .mlsReaction: self = .mlsReaction(try MLSReactionPayload(object))
        case .mlsCoordinatorHandoff: self = .mlsCoordinatorHandoff(try MLSCoordinatorHandoffPayload(object))
        case .mlsGroupEditMessage: self = .mlsGroupEditMessage(try MLSGroupEditMessagePayload(object))
        case .deviceLinkRequest: self = .deviceLinkRequest(try DeviceLinkPayload(object))
        case .deviceSyncMessage: self = .deviceSyncMessage(try DeviceSyncPayload(object))
        case .sssShareDelivery: self = .sssShareDelivery(try ShareDeliveryPayload(object))
        case .sssShareRequest: self = .sssShareRequest(try ShareRequestPayload(object))
        case .sssShareResponse: self = .sssShareResponse(try ShareResponsePayload(object))
        case .remoteWipe: self = .remoteWipe(try RemoteWipePayload(object))
        case .dhtPing: self = .dhtPing(try DHTPingPayload(object))
        case .dhtPong: self = .dhtPong(try DHTPingPayload(object))
        case .dhtFindNode: self = .dhtFindNode(try DHTFindNodePayload(object))
        case .dhtFindNodeResp: self = .dhtFindNodeResp(try DHTFindNodeResponsePayload(object))
        case .dhtStore: self = .dhtStore(try DHTStorePayload(object))
        case .dhtFindValue: self = .dhtFindValue(try DHTFindValuePayload(object))
        case .dhtFindValueResp: self = .dhtFindValueResp(try DHTFindValueResponsePayload(object))
        }
    }

    /// The word of the type; UTF-8.
    public var type: [UInt8] {
        if case .unknown(let type, _) = self { return type }
        return wireType.map { Array($0.rawValue.utf8) } ?? []
    }

    /// The type; nil for one that is not known.
    public var wireType: WireType? {
        switch self {
        case .hello: .hello
        case .initiateSession: .initiateSession
        case .sessionAck: .sessionAck
        case .message: .message
        case .ack: .ack
        case .typing: .typing
        case .readReceipt: .readReceipt
        case .reaction: .reaction
        case .sealed: .sealed
        case .relay: .relay
        case .groupMessage: .groupMessage
        case .groupReaction: .groupReaction
        case .groupReadReceipt: .groupReadReceipt
        case .groupMemberLeft: .groupMemberLeft
        case .groupDeleted: .groupDeleted
        case .groupEditMessage: .groupEditMessage
        case .editMessage: .editMessage
        case .senderKeyRequest: .senderKeyRequest
        case .storeAndForward: .storeAndForward
        case .storeAndForwardDelivery: .storeAndForwardDelivery
        case .deadDrop: .deadDrop
        case .channelAnnouncement: .channelAnnouncement
        case .mlsWelcome: .mlsWelcome
        case .mlsCommit: .mlsCommit
        case .mlsMessage: .mlsMessage
        case .mlsCommitRequest: .mlsCommitRequest
        case .mlsReaction: .mlsReaction
        case .mlsCoordinatorHandoff: .mlsCoordinatorHandoff
        case .mlsGroupEditMessage: .mlsGroupEditMessage
        case .deviceLinkRequest: .deviceLinkRequest
        case .deviceSyncMessage: .deviceSyncMessage
        case .sssShareDelivery: .sssShareDelivery
        case .sssShareRequest: .sssShareRequest
        case .sssShareResponse: .sssShareResponse
        case .remoteWipe: .remoteWipe
        case .dhtPing: .dhtPing
        case .dhtPong: .dhtPong
        case .dhtFindNode: .dhtFindNode
        case .dhtFindNodeResp: .dhtFindNodeResp
        case .dhtStore: .dhtStore
        case .dhtFindValue: .dhtFindValue
        case .dhtFindValueResp: .dhtFindValueResp
        case .unknown: nil
        }
    }

    /// The bytes of the payload: JSON as the apps' decoder reads it, without spaces, unknown members behind the known ones.
    public var json: [UInt8] {
        switch self {
        case .hello(let body): body.json
        case .initiateSession(let body): body.json
        case .sessionAck(let payload): payload
        case .message(let body): body.json
        case .ack(let body): body.json
        case .typing(let body): body.json
        case .readReceipt(let body): body.json
        case .reaction(let body): body.json
        case .sealed(let body): body.json
        case .relay(let body): body.json
        case .groupMessage(let body): body.json
        case .groupReaction(let body): body.json
        case .groupReadReceipt(let body): body.json
        case .groupMemberLeft(let body): body.json
        case .groupDeleted(let body): body.json
        case .groupEditMessage(let body): body.json
        case .editMessage(let body): body.json
        case .senderKeyRequest(let body): body.json
        case .storeAndForward(let body): body.json
        case .storeAndForwardDelivery(let body): body.json
        case .deadDrop(let body): body.json
        case .channelAnnouncement(let body): body.json
        case .mlsWelcome(let body): body.json
        case .mlsCommit(let body): body.json
        case .mlsMessage(let body): body.json
        case .mlsCommitRequest(let body): body.json
        case .mlsReaction(let body): body.json
        case .mlsCoordinatorHandoff(let body): body.json
        case .mlsGroupEditMessage(let body): body.json
        case .deviceLinkRequest(let body): body.json
        case .deviceSyncMessage(let body): body.json
        case .sssShareDelivery(let body): body.json
        case .sssShareRequest(let body): body.json
        case .sssShareResponse(let body): body.json
        case .remoteWipe(let body): body.json
        case .dhtPing(let body): body.json
        case .dhtPong(let body): body.json
        case .dhtFindNode(let body): body.json
        case .dhtFindNodeResp(let body): body.json
        case .dhtStore(let body): body.json
        case .dhtFindValue(let body): body.json
        case .dhtFindValueResp(let body): body.json
        case .unknown(_, let payload): payload
        }
    }
}

/// What the values of all types have in common.
package protocol WirePayloadBody {
    init(_ object: JSONObject) throws(FormatError)
    /// The object as the apps' decoder reads it, without spaces.
    var json: [UInt8] { get }
}

extension SealedMessage: WirePayloadBody {}
