/// X-Wing (draft-connolly-cfrg-xwing-kem): ML-KEM-768 and X25519 together, with private keys as their seed of 32 bytes.
///
/// A secret is safe as long as one of the two is. Where the X25519 part of a public key or ciphertext has a small order
/// it is refused, as everywhere in sxkey.
package enum XWing {
    package static let seedLength = 32
    package static let publicKeyLength = MLKEM768.publicKeyLength + X25519.keyLength
    package static let ciphertextLength = MLKEM768.ciphertextLength + X25519.keyLength
    package static let secretLength = 32
    /// m of ML-KEM, then the ephemeral X25519 key.
    static let randomnessLength = MLKEM768.messageLength + X25519.keyLength

    /// A fresh private key.
    package static func makeSeed(_ random: RandomSource = .system) throws(PostQuantumError) -> SecretBytes {
        do { return try random.secret(seedLength) } catch { throw .memory(error) }
    }

    /// The public key of `seed`: that of ML-KEM, then that of X25519.
    package static func publicKey(
        ofSeed seed: borrowing SecretBytes, provider: PostQuantumProvider = .current
    ) throws(PostQuantumError) -> [UInt8] {
        let keys = try PrivateKeys(seed: seed)
        return try MLKEM768.publicKey(ofSeed: keys.lattice, provider: provider) + curvePublicKey(of: keys.scalar)
    }

    /// A fresh secret for the owner of `publicKey`; all of its randomness is the 64 bytes that `random` gives.
    package static func encapsulate(
        to publicKey: Span<UInt8>, random: RandomSource = .system, provider: PostQuantumProvider = .current
    ) throws(PostQuantumError) -> Encapsulation {
        guard publicKey.count == publicKeyLength else {
            throw .publicKeyLength(expected: publicKeyLength, found: publicKey.count)
        }
        let randomness: SecretBytes
        do { randomness = try random.secret(randomnessLength) } catch { throw .memory(error) }
        guard randomness.count == randomnessLength else {
            throw .randomnessLength(expected: randomnessLength, found: randomness.count)
        }
        let message = try part(of: randomness, 0..<MLKEM768.messageLength)
        let scalar = try part(of: randomness, MLKEM768.messageLength..<randomnessLength)
        let lattice = try MLKEM768.encapsulate(
            to: publicKey.extracting(first: MLKEM768.publicKeyLength), message: message, provider: provider)
        let theirs = publicKey.extracting(last: X25519.keyLength)
        let ephemeral = try curvePublicKey(of: scalar)
        let shared = try curveSecret(scalar, theirs)
        let secret = try combine(lattice.secret, shared, ciphertext: ephemeral.span, publicKey: theirs)
        return Encapsulation(secret: secret, ciphertext: lattice.ciphertext + ephemeral)
    }

    /// The secret in `ciphertext` for the private key of `seed`.
    ///
    /// A ciphertext that was not made for this key gives another secret, not an error.
    package static func decapsulate(
        _ ciphertext: Span<UInt8>, seed: borrowing SecretBytes, provider: PostQuantumProvider = .current
    ) throws(PostQuantumError) -> SecretBytes {
        guard ciphertext.count == ciphertextLength else {
            throw .ciphertextLength(expected: ciphertextLength, found: ciphertext.count)
        }
        let keys = try PrivateKeys(seed: seed)
        let lattice = try MLKEM768.decapsulate(
            ciphertext.extracting(first: MLKEM768.ciphertextLength), seed: keys.lattice, provider: provider)
        let ephemeral = ciphertext.extracting(last: X25519.keyLength)
        let shared = try curveSecret(keys.scalar, ephemeral)
        let own = try curvePublicKey(of: keys.scalar)
        return try combine(lattice, shared, ciphertext: ephemeral, publicKey: own.span)
    }

    /// Whether `bytes` are a public key that secrets can be made for: length, coefficients and the order of the point.
    package static func isPublicKey(_ bytes: Span<UInt8>) -> Bool {
        bytes.count == publicKeyLength
            && MLKEM768.isPublicKey(bytes.extracting(first: MLKEM768.publicKeyLength))
            && X25519.isPublicKey(bytes.extracting(last: X25519.keyLength))
    }
}

// MARK: - Parts

extension XWing {
    /// The two private keys that a seed stands for: SHAKE-256, 96 bytes.
    private struct PrivateKeys: ~Copyable {
        let lattice: SecretBytes
        let scalar: SecretBytes

        init(seed: borrowing SecretBytes) throws(PostQuantumError) {
            guard seed.count == seedLength else { throw .seedLength(expected: seedLength, found: seed.count) }
            let length = MLKEM768.seedLength + X25519.keyLength
            let expanded: SecretBytes
            do { expanded = try SHAKE256.hash(seed, length: length) } catch { throw .memory(error) }
            let first = try part(of: expanded, 0..<MLKEM768.seedLength)
            let second = try part(of: expanded, MLKEM768.seedLength..<length)
            lattice = first
            scalar = second
        }
    }

    /// The label in ASCII: `\.//^\`.
    private static let label: [UInt8] = [0x5C, 0x2E, 0x2F, 0x2F, 0x5E, 0x5C]

    /// SHA3-256 of both secrets, the ephemeral key, the owner's key and the label.
    private static func combine(
        _ lattice: borrowing SecretBytes, _ curve: borrowing SecretBytes, ciphertext: Span<UInt8>,
        publicKey: Span<UInt8>
    ) throws(PostQuantumError) -> SecretBytes {
        var hash = SHA3_256()
        hash.update(lattice)
        hash.update(curve)
        hash.update(ciphertext)
        hash.update(publicKey)
        hash.update(label.span)
        do {
            var secret = try SecretBytes(count: secretLength)
            unsafe secret.withUnsafeMutableBytes { target in unsafe hash.finish(into: target) }
            return secret
        } catch {
            throw .memory(error)
        }
    }

    private static func part(
        of secret: borrowing SecretBytes, _ range: Range<Int>
    ) throws(PostQuantumError) -> SecretBytes {
        do { return try secret.slice(range) } catch { throw .memory(error) }
    }

    private static func curvePublicKey(of scalar: borrowing SecretBytes) throws(PostQuantumError) -> [UInt8] {
        do { return try X25519.publicKey(of: scalar) } catch { throw PostQuantumError(error) }
    }

    private static func curveSecret(
        _ scalar: borrowing SecretBytes, _ point: Span<UInt8>
    ) throws(PostQuantumError) -> SecretBytes {
        do {
            return try X25519.sharedSecret(privateKey: scalar, publicKey: point)
        } catch {
            throw PostQuantumError(error)
        }
    }
}

extension PostQuantumError {
    /// What an error of X25519 is in X-Wing, whose keys all have their length there.
    fileprivate init(_ error: KeyAgreementError) {
        self =
            switch error {
            case .allZero: .smallOrder
            case .memory(let error): .memory(error)
            case .keyLength, .libraryFailure: .libraryFailure
            }
    }
}
