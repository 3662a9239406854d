/// ML-DSA-65 in sxkey's own code, for where libcrypto has none.
///
/// It is held to published vectors and looked at with valgrind for branches and addresses that depend on secrets, but
/// nobody has audited it. Lengths have been checked before.
enum OwnMLDSA65 {
    /// The public key of a seed of 32 bytes.
    static func publicKey(
        ofSeed seed: borrowing SecretBytes, reveal: RevealHook? = nil
    ) throws(PostQuantumError) -> [UInt8] {
        var workspace = try MLDSAWorkspace(reveal: reveal)
        workspace.seed.copy(from: seed)
        workspace.makeKeys()
        return workspace.copy(of: workspace.publicKey)
    }

    /// Signs a message with 32 bytes of randomness, or none.
    static func sign(
        _ message: Span<UInt8>, context: Span<UInt8>, seed: borrowing SecretBytes, randomness: borrowing SecretBytes,
        reveal: RevealHook? = nil
    ) throws(PostQuantumError) -> [UInt8] {
        var workspace = try MLDSAWorkspace(reveal: reveal)
        workspace.seed.copy(from: seed)
        workspace.randomness.copy(from: randomness)
        workspace.makeKeys()
        workspace.readMessage(message, context: context)
        try workspace.sign()
        return workspace.copy(of: workspace.signature)
    }

    /// Signs μ, made with the public key of the seed, with 32 bytes of randomness.
    static func sign(
        _ representative: MLDSA65.Representative, seed: borrowing SecretBytes, randomness: borrowing SecretBytes,
        reveal: RevealHook? = nil
    ) throws(PostQuantumError) -> [UInt8] {
        var workspace = try MLDSAWorkspace(reveal: reveal)
        workspace.seed.copy(from: seed)
        workspace.randomness.copy(from: randomness)
        workspace.makeKeys()
        guard workspace.publicKeyHash.array() == representative.publicKeyHash else { throw .otherPublicKey }
        workspace.representative.copy(from: representative.bytes.span)
        try workspace.sign()
        return workspace.copy(of: workspace.signature)
    }

    /// Whether a signature is one of μ, 64 bytes, by the owner of a public key.
    static func isValid(
        _ signature: Span<UInt8>, forRepresentative representative: Span<UInt8>, publicKey: Span<UInt8>
    ) throws(PostQuantumError) -> Bool {
        var workspace = try MLDSAWorkspace(reveal: nil)
        workspace.signature.copy(from: signature)
        workspace.publicKey.copy(from: publicKey)
        workspace.representative.copy(from: representative)
        workspace.makeMatrix()
        return workspace.verify()
    }
}
