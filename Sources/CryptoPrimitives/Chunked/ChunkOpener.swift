/// Opens one message, chunk after chunk (`ChunkedEncryption`). Text of a chunk is given out only when it is authentic; that
/// the message is whole is known after `end`. The first error sticks.
package struct ChunkOpener: ~Copyable {
    private let cipher: ChunkCipher
    private var next: Int
    private var hasEnded = false
    private var failure: ChunkedError?

    /// Begins a message with its first 56 bytes. Errors: `.truncated` when there are fewer, `.commitment`.
    package init(
        key: borrowing SecretBytes, prefix: Span<UInt8>, context: Span<UInt8>
    ) throws(ChunkedError) {
        guard key.count == ChunkedEncryption.keyLength else {
            throw .keyLength(expected: ChunkedEncryption.keyLength, found: key.count)
        }
        guard prefix.count == ChunkedEncryption.prefixLength else { throw .truncated }
        let derived = try ChunkedEncryption.derive(
            key: key, salt: prefix.extracting(first: ChunkedEncryption.saltLength), context: context)
        let commitment = prefix.extracting(last: ChunkedEncryption.commitmentLength)
        // Of a value that anybody may see who has the key: no need for constant time.
        guard commitment.indices.allSatisfy({ commitment[$0] == derived.commitment[$0] }) else { throw .commitment }
        cipher = try ChunkCipher(key: derived.key, baseNonce: derived.baseNonce)
        next = 0
    }

    /// The form without prefix, for the published vectors; beginning with chunk `next` for a look at another place.
    init(key: borrowing SecretBytes, baseNonce: [UInt8], next: Int = 0) throws(ChunkedError) {
        cipher = try ChunkCipher(key: key, baseNonce: baseNonce)
        self.next = next
    }

    /// Opens the next chunk into `target`, which may begin where `sealed` does, and gives the length of its text.
    ///
    /// `sealed` has `sealedLength` bytes, or fewer in the last chunk. Errors: `.notAuthentic`, after which `target` has no
    /// text; `.afterEnd`, `.tooLong`.
    package mutating func open(
        _ sealed: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) throws(ChunkedError) -> Int {
        if let failure { throw failure }
        do throws(ChunkedError) {
            guard !hasEnded else { throw .afterEnd }
            guard next < ChunkedEncryption.maximumChunks else { throw .tooLong }
            let count = sealed.count - AEADSize.tag
            guard count >= 0, count <= ChunkedEncryption.chunkLength else { throw .notAuthentic(chunk: next) }
            precondition(target.count >= count, "room for the text")
            // An empty last chunk has no text to write; any address does.
            guard let start = target.baseAddress else { throw .libraryFailure }
            guard unsafe cipher.open(sealed, into: start, chunk: next) else { throw .notAuthentic(chunk: next) }
            next += 1
            hasEnded = count < ChunkedEncryption.chunkLength
            return count
        } catch {
            failure = error
            throw error
        }
    }

    /// The message has no more bytes. Error: `.truncated` when its last chunk did not come.
    package mutating func end() throws(ChunkedError) {
        if let failure { throw failure }
        guard hasEnded else {
            failure = .truncated
            throw .truncated
        }
    }
}
