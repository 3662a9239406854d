import JSONCoding

/// `mlsWelcome`: an invitation to an MLS group. Format: SophaxChat 8.8.
public struct MLSWelcomePayload: WirePayloadBody, Hashable, Sendable {
    public var groupID: [UInt8]
    public var groupName: [UInt8]
    public var memberIDs: [PeerID]
    public var creatorID: PeerID
    public var welcomeBytes: [UInt8]
    public var ratchetTreeBytes: [UInt8]
    /// `mls`.
    public var cryptoVersion: [UInt8]
    package var unknown: [JSONField] = []

    public init(
        groupID: [UInt8], groupName: [UInt8], memberIDs: [PeerID], creatorID: PeerID, welcomeBytes: [UInt8],
        ratchetTreeBytes: [UInt8], cryptoVersion: [UInt8]
    ) {
        self.groupID = groupID
        self.groupName = groupName
        self.memberIDs = memberIDs
        self.creatorID = creatorID
        self.welcomeBytes = welcomeBytes
        self.ratchetTreeBytes = ratchetTreeBytes
        self.cryptoVersion = cryptoVersion
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        groupID = try fields.text("groupID", WireLimits.idBytes)
        groupName = try fields.text("groupName", WireLimits.nameBytes)
        memberIDs = try fields.members("memberIDs")
        creatorID = try fields.peerID("creatorID")
        welcomeBytes = try fields.data("welcomeBytes", WireLimits.mlsBytes)
        ratchetTreeBytes = try fields.data("ratchetTreeBytes", WireLimits.mlsBytes)
        cryptoVersion = try fields.text("cryptoVersion", WireLimits.wordBytes)
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("groupID", text: groupID)
        text.add("groupName", text: groupName)
        text.add("memberIDs", texts: memberIDs.map(\.bytes))
        text.add("creatorID", text: creatorID.bytes)
        text.add("welcomeBytes", data: welcomeBytes)
        text.add("ratchetTreeBytes", data: ratchetTreeBytes)
        text.add("cryptoVersion", text: cryptoVersion)
        text.add(unknown)
        return text.finished
    }
}

/// `mlsCommit`: a change of an MLS group. Format: SophaxChat 8.8.
public struct MLSCommitPayload: WirePayloadBody, Hashable, Sendable {
    public var groupID: [UInt8]
    public var epoch: UInt64
    public var commitBytes: [UInt8]
    public var coordinatorID: PeerID
    package var unknown: [JSONField] = []

    public init(groupID: [UInt8], epoch: UInt64, commitBytes: [UInt8], coordinatorID: PeerID) {
        self.groupID = groupID
        self.epoch = epoch
        self.commitBytes = commitBytes
        self.coordinatorID = coordinatorID
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        groupID = try fields.text("groupID", WireLimits.idBytes)
        epoch = try fields.integer("epoch")
        commitBytes = try fields.data("commitBytes", WireLimits.mlsBytes)
        coordinatorID = try fields.peerID("coordinatorID")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("groupID", text: groupID)
        text.add("epoch", integer: epoch)
        text.add("commitBytes", data: commitBytes)
        text.add("coordinatorID", text: coordinatorID.bytes)
        text.add(unknown)
        return text.finished
    }
}

/// `mlsCommitRequest`: a member asks the coordinator for a change. Format: SophaxChat 8.8.
public struct MLSCommitRequestPayload: WirePayloadBody, Hashable, Sendable {
    public enum Action: String, Hashable, Sendable, CaseIterable {
        case add, remove
    }

    public var groupID: [UInt8]
    public var action: Action
    public var keyPackage: [UInt8]?
    public var targetPeerID: PeerID?
    package var unknown: [JSONField] = []

    public init(groupID: [UInt8], action: Action, keyPackage: [UInt8]? = nil, targetPeerID: PeerID? = nil) {
        self.groupID = groupID
        self.action = action
        self.keyPackage = keyPackage
        self.targetPeerID = targetPeerID
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        groupID = try fields.text("groupID", WireLimits.idBytes)
        action = try fields.word("action")
        keyPackage = try fields.dataIfPresent("keyPackage", WireLimits.embeddedBytes)
        targetPeerID = try fields.peerIDIfPresent("targetPeerID")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("groupID", text: groupID)
        text.add("action", text: Array(action.rawValue.utf8))
        text.add("keyPackage", data: keyPackage)
        text.add("targetPeerID", text: targetPeerID?.bytes)
        text.add(unknown)
        return text.finished
    }
}

/// `mlsCoordinatorHandoff`. Format: SophaxChat 8.8.
public struct MLSCoordinatorHandoffPayload: WirePayloadBody, Hashable, Sendable {
    public var groupID: [UInt8]
    public var fromCoordinatorID: PeerID
    public var newCoordinatorID: PeerID
    package var unknown: [JSONField] = []

    public init(groupID: [UInt8], fromCoordinatorID: PeerID, newCoordinatorID: PeerID) {
        self.groupID = groupID
        self.fromCoordinatorID = fromCoordinatorID
        self.newCoordinatorID = newCoordinatorID
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        groupID = try fields.text("groupID", WireLimits.idBytes)
        fromCoordinatorID = try fields.peerID("fromCoordinatorID")
        newCoordinatorID = try fields.peerID("newCoordinatorID")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("groupID", text: groupID)
        text.add("fromCoordinatorID", text: fromCoordinatorID.bytes)
        text.add("newCoordinatorID", text: newCoordinatorID.bytes)
        text.add(unknown)
        return text.finished
    }
}
