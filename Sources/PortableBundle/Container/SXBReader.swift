import CryptoPrimitives
import JSONCoding
import SophaxFiles
import SystemIO

/// Reads a bundle from its beginning to its end.
///
/// First `manifest()`; then `allow` with what the manifest says of the other entries; then `next` and `read` for each. Bytes
/// that are given out are authentic, and yet the bundle may still end too early: nothing is proven before `next` gave nil,
/// and what was made of the bytes must not be final until then. The first error sticks.
package struct SXBReader: ~Copyable {
    package let header: SXBHeader
    /// Which of the secrets opened the bundle, and as which recipient.
    package let unlocked: (secret: Int, recipient: Int)
    private let readerKeys: Set<[UInt8]>
    private var archive: ArchiveReader
    private var failure: SXBError?

    /// What the file shows without a secret.
    package static func inspect(_ path: FilePath) throws(SXBError) -> SXBHeader {
        try BundleFileLayout(opening: path).header
    }

    /// Opens a bundle with the first of `secrets` that fits.
    package init(opening path: FilePath, secrets: [SXBSecret]) throws(SXBError) {
        let layout = try BundleFileLayout(opening: path)
        let found = try layout.unlock(secrets)
        let header = layout.header
        archive = try ArchiveReader(layout, fileKey: found.key)
        self.header = header
        unlocked = (found.secret, found.recipient)
        readerKeys = Set(secrets.map(\.signedName))
    }

    /// The signature inside; nil when there is none, and before the end was reached.
    package var signature: SXBSignature? {
        archive.signature.map { found in
            SXBSignature(
                signer: found.signer, recipients: found.recipients,
                isForReader: found.recipients.contains(where: readerKeys.contains))
        }
    }

    /// The text of `manifest.json`; the first thing to read.
    package mutating func manifest() throws(SXBError) -> PlaintextBuffer {
        try sticking { (archive) throws(SXBError) in try archive.manifest() }
    }

    /// Says which entries must follow, in which order: what the manifest names.
    package mutating func allow(_ entries: [SXBEntry]) throws(SXBError) {
        try sticking { (archive) throws(SXBError) in try archive.allow(entries) }
    }

    /// The next entry; what was not read of the one before is passed over. Nil when the end was reached and is right.
    package mutating func next() throws(SXBError) -> SXBEntry? {
        try sticking { (archive) throws(SXBError) in try archive.next() }
    }

    /// Reads at least one byte of the entry and gives the number; 0 at its end.
    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(SXBError) -> Int {
        try sticking { (archive) throws(SXBError) in unsafe try archive.read(into: buffer) }
    }

    /// Reads as the form for memory does.
    package mutating func read(into bytes: inout MutableSpan<UInt8>) throws(SXBError) -> Int {
        try unsafe bytes.withUnsafeMutableBytes { (buffer) throws(SXBError) in try unsafe read(into: buffer) }
    }

    private mutating func sticking<R>(
        _ body: (inout ArchiveReader) throws(SXBError) -> R
    ) throws(SXBError) -> R {
        if let failure { throw failure }
        do throws(SXBError) {
            return try body(&archive)
        } catch {
            failure = error
            throw error
        }
    }
}
