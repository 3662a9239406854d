import CryptoPrimitives

/// A person's own keys: an Ed25519 seed, an X25519 private key, and the user name that goes with them.
///
/// Both private keys live in wiped memory and are lent by closure only. The public keys are computed once, when the
/// value is made, so they always belong to the private ones. Format: SophaxChat 3.2.3 and 7.
public struct Identity: ~Copyable, Sendable {
    /// Length of each private key in bytes.
    public static let keyLength = 32

    /// The user name as the source had it; the apps allow 1–64 characters, nothing is checked here.
    public let username: String

    /// The public halves of the two keys.
    public let publicKeys: IdentityPublicKeys

    /// Ed25519 seed (CryptoKit's raw representation), 32 bytes.
    public let signingSeed: SecretBytes

    /// X25519 private key as stored, 32 bytes, not necessarily clamped.
    public let dhPrivate: SecretBytes

    /// Takes ownership of two private keys and derives the public ones.
    /// - Throws: `.wrongLength` unless each is 32 bytes; `.memory`, `.libraryFailure`.
    public init(
        signingSeed: consuming SecretBytes,
        dhPrivate: consuming SecretBytes,
        username: String
    ) throws(IdentityError) {
        guard signingSeed.count == Self.keyLength else {
            throw .wrongLength(.signingSeed, expected: Self.keyLength, found: signingSeed.count)
        }
        guard dhPrivate.count == Self.keyLength else {
            throw .wrongLength(.dhPrivate, expected: Self.keyLength, found: dhPrivate.count)
        }
        publicKeys = try IdentityPublicKeys(
            signing: Self.signingPublic(of: signingSeed),
            dh: Self.dhPublic(of: dhPrivate)
        )
        self.username = username
        self.signingSeed = signingSeed
        self.dhPrivate = dhPrivate
    }

    /// A second value with the same keys and name.
    public func copy() throws(IdentityError) -> Identity {
        do throws(SecretMemoryError) {
            let seed = try signingSeed.copy()
            let privateCopy = try dhPrivate.copy()
            return Identity(signingSeed: seed, dhPrivate: privateCopy, publicKeys: publicKeys, username: username)
        } catch {
            throw .memory(error)
        }
    }

    /// Takes keys that were proven to belong together.
    private init(
        signingSeed: consuming SecretBytes, dhPrivate: consuming SecretBytes, publicKeys: IdentityPublicKeys,
        username: String
    ) {
        self.username = username
        self.publicKeys = publicKeys
        self.signingSeed = signingSeed
        self.dhPrivate = dhPrivate
    }

    /// The fingerprint of the public keys.
    public var fingerprint: Fingerprint {
        publicKeys.fingerprint
    }

    private static func signingPublic(of seed: borrowing SecretBytes) throws(IdentityError) -> [UInt8] {
        do {
            return try Ed25519.publicKey(ofSeed: seed)
        } catch {
            switch error {
            case .memory(let memory): throw .memory(memory)
            case .seedLength(let expected, let found):
                throw .wrongLength(.signingSeed, expected: expected, found: found)
            case .libraryFailure: throw .libraryFailure
            }
        }
    }

    private static func dhPublic(of privateKey: borrowing SecretBytes) throws(IdentityError) -> [UInt8] {
        do {
            return try X25519.publicKey(of: privateKey)
        } catch {
            switch error {
            case .memory(let memory): throw .memory(memory)
            case .keyLength(let expected, let found): throw .wrongLength(.dhPrivate, expected: expected, found: found)
            case .allZero, .libraryFailure: throw .libraryFailure
            }
        }
    }
}
