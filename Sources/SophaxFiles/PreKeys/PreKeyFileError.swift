import JSONCoding
import SophaxCore

/// Why a text gave no bundle of prekeys.
package enum PreKeyFileError: Error, Equatable, Sendable {
    package typealias Reason = FormatError.Reason

    case tooLarge(found: Int, ceiling: Int)
    /// Not strict JSON, or not an object; `offset` is where reading ended, in the innermost text.
    case notJSON(offset: Int)
    /// JSON, and neither a bundle nor anything that holds one.
    case notRecognised
    /// A message of a type that brings no bundle.
    case otherMessage(type: [UInt8])
    /// `field` is the way to the value, such as `bundle.signedPreKeyPublic`.
    case field(String, Reason)
    case outOfMemory

    init(_ error: FormatError) {
        switch error {
        case .tooLarge(let found, let ceiling): self = .tooLarge(found: found, ceiling: ceiling)
        case .notJSON(let offset): self = .notJSON(offset: offset)
        case .field(let field, let reason): self = .field(field, reason)
        case .outOfMemory: self = .outOfMemory
        }
    }
}
