import CryptoPrimitives
import SystemIO
import TestSupport
import Testing

@testable import PortableBundle

@Suite("Other recipients for a bundle")
struct RewrapTests {
    private let folder = TemporaryFolder()
    private let path: String
    private let old: SXBSecret
    private let new: SXBSecret

    init() throws {
        path = folder.file("a.sxb")
        old = try SampleBundle.passphrase("old")
        new = try SampleBundle.passphrase("new")
    }

    private func recipient(_ secret: SXBSecret) throws -> SXBRecipient {
        .passphrase(secret, cost: try SampleBundle.cheap)
    }

    private func payload(_ path: String) throws -> ArraySlice<UInt8> {
        let bytes = try #require(fileBytes(path))
        return bytes[try SXBReader.inspect(FilePath(path)).payload]
    }

    @Test("leave the payload as it is, byte for byte")
    func payload() throws {
        try SampleBundle.write(to: path, recipients: [recipient(old)])
        let before = try payload(path)
        let former = try SXBReader.inspect(FilePath(path))
        let header = try SXBRewrap(FilePath(path), secrets: [old], recipients: [recipient(new), recipient(new)])
            .write(to: FilePath(path), replacing: true)
        #expect(try payload(path).elementsEqual(before))
        #expect(header == (try SXBReader.inspect(FilePath(path))))
        #expect(header.bundleID == former.bundleID)
        #expect(header.recipients.count == 2)
        #expect(isSame(try SampleBundle.read(path, [new]).files, SampleBundle.files))
        #expect(SampleBundle.error(path, [old]) == .wrongPassphrase)
        #expect(folder.names == ["a.sxb"])
    }

    @Test("may be beside some of the former ones, which stay as they are")
    func keeping() throws {
        let third = try SampleBundle.passphrase("third")
        try SampleBundle.write(to: path, recipients: [recipient(old), recipient(third)])
        let copy = folder.file("b.sxb")
        _ = try SXBRewrap(FilePath(path), secrets: [old], recipients: [recipient(new), .kept(1)])
            .write(to: FilePath(copy), replacing: false)
        #expect(try SampleBundle.read(copy, [new]).unlocked == (0, 0))
        #expect(try SampleBundle.read(copy, [third]).unlocked == (0, 1))
        #expect(SampleBundle.error(copy, [old]) == .wrongPassphrase)
        #expect(try SampleBundle.read(path, [old]).unlocked == (0, 0))
    }

    @Test("of a signed bundle: the signature stays, and says that it was not meant for the new ones")
    func signature() throws {
        let (first, second) = (try SampleBundle.key(), try SampleBundle.key())
        let signer = try TestSigner()
        try SampleBundle.write(to: path, recipients: [.publicKey(first.publicKey)], signer: signer)
        _ = try SXBRewrap(FilePath(path), secrets: [first], recipients: [.kept(0), .publicKey(second.publicKey)])
            .write(to: FilePath(path), replacing: true)
        let mine = try #require(try SampleBundle.read(path, [first]).signature)
        let other = try #require(try SampleBundle.read(path, [second]).signature)
        #expect(mine.signer == signer.keys && other.signer == signer.keys)
        #expect(mine.isForReader)
        #expect(!other.isForReader)
        #expect(other.recipients == [first.publicKey])
    }

    @Test("need one of the former secrets, and cannot be of the other kind")
    func refusals() throws {
        try SampleBundle.write(to: path, recipients: [recipient(old)])
        let before = fileBytes(path)
        func error(_ secrets: [SXBSecret], _ recipients: [SXBRecipient]) -> SXBError? {
            do throws(SXBError) {
                _ = try SXBRewrap(FilePath(path), secrets: secrets, recipients: recipients)
                    .write(to: FilePath(path), replacing: true)
                return nil
            } catch {
                return error
            }
        }
        #expect(error([new], [try recipient(new)]) == .wrongPassphrase)
        #expect(
            error([old], [.publicKey(try SampleBundle.key().publicKey)]) == .recipients(.otherKind(.passphrase)))
        #expect(error([old], []) == .recipients(.none))
        #expect(error([old], [.kept(1)]) == .recipients(.notThere(1)))
        #expect(error([old], [.kept(0), .kept(0)]) == .recipients(.repeated(1)))
        #expect(fileBytes(path) == before)
        #expect(folder.names == ["a.sxb"])
    }

    @Test("are not given to a damaged bundle, unless nobody looks")
    func damage() throws {
        try SampleBundle.write(to: path, recipients: [recipient(old)])
        let start = try SXBReader.inspect(FilePath(path)).payload.lowerBound + 56
        var bytes = try #require(fileBytes(path))
        bytes[start] ^= 1
        writeBytes(bytes, to: path)
        let change = SXBRewrap(FilePath(path), secrets: [old], recipients: [try recipient(new)])
        let copy = folder.file("b.sxb")
        do throws(SXBError) {
            _ = try change.write(to: FilePath(copy), replacing: false)
            Issue.record("the damage was not found")
        } catch {
            guard case .chunkDamaged(index: 0, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(folder.names == ["a.sxb"])
        _ = try change.write(to: FilePath(copy), replacing: false, verifying: false)
        #expect(try payload(copy).elementsEqual(payload(path)))
    }

    @Test("each wrapped key is new, also for the same recipient")
    func freshness() throws {
        let key = try SampleBundle.key()
        try SampleBundle.write(to: path, recipients: [.publicKey(key.publicKey)])
        let before = try BundleFileLayout(opening: FilePath(path)).content.stanzas
        _ = try SXBRewrap(FilePath(path), secrets: [key], recipients: [.publicKey(key.publicKey)])
            .write(to: FilePath(path), replacing: true)
        #expect(try BundleFileLayout(opening: FilePath(path)).content.stanzas != before)
    }
}
