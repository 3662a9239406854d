/// Whose code does the arithmetic of ML-KEM and ML-DSA.
package enum PostQuantumProvider: Sendable {
    /// sxkey's own; the hook is for the proof of constant time alone.
    case own(reveal: RevealHook? = nil)
    /// libcrypto's, from OpenSSL 3.5 on.
    ///
    /// There private keys also lie in libcrypto's own memory while it works: it wipes what it frees, but does not lock it,
    /// so what `SecretBytes` promises ends there.
    case libcrypto

    /// libcrypto's where the one that is linked has both: a well-kept library beats our own code.
    package static let current: PostQuantumProvider = isLibcryptoAble ? .libcrypto : .own()

    /// Whether this is libcrypto's code and not sxkey's own.
    package var isLibcrypto: Bool {
        switch self {
        case .own: false
        case .libcrypto: true
        }
    }

    /// Whether the linked libcrypto has ML-KEM-768 and ML-DSA-65, and the parameters of ML-DSA that sxkey passes: it does
    /// not say so when it ignores one.
    package static let isLibcryptoAble =
        LibcryptoLattice.knows("ML-KEM-768") && LibcryptoLattice.knows("ML-DSA-65")
        && LibcryptoMLDSA65.knowsParameters
}
