import CryptoPrimitives
import SophaxFiles

/// Why a document of a bundle is not what its format says. The bundle itself is authentic: somebody wrote it so.
package enum DocumentError: Error, Equatable, Sendable {
    /// The text is no strict JSON object.
    case notJSON(document: String, offset: Int)
    /// A `format` of something else.
    case otherFormat(document: String)
    case newerVersion(document: String, found: Int, newest: Int)
    case missing(document: String, key: String)
    /// A value of another type or form than the format has there.
    case wrong(document: String, key: String)
    case repeatedKey(document: String, key: String)
    case tooLarge(document: String, found: Int, ceiling: Int)
    case tooMany(document: String, ceiling: Int)
    /// Two entries with one name, or with names that differ only in case.
    case repeatedEntry(String)
    /// The name is not one that sxkey writes: absolute, with `..`, or with other bytes.
    case badEntryName([UInt8])
    case outOfMemory

    package init(_ error: EncodingError, _ document: String, _ key: StaticString) {
        switch error {
        case .malformed: self = .wrong(document: document, key: key.description)
        case .memory: self = .outOfMemory
        }
    }
}
