import JSONCoding

/// `dhtPing` and `dhtPong`. Format: SophaxChat 8.8.
public struct DHTPingPayload: WirePayloadBody, Hashable, Sendable {
    /// 64 hex digits.
    public var senderNodeID: PeerID
    package var unknown: [JSONField] = []

    public init(senderNodeID: PeerID) {
        self.senderNodeID = senderNodeID
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        senderNodeID = try fields.peerID("senderNodeID")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("senderNodeID", text: senderNodeID.bytes)
        text.add(unknown)
        return text.finished
    }
}

/// `dhtFindNode`: who is near this node. Format: SophaxChat 8.8.
public struct DHTFindNodePayload: WirePayloadBody, Hashable, Sendable {
    /// 64 hex digits.
    public var targetNodeID: PeerID
    package var unknown: [JSONField] = []

    public init(targetNodeID: PeerID) {
        self.targetNodeID = targetNodeID
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        targetNodeID = try fields.peerID("targetNodeID")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("targetNodeID", text: targetNodeID.bytes)
        text.add(unknown)
        return text.finished
    }
}

/// A node of the DHT and where it is. Format: SophaxChat 8.8.
public struct DHTContact: WirePayloadBody, Hashable, Sendable {
    /// 64 hex digits.
    public var nodeID: PeerID
    public var onionAddress: [UInt8]
    public var port: UInt16
    package var unknown: [JSONField] = []

    public init(nodeID: PeerID, onionAddress: [UInt8], port: UInt16) {
        self.nodeID = nodeID
        self.onionAddress = onionAddress
        self.port = port
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        nodeID = try fields.peerID("nodeID")
        onionAddress = try fields.text("onionAddress", WireLimits.wordBytes)
        port = try fields.integer("port")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("nodeID", text: nodeID.bytes)
        text.add("onionAddress", text: onionAddress)
        text.add("port", integer: port)
        text.add(unknown)
        return text.finished
    }
}

/// `dhtFindNodeResp`. Format: SophaxChat 8.8.
public struct DHTFindNodeResponsePayload: WirePayloadBody, Hashable, Sendable {
    public var closestNodes: [DHTContact]
    package var unknown: [JSONField] = []

    public init(closestNodes: [DHTContact]) {
        self.closestNodes = closestNodes
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        closestNodes = try fields.objects("closestNodes", WireLimits.dhtNodes, DHTContact.init)
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("closestNodes", array: closestNodes.map(\.json))
        text.add(unknown)
        return text.finished
    }
}

/// `dhtStore`: a bundle to be found by others. Format: SophaxChat 8.8.
public struct DHTStorePayload: WirePayloadBody, Hashable, Sendable {
    /// 64 hex digits.
    public var nodeID: PeerID
    public var bundle: CarriedBundle
    /// 25 hours after it was made.
    public var expiresAt: WireDate
    package var unknown: [JSONField] = []

    public init(nodeID: PeerID, bundle: CarriedBundle, expiresAt: WireDate) {
        self.nodeID = nodeID
        self.bundle = bundle
        self.expiresAt = expiresAt
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        nodeID = try fields.peerID("nodeID")
        bundle = try fields.object("bundle", CarriedBundle.init)
        expiresAt = try fields.date("expiresAt")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("nodeID", text: nodeID.bytes)
        text.add("bundle", json: bundle.json)
        text.add("expiresAt", date: expiresAt)
        text.add(unknown)
        return text.finished
    }
}

/// `dhtFindValue`: whose bundle is wanted. Format: SophaxChat 8.8.
public struct DHTFindValuePayload: WirePayloadBody, Hashable, Sendable {
    /// 64 hex digits.
    public var targetNodeID: PeerID
    public var peerIDPrefix: PeerID?
    package var unknown: [JSONField] = []

    public init(targetNodeID: PeerID, peerIDPrefix: PeerID? = nil) {
        self.targetNodeID = targetNodeID
        self.peerIDPrefix = peerIDPrefix
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        targetNodeID = try fields.peerID("targetNodeID")
        peerIDPrefix = try fields.peerIDIfPresent("peerIDPrefix")
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("targetNodeID", text: targetNodeID.bytes)
        text.add("peerIDPrefix", text: peerIDPrefix?.bytes)
        text.add(unknown)
        return text.finished
    }
}

/// `dhtFindValueResp`: the bundle, or who may have it. Format: SophaxChat 8.8.
public struct DHTFindValueResponsePayload: WirePayloadBody, Hashable, Sendable {
    public var bundle: CarriedBundle?
    public var closestNodes: [DHTContact]
    package var unknown: [JSONField] = []

    public init(bundle: CarriedBundle? = nil, closestNodes: [DHTContact]) {
        self.bundle = bundle
        self.closestNodes = closestNodes
    }

    package init(_ object: JSONObject) throws(FormatError) {
        var fields = try WireFields(object)
        bundle = try fields.objectIfPresent("bundle", CarriedBundle.init)
        closestNodes = try fields.objects("closestNodes", WireLimits.dhtNodes, DHTContact.init)
        unknown = fields.rest()
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("bundle", json: bundle?.json)
        text.add("closestNodes", array: closestNodes.map(\.json))
        text.add(unknown)
        return text.finished
    }
}
