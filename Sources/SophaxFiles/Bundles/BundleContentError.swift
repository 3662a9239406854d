import JSONCoding

/// Why an authentic bundle has no content.
package enum BundleContentError: Error, Hashable, Sendable {
    /// The decrypted text is no JSON object; `offset` is where reading ended. The passphrase was right: the tag fits.
    case notJSON(offset: Int)

    /// An object or array has more members than any app writes.
    case tooManyMembers(limit: Int)

    /// There is no memory for reading the text.
    case outOfMemory

    init(_ failure: JSONMembers.Failure) {
        switch failure {
        case .unexpected(let offset): self = .notJSON(offset: offset)
        case .tooManyMembers(let limit): self = .tooManyMembers(limit: limit)
        case .outOfMemory: self = .outOfMemory
        }
    }
}
