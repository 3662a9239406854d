import CryptoPrimitives

/// Why stored bytes are no private key of a post-quantum scheme.
public enum CheckedSeedError: Error, Equatable, Sendable {
    /// Another length than seed and hash have, or than a seed has.
    case length(expected: Int, found: Int)

    /// The hash is not that of the public key of the seed: damaged, or of another scheme.
    case mismatch

    /// The guarded memory could not be had.
    case memory(SecretMemoryError)

    /// The crypto library failed although its arguments were right.
    case libraryFailure
}

/// CryptoKit's integrity-checked form of a private key: seed ‖ SHA3-256 of the public key. Format: SophaxChat 5.1.
///
/// Of an ML-KEM seed d ‖ z the hash proves d alone: no public key depends on z, which only answers ciphertexts that were not
/// made for the key. So a changed z is not found, and does no harm to any secret.
public enum CheckedSeed {
    /// A scheme whose private keys are stored so.
    public enum Form: Hashable, Sendable, CaseIterable {
        /// Seed d ‖ z of 64 bytes (FIPS 203), so 96 in all.
        case mlkem768
        /// Seed of 32 bytes (draft-connolly-cfrg-xwing-kem), so 64 in all.
        case xwing

        /// Length of the seed in bytes.
        public var seedLength: Int {
            switch self {
            case .mlkem768: MLKEM768.seedLength
            case .xwing: XWing.seedLength
            }
        }

        /// Length of seed and hash in bytes.
        public var storedLength: Int { seedLength + hashLength }
    }

    /// Length of the hash in bytes.
    public static let hashLength = 32

    /// The seed in stored bytes, whose hash is that of its public key.
    /// - Throws: any `CheckedSeedError`.
    public static func read(
        _ stored: borrowing SecretBytes, as form: Form
    ) throws(CheckedSeedError) -> SecretBytes {
        guard stored.count == form.storedLength else {
            throw .length(expected: form.storedLength, found: stored.count)
        }
        let seed = try memory { () throws(SecretMemoryError) in try stored.prefix(form.seedLength) }
        let publicKey = try publicKey(of: seed, as: form)
        let hash = SHA3_256.hash(publicKey.span)
        let found = try memory { () throws(SecretMemoryError) in
            try stored.slice(form.seedLength..<form.storedLength)
        }
        guard found.isEqual(to: hash.span) else { throw .mismatch }
        return seed
    }

    /// The bytes that are stored for a seed.
    /// - Throws: `.length`, `.memory`, `.libraryFailure`.
    public static func text(
        of seed: borrowing SecretBytes, as form: Form
    ) throws(CheckedSeedError) -> SecretBytes {
        let publicKey = try publicKey(of: seed, as: form)
        let hash = SHA3_256.hash(publicKey.span)
        return try memory { () throws(SecretMemoryError) in
            try seed.appending(SecretBytes(copying: hash.span))
        }
    }

    /// A fresh X-Wing key as it is stored.
    package static func makeXWing(random: RandomSource) throws(CheckedSeedError) -> SecretBytes {
        let seed = try memory { () throws(SecretMemoryError) in try random.secret(XWing.seedLength) }
        return try text(of: seed, as: .xwing)
    }

    /// The public key of a seed.
    package static func publicKey(of seed: borrowing SecretBytes, as form: Form) throws(CheckedSeedError) -> [UInt8] {
        do throws(PostQuantumError) {
            return switch form {
            case .mlkem768: try MLKEM768.publicKey(ofSeed: seed)
            case .xwing: try XWing.publicKey(ofSeed: seed)
            }
        } catch {
            throw CheckedSeedError(error)
        }
    }

    static func memory(
        _ make: () throws(SecretMemoryError) -> SecretBytes
    ) throws(CheckedSeedError) -> SecretBytes {
        do throws(SecretMemoryError) { return try make() } catch { throw .memory(error) }
    }
}

extension CheckedSeedError {
    init(_ error: PostQuantumError) {
        switch error {
        case .seedLength(let expected, let found): self = .length(expected: expected, found: found)
        case .memory(let memory): self = .memory(memory)
        default: self = .libraryFailure
        }
    }
}
