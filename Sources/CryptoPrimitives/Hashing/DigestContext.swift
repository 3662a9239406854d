import CLibcrypto

/// One running digest of libcrypto; the hash types are made from it.
///
/// Where libcrypto has no memory left for a context the program stops, as it does when an array finds none.
@safe
struct DigestContext: ~Copyable, @unchecked Sendable {
    private let context: OpaquePointer

    init(_ algorithm: LibcryptoAlgorithm) {
        guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("no memory for a digest") }
        unsafe self.context = context
        let status = unsafe EVP_DigestInit_ex2(context, algorithm.handle, nil)
        precondition(status == 1, "no memory for a digest")
    }

    /// Frees the context, which also wipes its state.
    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let status = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(status == 1, "libcrypto refused to hash")
    }

    /// Ends the digest and writes it into `target`, which must have its length.
    mutating func finish(into target: UnsafeMutableRawBufferPointer) {
        let status = unsafe EVP_DigestFinal_ex(context, target.cPointer, nil)
        precondition(status == 1, "libcrypto gave no digest")
    }

    /// Ends the digest of an extendable function and fills `target`.
    mutating func finish(extendedInto target: UnsafeMutableRawBufferPointer) {
        let status = unsafe EVP_DigestFinalXOF(context, target.cPointer, target.count)
        precondition(status == 1, "libcrypto gave no digest")
    }

    /// Begins a new message with the same algorithm; what came before is forgotten.
    mutating func restart() {
        let status = unsafe EVP_DigestInit_ex2(context, nil, nil)
        precondition(status == 1, "libcrypto refused to start a digest again")
    }
}

/// A hash function with a fixed length, through libcrypto.
package protocol HashFunction: ~Copyable {
    /// Length of the digest in bytes.
    static var digestLength: Int { get }

    init()
    /// Hashes the next bytes.
    mutating func update(_ bytes: Span<UInt8>)
    /// Ends the message and writes the digest into `target`, which has `digestLength` bytes; the end.
    mutating func finish(into target: UnsafeMutableRawBufferPointer)
}

extension HashFunction where Self: ~Copyable {
    /// The digest of `bytes`.
    package static func hash(_ bytes: Span<UInt8>) -> [UInt8] {
        var hash = Self()
        hash.update(bytes)
        return hash.finish()
    }

    /// The digest of a secret as a secret.
    package static func hash(_ secret: borrowing SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        var hash = Self()
        secret.withSpan { hash.update($0) }
        var digest = try SecretBytes(count: digestLength)
        unsafe digest.withUnsafeMutableBytes { target in unsafe hash.finish(into: target) }
        return digest
    }

    /// Hashes the next bytes, which are secret.
    package mutating func update(_ secret: borrowing SecretBytes) {
        secret.withSpan { update($0) }
    }

    /// Ends the message and returns its digest.
    package consuming func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Self.digestLength)
        var span = digest.mutableSpan
        unsafe span.withUnsafeMutableBytes { target in unsafe finish(into: target) }
        return digest
    }
}
