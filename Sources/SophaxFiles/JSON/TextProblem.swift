/// Something in an authentic text that is not strict JSON, or not what the format says.
package struct TextProblem: Error, Equatable, Sendable {
    /// What is wrong.
    package enum Kind: String, Equatable, Sendable, CaseIterable {
        /// Bytes that are not UTF-8; the value is kept, its exact bytes stay available.
        case invalidUTF8 = "invalid-utf8"
        /// An escaped surrogate without its partner; shown as U+FFFD.
        case loneSurrogate = "lone-surrogate"
        /// An escape that JSON does not know, or a control character that should be escaped.
        case badEscape = "bad-escape"
        /// A number that is none, or that no double holds.
        case badNumber = "bad-number"
        /// A value that is no JSON at all, such as `fal`.
        case badValue = "bad-value"
        /// An element of a message list that is not an object.
        case notAMessage = "not-a-message"
        /// An element that could not be read; the scan went on behind it.
        case unreadable = "unreadable"
        /// The text ends before its last bracket.
        case cutOff = "cut-off"
        /// Bytes behind the last bracket.
        case trailingBytes = "trailing-bytes"
    }

    package let kind: Kind
    /// Bytes from the start of the text.
    package let offset: Int

    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// Whether something could not be kept as a message (and not only a value that had to be repaired).
    package var losesMessage: Bool {
        switch kind {
        case .notAMessage, .unreadable, .cutOff, .trailingBytes: true
        case .invalidUTF8, .loneSurrogate, .badEscape, .badNumber, .badValue: false
        }
    }
}
