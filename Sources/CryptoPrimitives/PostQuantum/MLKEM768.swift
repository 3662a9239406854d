/// A shared secret and the ciphertext that brings it to the owner of a public key.
package struct Encapsulation: ~Copyable {
    package let secret: SecretBytes
    package let ciphertext: [UInt8]

    /// The secret alone, to be kept when the ciphertext has been sent.
    package consuming func takeSecret() -> SecretBytes { secret }
}

/// ML-KEM-768 (FIPS 203), with private keys as their seed d ‖ z.
///
/// libcrypto's where it has one (from OpenSSL 3.5 on), else sxkey's own code, which is tested but not audited.
package enum MLKEM768 {
    package static let seedLength = 64
    package static let publicKeyLength = 1184
    package static let ciphertextLength = 1088
    package static let secretLength = 32
    static let messageLength = 32

    /// A fresh private key.
    package static func makeSeed(_ random: RandomSource = .system) throws(PostQuantumError) -> SecretBytes {
        do { return try random.secret(seedLength) } catch { throw .memory(error) }
    }

    /// The public key of `seed`.
    package static func publicKey(
        ofSeed seed: borrowing SecretBytes, provider: PostQuantumProvider = .current
    ) throws(PostQuantumError) -> [UInt8] {
        try seed.withSpan { seed throws(PostQuantumError) in try publicKey(ofSeed: seed, provider: provider) }
    }

    /// A fresh secret for the owner of `publicKey`; all of its randomness is the 32 bytes that `random` gives.
    package static func encapsulate(
        to publicKey: Span<UInt8>, random: RandomSource = .system, provider: PostQuantumProvider = .current
    ) throws(PostQuantumError) -> Encapsulation {
        let message: SecretBytes
        do { message = try random.secret(messageLength) } catch { throw .memory(error) }
        return try message.withSpan { message throws(PostQuantumError) in
            try encapsulate(to: publicKey, message: message, provider: provider)
        }
    }

    /// The secret in `ciphertext` for the private key of `seed`.
    ///
    /// A ciphertext that was not made for this key gives another secret, not an error: implicit rejection.
    package static func decapsulate(
        _ ciphertext: Span<UInt8>, seed: borrowing SecretBytes, provider: PostQuantumProvider = .current
    ) throws(PostQuantumError) -> SecretBytes {
        try seed.withSpan { seed throws(PostQuantumError) in
            try decapsulate(ciphertext, seed: seed, provider: provider)
        }
    }

    /// Whether `bytes` have the length of a public key and coefficients below the modulus (FIPS 203, 7.2).
    package static func isPublicKey(_ bytes: Span<UInt8>) -> Bool {
        do {
            try check(bytes)
            return true
        } catch {
            return false
        }
    }

    private static func check(_ publicKey: Span<UInt8>) throws(PostQuantumError) {
        guard publicKey.count == publicKeyLength else {
            throw .publicKeyLength(expected: publicKeyLength, found: publicKey.count)
        }
        guard MLKEMCoding.isReduced(publicKey.extracting(first: 1152)) else { throw .publicKeyNotReduced }
    }
}

// MARK: - With secrets in lent memory

extension MLKEM768 {
    /// The public key of `seed`.
    static func publicKey(
        ofSeed seed: Span<UInt8>, provider: PostQuantumProvider
    ) throws(PostQuantumError) -> [UInt8] {
        guard seed.count == seedLength else { throw .seedLength(expected: seedLength, found: seed.count) }
        return switch provider {
        case .own(let reveal): try OwnMLKEM768.publicKey(ofSeed: seed, reveal: reveal)
        case .libcrypto: try LibcryptoMLKEM768.publicKey(ofSeed: seed)
        }
    }

    /// The secret that comes of the random `message`, 32 bytes that must never come twice.
    static func encapsulate(
        to publicKey: Span<UInt8>, message: Span<UInt8>, provider: PostQuantumProvider
    ) throws(PostQuantumError) -> Encapsulation {
        try check(publicKey)
        guard message.count == messageLength else {
            throw .randomnessLength(expected: messageLength, found: message.count)
        }
        return switch provider {
        case .own(let reveal): try OwnMLKEM768.encapsulate(to: publicKey, message: message, reveal: reveal)
        case .libcrypto: try LibcryptoMLKEM768.encapsulate(to: publicKey, message: message)
        }
    }

    /// The secret in `ciphertext` for the private key of `seed`.
    static func decapsulate(
        _ ciphertext: Span<UInt8>, seed: Span<UInt8>, provider: PostQuantumProvider
    ) throws(PostQuantumError) -> SecretBytes {
        guard seed.count == seedLength else { throw .seedLength(expected: seedLength, found: seed.count) }
        guard ciphertext.count == ciphertextLength else {
            throw .ciphertextLength(expected: ciphertextLength, found: ciphertext.count)
        }
        return switch provider {
        case .own(let reveal): try OwnMLKEM768.decapsulate(ciphertext, seed: seed, reveal: reveal)
        case .libcrypto: try LibcryptoMLKEM768.decapsulate(ciphertext, seed: seed)
        }
    }
}
