/// Seals one message, chunk after chunk (`ChunkedEncryption`).
package struct ChunkSealer: ~Copyable {
    /// Salt and commitment, the first 56 bytes of the message.
    package let prefix: [UInt8]

    private let cipher: ChunkCipher
    private var next = 0
    private var hasEnded = false

    /// Begins a message under `key`, 32 random bytes, bound to `context`; the salt is random.
    package init(key: borrowing SecretBytes, context: Span<UInt8>) throws(ChunkedError) {
        let salt = Random.bytes(ChunkedEncryption.saltLength)
        try self.init(key: key, salt: salt.span, context: context)
    }

    /// With a given salt, for the published vectors: a salt must never come twice under one key.
    init(key: borrowing SecretBytes, salt: Span<UInt8>, context: Span<UInt8>) throws(ChunkedError) {
        let derived = try ChunkedEncryption.derive(key: key, salt: salt, context: context)
        cipher = try ChunkCipher(key: derived.key, baseNonce: derived.baseNonce)
        prefix = salt.indices.map { salt[$0] } + derived.commitment
    }

    /// The form without prefix, for the published vectors.
    init(key: borrowing SecretBytes, baseNonce: [UInt8]) throws(ChunkedError) {
        cipher = try ChunkCipher(key: key, baseNonce: baseNonce)
        prefix = []
    }

    /// Seals the next chunk into `target`, which may begin where `text` does, and gives its length, a tag more.
    ///
    /// `text` has `chunkLength` bytes, or fewer in the chunk that ends the message. Errors: `.afterEnd`, `.tooLong`.
    package mutating func seal(
        _ text: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) throws(ChunkedError) -> Int {
        guard !hasEnded else { throw .afterEnd }
        guard next < ChunkedEncryption.maximumChunks else { throw .tooLong }
        let count = text.count + AEADSize.tag
        precondition(text.count <= ChunkedEncryption.chunkLength && target.count >= count, "a chunk and its tag")
        guard let start = target.baseAddress else { throw .libraryFailure }
        try unsafe cipher.seal(text, into: start, chunk: next)
        next += 1
        hasEnded = text.count < ChunkedEncryption.chunkLength
        return count
    }
}
