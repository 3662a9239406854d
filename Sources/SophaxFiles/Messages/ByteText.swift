/// Text from a file, compared byte for byte.
///
/// Swift's `String` folds é and e+◌́ together; ids, keys and file names must not be.
package struct ByteText: Hashable, Comparable, Sendable {
    /// UTF-8 as far as the source is; never changed.
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// For display: bytes that are not UTF-8 become U+FFFD. Not escaped.
    package var string: String { String(decoding: bytes, as: UTF8.self) }

    package static func < (left: ByteText, right: ByteText) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    package func hasPrefix(_ prefix: StaticString) -> Bool {
        prefix.withUTF8Buffer { unsafe bytes.starts(with: $0) }
    }
}

/// The id of a conversation: the `peerID` of its messages (formats section 6.1.3).
package struct ConversationID: Hashable, Comparable, Sendable {
    /// What a conversation is between.
    package enum Kind: String, Sendable {
        case direct, group, notes
    }

    package static let notesToSelf = ConversationID(ByteText("__note_to_self__"))

    package let text: ByteText

    package init(_ text: ByteText) {
        self.text = text
    }

    package var kind: Kind {
        if self == .notesToSelf { return .notes }
        return text.hasPrefix("group.") ? .group : .direct
    }

    package static func < (left: ConversationID, right: ConversationID) -> Bool { left.text < right.text }
}
