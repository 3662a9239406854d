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
        try expand(seed).withSpan { keys throws(PostQuantumError) in
            try MLKEM768.publicKey(ofSeed: keys.extracting(first: MLKEM768.seedLength), provider: provider)
                + curvePublicKey(of: keys.extracting(last: X25519.keyLength))
        }
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
        return try randomness.withSpan { randomness throws(PostQuantumError) in
            let lattice = try MLKEM768.encapsulate(
                to: publicKey.extracting(first: MLKEM768.publicKeyLength),
                message: randomness.extracting(first: MLKEM768.messageLength), provider: provider)
            let scalar = randomness.extracting(last: X25519.keyLength)
            let owner = publicKey.extracting(last: X25519.keyLength)
            let ephemeral = try curvePublicKey(of: scalar)
            let secret = try combine(
                lattice.secret, scalar: scalar, point: owner, ephemeral: ephemeral.span, owner: owner)
            return Encapsulation(secret: secret, ciphertext: lattice.ciphertext + ephemeral)
        }
    }

    /// The secret in `ciphertext` for the private key of `seed`.
    ///
    /// A ciphertext that was not made for this key gives another secret, not an error; but where its X25519 part has a small
    /// order it is `smallOrder`, which the draft does not check. That depends on public bytes alone and no honest sender
    /// makes such a ciphertext: to callers it is one that is not for them.
    package static func decapsulate(
        _ ciphertext: Span<UInt8>, seed: borrowing SecretBytes, provider: PostQuantumProvider = .current
    ) throws(PostQuantumError) -> SecretBytes {
        guard ciphertext.count == ciphertextLength else {
            throw .ciphertextLength(expected: ciphertextLength, found: ciphertext.count)
        }
        return try expand(seed).withSpan { keys throws(PostQuantumError) in
            let lattice = try MLKEM768.decapsulate(
                ciphertext.extracting(first: MLKEM768.ciphertextLength),
                seed: keys.extracting(first: MLKEM768.seedLength), provider: provider)
            let scalar = keys.extracting(last: X25519.keyLength)
            let ephemeral = ciphertext.extracting(last: X25519.keyLength)
            let owner = try curvePublicKey(of: scalar)
            return try combine(lattice, scalar: scalar, point: ephemeral, ephemeral: ephemeral, owner: owner.span)
        }
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
    /// The two private keys that a seed stands for, d ‖ z and the scalar: SHAKE-256, 96 bytes.
    private static func expand(_ seed: borrowing SecretBytes) throws(PostQuantumError) -> SecretBytes {
        guard seed.count == seedLength else { throw .seedLength(expected: seedLength, found: seed.count) }
        do {
            return try SHAKE256.hash(seed, length: MLKEM768.seedLength + X25519.keyLength)
        } catch {
            throw .memory(error)
        }
    }

    /// The label in ASCII: `\.//^\`.
    private static let label: [UInt8] = [0x5C, 0x2E, 0x2F, 0x2F, 0x5E, 0x5C]

    /// SHA3-256 of both secrets, the ephemeral key, the owner's key and the label.
    ///
    /// The second secret is that of `scalar` and `point`, one of the two keys.
    private static func combine(
        _ lattice: borrowing SecretBytes, scalar: Span<UInt8>, point: Span<UInt8>, ephemeral: Span<UInt8>,
        owner: Span<UInt8>
    ) throws(PostQuantumError) -> SecretBytes {
        var secret: SecretBytes
        do { secret = try SecretBytes(count: secretLength) } catch { throw .memory(error) }
        // One block for both: the secret of X25519, until the hash takes its place.
        do {
            try secret.withMutableSpan { target throws(KeyAgreementError) in
                try X25519.sharedSecret(privateKey: scalar, publicKey: point, into: &target)
            }
        } catch {
            throw PostQuantumError(error)
        }
        var hash = SHA3_256()
        hash.update(lattice)
        hash.update(secret)
        hash.update(ephemeral)
        hash.update(owner)
        hash.update(label.span)
        unsafe secret.withUnsafeMutableBytes { target in unsafe hash.finish(into: target) }
        return secret
    }

    private static func curvePublicKey(of scalar: Span<UInt8>) throws(PostQuantumError) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: X25519.keyLength)
        var target = key.mutableSpan
        do { try X25519.publicKey(of: scalar, into: &target) } catch { throw PostQuantumError(error) }
        return key
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
