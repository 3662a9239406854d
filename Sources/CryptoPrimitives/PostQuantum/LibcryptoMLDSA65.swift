import CLibcrypto

/// ML-DSA-65 of libcrypto, where `PostQuantumProvider.isLibcryptoAble`. Lengths have been checked before.
///
/// Everything is signed and verified by what stands for it (μ), so that messages may come in pieces here too.
enum LibcryptoMLDSA65 {
    private static var name: StaticString { "ML-DSA-65" }

    /// Whether signatures take the parameters that are set here.
    static var knowsParameters: Bool {
        guard let algorithm = unsafe EVP_SIGNATURE_fetch(nil, LibcryptoLattice.cName(name), nil) else {
            ERR_clear_error()
            return false
        }
        defer { unsafe EVP_SIGNATURE_free(algorithm) }
        let known = unsafe EVP_SIGNATURE_settable_ctx_params(algorithm)
        let names: [StaticString] = ["mu", "deterministic", "test-entropy"]
        return names.allSatisfy { unsafe OSSL_PARAM_locate_const(known, LibcryptoLattice.cName($0)) != nil }
    }

    static func publicKey(ofSeed seed: borrowing SecretBytes) throws(PostQuantumError) -> [UInt8] {
        guard let bytes = try privateKey(seed).publicKey(count: MLDSA65.publicKeyLength) else { throw .libraryFailure }
        return bytes
    }

    static func sign(
        _ message: Span<UInt8>, context: Span<UInt8>, seed: borrowing SecretBytes,
        randomness: borrowing SecretBytes, isDeterministic: Bool
    ) throws(PostQuantumError) -> [UInt8] {
        let key = try privateKey(seed)
        guard let publicKey = key.publicKey(count: MLDSA65.publicKeyLength) else { throw .libraryFailure }
        var content = try MLDSA65.Message(publicKey: publicKey.span, context: context)
        content.update(message)
        return try sign(content.representative().bytes, key, randomness, isDeterministic)
    }

    static func sign(
        _ representative: MLDSA65.Representative, seed: borrowing SecretBytes, randomness: borrowing SecretBytes,
        isDeterministic: Bool
    ) throws(PostQuantumError) -> [UInt8] {
        let key = try privateKey(seed)
        guard let publicKey = key.publicKey(count: MLDSA65.publicKeyLength) else { throw .libraryFailure }
        let publicKeyHash = SHAKE256.hash(publicKey.span, length: representative.publicKeyHash.count)
        guard publicKeyHash == representative.publicKeyHash else { throw .otherPublicKey }
        return try sign(representative.bytes, key, randomness, isDeterministic)
    }

    private static func sign(
        _ representative: [UInt8], _ key: borrowing LibcryptoLattice, _ randomness: borrowing SecretBytes,
        _ isDeterministic: Bool
    ) throws(PostQuantumError) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: MLDSA65.signatureLength)
        let bytes = representative.span
        var target = signature.mutableSpan
        var length = MLDSA65.signatureLength
        let context = try SignatureContext()
        let status = unsafe randomness.withUnsafeBytes { randomness in
            unsafe withParameters(isDeterministic ? .deterministic : .random(randomness)) { parameters in
                unsafe EVP_DigestSignInit_ex(context.handle, nil, nil, nil, nil, key.key, parameters)
            }
        }
        guard status == 1 else { throw LibcryptoLattice.failure() }
        let done = unsafe target.withCPointer { target in
            unsafe bytes.withCPointer { start in
                unsafe EVP_DigestSign(context.handle, target, &length, start, bytes.count)
            }
        }
        guard done == 1, length == MLDSA65.signatureLength else { throw LibcryptoLattice.failure() }
        return signature
    }

    static func isValid(
        _ signature: Span<UInt8>, forRepresentative representative: Span<UInt8>, publicKey: Span<UInt8>
    ) throws(PostQuantumError) -> Bool {
        let key = unsafe publicKey.withUnsafeBytes { bytes in
            unsafe LibcryptoLattice(name, "pub", bytes, isPrivate: false)
        }
        guard let key else { throw .libraryFailure }
        let context = try SignatureContext()
        let status = unsafe withParameters(.verification) { parameters in
            unsafe EVP_DigestVerifyInit_ex(context.handle, nil, nil, nil, nil, key.key, parameters)
        }
        guard status == 1 else { throw LibcryptoLattice.failure() }
        let verdict = unsafe signature.withCPointer { signature in
            unsafe representative.withCPointer { start in
                unsafe EVP_DigestVerify(
                    context.handle, signature, MLDSA65.signatureLength, start, representative.count)
            }
        }
        if verdict != 1 { ERR_clear_error() }
        return verdict == 1
    }

    /// The context of one signature; the functions for digests are those that headers of 3.0 know and that take μ.
    @safe
    private struct SignatureContext: ~Copyable {
        let handle: OpaquePointer

        init() throws(PostQuantumError) {
            guard let handle = unsafe EVP_MD_CTX_new() else { throw LibcryptoLattice.failure() }
            unsafe self.handle = handle
        }

        deinit {
            unsafe EVP_MD_CTX_free(handle)
        }
    }

    /// What an operation on μ is.
    @safe
    private enum Operation {
        case verification
        case deterministic
        case random(UnsafeRawBufferPointer)
    }

    /// Lends the parameters of an operation on μ.
    ///
    /// libcrypto has a documented parameter for signatures without randomness, and only one for tests that takes it from
    /// the caller, whose source it is to come from here.
    private static func withParameters<R>(
        _ operation: Operation, _ body: (UnsafePointer<OSSL_PARAM>?) -> R
    ) -> R {
        var yes: Int32 = 1
        return unsafe withUnsafeMutablePointer(to: &yes) { flag in
            unsafe withUnsafeTemporaryAllocation(of: OSSL_PARAM.self, capacity: 3) { parameters in
                unsafe parameters[0] = OSSL_PARAM_construct_int(LibcryptoLattice.cName("mu"), flag)
                switch operation {
                case .verification:
                    unsafe parameters[1] = OSSL_PARAM_construct_end()
                case .deterministic:
                    unsafe parameters[1] = OSSL_PARAM_construct_int(LibcryptoLattice.cName("deterministic"), flag)
                case .random(let randomness):
                    unsafe parameters[1] = LibcryptoLattice.octets("test-entropy", randomness)
                }
                unsafe parameters[2] = OSSL_PARAM_construct_end()
                return unsafe body(UnsafePointer(parameters.baseAddress))
            }
        }
    }

    private static func privateKey(_ seed: borrowing SecretBytes) throws(PostQuantumError) -> LibcryptoLattice {
        let key = unsafe seed.withUnsafeBytes { bytes in
            unsafe LibcryptoLattice(name, "seed", bytes, isPrivate: true)
        }
        guard let key else { throw .libraryFailure }
        return key
    }
}
