/// Why a text gave no bundle of prekeys.
package enum PreKeyFileError: Error, Equatable, Sendable {
    /// Why the value of a key cannot be taken.
    package enum Reason: Equatable, Sendable {
        /// A key that every version writes is not there.
        case missing
        /// The key stands more than once: which one counts would depend on the reader.
        case repeated
        /// Not a string, a number or an object where the format has one.
        case wrongType
        /// Not the standard alphabet with padding, which is all that the apps read.
        case notBase64
        /// No whole number, or one that the platform's ids cannot hold.
        case idOutOfRange
        /// No number that a double holds, or no date as Android writes it.
        case notATime
        /// A key or signature of another length.
        case wrongLength(expected: Int, found: Int)
    }

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

    init(_ failure: JSONMembers.Failure) {
        switch failure {
        case .unexpected(let offset): self = .notJSON(offset: offset)
        case .tooManyMembers: self = .notJSON(offset: 0)
        case .outOfMemory: self = .outOfMemory
        }
    }
}
