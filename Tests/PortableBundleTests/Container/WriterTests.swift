import CryptoPrimitives
import SophaxCore
import SystemIO
import TestSupport
import Testing

@testable import PortableBundle

@Suite("Writing a bundle")
struct WriterTests {
    private let folder = TemporaryFolder()
    private let key: SXBSecret

    init() throws {
        key = try SampleBundle.key()
    }

    private func writer(_ path: String, signer: TestSigner? = nil) throws -> SXBWriter {
        try SXBWriter(
            creatingAt: FilePath(path), recipients: [.publicKey(key.publicKey)], signer: signer?.keys)
    }

    private func add(_ name: String, size: Int, to writer: inout SXBWriter) throws {
        try writer.add(Array(name.utf8), size: size)
    }

    @Test("leaves nothing when it is given up")
    func givenUp() throws {
        var writer = try writer(folder.file("a.sxb"))
        try add("manifest.json", size: 4, to: &writer)
        let bytes: [UInt8] = [1, 2, 3]
        try writer.write(bytes.span)
        _ = consume writer
        #expect(folder.names.isEmpty)
    }

    @Test("begins with the manifest, and has one")
    func manifest() throws {
        var writer = try writer(folder.file("a.sxb"))
        #expect(throws: SXBError.archive(.manifestNotFirst)) { try add("a", size: 1, to: &writer) }
        let empty = try self.writer(folder.file("a.sxb"))
        do throws(SXBError) {
            _ = try empty.finish()
            Issue.record("an empty bundle was written")
        } catch {
            #expect(error == .archive(.manifestNotFirst))
        }
        #expect(folder.names.isEmpty)
    }

    @Test("takes as many bytes as were announced, and the first error sticks")
    func announcedSize() throws {
        let bytes: [UInt8] = [1, 2, 3]
        var writer = try writer(folder.file("a.sxb"))
        try add("manifest.json", size: 2, to: &writer)
        #expect(throws: SXBError.archive(.written(declared: 2, found: 3))) { try writer.write(bytes.span) }
        #expect(throws: SXBError.archive(.written(declared: 2, found: 3))) { try add("a", size: 0, to: &writer) }
        var short = try self.writer(folder.file("a.sxb"))
        try add("manifest.json", size: 4, to: &short)
        try short.write(bytes.span)
        #expect(throws: SXBError.archive(.written(declared: 4, found: 3))) { try add("a", size: 0, to: &short) }
        do throws(SXBError) {
            _ = try short.finish()
            Issue.record("a bundle with a short entry was written")
        } catch {
            #expect(error == .archive(.written(declared: 4, found: 3)))
        }
        #expect(folder.names.isEmpty)
    }

    @Test("writes no name that its reader refuses")
    func names() throws {
        for name in ["../a", "signature.json", "manifest.json", "MANIFEST.json", "a\u{0}b"] {
            var writer = try writer(folder.file("a.sxb"))
            try add("manifest.json", size: 0, to: &writer)
            #expect(throws: SXBError.self, "\(name)") { try add(name, size: 0, to: &writer) }
        }
        var writer = try writer(folder.file("a.sxb"))
        try add("manifest.json", size: 0, to: &writer)
        try add("a", size: 0, to: &writer)
        #expect(throws: SXBError.archive(.collision(Array("a".utf8), Array("A".utf8)))) {
            try add("A", size: 0, to: &writer)
        }
    }

    @Test("refuses a size that its reader refuses")
    func sizes() throws {
        var writer = try writer(folder.file("a.sxb"))
        #expect(throws: SXBError.self) { try add("manifest.json", size: SXBFormat.manifestCeiling + 1, to: &writer) }
        var other = try self.writer(folder.file("a.sxb"))
        try add("manifest.json", size: 0, to: &other)
        #expect(throws: SXBError.self) { try add("a", size: SXBFormat.entrySizeCeiling + 1, to: &other) }
    }

    @Test("does not replace a file unless it is asked to")
    func replacing() throws {
        let path = folder.write("something", to: "a.sxb")
        #expect(throws: SXBError.file(FileError(.create, FilePath(path), .exists))) { _ = try writer(path) }
        #expect(fileBytes(path) == Array("something".utf8))
    }

    @Test("with a signature that does not fit gives no bundle")
    func wrongSignature() throws {
        let (signer, other) = (try TestSigner(), try TestSigner())
        var writer = try writer(folder.file("a.sxb"), signer: signer)
        try add("manifest.json", size: 0, to: &writer)
        do throws(SXBError) {
            _ = try writer.finish { (message) throws(SigningError) in try other.sign(message) }
            Issue.record("a bundle with a wrong signature was written")
        } catch {
            #expect(error == .signature(.notAuthentic))
        }
        #expect(folder.names.isEmpty)
    }

    @Test("the same entries give the same archive")
    func determinism() throws {
        func archive(_ path: String) throws -> [UInt8] {
            try SampleBundle.write(to: path, recipients: [.publicKey(key.publicKey)], modified: 1_781_460_185)
            let layout = try BundleFileLayout(opening: FilePath(path))
            let unlocked = try layout.unlock([key])
            var payload = try PayloadReader(layout, fileKey: unlocked.key)
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe payload.readFully(into: $0) }
            return Array(bytes[..<count])
        }
        let first = try archive(folder.file("a.sxb"))
        #expect(first == (try archive(folder.file("b.sxb"))))
        #expect(first.count.isMultiple(of: 512))
        // The files are different in all that is random.
        #expect(fileBytes(folder.file("a.sxb")) != fileBytes(folder.file("b.sxb")))
    }

    @Test("no byte of the text is in the file")
    func secrecy() throws {
        let path = folder.file("a.sxb")
        let text = Array("a text that nobody may see".utf8)
        try SampleBundle.write([("a", text + Random.bytes(9000))], to: path, recipients: [.publicKey(key.publicKey)])
        let bytes = try #require(fileBytes(path))
        #expect(!bytes.indices.contains { bytes[$0...].starts(with: text.prefix(6)) })
        #expect(!bytes.indices.contains { bytes[$0...].starts(with: key.publicKey.prefix(6)) })
    }
}

