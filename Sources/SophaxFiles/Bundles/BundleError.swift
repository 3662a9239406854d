import CryptoPrimitives
import SystemIO

/// Why a bundle cannot be opened.
///
/// What stands before `.emptyPassphrase` is known before a passphrase is asked for. The formats have one tag over everything,
/// so `.notAuthentic` cannot tell a wrong passphrase from a damaged file.
package enum BundleError: Error, Hashable, Sendable {
    /// The file cannot be read at all.
    case file(FileError)

    /// The file has no bytes.
    case empty

    /// The first bytes are those of no export, and nothing says that it is an Android backup.
    case notAnExport

    /// The caller said which kind it is, and the magic says another.
    case otherKind(expected: BundleKind, found: BundleKind?)

    /// Too short to hold the header, one byte of text and the tag.
    case truncated(BundleKind, minimum: Int, found: Int)

    /// The version byte is above the last one known.
    case newerVersion(BundleKind, found: UInt8, newest: UInt8)

    /// The version byte is one that no app has written.
    case unknownVersion(BundleKind, found: UInt8)

    /// The file asks for no PBKDF2 iteration at all.
    case noIterations(BundleKind)

    /// The file asks for more work than sxkey is willing to do for an unproven file.
    case tooManyIterations(BundleKind, found: UInt32, ceiling: UInt32)

    /// Larger than sxkey reads into memory.
    case tooLarge(found: Int, ceiling: Int)

    /// No bytes are left of the passphrase.
    case emptyPassphrase

    /// No candidate key fits: wrong passphrase, or the file is damaged. `attempts` keys were tried.
    case notAuthentic(BundleKind, attempts: Int)

    /// No guarded memory of this many bytes.
    case outOfMemory(requested: Int)

    /// The crypto library failed in a way that has nothing to do with the file.
    case libraryFailure

    init(_ error: SecretMemoryError) {
        switch error {
        case .exhausted(let requested): self = .outOfMemory(requested: requested)
        // Every range that is asked for was made from the length.
        case .invalidLength, .outOfBounds: self = .libraryFailure
        }
    }
}
