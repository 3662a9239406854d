import CryptoPrimitives
import SophaxCore
import SystemIO
import TestSupport
import Testing

@testable import PortableBundle

@Suite("A bundle file")
struct RoundTripTests {
    private let folder = TemporaryFolder()
    private static let chunk = ChunkedEncryption.chunkLength

    @Test("gives back what was written, for a passphrase")
    func passphrase() throws {
        let path = folder.file("a.sxb")
        let secret = try SampleBundle.passphrase()
        let summary = try SampleBundle.write(to: path, recipients: [.passphrase(secret, cost: SampleBundle.cheap)])
        let content = try SampleBundle.read(path, [secret])
        #expect(content.manifest == SampleBundle.manifest)
        #expect(isSame(content.files, SampleBundle.files))
        #expect(content.signature == nil)
        #expect(content.header.kind == .passphrase)
        #expect(content.header.fileLength == summary.fileLength)
        #expect(content.header.bundleID == summary.bundleID)
        #expect(fileBytes(path)?.count == summary.fileLength)
        #expect(summary.entries == 4)
    }

    @Test("opens with each of its passphrases, however its letters are spelled, and with no other")
    func passphrases() throws {
        let path = folder.file("a.sxb")
        let composed = try SampleBundle.passphrase("caf\u{E9}")
        let second = try SampleBundle.passphrase("second")
        try SampleBundle.write(
            to: path,
            recipients: [
                .passphrase(composed, cost: SampleBundle.cheap), .passphrase(second, cost: SampleBundle.cheap),
            ])
        #expect(try SampleBundle.read(path, [SampleBundle.passphrase("cafe\u{301}")]).unlocked == (0, 0))
        #expect(try SampleBundle.read(path, [SampleBundle.key(), second]).unlocked == (1, 1))
        #expect(SampleBundle.error(path, [try SampleBundle.passphrase("cafe")]) == .wrongPassphrase)
        #expect(SampleBundle.error(path, [try SampleBundle.passphrase("second ")]) == .wrongPassphrase)
        #expect(SampleBundle.error(path, [try SampleBundle.key()]) == .wrongSecretKind(needed: .passphrase))
    }

    @Test("opens with an X25519 key and with an X-Wing seed, and the signature names both")
    func xWing() throws {
        let path = folder.file("a.sxb")
        let first = try SampleBundle.key()
        let second = try SXBSecret.xWing(SecretBytes(randomCount: 32))
        try SampleBundle.write(
            to: path, recipients: [.publicKey(first.publicKey), .xWing(second.publicKey)], signer: TestSigner())
        for (number, key) in [first, second].enumerated() {
            let other = try SXBSecret.xWing(SecretBytes(randomCount: 32))
            let content = try SampleBundle.read(path, [SampleBundle.key(), other, key])
            #expect(content.unlocked == (2, number))
            #expect(isSame(content.files, SampleBundle.files))
            #expect(content.header.recipients == [.x25519, .xWing])
            let signature = try #require(content.signature)
            #expect(signature.isForReader)
            let publicKey = second.publicKey
            let name = SHA256.hash(publicKey.span)
            #expect(Set(signature.recipients) == [first.publicKey, name])
        }
        #expect(SampleBundle.error(path, [try .xWing(SecretBytes(randomCount: 32))]) == .noMatchingRecipient)
    }

    @Test("opens with the key of each recipient, and names who signed it and for whom")
    func publicKeys() throws {
        let path = folder.file("a.sxb")
        let (first, second) = (try SampleBundle.key(), try SampleBundle.key())
        let signer = try TestSigner()
        try SampleBundle.write(
            to: path, recipients: [.publicKey(first.publicKey), .publicKey(second.publicKey)], signer: signer)
        for (number, key) in [first, second].enumerated() {
            let content = try SampleBundle.read(path, [SampleBundle.key(), key])
            #expect(content.unlocked == (1, number))
            #expect(isSame(content.files, SampleBundle.files))
            let signature = try #require(content.signature)
            #expect(signature.signer == signer.keys)
            #expect(signature.isForReader)
            #expect(Set(signature.recipients) == [first.publicKey, second.publicKey])
        }
        #expect(SampleBundle.error(path, [try SampleBundle.key()]) == .noMatchingRecipient)
        #expect(
            SampleBundle.error(path, [try SampleBundle.passphrase()]) == .wrongSecretKind(needed: .publicKey))
    }

    @Test(
        "holds entries of every size around the chunks and the blocks",
        arguments: [
            [0], [1], [chunk - 1], [chunk], [chunk + 1], [2 * chunk - 1, 2 * chunk, 2 * chunk + 1],
            [256 * chunk - 1], [256 * chunk], [256 * chunk + 1], [511, 512, 513, 0, 1],
        ])
    func sizes(_ sizes: [Int]) throws {
        let path = folder.file("a.sxb")
        let key = try SampleBundle.key()
        for isDense in [true, false] {
            let files = sizes.enumerated().map { index, size in
                (
                    name: "attachments/\(index)",
                    bytes: isDense ? Random.bytes(size) : [UInt8](repeating: UInt8(index), count: size)
                )
            }
            try SampleBundle.write(files, to: path, recipients: [.publicKey(key.publicKey)], replacing: true)
            let content = try SampleBundle.read(path, [key], declared: SampleBundle.entries(files), piece: 70_001)
            #expect(isSame(content.files, files))
        }
    }

    @Test("is whole at every length of the archive around the end of a chunk")
    func chunkEnds() throws {
        let path = folder.file("a.sxb")
        let key = try SampleBundle.key()
        // Stored bytes: the archive grows by a block at a time, the payload with it.
        var lengths: Set<Int> = []
        for blocks in 24..<36 {
            let files = [(name: "attachments/a", bytes: Random.bytes(blocks * 512))]
            let summary = try SampleBundle.write(
                files, to: path, recipients: [.publicKey(key.publicKey)], replacing: true)
            lengths.insert(summary.fileLength)
            #expect(isSame(try SampleBundle.read(path, [key], declared: SampleBundle.entries(files)).files, files))
        }
        #expect(lengths.count == 12)
    }

    @Test("dense and sparse entries in turn, longer than the pieces that go round")
    func mixture() throws {
        let path = folder.file("a.sxb")
        let key = try SampleBundle.key()
        var files: SampleBundle.Files = []
        for index in 0..<6 {
            files.append(("a/\(index)", Random.bytes(1_300_000 + index)))
            files.append(("b/\(index)", [UInt8](repeating: 7, count: 1_700_000 + index)))
        }
        let summary = try SampleBundle.write(files, to: path, recipients: [.publicKey(key.publicKey)], piece: 3_000_000)
        // The sparse half is nearly nothing.
        #expect(summary.fileLength < 6 * 1_300_000 + 1_500_000)
        #expect(isSame(try SampleBundle.read(path, [key], declared: SampleBundle.entries(files)).files, files))
    }
}
