/// What the sender of a first message says of the agreement, in clear. Format: SophaxChat 8.2.
public struct SessionRequest: Hashable, Sendable {
    /// The sender's own bundle, which has the identity keys.
    public let senderBundle: PreKeyBundle
    /// X25519 public key made for this agreement, 32 bytes.
    public let ephemeralPublicKey: [UInt8]
    /// The receiver's signed prekey.
    public let usedSignedPreKeyID: UInt32
    /// The receiver's one-time prekey, if one was used.
    public let usedOneTimePreKeyID: UInt32?
    /// ML-KEM-768 ciphertext, 1,088 bytes; nil in a classical agreement.
    public let pqEncapsulatedKey: [UInt8]?
    /// The receiver's ML-KEM prekey; nil beside a ciphertext is the identity's own ML-KEM key.
    public let usedPQPreKeyID: UInt32?

    public init(
        senderBundle: PreKeyBundle, ephemeralPublicKey: [UInt8], usedSignedPreKeyID: UInt32,
        usedOneTimePreKeyID: UInt32? = nil, pqEncapsulatedKey: [UInt8]? = nil, usedPQPreKeyID: UInt32? = nil
    ) {
        self.senderBundle = senderBundle
        self.ephemeralPublicKey = ephemeralPublicKey
        self.usedSignedPreKeyID = usedSignedPreKeyID
        self.usedOneTimePreKeyID = usedOneTimePreKeyID
        self.pqEncapsulatedKey = pqEncapsulatedKey
        self.usedPQPreKeyID = usedPQPreKeyID
    }
}

extension SessionRequest {
    /// What a first message says of the agreement.
    public init(_ payload: InitiateSessionPayload) {
        self.init(
            senderBundle: payload.senderBundle.bundle, ephemeralPublicKey: payload.ephemeralPublicKey,
            usedSignedPreKeyID: payload.usedSignedPreKeyId, usedOneTimePreKeyID: payload.usedOneTimePreKeyId,
            pqEncapsulatedKey: payload.pqEncapsulatedKey, usedPQPreKeyID: payload.usedPQPreKeyId)
    }
}

extension InitiateSessionPayload {
    /// The first message of a session: what it says of the agreement, and the first message of the ratchet.
    public init(_ request: SessionRequest, initialMessage: RatchetMessage) {
        self.init(
            senderBundle: CarriedBundle(request.senderBundle), ephemeralPublicKey: request.ephemeralPublicKey,
            usedSignedPreKeyId: request.usedSignedPreKeyID, usedOneTimePreKeyId: request.usedOneTimePreKeyID,
            initialMessage: initialMessage, pqEncapsulatedKey: request.pqEncapsulatedKey,
            usedPQPreKeyId: request.usedPQPreKeyID)
    }
}
