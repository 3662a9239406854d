import CryptoPrimitives
import SophaxCore
import SystemIO

/// Writes a new bundle: first `manifest.json`, then the other entries in the order of the manifest, each in pieces.
///
/// The file appears whole, proven by reading it back, or not at all. The first error sticks.
package struct SXBWriter: ~Copyable {
    /// What was written.
    package struct Summary: Equatable, Sendable {
        /// Bytes of the file.
        package let fileLength: Int
        /// Entries, the manifest and the signature included.
        package let entries: Int
        /// Bytes of all entries.
        package let contentBytes: UInt64
        package let bundleID: [UInt8]
    }

    /// Begins a bundle for `recipients`, which are all passphrases or all keys.
    ///
    /// - Parameters:
    ///   - signer: whose signature `finish(signing:)` will give; nil for none.
    ///   - modified: Unix seconds that entries carry.
    ///   - verifying: whether the whole file is read back before it gets its name.
    package init(
        creatingAt path: FilePath, replacing: Bool = false, notSameAs inputs: [FileIdentity] = [],
        recipients: [SXBRecipient], signer: IdentityPublicKeys? = nil, modified: Int64 = 0, verifying: Bool = true
    ) throws(SXBError) {
        throw .library("zstd")
    }

    /// Begins the next entry; the one before must have all its bytes.
    package mutating func add(_ name: [UInt8], size: Int) throws(SXBError) {}

    /// The next bytes of the entry.
    package mutating func write(_ bytes: Span<UInt8>) throws(SXBError) {}

    /// Ends a bundle that nobody signs, proves it, and gives the file its name.
    package consuming func finish() throws(SXBError) -> Summary {
        throw .library("zstd")
    }

    /// Ends a bundle that `signer` of `init` signs: `sign` gives the Ed25519 signature of the bytes it is handed.
    package consuming func finish(
        signing sign: (Span<UInt8>) throws(SigningError) -> [UInt8]
    ) throws(SXBError) -> Summary {
        throw .library("zstd")
    }
}