@Suite("The signature in a bundle")
struct SignatureTests {
    private let folder = TemporaryFolder()

    @Test("each change of the archive before it, of the keys and of the recipients makes it a wrong one")
    func coverage() throws {
        let signer = try TestSigner()
        let (context, digest) = (Random.bytes(32), Random.bytes(32))
        let recipients = [Random.bytes(32), Random.bytes(32)].sorted { $0.lexicographicallyPrecedes($1) }
        let message = SignatureEntry.message(
            context: context, digest: digest, signer: signer.keys, recipients: recipients)
        #expect(message.count == 26 + 32 + 32 + 64 + 4 + 64)
        let right = SignatureEntry(
            signer: signer.keys, recipients: recipients, signature: try signer.sign(message.span))
        #expect(right.isAuthentic(context: context, digest: digest))
        #expect(try SignatureEntry(parsing: right.text) == right)
        #expect(!right.isAuthentic(context: digest, digest: digest))
        #expect(!right.isAuthentic(context: context, digest: context))
        let fewer = SignatureEntry(signer: signer.keys, recipients: [recipients[0]], signature: right.signature)
        #expect(!fewer.isAuthentic(context: context, digest: digest))
        let otherKey = try IdentityPublicKeys(signing: signer.keys.signing, dh: Random.bytes(32))
        let other = SignatureEntry(signer: otherKey, recipients: recipients, signature: right.signature)
        #expect(!other.isAuthentic(context: context, digest: digest))
    }

    @Test("is read in one spelling only")
    func spelling() throws {
        let signer = try TestSigner()
        let keys = [Random.bytes(32), Random.bytes(32)].sorted { $0.lexicographicallyPrecedes($1) }
        let right = SignatureEntry(signer: signer.keys, recipients: keys, signature: Random.bytes(64))
        let swapped = SignatureEntry(signer: signer.keys, recipients: keys.reversed(), signature: Random.bytes(64))
        let twice = SignatureEntry(signer: signer.keys, recipients: [keys[0], keys[0]], signature: Random.bytes(64))
        let short = SignatureEntry(signer: signer.keys, recipients: keys, signature: Random.bytes(63))
        for text in [swapped.text, twice.text, short.text, right.text + [0x0A], [], Array("{}".utf8)] {
            #expect(throws: SXBSignatureFault.malformed) { try SignatureEntry(parsing: text) }
        }
    }

    @Test("in a bundle that was made again with it: changed content, and content for somebody else")
    func madeAgain() throws {
        let bundle = try RawBundle(folder.file("a.sxb"))
        let signer = try TestSigner()
        try SampleBundle.write(to: bundle.path, recipients: [.publicKey(bundle.key.publicKey)], signer: signer)
        let layout = try BundleFileLayout(opening: FilePath(bundle.path))
        let unlocked = try layout.unlock([bundle.key])
        var payload = try PayloadReader(layout, fileKey: unlocked.key)
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe payload.readFully(into: $0) }
        let archive = Array(bytes[..<count])
        // Another bundle has another context: the signature is of this one.
        try bundle.write(archive: archive)
        #expect(bundle.error(SampleBundle.entries(SampleBundle.files)) == .signature(.notAuthentic))
        // One without it is unsigned, and one with something behind it is none.
        let place = try #require(archive.indices.first { archive[$0...].starts(with: EntryName.signature) })
        try bundle.write(archive: Array(archive[..<place]) + RawArchive.end)
        #expect(bundle.error(SampleBundle.entries(SampleBundle.files)) == nil)
        try bundle.write(archive: RawArchive.manifest + RawArchive.entry("signature.json", [1]) + RawArchive.end)
        #expect(bundle.error() == .signature(.malformed))
        try bundle.write(
            archive: RawArchive.manifest + RawArchive.entry("signature.json", Random.bytes(16_385)) + RawArchive.end)
        #expect(bundle.error() == .signature(.malformed))
        try bundle.write(archive: RawArchive.manifest + RawArchive.entry("signature.json") + RawArchive.end)
        #expect(bundle.error([SXBEntry("a", size: 0)]) == .archive(.missing(Array("a".utf8))))
    }
}
