import JSONCoding
import SophaxCore

/// Why a value is not what an app reads under its account. Nothing of the value is in it but names of JSON keys.
package enum ItemProblem: Error, Equatable, Sendable {
    case length(expected: Int, found: Int)
    case empty
    case notUTF8
    case notJPEG
    /// A date that is no number.
    case notFinite
    /// A switch that is neither 0 nor 1.
    case notAFlag
    /// A seed beside the hash of another public key.
    case seedMismatch
    /// A private key whose layout nothing proves: kept, and not used.
    case unknownLayout
    /// Not the JSON that belongs there: where reading ended, in bytes.
    case notJSON(offset: Int)
    /// A value in the JSON, by the way to it.
    case field(String, FormatError.Reason)
    /// Longer than anything of the kind.
    case tooLarge(ceiling: Int)
    /// A session that is damaged, or that its HMAC does not fit.
    case session(SessionFinding.Kind)
    case outOfMemory

    package init(_ error: CheckedSeedError) {
        switch error {
        case .length(let expected, let found): self = .length(expected: expected, found: found)
        case .mismatch: self = .seedMismatch
        case .memory, .libraryFailure: self = .outOfMemory
        }
    }

    package init(_ error: FormatError) {
        switch error {
        case .tooLarge(_, let ceiling): self = .tooLarge(ceiling: ceiling)
        case .notJSON(let offset): self = .notJSON(offset: offset)
        case .field(let path, let reason): self = .field(path, reason)
        case .outOfMemory: self = .outOfMemory
        }
    }
}
