import JSONCoding

extension PreKeyBundle {
    /// The longest text of a bundle: its longest part is a picture of some kilobytes.
    public static let longestText = 1 << 20

    /// Reads the JSON of a bundle of either platform. Format: SophaxChat 8.1.
    /// - Throws: `.tooLarge` above `longestText`; `.notJSON`; `.field` with the member that is wrong.
    public init(json: [UInt8]) throws(FormatError) {
        try self.init(JSONObject(json, ceiling: Self.longestText))
    }

    /// The JSON that the apps of the bundle's platform read; those of the other read neither ids nor time.
    public var json: [UInt8] {
        platform == .android ? PreKeyBundleText.androidJSON(self) : PreKeyBundleText.json(self)
    }

    /// Reads a bundle of either platform. Format: SophaxChat 8.1.
    package init(_ object: JSONObject) throws(FormatError) {
        // A time as text is what tells the platforms apart for their own decoders too.
        let platform: Platform = object.kind(of: "timestamp") == .string ? .android : .ios
        let highestID = platform == .android ? PublicPreKey.highestAndroidID : PublicPreKey.highestID
        let signing = try object.required("signingKeyPublic", object.data("signingKeyPublic", length: 32))
        let dh = try object.required("dhIdentityKeyPublic", object.data("dhIdentityKeyPublic", length: 32))
        let key = try object.required("signedPreKeyPublic", object.data("signedPreKeyPublic", length: 32))
        let id = try object.required("signedPreKeyId", object.integer("signedPreKeyId", highest: highestID))
        let signature = try object.required("signedPreKeySignature", object.data("signedPreKeySignature", length: 64))
        let username = try object.required("username", object.text("username"))
        let timestamp = try object.required("timestamp", object.time("timestamp"))
        let oneTimeKey = try object.data("oneTimePreKeyPublic", length: 32)
        let oneTimeID = try object.integer("oneTimePreKeyId", highest: highestID)
        if oneTimeKey != nil || oneTimeID != nil {
            _ = try object.required("oneTimePreKeyPublic", oneTimeKey)
            _ = try object.required("oneTimePreKeyId", oneTimeID)
        }
        let claimed = platform == .android ? try object.required("peerID", object.text("peerID")) : nil
        let extras = try Extras(object)
        do {
            try self.init(
                platform: platform, identityKeys: IdentityPublicKeys(signing: signing, dh: dh),
                signedPreKey: PublicPreKey(id: id, key: key), signature: signature,
                oneTimePreKey: Self.oneTime(oneTimeID, oneTimeKey), username: username, timestamp: timestamp,
                claimedPeerID: claimed.map { PeerID(bytes: $0) }, extras: extras)
        } catch {
            // Everything that these check was checked above, with the name of its key.
            throw .field("", .wrongType)
        }
    }

    private static func oneTime(_ id: UInt64?, _ key: [UInt8]?) throws(PreKeyError) -> PublicPreKey? {
        guard let id, let key else { return nil }
        return try PublicPreKey(id: id, key: key, part: .oneTimePreKey)
    }
}

extension PreKeyBundle.Extras {
    init(_ object: JSONObject) throws(FormatError) {
        self.init()
        tcpAddress = try object.text("tcpAddress")
        avatar = try object.data("avatarData")
        mlsKeyPackage = try object.data("mlsKeyPackage")
        postQuantumPreKey = try object.data("pqPreKeyPublic")
        postQuantumPreKeyID = try object.integer("pqPreKeyId", highest: PublicPreKey.highestID).map {
            UInt32(truncatingIfNeeded: $0)
        }
        mldsaPublicKey = try object.data("mldsaPublicKey")
        mldsaSignature = try object.data("mldsaSPKSignature")
        tlsCertificateFingerprint = try object.data("tlsCertFingerprint")
    }
}
