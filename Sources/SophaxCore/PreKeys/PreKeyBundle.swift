/// What a person hands out so that others can write first: identity keys, a signed prekey, perhaps a one-time prekey.
///
/// A value of every app version: a key that a version does not have is nil. The lengths are checked, the signature is not;
/// see `signatureForm`. Texts are bytes, so that two spellings of a name stay two. Format: SophaxChat 8.1.
public struct PreKeyBundle: Hashable, Sendable {
    /// Which app wrote it: they differ in JSON, ids and time, and do not read each other.
    public enum Platform: Hashable, Sendable {
        /// Ids of 32 bits, the time a double.
        case ios
        /// Ids of 63 bits, the time in whole seconds.
        case android
    }

    /// Which app wrote it.
    public let platform: Platform

    /// The two identity keys.
    public let identityKeys: IdentityPublicKeys

    /// The prekey that the signature is over; an id of 0 is possible in a file, though no app makes it.
    public let signedPreKey: PublicPreKey

    /// Ed25519, 64 bytes.
    public let signature: [UInt8]

    /// A prekey for one session only; nil when the bundle has none.
    public let oneTimePreKey: PublicPreKey?

    /// UTF-8, as the source has it.
    public let username: [UInt8]

    /// Seconds since 2001-01-01T00:00:00Z, bit by bit as the source has it: the signature may be over these 8 bytes.
    public let timestamp: Double

    /// The peer id that an Android bundle says of itself; nil on iOS, where it is computed.
    public let claimedPeerID: PeerID?

    /// What only some versions send.
    public internal(set) var extras: Extras

    /// The optional keys of the later versions, kept as they are: nothing of them is checked here, not even a length. Who begins a
    /// session with them checks them.
    public struct Extras: Hashable, Sendable {
        /// `host:port`, UTF-8.
        public var tcpAddress: [UInt8]?
        /// JPEG, at most 8 KB by the apps' rule.
        public var avatar: [UInt8]?
        public var mlsKeyPackage: [UInt8]?
        /// ML-KEM-768, 1,184 bytes.
        public var postQuantumPreKey: [UInt8]?
        /// Nil beside a key: that is the identity's own ML-KEM key, which does not rotate.
        public var postQuantumPreKeyID: UInt32?
        /// ML-DSA-65, 1,952 bytes.
        public var mldsaPublicKey: [UInt8]?
        /// ML-DSA-65 over the bytes that `signature` is over.
        public var mldsaSignature: [UInt8]?
        /// SHA-256 of the TLS certificate, 32 bytes.
        public var tlsCertificateFingerprint: [UInt8]?

        public init() {}

        /// Whether any post-quantum key or signature is there.
        public var hasPostQuantum: Bool {
            postQuantumPreKey != nil || mldsaPublicKey != nil || mldsaSignature != nil
        }
    }

    /// Takes the parts of a bundle from a file or message.
    /// - Throws: `.wrongLength` for the signature, `.idTooLarge`, `.timestampNotFinite`.
    public init(
        platform: Platform = .ios, identityKeys: IdentityPublicKeys, signedPreKey: PublicPreKey, signature: [UInt8],
        oneTimePreKey: PublicPreKey? = nil, username: [UInt8], timestamp: Double, claimedPeerID: PeerID? = nil,
        extras: Extras = Extras()
    ) throws(PreKeyError) {
        guard signature.count == Self.signatureLength else {
            throw .wrongLength(.signature, expected: Self.signatureLength, found: signature.count)
        }
        let highestID = platform == .ios ? PublicPreKey.highestID : PublicPreKey.highestAndroidID
        guard signedPreKey.id <= highestID else { throw .idTooLarge(.signedPreKey, found: signedPreKey.id) }
        if let oneTimePreKey, oneTimePreKey.id > highestID {
            throw .idTooLarge(.oneTimePreKey, found: oneTimePreKey.id)
        }
        guard timestamp.isFinite else { throw .timestampNotFinite }
        self.platform = platform
        self.identityKeys = identityKeys
        self.signedPreKey = signedPreKey
        self.signature = signature
        self.oneTimePreKey = oneTimePreKey
        self.username = username
        self.timestamp = timestamp
        self.claimedPeerID = claimedPeerID
        self.extras = extras
    }

    /// Length of an Ed25519 signature.
    public static let signatureLength = 64
}

extension PreKeyBundle {
    /// The fingerprint that the identity keys give.
    public var fingerprint: Fingerprint { identityKeys.fingerprint }

    /// Seconds since 1970, for people and for comparing with a clock.
    public var unixTime: Double { timestamp + Self.epoch2001 }

    /// Seconds from 1970-01-01T00:00:00Z to 2001-01-01T00:00:00Z.
    public static let epoch2001: Double = 978_307_200

    /// Whether a peer id that came with the bundle, in its own length of 16, 32 or 64 digits, belongs to the keys.
    ///
    /// Only the one length is compared: a short id that fits says less than a long one. Format: SophaxChat 7.1.
    public func fits(_ peerID: PeerID) -> Bool {
        peerID.matches(fingerprint)
    }
}
