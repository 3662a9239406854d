import CryptoPrimitives
import SophaxCore
import SystemIO

/// Why a text is no signature of a file.
package enum FileSignatureError: Error, Hashable, Sendable {
    case tooLarge(limit: Int)
    /// It does not begin as one.
    case notASignature
    case newerVersion(Int)
    /// The line of this number, from 1, is not what it must be.
    case line(Int)
}

/// A detached signature of a file by an identity. Specified in sxkey-formats(5), SIGNATURES OF FILES.
package struct FileSignature: Hashable, Sendable {
    /// Bytes that are signed before the rest, so that a signature of a file fits nothing else that identities sign.
    package static let domain = "sxkey file signature v1\0"
    package static let version = 1
    /// The largest text that is read.
    package static let sizeCeiling = 4096

    package let keys: IdentityPublicKeys
    /// SHA-512 of the file, 64 bytes.
    package let digest: [UInt8]
    /// Bytes of the file.
    package let size: Int
    /// When it was made by the signer's clock, whole Unix seconds.
    package let madeAt: Int64
    /// Ed25519, 64 bytes.
    package let signature: [UInt8]

    /// Signs a file of which digest and size are known.
    package static func make(
        of digest: FileDigest, madeAt: Int64, by identity: borrowing Identity
    ) throws(SigningError) -> FileSignature {
        let message = message(digest.sha512, digest.size, madeAt, identity.publicKeys)
        return FileSignature(
            keys: identity.publicKeys, digest: digest.sha512, size: digest.size, madeAt: madeAt,
            signature: try Ed25519.sign(message.span, seed: identity.signingSeed))
    }

    /// Whether the signature is one of `file` by the keys in it. Who has these keys is another question.
    package func fits(_ file: FileDigest) -> Bool {
        file.size == size && file.sha512 == digest && isAuthentic
    }

    /// Whether the keys in it made it, whatever the file is.
    package var isAuthentic: Bool {
        let message = Self.message(digest, size, madeAt, keys)
        return Ed25519.isValid(signature: signature.span, for: message.span, publicKey: keys.signing.span)
    }

    /// domain ‖ signing public ‖ DH public ‖ size (8, big-endian) ‖ time (8, big-endian) ‖ SHA-512.
    private static func message(
        _ digest: [UInt8], _ size: Int, _ madeAt: Int64, _ keys: IdentityPublicKeys
    ) -> [UInt8] {
        var message = Array(domain.utf8) + keys.signing + keys.dh
        for number in [UInt64(bitPattern: Int64(size)), UInt64(bitPattern: madeAt)] {
            message += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
        }
        return message + digest
    }

    private init(keys: IdentityPublicKeys, digest: [UInt8], size: Int, madeAt: Int64, signature: [UInt8]) {
        self.keys = keys
        self.digest = digest
        self.size = size
        self.madeAt = madeAt
        self.signature = signature
    }
}

// MARK: - Text

extension FileSignature {
    private static let names = ["signing-key", "dh-key", "size", "time", "sha512", "signature"]

    /// The file's text, seven lines of ASCII.
    package var text: String {
        let values = [
            Hex.encode(keys.signing.span), Hex.encode(keys.dh.span), String(size), String(madeAt),
            Hex.encode(digest.span), Hex.encode(signature.span),
        ]
        return zip(Self.names, values).reduce("sxkey-signature \(Self.version)\n") { $0 + "\($1.0) \($1.1)\n" }
    }

    /// Reads a text; exactly the form that `text` has, line endings of either kind.
    package init(parsing text: [UInt8]) throws(FileSignatureError) {
        guard text.count <= Self.sizeCeiling else { throw .tooLarge(limit: Self.sizeCeiling) }
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        let start = Array("sxkey-signature ".utf8)
        guard let first = lines.first, first.starts(with: start) else { throw .notASignature }
        guard let version = Self.number(Array(first.dropFirst(start.count))) else { throw .line(1) }
        guard version <= Int64(Self.version) else { throw .newerVersion(Int(clamping: version)) }
        guard version == Int64(Self.version) else { throw .line(1) }
        guard lines.count <= Self.names.count + 1 else { throw .line(Self.names.count + 2) }
        var values: [[UInt8]] = []
        for (index, name) in Self.names.enumerated() {
            let prefix = Array("\(name) ".utf8)
            guard index + 1 < lines.count, lines[index + 1].starts(with: prefix) else { throw .line(index + 2) }
            values.append(Array(lines[index + 1].dropFirst(prefix.count)))
        }
        keys = try Self.keys(values)
        guard let size = Self.number(values[2]).flatMap({ Int(exactly: $0) }) else { throw .line(4) }
        guard let madeAt = Self.number(values[3]) else { throw .line(5) }
        self.size = size
        self.madeAt = madeAt
        digest = try Self.bytes(values[4], SHA512.digestLength, line: 6)
        signature = try Self.bytes(values[5], Ed25519.signatureLength, line: 7)
    }

    private static func keys(_ values: [[UInt8]]) throws(FileSignatureError) -> IdentityPublicKeys {
        let signing = try bytes(values[0], IdentityPublicKeys.keyLength, line: 2)
        let dh = try bytes(values[1], IdentityPublicKeys.keyLength, line: 3)
        guard let keys = try? IdentityPublicKeys(signing: signing, dh: dh) else { throw .line(2) }
        return keys
    }

    /// Lower-case hex of so many bytes.
    private static func bytes(_ text: [UInt8], _ count: Int, line: Int) throws(FileSignatureError) -> [UInt8] {
        guard text.count == count * 2, !text.contains(where: { (0x41...0x5A).contains($0) }),
            let bytes = Hex.decode(text.span)
        else { throw .line(line) }
        return bytes
    }

    /// Digits without a sign or a leading zero.
    private static func number(_ text: [UInt8]) -> Int64? {
        guard !text.isEmpty, text.allSatisfy({ (0x30...0x39).contains($0) }), text.count == 1 || text[0] != 0x30
        else { return nil }
        return Int64(String(decoding: text, as: UTF8.self))
    }
}

/// SHA-512 and size of a file, read piece by piece.
package struct FileDigest: Hashable, Sendable {
    package let sha512: [UInt8]
    package let size: Int

    private static let pieceSize = 1 << 20

    /// Reads `input` to its end.
    package init(
        reading input: inout InputFile, progress: (_ bytes: Int) -> Void = { _ in }
    ) throws(FileError) {
        var hash = SHA512()
        var total = 0
        while true {
            let piece = try input.read(upTo: Self.pieceSize)
            if piece.isEmpty { break }
            hash.update(piece.span)
            total += piece.count
            progress(piece.count)
        }
        sha512 = hash.finish()
        size = total
    }
}
