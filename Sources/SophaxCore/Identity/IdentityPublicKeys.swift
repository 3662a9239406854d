/// The two public keys that are a person: an Ed25519 key that signs and an X25519 key that agrees on secrets.
///
/// Everything that names a person (peer id, fingerprint, safety numbers, onion address) is a hash of these 64 bytes,
/// so two values are equal exactly when they are the same identity. Format: SophaxChat 7.
public struct IdentityPublicKeys: Hashable, Sendable {
    /// Length of each key in bytes.
    public static let keyLength = 32

    /// Ed25519 public key, 32 bytes.
    public let signing: [UInt8]

    /// X25519 public key, 32 bytes.
    public let dh: [UInt8]

    /// Takes two raw keys.
    ///
    /// Only the lengths are checked: any 32 bytes are a possible X25519 key, and files hold keys that no signature was
    /// ever checked with.
    /// - Throws: `.wrongLength` unless each key is 32 bytes.
    public init(signing: [UInt8], dh: [UInt8]) throws(IdentityError) {
        guard signing.count == Self.keyLength else {
            throw .wrongLength(.signingPublic, expected: Self.keyLength, found: signing.count)
        }
        guard dh.count == Self.keyLength else {
            throw .wrongLength(.dhPublic, expected: Self.keyLength, found: dh.count)
        }
        self.signing = signing
        self.dh = dh
    }

    /// SHA-256(signing ‖ dh): the identity fingerprint and DHT node id.
    public var fingerprint: Fingerprint {
        Fingerprint(hashing: self)
    }
}
