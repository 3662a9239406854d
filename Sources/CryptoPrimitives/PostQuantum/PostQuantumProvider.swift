/// Whose code does the arithmetic of ML-KEM and ML-DSA.
package enum PostQuantumProvider: Sendable {
    /// sxkey's own; the hook is for the proof of constant time alone.
    case own(reveal: RevealHook? = nil)
    /// libcrypto's, from OpenSSL 3.5 on.
    case libcrypto

    /// libcrypto's where the one that is linked has both: a well-kept library beats our own code.
    package static let current: PostQuantumProvider = isLibcryptoAble ? .libcrypto : .own()

    /// Whether the linked libcrypto has ML-KEM-768 and ML-DSA-65.
    package static let isLibcryptoAble =
        LibcryptoLattice.knows("ML-KEM-768") && LibcryptoLattice.knows("ML-DSA-65")
}
