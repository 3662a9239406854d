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
        return workspace.publicKey.array()
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
        workspace.sign()
        return workspace.signature.array()
    }

    /// Signs μ, 64 bytes, with 32 bytes of randomness.
    static func sign(
        representative: Span<UInt8>, seed: borrowing SecretBytes, randomness: borrowing SecretBytes,
        reveal: RevealHook? = nil
    ) throws(PostQuantumError) -> [UInt8] {
        var workspace = try MLDSAWorkspace(reveal: reveal)
        workspace.seed.copy(from: seed)
        workspace.randomness.copy(from: randomness)
        workspace.makeKeys()
        workspace.representative.copy(from: representative)
        workspace.sign()
        return workspace.signature.array()
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

    /// Signs with a private key in its long form: a message, or μ when there is no context.
    static func sign(
        _ content: Span<UInt8>, context: Span<UInt8>?, expandedKey: borrowing SecretBytes,
        randomness: borrowing SecretBytes
    ) throws(PostQuantumError) -> [UInt8] {
        guard expandedKey.count == MLDSAWorkspace.expandedKeyLength else {
            throw .privateKeyLength(expected: MLDSAWorkspace.expandedKeyLength, found: expandedKey.count)
        }
        var workspace = try MLDSAWorkspace(reveal: nil)
        guard expandedKey.withSpan({ workspace.readExpandedKey($0) }) else { throw .privateKeyDamaged }
        workspace.randomness.copy(from: randomness)
        if let context {
            try MLDSA65.check(context: context)
            workspace.readMessage(content, context: context)
        } else {
            workspace.representative.copy(from: content)
        }
        workspace.sign()
        return workspace.signature.array()
    }
}
