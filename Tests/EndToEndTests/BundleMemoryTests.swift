import CryptoPrimitives
import Foundation
import Glibc
import TestSupport
import Testing

/// Bundles of any size in the memory of a few pieces.
@Suite("memory of bundles", .enabled(if: LongTests.areWanted, "SXKEY_LONG is not set"))
struct BundleMemoryTests {
    @Test("an attachment of 640 MB goes into a bundle and out of it again in less memory than it has bytes")
    func large() throws {
        let phone = try SamplePhone()
        let size = 640 << 20
        // A video: nothing that could be compressed.
        var video = [UInt8](repeating: 0, count: size)
        let source = open("/dev/urandom", O_RDONLY)
        var filled = 0
        while filled < size {
            filled += video.withUnsafeMutableBytes { read(source, $0.baseAddress?.advanced(by: filled), size - filled) }
        }
        close(source)
        let sum = SHA256.hash(video.span)
        let encoded = try #require(fileBytes(phone.file("storage.key")))
        let key = Array(try #require(Data(base64Encoded: Data(encoded.dropLast()))))
        var cipher = try AESGCM(key: SecretBytes(copying: key.span))
        let nonce = Random.bytes(12)
        try phone.write(try cipher.sealCombined(video.span, nonce: nonce.span), to: "phone/sophax_attachments/ABCD-1")
        video = []
        let limit = "ulimit -v 450000; "
        let create = phone.shell(
            limit + "sxkey bundle create --store phone -k storage.key --out p.sxb --new-passphrase-file passphrase.txt "
                + "--argon2-memory 19 --argon2-passes 1 --argon2-lanes 1", seconds: 300)
        #expect(create.status == 0, "\(create.errorText)")
        let restore = phone.shell(
            limit + "sxkey bundle restore p.sxb -p passphrase.txt --store new --new-key-file storage.key", seconds: 300)
        #expect(restore.status == 0, "\(restore.errorText)")
        let sealed = try #require(fileBytes(phone.file("new/sophax_attachments/ABCD-1")))
        let text = try cipher.openCombined(sealed.span)
        let found = text.withSpan { SHA256.hash($0) }
        #expect(found == sum)
    }
}
