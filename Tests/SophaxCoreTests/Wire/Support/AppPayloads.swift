import Foundation

/// The payloads as an app declares them, for the coders of Foundation: names and types of format SophaxChat 8.8,
/// written down here once more, apart from the code that is tested.
protocol AppPayload: Codable, Equatable, Sendable {}

struct AppWireMessage: AppPayload {
    var type: String
    var payload: Data
    var senderID: String
    var timestamp: Date
    var signature: Data
}

struct AppBundle: AppPayload {
    var signingKeyPublic: Data
    var dhIdentityKeyPublic: Data
    var signedPreKeyPublic: Data
    var signedPreKeySignature: Data
    var signedPreKeyId: UInt32
    var oneTimePreKeyPublic: Data?
    var oneTimePreKeyId: UInt32?
    var username: String
    var timestamp: Date
}

struct AppRatchetMessage: AppPayload {
    var encryptedHeader: Data
    var ciphertext: Data
}

struct AppSealedMessage: AppPayload {
    var ephemeralPublicKey: Data
    var encryptedPayload: Data
}

struct AppHelloPayload: AppPayload {
    var bundle: AppBundle
}

struct AppInitiateSessionPayload: AppPayload {
    var senderBundle: AppBundle
    var ephemeralPublicKey: Data
    var usedSignedPreKeyId: UInt32
    var usedOneTimePreKeyId: UInt32?
    var initialMessage: AppRatchetMessage
    var pqEncapsulatedKey: Data?
    var usedPQPreKeyId: UInt32?
}

/// What it holds is not known.
struct AppSessionAckPayload: AppPayload {}

struct AppChatMessagePayload: AppPayload {
    var ratchetMessage: AppRatchetMessage
    var messageID: String
}

struct AppAckPayload: AppPayload {
    var messageID: String
    var status: String
}

struct AppTypingPayload: AppPayload {
    var isTyping: Bool
}

struct AppReadReceiptPayload: AppPayload {
    var messageIDs: [String]
}

struct AppReactionPayload: AppPayload {
    var targetMessageID: String
    var emoji: String?
}

struct AppGroupMessagePayload: AppPayload {
    var groupID: String
    var messageID: String
    var senderPeerID: String
    var senderUsername: String
    var timestamp: Date
    var ciphertext: Data
    var attachmentCiphertext: Data?
    var attachmentMimeType: String?
    var attachmentFilename: String?
    var audioDuration: Double?
    var senderKeyIteration: UInt32?
    var expiresAt: Date?
    var replyToID: String?
    var senderAvatarData: Data?
}

struct AppGroupReactionPayload: AppPayload {
    var groupID: String
    var targetMessageID: String
    var emoji: String?
}

struct AppGroupReadReceiptPayload: AppPayload {
    var groupID: String
    var targetMessageID: String
    var isRead: Bool?
}

struct AppGroupMemberLeftPayload: AppPayload {
    var groupID: String
    var leavingPeerID: String
    var remainingMemberIDs: [String]
}

struct AppGroupDeletedPayload: AppPayload {
    var groupID: String
    var deletedByPeerID: String
}

struct AppGroupEditMessagePayload: AppPayload {
    var groupID: String
    var messageID: String
    var newBody: String
    var editedAt: Date
}

struct AppSenderKeyRequestPayload: AppPayload {
    var groupID: String
    var targetPeerID: String
}

struct AppChannelAnnouncementPayload: AppPayload {
    var groupID: String
    var groupName: String
    var creatorID: String
    var memberCount: UInt32
    var timestamp: Date
}

struct AppRelayPayload: AppPayload {
    var id: String
    var targetPeerID: String
    var originPeerID: String
    var ttl: UInt8
    var hopCount: UInt8
    var message: AppWireMessage
}

struct AppStoreAndForwardPayload: AppPayload {
    var targetPeerID: String
    var messageID: String
    var sealed: AppSealedMessage
    var expiresAt: Date
}

struct AppStoreAndForwardDeliveryPayload: AppPayload {
    struct Item: AppPayload {
        var messageID: String
        var sealed: AppSealedMessage
    }

    var items: [AppStoreAndForwardDeliveryPayload.Item]
}

struct AppDeadDropPayload: AppPayload {
    var id: String
    var targetPeerID: String
    var sealed: AppSealedMessage
    var expiresAt: Date
}

struct AppMLSMessagePayload: AppPayload {
    var groupID: String
    var messageID: String
    var senderPeerID: String
    var senderUsername: String
    var timestamp: Date
    var ciphertext: Data
    var expiresAt: Date?
    var replyToID: String?
    var attachmentCiphertext: Data?
    var mimeType: String?
    var audioDuration: Double?
    var senderAvatarData: Data?
}

struct AppMLSReactionPayload: AppPayload {
    var groupID: String
    var messageID: String
    var senderPeerID: String
    var targetMessageID: String
    var ciphertext: Data
    var timestamp: Date
}

struct AppMLSGroupEditMessagePayload: AppPayload {
    var groupID: String
    var messageID: String
    var ciphertext: Data
    var editedAt: Date
}

struct AppMLSWelcomePayload: AppPayload {
    var groupID: String
    var groupName: String
    var memberIDs: [String]
    var creatorID: String
    var welcomeBytes: Data
    var ratchetTreeBytes: Data
    var cryptoVersion: String
}

struct AppMLSCommitPayload: AppPayload {
    var groupID: String
    var epoch: UInt64
    var commitBytes: Data
    var coordinatorID: String
}

struct AppMLSCommitRequestPayload: AppPayload {
    var groupID: String
    var action: String
    var keyPackage: Data?
    var targetPeerID: String?
}

struct AppMLSCoordinatorHandoffPayload: AppPayload {
    var groupID: String
    var fromCoordinatorID: String
    var newCoordinatorID: String
}

struct AppDeviceLinkPayload: AppPayload {
    var deviceLabel: String
    var bundle: AppBundle
    var expiresAt: Date?
}

struct AppDeviceSyncPayload: AppPayload {
    var conversationID: String?
    var messageJSON: Data
    var direction: String?
}

struct AppRemoteWipePayload: AppPayload {
    var requestID: String
    var issuedAt: Date
}

struct AppShareDeliveryPayload: AppPayload {
    var shareID: String
    var ephemeralPublicKey: Data
    var encryptedShare: Data
    var senderPeerID: String
    var threshold: UInt8
    var total: UInt8
}

struct AppShareRequestPayload: AppPayload {
    var shareID: String
    var requesterDHPublicKey: Data
}

struct AppShareResponsePayload: AppPayload {
    var shareID: String
    var ephemeralPublicKey: Data
    var encryptedShare: Data
}

struct AppDHTPingPayload: AppPayload {
    var senderNodeID: String
}

struct AppDHTFindNodePayload: AppPayload {
    var targetNodeID: String
}

struct AppDHTContact: AppPayload {
    var nodeID: String
    var onionAddress: String
    var port: UInt16
}

struct AppDHTFindNodeResponsePayload: AppPayload {
    var closestNodes: [AppDHTContact]
}

struct AppDHTStorePayload: AppPayload {
    var nodeID: String
    var bundle: AppBundle
    var expiresAt: Date
}

struct AppDHTFindValuePayload: AppPayload {
    var targetNodeID: String
    var peerIDPrefix: String?
}

struct AppDHTFindValueResponsePayload: AppPayload {
    var bundle: AppBundle?
    var closestNodes: [AppDHTContact]
}
