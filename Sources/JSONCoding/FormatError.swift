/// Why a text is not what its format says.
public enum FormatError: Error, Equatable, Sendable {
    /// Why the value of a key cannot be taken.
    public enum Reason: Equatable, Sendable {
        /// A key that every version writes is not there.
        case missing
        /// The key stands more than once: which one counts would depend on the reader.
        case repeated
        /// Not a string, a number or an object where the format has one.
        case wrongType
        /// Not the standard alphabet with padding, which is all that the apps read.
        case notBase64
        /// No whole number, or one beyond what the field can hold.
        case outOfRange
        /// No number that a double holds, or no date as Android writes it.
        case notATime
        /// A key, signature or ciphertext of another length.
        case wrongLength(expected: Int, found: Int)
        /// A text or value of more bytes than the format allows.
        case tooLong(limit: Int, found: Int)
        /// A word that is none of those that the format knows.
        case unknownWord
        /// More elements than the format allows.
        case tooMany(limit: Int)
    }

    case tooLarge(found: Int, ceiling: Int)
    /// Not strict JSON, or not an object; `offset` is where reading ended.
    case notJSON(offset: Int)
    /// `field` is the way to the value, such as `bundle.signedPreKeyPublic`.
    case field(String, Reason)
    case outOfMemory

    package init(_ failure: JSONMembers.Failure) {
        switch failure {
        case .unexpected(let offset): self = .notJSON(offset: offset)
        case .tooManyMembers(let limit): self = .field("", .tooMany(limit: limit))
        case .outOfMemory: self = .outOfMemory
        }
    }
}
