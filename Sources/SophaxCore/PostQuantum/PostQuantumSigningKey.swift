import CryptoPrimitives

/// An ML-DSA-65 key of one's own, which signs bundles beside the Ed25519 key. Item `identity.mldsa` of the app's keychain.
///
/// How the app stores it is not known for sure. sxkey stores CryptoKit's integrity-checked form, seed ‖ SHA3-256 of the public
/// key, 64 bytes, and reads other layouts only with proof; see `read(_:known:)`. Format: SophaxChat 5.1, 8.1.
public struct PostQuantumSigningKey: ~Copyable, Sendable {
    /// ξ of FIPS 204, 32 bytes.
    public let seed: SecretBytes

    /// What is handed out, 1,952 bytes.
    public let publicKey: [UInt8]

    /// Length of a public key in bytes.
    public static let publicKeyLength = MLDSA65.publicKeyLength

    /// Length of a signature in bytes.
    public static let signatureLength = MLDSA65.signatureLength

    /// Length of seed and hash in bytes.
    public static let storedLength = MLDSA65.seedLength + CheckedSeed.hashLength

    /// Takes ownership of a seed and derives the public key.
    /// - Throws: `.length`, `.memory`, `.libraryFailure`.
    public init(seed: consuming SecretBytes) throws(CheckedSeedError) {
        publicKey = try Self.publicKey(of: seed)
        self.seed = seed
    }

    /// Makes a fresh key.
    public static func make() throws(CheckedSeedError) -> PostQuantumSigningKey { try make(random: .system) }

    package static func make(random: RandomSource) throws(CheckedSeedError) -> PostQuantumSigningKey {
        try PostQuantumSigningKey(
            seed: CheckedSeed.memory { () throws(SecretMemoryError) in try random.secret(MLDSA65.seedLength) })
    }

    /// Reads a stored key whose layout may be another one: nil where nothing proves what the bytes are.
    ///
    /// 64 bytes are seed and hash when the hash is that of the seed's public key; 32 or 64 bytes begin with a seed when its
    /// public key is one of `known`. Anything else stays what it is.
    /// - Parameter known: ML-DSA-65 public keys that may be this one's, from one's own bundles.
    /// - Throws: `.memory`, `.libraryFailure`.
    public static func read(
        _ stored: borrowing SecretBytes, known: [[UInt8]] = []
    ) throws(CheckedSeedError) -> PostQuantumSigningKey? {
        guard stored.count == MLDSA65.seedLength || stored.count == storedLength else { return nil }
        let seed = try CheckedSeed.memory { () throws(SecretMemoryError) in try stored.prefix(MLDSA65.seedLength) }
        let publicKey = try publicKey(of: seed)
        let hash = SHA3_256.hash(publicKey.span)
        let end = try CheckedSeed.memory { () throws(SecretMemoryError) in
            try stored.slice(MLDSA65.seedLength..<stored.count)
        }
        guard end.isEqual(to: hash.span) || known.contains(publicKey) else { return nil }
        return PostQuantumSigningKey(seed: seed, publicKey: publicKey)
    }

    /// The bytes for the keychain, 64.
    public func stored() throws(CheckedSeedError) -> SecretBytes {
        let hash = SHA3_256.hash(publicKey.span)
        return try CheckedSeed.memory { () throws(SecretMemoryError) in
            try seed.appending(SecretBytes(copying: hash.span))
        }
    }

    private init(seed: consuming SecretBytes, publicKey: [UInt8]) {
        self.seed = seed
        self.publicKey = publicKey
    }

    private static func publicKey(of seed: borrowing SecretBytes) throws(CheckedSeedError) -> [UInt8] {
        do throws(PostQuantumError) { return try MLDSA65.publicKey(ofSeed: seed) } catch { throw .init(error) }
    }
}
