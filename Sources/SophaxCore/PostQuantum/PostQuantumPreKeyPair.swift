import CryptoPrimitives

/// An ML-KEM-768 key of one's own, for hybrid agreements: a prekey that rotates with the signed one, or the identity's own.
///
/// Items `pqspk.<id>` and `identity.pq` of the app's keychain. Nothing signs the public key: a bundle's signature is not over
/// it. So it protects what is recorded today from who breaks X25519 later, and not from who changes bundles on their way.
/// Format: SophaxChat 5.1, 8.1, 8.2.
public struct PostQuantumPreKeyPair: ~Copyable, Sendable {
    /// 1…2³²−1 when made here; nil for the identity's own key, which does not rotate.
    public let id: UInt32?

    /// d ‖ z of FIPS 203, 64 bytes.
    public let seed: SecretBytes

    /// What is handed out, 1,184 bytes.
    public let publicKey: [UInt8]

    /// Length of a public key in bytes.
    public static let publicKeyLength = MLKEM768.publicKeyLength

    /// Length of the ciphertext of a secret in bytes.
    public static let ciphertextLength = MLKEM768.ciphertextLength

    /// Whether bytes are a public key that secrets can be made for: their length and coefficients (FIPS 203, 7.2).
    public static func isPublicKey(_ bytes: Span<UInt8>) -> Bool { MLKEM768.isPublicKey(bytes) }

    /// Takes ownership of a seed and derives the public key.
    /// - Throws: `.length`, `.memory`, `.libraryFailure`.
    public init(id: UInt32?, seed: consuming SecretBytes) throws(CheckedSeedError) {
        publicKey = try CheckedSeed.publicKey(of: seed, as: .mlkem768)
        self.id = id
        self.seed = seed
    }

    /// Reads what the app's keychain has: see `CheckedSeed`.
    /// - Throws: any `CheckedSeedError`.
    public init(id: UInt32?, stored: borrowing SecretBytes) throws(CheckedSeedError) {
        try self.init(id: id, seed: CheckedSeed.read(stored, as: .mlkem768))
    }

    /// The bytes for the app's keychain, 96.
    public func stored() throws(CheckedSeedError) -> SecretBytes {
        let hash = SHA3_256.hash(publicKey.span)
        return try CheckedSeed.memory { () throws(SecretMemoryError) in
            try seed.appending(SecretBytes(copying: hash.span))
        }
    }

    /// Makes a fresh prekey whose id is none of `taken`.
    public static func make(excluding taken: Set<UInt32>) throws(CheckedSeedError) -> PostQuantumPreKeyPair {
        try make(excluding: taken, random: .system)
    }

    package static func make(
        excluding taken: Set<UInt32>, random: RandomSource
    ) throws(CheckedSeedError) -> PostQuantumPreKeyPair {
        var id: UInt32 = 0
        while id == 0 || taken.contains(id) { id = LittleEndian.uint32(random.bytes(4).span) ?? 0 }
        return try PostQuantumPreKeyPair(id: id, seed: makeSeed(random))
    }

    /// Makes a fresh key for the identity itself.
    public static func makeForIdentity() throws(CheckedSeedError) -> PostQuantumPreKeyPair {
        try makeForIdentity(random: .system)
    }

    package static func makeForIdentity(random: RandomSource) throws(CheckedSeedError) -> PostQuantumPreKeyPair {
        try PostQuantumPreKeyPair(id: nil, seed: makeSeed(random))
    }

    private static func makeSeed(_ random: RandomSource) throws(CheckedSeedError) -> SecretBytes {
        do throws(PostQuantumError) { return try MLKEM768.makeSeed(random) } catch { throw CheckedSeedError(error) }
    }

    /// A second value with the same key, where a value that is there must be lent as an optional one.
    public func copy() throws(CheckedSeedError) -> PostQuantumPreKeyPair {
        let copy = try CheckedSeed.memory { () throws(SecretMemoryError) in try seed.copy() }
        return PostQuantumPreKeyPair(id: id, seed: copy, publicKey: publicKey)
    }

    private init(id: UInt32?, seed: consuming SecretBytes, publicKey: [UInt8]) {
        self.id = id
        self.seed = seed
        self.publicKey = publicKey
    }
}
