/// Why a message in chunks could not be sealed or opened.
package enum ChunkedError: Error, Equatable, Sendable {
    case keyLength(expected: Int, found: Int)
    case saltLength(expected: Int, found: Int)
    /// The message is sealed under another key, with another context, or its salt or commitment were changed.
    case commitment
    /// The chunk of this number, from 0, is too short for a tag, too long, or not authentic.
    case notAuthentic(chunk: Int)
    /// The message ends with a full chunk, so its end is missing.
    case truncated
    /// Something follows the short chunk that ends a message.
    case afterEnd
    /// More than 2^38 chunks.
    case tooLong
    case memory(SecretMemoryError)
    case libraryFailure
}

/// Encryption of long messages in chunks, each authentic for itself and in its place: C2SP chunked-encryption, version 1
/// (c2sp.org/chunked-encryption), as Cobblestone-256: AES-256-GCM, and HKDF-Expand with SHA-512.
///
/// A message is salt (24) ‖ commitment (32) ‖ chunks. A chunk is 16 KiB of text and a tag; the last one, and only it, has
/// less text, perhaps none.
package enum ChunkedEncryption {
    package static let keyLength = 32
    package static let saltLength = 24
    package static let commitmentLength = 32
    /// Bytes before the first chunk.
    package static let prefixLength = saltLength + commitmentLength
    /// Bytes of text in each chunk but the last.
    package static let chunkLength = 16_384
    /// The same with its tag.
    package static let sealedLength = chunkLength + AEADSize.tag
    /// 4 PiB of text.
    package static let maximumChunks = 1 << 38

    private static let label = Array("c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM".utf8) + [0]

    /// Length of the sealed form of `count` bytes of text, prefix included; nil when there is none.
    package static func sealedLength(ofText count: Int) -> Int? {
        guard count >= 0, count / chunkLength < maximumChunks else { return nil }
        return prefixLength + count + (count / chunkLength + 1) * AEADSize.tag
    }

    /// Length of the text in a sealed form of `count` bytes, prefix included; nil when no text has such a form.
    package static func textLength(ofSealed count: Int) -> Int? {
        guard count >= prefixLength + AEADSize.tag else { return nil }
        let (full, rest) = (count - prefixLength).quotientAndRemainder(dividingBy: sealedLength)
        guard rest >= AEADSize.tag, full < maximumChunks else { return nil }
        return full * chunkLength + rest - AEADSize.tag
    }

    /// What a message is sealed with.
    struct Derived: ~Copyable {
        /// 32 bytes.
        let key: SecretBytes
        /// 12 bytes.
        let baseNonce: [UInt8]
        /// 32 bytes.
        let commitment: [UInt8]
    }

    /// key ‖ base nonce ‖ commitment from the input key, the salt, and what the message is bound to.
    static func derive(
        key: borrowing SecretBytes, salt: Span<UInt8>, context: Span<UInt8>
    ) throws(ChunkedError) -> Derived {
        guard key.count == keyLength else { throw .keyLength(expected: keyLength, found: key.count) }
        guard salt.count == saltLength else { throw .saltLength(expected: saltLength, found: salt.count) }
        var info = label
        info.reserveCapacity(label.count + salt.count + context.count)
        for index in salt.indices { info.append(salt[index]) }
        for index in context.indices { info.append(context[index]) }
        let parts = (nonce: keyLength, commitment: keyLength + AEADSize.nonce)
        let end = parts.commitment + commitmentLength
        let all: SecretBytes
        do throws(KeyDerivationError) {
            all = try HKDF.expand(pseudorandomKey: key, info: info.span, length: end, using: .sha512)
        } catch .memory(let error) {
            throw .memory(error)
        } catch {
            throw .libraryFailure
        }
        // Nonce and commitment are no secrets: the one is of no use without the key, the other stands in the message.
        let open = all.withSpan { bytes in (parts.nonce..<end).map { bytes[$0] } }
        do throws(SecretMemoryError) {
            return Derived(
                key: try all.prefix(keyLength), baseNonce: Array(open.prefix(AEADSize.nonce)),
                commitment: Array(open.suffix(commitmentLength)))
        } catch {
            throw .memory(error)
        }
    }
}

/// The cipher of one message: seals or opens chunks by their number. Whoever uses it keeps count.
struct ChunkCipher: ~Copyable {
    private let cipher: AESGCM
    private let baseNonce: [UInt8]

    init(key: borrowing SecretBytes, baseNonce: [UInt8]) throws(ChunkedError) {
        do throws(AEADError) { cipher = try AESGCM(key: key) } catch { throw .libraryFailure }
        self.baseNonce = baseNonce
    }

    /// Encrypts `text` into `target`, which has room for it and a tag and may begin at the same place.
    func seal(_ text: UnsafeRawBufferPointer, into target: UnsafeMutableRawPointer, chunk: Int) throws(ChunkedError) {
        let nonce = nonce(chunk)
        let isSealed = unsafe nonce.withUnsafeBytes { nonce in
            // Both have an address: a nonce is not empty, and of an empty text nothing is read.
            guard let nonceStart = nonce.baseAddress else { return false }
            let start = unsafe text.baseAddress ?? nonceStart
            return unsafe cipher.sealPage(
                start, count: text.count, into: target, nonce: nonceStart, authenticating: nonceStart, dataCount: 0,
                tag: target + text.count)
        }
        guard isSealed else { throw .libraryFailure }
    }

    /// Decrypts `sealed`, at least a tag, into `target`, which has room for the text and may begin at the same place.
    func open(_ sealed: UnsafeRawBufferPointer, into target: UnsafeMutableRawPointer, chunk: Int) -> Bool {
        let count = sealed.count - AEADSize.tag
        guard count >= 0, let start = sealed.baseAddress else { return false }
        let nonce = nonce(chunk)
        return unsafe nonce.withUnsafeBytes { nonce in
            guard let nonceStart = nonce.baseAddress else { return false }
            return unsafe cipher.openPage(
                start, count: count, into: target, nonce: nonceStart, authenticating: nonceStart, dataCount: 0,
                tag: start + count)
        }
    }

    private func nonce(_ chunk: Int) -> [UInt8] {
        var nonce = baseNonce
        for index in 0..<8 {
            nonce[nonce.count - 1 - index] ^= UInt8(truncatingIfNeeded: chunk >> (8 * index))
        }
        return nonce
    }
}
