import CryptoPrimitives

/// What an initiator's agreement has given: the secret, and what the first message says of it.
public struct InitiatedSession: ~Copyable, Sendable {
    /// 32 bytes, for `RatchetSession.init(initiator:)`.
    public let sharedSecret: SecretBytes
    /// Who the session is with.
    public let remoteKeys: IdentityPublicKeys
    /// The peer's signed prekey, X25519 public key of 32 bytes: the peer's first ratchet key.
    public let signedPreKey: [UInt8]
    /// X25519 public key made for this agreement, 32 bytes.
    public let ephemeralPublicKey: [UInt8]
    public let usedSignedPreKeyID: UInt32
    /// Nil when the bundle had no one-time prekey.
    public let usedOneTimePreKeyID: UInt32?
    /// As given with the ML-KEM secret; nil in a classical agreement.
    public let pqEncapsulatedKey: [UInt8]?
    public let usedPQPreKeyID: UInt32?

    /// What the first message says, with one's own bundle.
    public func request(senderBundle: PreKeyBundle) -> SessionRequest {
        SessionRequest(
            senderBundle: senderBundle, ephemeralPublicKey: ephemeralPublicKey,
            usedSignedPreKeyID: usedSignedPreKeyID, usedOneTimePreKeyID: usedOneTimePreKeyID,
            pqEncapsulatedKey: pqEncapsulatedKey, usedPQPreKeyID: usedPQPreKeyID)
    }
}

/// What a responder's agreement has given.
public struct AcceptedSession: ~Copyable, Sendable {
    /// 32 bytes, for `RatchetSession.init(responder:signedPreKey:)`.
    public let sharedSecret: SecretBytes
    /// Who the session is with, by the bundle: the first message opens only for who has its private keys.
    public let remoteKeys: IdentityPublicKeys
    /// The one-time prekey to remove once the first message has opened.
    public let usedOneTimePreKeyID: UInt32?
}

/// The post-quantum part of an initiator's agreement, which somebody else has made: an ML-KEM-768 secret and what the
/// receiver needs to find it.
public struct PostQuantumPart: ~Copyable, Sendable {
    /// 32 bytes.
    public let secret: SecretBytes
    /// ML-KEM-768 ciphertext, 1,088 bytes.
    public let encapsulatedKey: [UInt8]
    /// The receiver's ML-KEM prekey; nil for the identity's own ML-KEM key.
    public let preKeyID: UInt32?

    public init(secret: consuming SecretBytes, encapsulatedKey: [UInt8], preKeyID: UInt32?) {
        self.secret = secret
        self.encapsulatedKey = encapsulatedKey
        self.preKeyID = preKeyID
    }
}
