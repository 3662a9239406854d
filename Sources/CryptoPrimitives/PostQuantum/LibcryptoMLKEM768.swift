import CLibcrypto

/// ML-KEM-768 of libcrypto, where `PostQuantumProvider.isLibcryptoAble`. Lengths and public keys have been checked.
enum LibcryptoMLKEM768 {
    private static var name: StaticString { "ML-KEM-768" }

    static func publicKey(ofSeed seed: Span<UInt8>) throws(PostQuantumError) -> [UInt8] {
        guard let bytes = try privateKey(seed).publicKey(count: MLKEM768.publicKeyLength) else {
            throw .libraryFailure
        }
        return bytes
    }

    /// Encapsulates with the random `message`: the randomness comes from the caller's source here too, through the
    /// parameter that libcrypto has for it.
    static func encapsulate(
        to publicKey: Span<UInt8>, message: Span<UInt8>
    ) throws(PostQuantumError) -> Encapsulation {
        let key = try unsafe publicKey.withUnsafeBytes { bytes throws(PostQuantumError) in
            guard let key = unsafe LibcryptoLattice(name, "pub", bytes, isPrivate: false) else {
                throw .libraryFailure
            }
            return key
        }
        var ciphertext = [UInt8](repeating: 0, count: MLKEM768.ciphertextLength)
        var secret: SecretBytes
        do { secret = try SecretBytes(count: MLKEM768.secretLength) } catch { throw .memory(error) }
        try unsafe key.withContext { context throws(PostQuantumError) in
            let status = unsafe message.withUnsafeBytes { message in
                unsafe withUnsafeTemporaryAllocation(of: OSSL_PARAM.self, capacity: 2) { parameters in
                    unsafe parameters[0] = LibcryptoLattice.octets("ikme", message)
                    unsafe parameters[1] = OSSL_PARAM_construct_end()
                    return unsafe EVP_PKEY_encapsulate_init(context, parameters.baseAddress)
                }
            }
            guard status == 1 else { throw LibcryptoLattice.failure() }
            var (ciphertextLength, secretLength) = (MLKEM768.ciphertextLength, MLKEM768.secretLength)
            var target = ciphertext.mutableSpan
            let done = unsafe secret.withUnsafeMutableBytes { secret in
                unsafe target.withCPointer { target in
                    unsafe EVP_PKEY_encapsulate(context, target, &ciphertextLength, secret.cPointer, &secretLength)
                }
            }
            guard done == 1, ciphertextLength == MLKEM768.ciphertextLength, secretLength == MLKEM768.secretLength
            else { throw LibcryptoLattice.failure() }
        }
        return Encapsulation(secret: secret, ciphertext: ciphertext)
    }

    static func decapsulate(
        _ ciphertext: Span<UInt8>, seed: Span<UInt8>
    ) throws(PostQuantumError) -> SecretBytes {
        let key = try privateKey(seed)
        var secret: SecretBytes
        do { secret = try SecretBytes(count: MLKEM768.secretLength) } catch { throw .memory(error) }
        try unsafe key.withContext { context throws(PostQuantumError) in
            guard unsafe EVP_PKEY_decapsulate_init(context, nil) == 1 else { throw LibcryptoLattice.failure() }
            var secretLength = MLKEM768.secretLength
            let status = unsafe secret.withUnsafeMutableBytes { secret in
                unsafe ciphertext.withCPointer { bytes in
                    unsafe EVP_PKEY_decapsulate(context, secret.cPointer, &secretLength, bytes, ciphertext.count)
                }
            }
            guard status == 1, secretLength == MLKEM768.secretLength else { throw LibcryptoLattice.failure() }
        }
        return secret
    }

    private static func privateKey(_ seed: Span<UInt8>) throws(PostQuantumError) -> LibcryptoLattice {
        let key = unsafe seed.withUnsafeBytes { bytes in
            unsafe LibcryptoLattice(name, "seed", bytes, isPrivate: true)
        }
        guard let key else { throw .libraryFailure }
        return key
    }
}
