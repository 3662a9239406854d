import CLibcrypto
import CSodium

/// HMAC (RFC 2104) with SHA-256 or SHA-512 through libcrypto, whole or piece by piece.
///
/// Keys may have any length; one longer than the block (64 or 128 bytes) is hashed first, as the RFC says.
/// Where libcrypto has no memory left the program stops, as it does when an array finds none.
@safe
package struct HMAC: ~Copyable, @unchecked Sendable {
    /// The hash function inside.
    package enum Hash: Sendable {
        case sha256
        case sha512

        /// Length in bytes of the digest, and so of the whole code.
        package var digestLength: Int {
            switch self {
            case .sha256: 32
            case .sha512: 64
            }
        }

        /// Lends libcrypto's name of the function; libcrypto wants it writable but does not write.
        fileprivate func withName<R>(_ body: (UnsafeMutablePointer<CChar>) -> R) -> R {
            let name: StaticString =
                switch self {
                case .sha256: "SHA2-256"
                case .sha512: "SHA2-512"
                }
            return unsafe name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount) { start in
                unsafe body(UnsafeMutablePointer(mutating: start))
            }
        }
    }

    package let hash: Hash
    private let context: OpaquePointer

    /// Starts a code under `key`.
    package init(key: borrowing SecretBytes, using hash: Hash) {
        self.init(using: hash)
        unsafe key.withUnsafeBytes { bytes in unsafe setKey(bytes.cPointer, count: bytes.count) }
    }

    /// Starts a code under a key that lies in plain memory (the salt of HKDF).
    init(plainKey key: Span<UInt8>, using hash: Hash) {
        self.init(using: hash)
        unsafe key.withCPointer { start in unsafe setKey(start, count: key.count) }
    }

    private init(using hash: Hash) {
        guard let context = unsafe EVP_MAC_CTX_new(LibcryptoAlgorithm.hmac.handle) else {
            preconditionFailure("no memory for a code")
        }
        unsafe self.context = context
        self.hash = hash
    }

    private func setKey(_ key: UnsafePointer<UInt8>, count: Int) {
        let status = unsafe hash.withName { name in
            unsafe withUnsafeTemporaryAllocation(of: OSSL_PARAM.self, capacity: 2) { parameters in
                unsafe parameters[0] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0)
                unsafe parameters[1] = OSSL_PARAM_construct_end()
                return unsafe EVP_MAC_init(context, key, count, parameters.baseAddress)
            }
        }
        precondition(status == 1, "libcrypto refused the key of a code")
    }

    /// Frees the context, which also wipes key and state.
    deinit {
        unsafe EVP_MAC_CTX_free(context)
    }
}

// MARK: - Piece by piece

extension HMAC {
    /// Authenticates the next bytes.
    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withCPointer { start in unsafe update(start, count: bytes.count) }
    }

    /// Authenticates the next bytes, which are secret.
    package mutating func update(_ secret: borrowing SecretBytes) {
        unsafe secret.withUnsafeBytes { bytes in unsafe update(bytes.cPointer, count: bytes.count) }
    }

    /// Authenticates one byte.
    mutating func update(byte: UInt8) {
        unsafe withUnsafePointer(to: byte) { start in unsafe update(start, count: 1) }
    }

    /// Ends the message and returns its code.
    package consuming func finish() -> [UInt8] {
        var code = [UInt8](repeating: 0, count: hash.digestLength)
        var span = code.mutableSpan
        unsafe span.withUnsafeMutableBytes { target in unsafe finish(into: target) }
        return code
    }

    /// Ends the message and returns its code as a secret.
    package consuming func finishSecret() throws(SecretMemoryError) -> SecretBytes {
        var code = try SecretBytes(count: hash.digestLength)
        unsafe code.withUnsafeMutableBytes { target in unsafe finish(into: target) }
        return code
    }

    /// Writes the code into `target` and starts a new message under the same key.
    mutating func finishAndRestart(into target: UnsafeMutableRawBufferPointer) {
        unsafe finish(into: target)
        let status = unsafe EVP_MAC_init(context, nil, 0, nil)
        precondition(status == 1, "libcrypto refused to start a code again")
    }

    private func update(_ start: UnsafePointer<UInt8>, count: Int) {
        let status = unsafe EVP_MAC_update(context, start, count)
        precondition(status == 1, "libcrypto refused to authenticate")
    }

    private func finish(into target: UnsafeMutableRawBufferPointer) {
        precondition(target.count == hash.digestLength, "a code needs its length")
        var written = 0
        let status = unsafe EVP_MAC_final(context, target.cPointer, &written, target.count)
        precondition(status == 1 && written == target.count, "libcrypto gave no code")
    }
}

// MARK: - Whole messages

extension HMAC {
    /// The code of `message` under `key`.
    package static func code(
        for message: Span<UInt8>, key: borrowing SecretBytes, using hash: Hash
    ) -> [UInt8] {
        var hmac = HMAC(key: key, using: hash)
        hmac.update(message)
        return hmac.finish()
    }

    /// The code of `message` under `key`, as a secret (a step of a key chain).
    package static func secretCode(
        for message: Span<UInt8>, key: borrowing SecretBytes, using hash: Hash
    ) throws(SecretMemoryError) -> SecretBytes {
        var hmac = HMAC(key: key, using: hash)
        hmac.update(message)
        return try hmac.finishSecret()
    }

    /// Whether `code` is the code of `message`, compared in constant time.
    ///
    /// A code that was cut to its first bytes is judged by those; below half the digest's length it is refused, as
    /// RFC 2104, 5 says.
    package static func isValid(
        _ code: Span<UInt8>, for message: Span<UInt8>, key: borrowing SecretBytes, using hash: Hash
    ) -> Bool {
        guard code.count >= hash.digestLength / 2, code.count <= hash.digestLength else { return false }
        let whole = Self.code(for: message, key: key, using: hash)
        return unsafe code.withCPointer { found in
            unsafe whole.span.withCPointer { expected in
                unsafe sodium_memcmp(found, expected, code.count) == 0
            }
        }
    }
}
