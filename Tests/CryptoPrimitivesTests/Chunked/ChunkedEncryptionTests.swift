import Testing

@testable import CryptoPrimitives

@Suite("Chunked encryption of any length")
struct ChunkedEncryptionTests {
    private static let chunk = ChunkedEncryption.chunkLength
    private static let context = Array("context".utf8)

    private static func sealed(_ text: [UInt8], key: borrowing SecretBytes) throws -> [UInt8] {
        try seal(text, with: ChunkSealer(key: key, context: context.span))
    }

    @Test(
        "a message comes back as it was, and has the length that was foretold",
        arguments: [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk - 1, 2 * chunk, 2 * chunk + 1, 5 * chunk + 7])
    func roundTrip(count: Int) throws {
        let key = try SecretBytes(randomCount: 32)
        let text = Random.bytes(count)
        let message = try Self.sealed(text, key: key)
        #expect(message.count == ChunkedEncryption.sealedLength(ofText: count))
        #expect(ChunkedEncryption.textLength(ofSealed: message.count) == count)
        let opened = Opened(message, key: key, context: Self.context)
        #expect(opened.error == nil)
        #expect(opened.text == text)
    }

    @Test("a message cut off at any byte of its end, or with one more, is refused")
    func cutOff() throws {
        let key = try SecretBytes(randomCount: 32)
        let message = try Self.sealed(Random.bytes(Self.chunk + 20), key: key)
        for count in (message.count - 60)..<message.count {
            #expect(Opened(Array(message[..<count]), key: key, context: Self.context).error != nil, "\(count) bytes")
        }
        let atChunk = 56 + ChunkedEncryption.sealedLength
        #expect(Opened(Array(message[..<atChunk]), key: key, context: Self.context).error == .truncated)
        #expect(Opened(message + [0], key: key, context: Self.context).error == .notAuthentic(chunk: 1))
        #expect(Opened(Array(message[..<40]), key: key, context: Self.context).error == .truncated)
    }

    @Test("each flipped bit of a message is refused")
    func bitFlips() throws {
        let key = try SecretBytes(randomCount: 32)
        let message = try Self.sealed([1, 2, 3], key: key)
        forEachBitFlip(of: message) { flipped, bit in
            let opened = Opened(flipped, key: key, context: Self.context)
            #expect(opened.error == (bit < 56 * 8 ? .commitment : .notAuthentic(chunk: 0)), "bit \(bit)")
            #expect(opened.text.isEmpty)
        }
    }

    @Test("another key and another context are found before any chunk")
    func commitment() throws {
        let key = try SecretBytes(randomCount: 32)
        let message = try Self.sealed([1, 2, 3], key: key)
        #expect(Opened(message, key: key, context: []).error == .commitment)
        #expect(Opened(message, key: try SecretBytes(randomCount: 32), context: Self.context).error == .commitment)
        #expect(
            Opened(message, key: try SecretBytes(randomCount: 31), context: Self.context).error
                == .keyLength(expected: 32, found: 31))
    }

    @Test("nothing is sealed or opened behind the short chunk")
    func afterEnd() throws {
        let key = try SecretBytes(randomCount: 32)
        var sealer = try ChunkSealer(key: key, context: Self.context.span)
        var piece = [UInt8](repeating: 0, count: ChunkedEncryption.sealedLength)
        let empty: [UInt8] = []
        func sealEmpty(_ sealer: inout ChunkSealer) throws -> Int {
            try unsafe empty.withUnsafeBytes { source in
                try unsafe piece.withUnsafeMutableBytes { try unsafe sealer.seal(source, into: $0) }
            }
        }
        #expect(try sealEmpty(&sealer) == 16)
        #expect(throws: ChunkedError.afterEnd) { try sealEmpty(&sealer) }
        let message = try Self.sealed([], key: key)
        let prefix = Array(message.prefix(56))
        var opener = try ChunkOpener(key: key, prefix: prefix.span, context: Self.context.span)
        #expect(try open(Array(message[56...]), with: &opener, into: &piece) == 0)
        #expect(throws: ChunkedError.afterEnd) { try open(Array(message[56...]), with: &opener, into: &piece) }
        #expect(throws: ChunkedError.afterEnd) { try opener.end() }
    }

    @Test("lengths that no message has, and such as do not fit, have no text")
    func lengths() {
        #expect(ChunkedEncryption.textLength(ofSealed: 0) == nil)
        #expect(ChunkedEncryption.textLength(ofSealed: 71) == nil)
        #expect(ChunkedEncryption.textLength(ofSealed: 72) == 0)
        #expect(ChunkedEncryption.textLength(ofSealed: 56 + 16_400) == nil)
        #expect(ChunkedEncryption.textLength(ofSealed: 56 + 16_400 + 15) == nil)
        #expect(ChunkedEncryption.textLength(ofSealed: 56 + 16_400 + 16) == Self.chunk)
        #expect(ChunkedEncryption.textLength(ofSealed: .max) == nil)
        #expect(ChunkedEncryption.textLength(ofSealed: -1) == nil)
        #expect(ChunkedEncryption.sealedLength(ofText: -1) == nil)
        #expect(ChunkedEncryption.sealedLength(ofText: ChunkedEncryption.maximumChunks * Self.chunk) == nil)
        #expect(ChunkedEncryption.sealedLength(ofText: .max) == nil)
    }
}
