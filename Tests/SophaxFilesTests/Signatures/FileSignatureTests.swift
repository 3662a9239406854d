import CryptoPrimitives
import SophaxCore
import SystemIO
import TestSupport
import Testing

@testable import SophaxFiles

@Suite("Signatures of files")
struct FileSignatureTests {
    /// Made with Python's `cryptography` from the specification, for the first keys of the check values, the file
    /// "hello\n" and the time 1796027537.
    private static let text = """
        sxkey-signature 1
        signing-key 03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8
        dh-key 358072d6365880d1aeea329adf9121383851ed21a28e3b75e965d0d2cd166254
        size 6
        time 1796027537
        sha512 e7c22b994c59d9cf2b48e549b1e24666636045930d3da7c1acb299d1c3b7f931f94aae41edda2c2b207a36e10f8bcb8d45223e54878f5b316e7ce3b6bc019629
        signature 8098090170ada230cc65b48fc4e52ec156d85e79d51a3ed87b3b395112f77adc2d50f46f750d04cd04a25e1bb2831e877da96a3b77955f76e6cc2a64e90cf204

        """

    private let folder = TemporaryFolder()

    private func digest(_ text: String) throws -> FileDigest {
        var input = try InputFile(opening: FilePath(folder.write(text, to: "file")))
        return try FileDigest(reading: &input)
    }

    private func identity() throws -> Identity {
        let (seed, dh): ([UInt8], [UInt8]) = (Array(0..<32), Array(32..<64))
        return try Identity(
            signingSeed: SecretBytes(copying: seed.span), dhPrivate: SecretBytes(copying: dh.span), username: "")
    }

    @Test("are byte for byte what another program makes from the specification")
    func vector() throws {
        let signature = try FileSignature.make(of: digest("hello\n"), madeAt: 1_796_027_537, by: identity())
        #expect(signature.text == Self.text)
        let parsed = try FileSignature(parsing: Array(Self.text.utf8))
        #expect(parsed == signature)
        #expect(parsed.isAuthentic)
        #expect(try parsed.fits(digest("hello\n")))
        #expect(try FileSignature(parsing: Array(Self.text.replacing("\n", with: "\r\n").utf8)) == signature)
    }

    @Test("do not fit another file")
    func otherFile() throws {
        let signature = try FileSignature(parsing: Array(Self.text.utf8))
        #expect(try !signature.fits(digest("hello")))
        #expect(try !signature.fits(digest("Hello\n")))
        #expect(try !signature.fits(digest("")))
        #expect(signature.isAuthentic)
    }

    @Test("with any one character changed are refused or not authentic")
    func changed() throws {
        let text = Array(Self.text.utf8)
        let file = try digest("hello\n")
        var parsed = 0
        for place in text.indices {
            for change in [UInt8(1), 0x20] {
                var other = text
                other[place] ^= change
                guard let signature = try? FileSignature(parsing: other) else { continue }
                parsed += 1
                #expect(!signature.fits(file), "byte \(place)")
            }
        }
        #expect(parsed > 100)
    }

    @Test(
        "that are not whole or not of this version say so",
        arguments: [
            ("", FileSignatureError.notASignature), ("hello", .notASignature),
            ("sxkey-signature 2\n", .newerVersion(2)),
            ("sxkey-signature 0\n", .line(1)), ("sxkey-signature x\n", .line(1)), ("sxkey-signature 1\n", .line(2)),
            (text.replacing("size 6", with: "size 06"), .line(4)),
            (text.replacing("size 6", with: "size -6"), .line(4)),
            (text.replacing("time 1796027537", with: "time 99999999999999999999"), .line(5)),
            (text + "more\n", .line(8)), (text.replacing("03a1", with: "03A1"), .line(2)),
            (String(repeating: "x", count: 4097), .tooLarge(limit: 4096)),
        ])
    func malformed(text: String, error: FileSignatureError) {
        #expect(throws: error) { try FileSignature(parsing: Array(text.utf8)) }
    }

    @Test("a file is hashed piece by piece: pieces do not change the digest")
    func pieces() throws {
        let text = String(repeating: "0123456789abcdef", count: 1 << 17) + "x"
        let digest = try digest(text)
        #expect(digest.size == text.utf8.count)
        let bytes = Array(text.utf8)
        #expect(digest.sha512 == SHA512.hash(bytes.span))
    }
}
