import CryptoPrimitives
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
    /// The signature inside; nil when there is none, and before the end was reached.
    package private(set) var signature: SXBSignature?

    /// What the file shows without a secret.
    package static func inspect(_ path: FilePath) throws(SXBError) -> SXBHeader {
        throw .notSXB
    }

    /// Opens a bundle with the first of `secrets` that fits.
    package init(opening path: FilePath, secrets: [SXBSecret]) throws(SXBError) {
        throw .notSXB
    }

    /// The text of `manifest.json`; the first thing to read.
    package mutating func manifest() throws(SXBError) -> PlaintextBuffer {
        throw .notSXB
    }

    /// Says which entries must follow, in which order: what the manifest names.
    package mutating func allow(_ entries: [SXBEntry]) throws(SXBError) {}

    /// The next entry; what was not read of the one before is passed over. Nil when the end was reached and is right.
    package mutating func next() throws(SXBError) -> SXBEntry? {
        nil
    }

    /// Reads at least one byte of the entry and gives the number; 0 at its end.
    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(SXBError) -> Int {
        0
    }

    /// Reads as the form for memory does.
    package mutating func read(into bytes: inout MutableSpan<UInt8>) throws(SXBError) -> Int {
        0
    }
}
