import CryptoPrimitives
import Glibc
import SophaxCore
import SystemIO
import TestSupport

@testable import PortableBundle

/// Bundles for the tests, made with the smallest costs that a bundle may have.
enum SampleBundle {
    static var cheap: Argon2id.Parameters {
        get throws { try Argon2id.Parameters(memoryKiB: 19 << 10, passes: 1, lanes: 1) }
    }

    static func passphrase(_ text: String = "correct horse") throws -> SXBSecret {
        let bytes = Array(text.utf8)
        let secret = try SecretBytes(copying: bytes.span)
        return try SXBSecret.passphrase(secret)
    }

    static func key() throws -> SXBSecret {
        try SXBSecret.privateKey(SecretBytes(randomCount: 32))
    }

    /// Entries as a name and bytes; the manifest is put before them.
    typealias Files = [(name: String, bytes: [UInt8])]

    static let manifest = Array("{\"format\":\"a test\"}".utf8)
    static let files: Files = [
        ("identity.json", Array("{}".utf8)),
        ("conversations/a.jsonl", Array(repeating: Array("{\"body\":\"hello\"}\n".utf8), count: 40).flatMap { $0 }),
        ("attachments/empty", []),
    ]

    /// Writes a bundle and gives what was written.
    @discardableResult
    static func write(
        _ files: Files = files, to path: String, recipients: [SXBRecipient], signer: TestSigner? = nil,
        replacing: Bool = false, modified: Int64 = 0, verifying: Bool = true, piece: Int = 1 << 16
    ) throws -> SXBWriter.Summary {
        var writer = try SXBWriter(
            creatingAt: FilePath(path), replacing: replacing, recipients: recipients, signer: signer?.keys,
            modified: modified, verifying: verifying)
        for (name, bytes) in [("manifest.json", manifest)] + files {
            try writer.add(Array(name.utf8), size: bytes.count)
            var place = 0
            while place < bytes.count {
                let end = min(place + piece, bytes.count)
                let part = Array(bytes[place..<end])
                try writer.write(part.span)
                place = end
            }
        }
        guard let signer else { return try writer.finish() }
        return try writer.finish { (message) throws(SigningError) in
            try signer.sign(message)
        }
    }

    /// What a bundle gave.
    struct Content {
        var manifest: [UInt8] = []
        var files: Files = []
        var signature: SXBSignature?
        var unlocked: (secret: Int, recipient: Int) = (0, 0)
        var header: SXBHeader
    }

    /// Reads a bundle whole; `declared` is what a manifest would say, nil for that of `files`.
    static func read(
        _ path: String, _ secrets: [SXBSecret], declared: [SXBEntry]? = nil, piece: Int = 1 << 16
    ) throws(SXBError) -> Content {
        var reader = try SXBReader(opening: FilePath(path), secrets: secrets)
        var content = Content(header: reader.header)
        content.unlocked = reader.unlocked
        let manifest = try reader.manifest()
        content.manifest = manifest.bytes(in: 0..<manifest.count)
        try reader.allow(declared ?? entries(files))
        var buffer = [UInt8](repeating: 0, count: piece)
        while let entry = try reader.next() {
            var bytes: [UInt8] = []
            while true {
                var span = buffer.mutableSpan
                let count = try reader.read(into: &span)
                if count == 0 { break }
                bytes += buffer[..<count]
            }
            content.files.append((String(decoding: entry.name, as: UTF8.self), bytes))
        }
        content.signature = reader.signature
        return content
    }

    static func entries(_ files: Files) -> [SXBEntry] {
        files.map { SXBEntry($0.name, size: $0.bytes.count) }
    }

    /// The error that reading gives; nil when there is none.
    static func error(_ path: String, _ secrets: [SXBSecret], declared: [SXBEntry]? = nil) -> SXBError? {
        do throws(SXBError) {
            _ = try read(path, secrets, declared: declared)
            return nil
        } catch {
            return error
        }
    }
}

/// Somebody who signs bundles.
final class TestSigner: Sendable {
    let keys: IdentityPublicKeys
    private let seed: SecretBytes

    init() throws {
        let seed = try SecretBytes(randomCount: Ed25519.seedLength)
        keys = try IdentityPublicKeys(
            signing: Ed25519.publicKey(ofSeed: seed), dh: X25519.publicKey(of: X25519.makePrivateKey()))
        self.seed = seed
    }

    func sign(_ message: Span<UInt8>) throws(SigningError) -> [UInt8] {
        try Ed25519.sign(message, seed: seed)
    }
}

func isSame(_ left: SampleBundle.Files, _ right: SampleBundle.Files) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0.name == $1.name && $0.bytes == $1.bytes }
}

/// Replaces a file.
func writeBytes(_ bytes: [UInt8], to path: String) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    precondition(descriptor >= 0, "cannot write \(path)")
    var done = 0
    while done < bytes.count {
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
        }
        precondition(count > 0, "cannot write \(path)")
        done += count
    }
    close(descriptor)
}
