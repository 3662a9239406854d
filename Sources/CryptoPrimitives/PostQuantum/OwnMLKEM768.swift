/// ML-KEM-768 in sxkey's own code, for where libcrypto has none.
///
/// It is held to published vectors and looked at with valgrind for branches and addresses that depend on secrets, but
/// nobody has audited it.
enum OwnMLKEM768 {
    /// The public key of a seed of 64 bytes.
    static func publicKey(
        ofSeed seed: Span<UInt8>, reveal: RevealHook?
    ) throws(PostQuantumError) -> [UInt8] {
        var workspace = try MLKEMWorkspace(reveal: reveal)
        workspace.seed.copy(from: seed)
        workspace.makeKeys()
        return workspace.publicKey.array()
    }

    /// Encapsulates with the random `message` of 32 bytes to a public key that has been checked.
    static func encapsulate(
        to publicKey: Span<UInt8>, message: Span<UInt8>, reveal: RevealHook?
    ) throws(PostQuantumError) -> Encapsulation {
        var workspace = try MLKEMWorkspace(reveal: reveal)
        workspace.publicKey.copy(from: publicKey)
        workspace.message.copy(from: message)
        workspace.readPublicKey()
        workspace.deriveSecret()
        workspace.encrypt()
        return Encapsulation(
            secret: try workspace.secretAndCoins.part(0, 32).secret(), ciphertext: workspace.ciphertext.array())
    }

    /// The secret in a ciphertext of the right length for a seed of 64 bytes.
    static func decapsulate(
        _ ciphertext: Span<UInt8>, seed: Span<UInt8>, reveal: RevealHook?
    ) throws(PostQuantumError) -> SecretBytes {
        var workspace = try MLKEMWorkspace(reveal: reveal)
        workspace.seed.copy(from: seed)
        workspace.makeKeys()
        workspace.ciphertext.copy(from: ciphertext)
        workspace.decapsulate()
        return try workspace.secretAndCoins.part(0, 32).secret()
    }
}
