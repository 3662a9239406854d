import JSONCoding

extension FormatError {
    /// What is wrong with a text, as what follows "cannot read …: "; lower case, no full stop.
    var sentence: String {
        switch self {
        case .tooLarge(let found, let ceiling): "it has \(found) bytes, and at most \(ceiling) are read"
        case .notJSON(let offset): "it is not JSON from byte \(offset) on, or not an object"
        case .field("", let reason): "it \(reason.sentence)"
        case .field(let field, let reason): "\"\(field)\" \(reason.sentence)"
        case .outOfMemory: "there is not enough memory for it"
        }
    }
}

extension FormatError.Reason {
    /// What is wrong with a value, behind the name of its key; lower case, no full stop.
    var sentence: String {
        switch self {
        case .missing: "is missing"
        case .repeated: "stands more than once, so that readers would disagree"
        case .wrongType: "has a value of another type than the apps read"
        case .notBase64: "is not base64 as the apps read it"
        case .outOfRange: "is no number that the field can hold"
        case .notATime: "is no time"
        case .wrongLength(let expected, let found): "has \(found) bytes in place of \(expected)"
        case .tooLong(let limit, let found): "has \(found) bytes, more than the \(limit) that are allowed"
        case .unknownWord: "is none of the words that the format has"
        case .tooMany(let limit): "has more than \(limit) elements"
        }
    }
}
