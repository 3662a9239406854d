/// ML-DSA-65 (FIPS 204), with private keys as their seed.
///
/// libcrypto's where it has one (from OpenSSL 3.5 on), else sxkey's own code, which is tested but not audited. The form
/// that hashes the message first (HashML-DSA) is another algorithm and not here.
package enum MLDSA65 {
    package static let seedLength = 32
    package static let publicKeyLength = 1952
    package static let signatureLength = 3309
    package static let maximumContextLength = 255
    static let representativeLength = 64
    static let randomnessLength = 32

    /// Where the randomness of a signature comes from.
    package enum Hedge: Sendable {
        /// Fresh for each signature: the usual form, which also protects against faults.
        case random(RandomSource)
        /// None: the same message always gets the same signature.
        case deterministic

        fileprivate var isDeterministic: Bool {
            switch self {
            case .random: false
            case .deterministic: true
            }
        }

        /// The randomness, all zero for the deterministic form.
        fileprivate func bytes() throws(PostQuantumError) -> SecretBytes {
            let bytes: SecretBytes
            do {
                bytes =
                    switch self {
                    case .random(let source): try source.secret(randomnessLength)
                    case .deterministic: try SecretBytes(count: randomnessLength)
                    }
            } catch {
                throw .memory(error)
            }
            guard bytes.count == randomnessLength else {
                throw .randomnessLength(expected: randomnessLength, found: bytes.count)
            }
            return bytes
        }
    }

    /// A fresh private key.
    package static func makeSeed(_ random: RandomSource = .system) throws(PostQuantumError) -> SecretBytes {
        do { return try random.secret(seedLength) } catch { throw .memory(error) }
    }

    /// The public key of `seed`.
    package static func publicKey(
        ofSeed seed: borrowing SecretBytes, provider: PostQuantumProvider = .current
    ) throws(PostQuantumError) -> [UInt8] {
        try check(seed: seed)
        return switch provider {
        case .own(let reveal): try OwnMLDSA65.publicKey(ofSeed: seed, reveal: reveal)
        case .libcrypto: try LibcryptoMLDSA65.publicKey(ofSeed: seed)
        }
    }

    /// Whether `bytes` have the length of a public key; every value of that length is one.
    package static func isPublicKey(_ bytes: Span<UInt8>) -> Bool {
        bytes.count == publicKeyLength
    }

    static func check(seed: borrowing SecretBytes) throws(PostQuantumError) {
        guard seed.count == seedLength else { throw .seedLength(expected: seedLength, found: seed.count) }
    }

    static func check(context: Span<UInt8>) throws(PostQuantumError) {
        guard context.count <= maximumContextLength else {
            throw .contextLength(maximum: maximumContextLength, found: context.count)
        }
    }
}

// MARK: - Whole messages

extension MLDSA65 {
    /// Signs `message` with the key of `seed`; a context, at most 255 bytes, must be the same when verifying.
    package static func sign(
        _ message: Span<UInt8>, seed: borrowing SecretBytes, context: Span<UInt8> = Span(),
        hedge: Hedge = .random(.system), provider: PostQuantumProvider = .current
    ) throws(PostQuantumError) -> [UInt8] {
        try check(seed: seed)
        try check(context: context)
        let randomness = try hedge.bytes()
        switch provider {
        case .own(let reveal):
            return try OwnMLDSA65.sign(message, context: context, seed: seed, randomness: randomness, reveal: reveal)
        case .libcrypto:
            return try LibcryptoMLDSA65.sign(
                message, context: context, seed: seed, randomness: randomness,
                isDeterministic: hedge.isDeterministic)
        }
    }

    /// Whether `signature` is one of `message` with `context` by the owner of `publicKey`. A wrong length is a no.
    package static func isValid(
        signature: Span<UInt8>, for message: Span<UInt8>, publicKey: Span<UInt8>, context: Span<UInt8> = Span(),
        provider: PostQuantumProvider = .current
    ) throws(PostQuantumError) -> Bool {
        guard signature.count == signatureLength, publicKey.count == publicKeyLength,
            context.count <= maximumContextLength
        else { return false }
        var content = try Message(publicKey: publicKey, context: context)
        content.update(message)
        return try isValid(
            signature: signature, for: content.representative(), publicKey: publicKey, provider: provider)
    }
}

// MARK: - Messages in pieces

extension MLDSA65 {
    /// A message that comes in pieces, for one key and context.
    package struct Message: ~Copyable {
        private var hash = RepeatedDigest(.shake256)
        private let publicKeyHash: [UInt8]

        /// A message to be signed by the owner of `publicKey`, or said to be.
        package init(publicKey: Span<UInt8>, context: Span<UInt8> = Span()) throws(PostQuantumError) {
            guard publicKey.count == publicKeyLength else {
                throw .publicKeyLength(expected: publicKeyLength, found: publicKey.count)
            }
            try check(context: context)
            hash.absorb(publicKey)
            let publicKeyHash = hash.finish(publicCount: representativeLength)
            hash.absorb(publicKeyHash.span)
            self.publicKeyHash = publicKeyHash
            hash.absorb(byte: 0)
            hash.absorb(byte: UInt8(truncatingIfNeeded: context.count))
            hash.absorb(context)
        }

        /// Takes the next bytes of the message.
        package mutating func update(_ bytes: Span<UInt8>) {
            hash.absorb(bytes)
        }

        /// Ends the message: what is signed for it.
        package consuming func representative() -> Representative {
            Representative(publicKeyHash: publicKeyHash, bytes: hash.finish(publicCount: representativeLength))
        }
    }

    /// What stands for a message, its key and its context (μ of FIPS 204).
    package struct Representative: Sendable, Equatable {
        /// tr, which only the signer needs: a signature for another public key is one that nobody can verify.
        let publicKeyHash: [UInt8]
        let bytes: [UInt8]
    }

    /// Signs a message by what stands for it; one that was made with another public key than that of `seed` is refused.
    package static func sign(
        _ representative: Representative, seed: borrowing SecretBytes, hedge: Hedge = .random(.system),
        provider: PostQuantumProvider = .current
    ) throws(PostQuantumError) -> [UInt8] {
        try check(seed: seed)
        let randomness = try hedge.bytes()
        switch provider {
        case .own(let reveal):
            return try OwnMLDSA65.sign(
                representative, seed: seed, randomness: randomness, reveal: reveal)
        case .libcrypto:
            return try LibcryptoMLDSA65.sign(
                representative, seed: seed, randomness: randomness, isDeterministic: hedge.isDeterministic)
        }
    }

    /// Whether `signature` is one of a message by what stands for it, made with `publicKey`. A wrong length is a no.
    package static func isValid(
        signature: Span<UInt8>, for representative: Representative, publicKey: Span<UInt8>,
        provider: PostQuantumProvider = .current
    ) throws(PostQuantumError) -> Bool {
        guard signature.count == signatureLength, publicKey.count == publicKeyLength else { return false }
        let content = representative.bytes
        return switch provider {
        case .own:
            try OwnMLDSA65.isValid(signature, forRepresentative: content.span, publicKey: publicKey)
        case .libcrypto:
            try LibcryptoMLDSA65.isValid(signature, forRepresentative: content.span, publicKey: publicKey)
        }
    }
}
