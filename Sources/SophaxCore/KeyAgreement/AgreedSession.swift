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
    /// ML-KEM-768 ciphertext, 1,088 bytes; nil in a classical agreement.
    public let pqEncapsulatedKey: [UInt8]?
    /// The peer's ML-KEM prekey; nil beside a ciphertext is the identity's own ML-KEM key.
    public let usedPQPreKeyID: UInt32?

    /// Whether the secret has a post-quantum part.
    public var isHybrid: Bool { pqEncapsulatedKey != nil }

    /// What the first message says, with one's own bundle; the address in it is left out, as the apps do it, for relays read
    /// this message. To be had before the ratchet begins, which takes the secret.
    public func request(senderBundle: PreKeyBundle) -> SessionRequest {
        var bundle = senderBundle
        bundle.extras.tcpAddress = nil
        return SessionRequest(
            senderBundle: bundle, ephemeralPublicKey: ephemeralPublicKey,
            usedSignedPreKeyID: usedSignedPreKeyID, usedOneTimePreKeyID: usedOneTimePreKeyID,
            pqEncapsulatedKey: pqEncapsulatedKey, usedPQPreKeyID: usedPQPreKeyID)
    }
}

/// What a responder's agreement has given.
public struct AcceptedSession: ~Copyable, Sendable {
    /// 32 bytes, for `RatchetSession.init(responder:signedPreKey:)`.
    public let sharedSecret: SecretBytes
    /// Who the session is with, by the bundle: those of the fingerprint that was expected, where one was. That the first message opens proves the DH key alone: the bundle's signature
    /// is not over it, so somebody could put their own DH key beside another's signing key. Verify the envelope with the
    /// signing key, and compare the fingerprint, which is over both, with the one that is known.
    ///
    /// A first message can be sent again by whoever has seen it: remember its ephemeral key, and replace a session that is
    /// there only for one that is new.
    public let remoteKeys: IdentityPublicKeys
    /// The signed prekey that the initiator used.
    public let usedSignedPreKeyID: UInt32
    /// The one-time prekey to remove once the first message has opened.
    public let usedOneTimePreKeyID: UInt32?
    /// Whether the secret has a post-quantum part.
    public let isHybrid: Bool
}
