import CLibcrypto

/// Algorithms of libcrypto, fetched once for the process: fetching by name takes longer than hashing a short message.
///
/// The handles are immutable and may be used by every thread. A missing SHA-2, HMAC or AES means that the library
/// itself is broken, so that stops the program just as a missing symbol would.
@safe
struct LibcryptoAlgorithm: @unchecked Sendable {
    let handle: OpaquePointer

    private init(_ fetched: OpaquePointer?) {
        guard let handle = unsafe fetched else {
            preconditionFailure("libcrypto lacks an algorithm it always has")
        }
        unsafe self.handle = handle
    }

    static let sha256 = digest("SHA2-256")
    static let sha512 = digest("SHA2-512")
    static let sha3x256 = digest("SHA3-256")
    static let sha3x512 = digest("SHA3-512")
    static let shake128 = digest("SHAKE-128")
    static let shake256 = digest("SHAKE-256")
    static let hmac = unsafe LibcryptoAlgorithm(Libcrypto.isReady ? EVP_MAC_fetch(nil, "HMAC", nil) : nil)
    static let aes256GCM = unsafe LibcryptoAlgorithm(
        Libcrypto.isReady ? EVP_CIPHER_fetch(nil, "AES-256-GCM", nil) : nil
    )

    static let aes256ECB = unsafe LibcryptoAlgorithm(
        Libcrypto.isReady ? EVP_CIPHER_fetch(nil, "AES-256-ECB", nil) : nil
    )

    /// The counter mode inside GCM, for `UnauthenticatedAESGCM` alone.
    static let aes256CTR = unsafe LibcryptoAlgorithm(
        Libcrypto.isReady ? EVP_CIPHER_fetch(nil, "AES-256-CTR", nil) : nil
    )

    private static func digest(_ name: String) -> LibcryptoAlgorithm {
        unsafe LibcryptoAlgorithm(Libcrypto.isReady ? EVP_MD_fetch(nil, name, nil) : nil)
    }
}

/// libcrypto's one-time start.
enum Libcrypto {
    /// True once libcrypto is up **without** reading `openssl.cnf`: which provider does the arithmetic, or which
    /// module gets loaded into a process that holds keys, is not for an environment variable to choose.
    static let isReady: Bool = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil) == 1
}
