import CryptoPrimitives

/// The keys of one agreement in one guarded block: the input of the derivation in order, its result, the ephemeral key.
struct X3DHKeys: ~Copyable {
    /// FF×32, four secrets of DH, one of ML-KEM.
    private static let longestInput = 6
    private static let result = longestInput
    private static let ephemeral = longestInput + 1
    private static let info = Array("SophaxChat_X3DH_v1".utf8)

    private var keys: KeySlots
    /// Slots of the input that are filled.
    private var count = 1

    init() throws(X3DHError) {
        do throws(SecretMemoryError) {
            keys = try KeySlots(count: Self.longestInput + 2)
        } catch {
            throw .memory(error)
        }
        let ones = [UInt8](repeating: 0xFF, count: KeySlots.keyLength)
        keys.set(0, to: ones.span)
    }

    mutating func setEphemeral(_ random: RandomSource?) throws(X3DHError) {
        guard let random else {
            keys.setRandom(Self.ephemeral)
            return
        }
        let key: SecretBytes
        do throws(SecretMemoryError) { key = try random.secret(KeySlots.keyLength) } catch { throw .memory(error) }
        guard key.count == KeySlots.keyLength else { throw .libraryFailure }
        keys.set(Self.ephemeral, to: key)
    }

    func ephemeralPublicKey() throws(X3DHError) -> [UInt8] {
        do throws(KeyAgreementError) {
            return try keys.publicKey(of: Self.ephemeral)
        } catch {
            throw .libraryFailure
        }
    }

    /// Adds the DH secret between a private key and the public key that is called `name`.
    mutating func add(
        _ privateKey: borrowing SecretBytes, _ publicKey: [UInt8], _ name: X3DHError.Key
    ) throws(X3DHError) {
        do throws(KeyAgreementError) {
            try keys.setSharedSecret(count, privateKey: privateKey, publicKey: publicKey.span)
        } catch {
            throw X3DHError(error, name)
        }
        count += 1
    }

    /// Adds the DH secret between the ephemeral key and a public key.
    mutating func addEphemeral(_ publicKey: [UInt8], _ name: X3DHError.Key) throws(X3DHError) {
        do throws(KeyAgreementError) {
            try keys.setSharedSecret(count, privateKey: Self.ephemeral, publicKey: publicKey.span)
        } catch {
            throw X3DHError(error, name)
        }
        count += 1
    }

    /// Adds a secret of ML-KEM, behind those of DH.
    mutating func add(postQuantumSecret secret: borrowing SecretBytes) throws(X3DHError) {
        guard secret.count == KeySlots.keyLength else { throw .postQuantumSecretLength(found: secret.count) }
        keys.set(count, to: secret)
        count += 1
    }

    /// Derives the secret of the agreement; an empty salt is 32 zeros.
    mutating func secret() throws(X3DHError) -> SecretBytes {
        keys.derive(Self.result..<Self.result + 1, inputKey: 0..<count, salt: nil, info: Self.info.span)
        do throws(SecretMemoryError) { return try keys.copy(of: Self.result) } catch { throw .memory(error) }
    }
}

extension X3DHError {
    init(_ error: KeyAgreementError, _ name: Key) {
        switch error {
        case .allZero: self = .weakKey(name)
        case .memory(let memory): self = .memory(memory)
        case .keyLength(_, let found): self = .keyLength(name, found: found)
        case .libraryFailure: self = .libraryFailure
        }
    }
}
