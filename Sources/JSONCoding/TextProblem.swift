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
        /// A comma that is missing between the elements of a message list, or one too many.
        case badComma = "bad-comma"
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
        case .invalidUTF8, .loneSurrogate, .badEscape, .badNumber, .badValue, .badComma: false
        }
    }
}

/// The problems of one text: the first ones in detail, all of them counted.
package struct TextProblems: Equatable, Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
    /// Problems kept in detail for one text.
    package static let maximumListed = 1_000

    private var listed: [TextProblem] = []
    /// Problems behind the last listed one that lost something, and those that were repaired.
    package private(set) var unlistedLosses = 0
    package private(set) var unlistedRepairs = 0

    package init() {}

    package init(arrayLiteral problems: TextProblem...) {
        for problem in problems { add(problem) }
    }

    package mutating func add(_ problem: TextProblem) {
        if listed.count < Self.maximumListed {
            listed.append(problem)
        } else if problem.losesMessage {
            unlistedLosses += 1
        } else {
            unlistedRepairs += 1
        }
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { listed.count }
    package subscript(index: Int) -> TextProblem { listed[index] }

    /// Elements that could not be kept, as far as they could be told apart.
    package var losses: Int { listed.count(where: \.losesMessage) + unlistedLosses }
}
