import TestSupport
import Testing

@testable import CryptoPrimitives

/// The published vectors of Cobblestone-256 (C2SP Wycheproof), applied as their notes say.
@Suite("Chunked encryption", .enabled(if: SharedFolder.isThere, "the shared folder with the vectors is not there"))
struct ChunkedVectorTests {
    struct Group: Decodable {
        let tests: [Vector]
    }

    struct Vector: Decodable {
        let tcId: Int
        let key: String
        let ctx: String
        let ct: String
        let aeadKey: String?
        let baseNonce: String?
        let msgLength: Int?
        let msgSha512: String?
        let result: WycheproofResult
        let flags: [String]
    }

    private static func vectors() throws -> [Vector] {
        let file = try WycheproofFile<Group>.read("c2sp_chunked_encryption_aes_256_gcm")
        let vectors = file.testGroups.flatMap(\.tests)
        #expect(vectors.count == file.numberOfTests)
        #expect(file.numberOfTests == 35)
        return vectors
    }

    @Test("opens each valid vector to its message, and of the invalid ones no more than their valid beginning")
    func opening() throws {
        for vector in try Self.vectors() {
            let message = try #require(inflate(bytes(vector.ct)), "vector \(vector.tcId)")
            let found = Opened(message, key: try secret(vector.key), context: bytes(vector.ctx))
            #expect((found.error == nil) == (vector.result == .valid), "vector \(vector.tcId)")
            if let error = found.error {
                #expect(found.errorAgain == error || found.isHeaderFailure, "vector \(vector.tcId): the error sticks")
            }
            #expect(found.isHeaderFailure == vector.flags.contains("HeaderFailure"), "vector \(vector.tcId)")
            #expect(found.text.count == vector.msgLength ?? 0, "vector \(vector.tcId)")
            if let digest = vector.msgSha512 {
                #expect(SHA512.hash(found.text.span) == bytes(digest), "vector \(vector.tcId)")
            }
        }
    }

    @Test("derives the key and the nonce of the vectors")
    func derivation() throws {
        var count = 0
        for vector in try Self.vectors() {
            guard let key = vector.aeadKey, let nonce = vector.baseNonce else { continue }
            let message = try #require(inflate(bytes(vector.ct)))
            let context = bytes(vector.ctx)
            let derived = try ChunkedEncryption.derive(
                key: try secret(vector.key), salt: message.span.extracting(first: 24), context: context.span)
            #expect(derived.key.exposed == bytes(key), "vector \(vector.tcId)")
            #expect(derived.baseNonce == bytes(nonce), "vector \(vector.tcId)")
            #expect(derived.commitment.elementsEqual(message[24..<56]), "vector \(vector.tcId)")
            count += 1
        }
        #expect(count == 25)
    }

    @Test("seals the message of each valid vector, with its salt, to the same bytes")
    func sealing() throws {
        for vector in try Self.vectors() where vector.result == .valid {
            let message = try #require(inflate(bytes(vector.ct)))
            let context = bytes(vector.ctx)
            let text = Opened(message, key: try secret(vector.key), context: context).text
            let sealed = try seal(
                text,
                with: ChunkSealer(
                    key: try secret(vector.key), salt: message.span.extracting(first: 24), context: context.span))
            #expect(sealed == message, "vector \(vector.tcId)")
            let raw = try seal(
                text,
                with: ChunkSealer(
                    key: try secret(try #require(vector.aeadKey)), baseNonce: bytes(try #require(vector.baseNonce))))
            #expect(raw.elementsEqual(message[56...]), "vector \(vector.tcId), without prefix")
        }
    }

    @Test("the last chunk alone opens in its place where the vectors say so, and nowhere else")
    func lastChunk() throws {
        for vector in try Self.vectors() {
            guard let key = vector.aeadKey, let nonce = vector.baseNonce else { continue }
            let message = try #require(inflate(bytes(vector.ct)))
            let (full, rest) = (message.count - 56).quotientAndRemainder(dividingBy: ChunkedEncryption.sealedLength)
            var opener = try ChunkOpener(key: try secret(key), baseNonce: bytes(nonce), next: full)
            var text = [UInt8](repeating: 0, count: ChunkedEncryption.sealedLength)
            let last = Array(message.suffix(rest))
            let opens = (try? open(last, with: &opener, into: &text)) != nil && (try? opener.end()) != nil
            let isRight = vector.result == .valid || vector.flags.contains("ValidFinalChunk")
            #expect(opens == isRight, "vector \(vector.tcId)")
        }
    }
}

/// What a message gave when it was opened chunk by chunk.
struct Opened {
    private(set) var text: [UInt8] = []
    private(set) var error: ChunkedError?
    private(set) var errorAgain: ChunkedError?
    /// It failed before any chunk.
    private(set) var isHeaderFailure = false

    init(_ message: [UInt8], key: borrowing SecretBytes, context: [UInt8]) {
        var opener: ChunkOpener
        let prefix = Array(message.prefix(56))
        do throws(ChunkedError) {
            opener = try ChunkOpener(key: key, prefix: prefix.span, context: context.span)
        } catch {
            self.error = error
            isHeaderFailure = true
            return
        }
        var piece = [UInt8](repeating: 0, count: ChunkedEncryption.sealedLength)
        do throws(ChunkedError) {
            var place = 56
            while place < message.count {
                let end = min(place + ChunkedEncryption.sealedLength, message.count)
                let count = try open(Array(message[place..<end]), with: &opener, into: &piece)
                text += piece[..<count]
                place = end
            }
            try opener.end()
        } catch {
            self.error = error
            do throws(ChunkedError) { try opener.end() } catch { errorAgain = error }
        }
    }
}

func open(_ sealed: [UInt8], with opener: inout ChunkOpener, into text: inout [UInt8]) throws(ChunkedError) -> Int {
    var failure: ChunkedError?
    let count = unsafe sealed.withUnsafeBytes { source in
        unsafe text.withUnsafeMutableBytes { target in
            do throws(ChunkedError) { return try unsafe opener.open(source, into: target) } catch {
                failure = error
                return 0
            }
        }
    }
    if let failure { throw failure }
    return count
}

func seal(_ text: [UInt8], with sealer: consuming ChunkSealer) throws -> [UInt8] {
    var message = sealer.prefix
    var piece = [UInt8](repeating: 0, count: ChunkedEncryption.sealedLength)
    var place = 0
    var isLast = false
    while !isLast {
        let chunk = Array(text[place..<min(place + ChunkedEncryption.chunkLength, text.count)])
        let count = try unsafe chunk.withUnsafeBytes { source in
            try unsafe piece.withUnsafeMutableBytes { try unsafe sealer.seal(source, into: $0) }
        }
        message += piece[..<count]
        place += chunk.count
        isLast = chunk.count < ChunkedEncryption.chunkLength
    }
    return message
}
