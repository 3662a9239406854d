import CryptoPrimitives
import SophaxCore
import SystemIO
import TestSupport
import Testing

@testable import PortableBundle

@Suite(
    "Other programs and a bundle",
    .enabled(if: IndependentReader.isThere, "needs python3 with cryptography (44 or later), zstd, tar and bsdtar"))
struct OtherProgramsTests {
    private let folder = TemporaryFolder()

    private static let files: SampleBundle.Files = [
        ("identity.json", Array("{\"a\":1}".utf8)),
        ("conversations/a.jsonl", Array(repeating: Array("{\"body\":\"hello\"}\n".utf8), count: 90_000).flatMap { $0 }),
        ("attachments/dense", Random.bytes(1_500_000)),
        ("attachments/empty", []),
        ("attachments/" + String(repeating: "long", count: 60), [1, 2, 3]),
        ("attachments/caf\u{E9} \u{1F600}", Array("name".utf8)),
        ("attachments/after", Array(repeating: 7, count: 3000)),
    ]

    /// Opens a bundle with the second reader, and unpacks it with each of the programs.
    private func check(_ path: String, secret: String) throws {
        let (frames, tar) = (folder.file("payload.tar.zst"), folder.file("payload.tar"))
        let decrypted = IndependentReader.decrypt(path, secret: secret, to: frames)
        #expect(decrypted.status == 0, "\(decrypted.errorText)")
        let test = ChildProcess.run(["zstd", "-t", "-q", frames])
        #expect(test.status == 0, "\(test.errorText)")
        let unpacked = ChildProcess.run(["zstd", "-d", "-q", "-f", "-o", tar, frames])
        #expect(unpacked.status == 0, "\(unpacked.errorText)")
        for program in ["tar", "bsdtar"] {
            let target = folder.makeFolder("from-" + program)
            let result = ChildProcess.run(
                [program, "-x", "-f", tar, "-C", target], environment: ["LC_ALL": "C.UTF-8"])
            #expect(result.status == 0, "\(result.errorText)")
            #expect(result.errorText.isEmpty)
            for file in [("manifest.json", SampleBundle.manifest)] + Self.files {
                #expect(fileBytes(target + "/" + file.0) == file.1, "\(program), \(file.0)")
            }
        }
        let listing = ChildProcess.run(
            ["tar", "-t", "-v", "--utc", "--full-time", "-f", tar], environment: ["LC_ALL": "C.UTF-8"])
        let lines = listing.outputText.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("-rw------- 0/0 ") && $0.contains(" 2026-06-14 18:03:05 ") })
    }

    @Test("a bundle for a passphrase opens without a line of this code")
    func passphrase() throws {
        let path = folder.file("a.sxb")
        let secrets = [try SampleBundle.passphrase("first"), try SampleBundle.passphrase("caf\u{E9}")]
        try SampleBundle.write(
            Self.files, to: path, recipients: secrets.map { .passphrase($0, cost: try SampleBundle.cheap) },
            modified: 1_781_460_185)
        try check(path, secret: "passphrase:caf\u{E9}")
    }

    @Test("so does one for keys, and its signature fits")
    func publicKeys() throws {
        let path = folder.file("a.sxb")
        let key = try SampleBundle.key()
        let other = try SampleBundle.key()
        let signer = try TestSigner()
        try SampleBundle.write(
            Self.files, to: path, recipients: [.publicKey(other.publicKey), .publicKey(key.publicKey)], signer: signer,
            modified: 1_781_460_185)
        let digits = key.secret.withSpan { Hex.encode($0) }
        try check(path, secret: "key:" + digits)
        let signature = IndependentReader.checkSignature(path, tar: folder.file("payload.tar"))
        #expect(signature.status == 0, "\(signature.errorText)")
        let recipients = [key.publicKey, other.publicKey].sorted { $0.lexicographicallyPrecedes($1) }
        let expected = [signer.keys.signing] + recipients
        #expect(signature.outputText == expected.map { Hex.encode($0.span) }.joined(separator: " ") + "\n")
    }

    @Test("an archive with times and sizes beyond ustar is listed by both programs")
    func beyondUstar() throws {
        let entries = [
            SXBEntry("early", size: 3, modified: -86_400), SXBEntry("late", size: 3, modified: 1 << 34),
        ]
        let archive = entries.flatMap { TarHeader.bytes($0) + [1, 2, 3] + [UInt8](repeating: 0, count: 509) }
        let large = TarHeader.bytes(SXBEntry("large", size: 9 << 30, modified: 0))
        let tar = folder.write(archive + large, to: "a.tar")
        for program in ["tar", "bsdtar"] {
            // The bytes of the last entry are not there, which comes after its line.
            let listing = ChildProcess.run(
                [program, "-t", "-v", "-f", tar], environment: ["LC_ALL": "C", "TZ": "UTC"])
            let text = listing.outputText
            #expect(text.contains("1969"), "\(program): \(text)")
            #expect(text.contains("2514"), "\(program): \(text)")
            #expect(text.contains("9663676416"), "\(program): \(text)")
        }
    }
}
