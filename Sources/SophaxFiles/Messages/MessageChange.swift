/// One thing that was changed in a message for an app to read it.
package struct MessageChange: Hashable, Sendable {
    /// What was done; the raw value is the code in JSON output.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        // The message says the same as before.
        /// `"isEdited":false` was added: newer apps require the key (formats section 4.3).
        case addedIsEdited = "added-is-edited"
        /// A null was left out: the apps leave the key out.
        case droppedNull = "dropped-null"
        /// A key stood twice with one value.
        case droppedCopy = "dropped-copy"
        /// A peer id got its other length.
        case changedPeerID = "changed-peer-id"
        /// A control character or an unknown escape was escaped.
        case escapedText = "escaped-text"
        /// A number was spelled so that the app reads it.
        case respelledNumber = "respelled-number"
        /// The message got the conversation that its file names.
        case addedConversation = "added-conversation"

        // Something could not be kept.
        /// A value that the app refuses was left out.
        case droppedValue = "dropped-value"
        /// A key stood twice with different values; the last one was kept.
        case droppedOther = "dropped-other"
        /// Bytes that are not text became U+FFFD.
        case replacedText = "replaced-text"
        /// There was no body, or no text in its place.
        case emptyBody = "empty-body"
        /// Android refuses keys that it does not know.
        case droppedKey = "dropped-key"
        /// The other platform counts in whole milliseconds, or cannot hold so exact a time.
        case roundedTime = "rounded-time"
        /// That it was edited is known, but not when, which is all that Android keeps.
        case unknownEditTime = "unknown-edit-time"
        /// The time was not written, as Android does where it was the time of writing; the app takes the time of reading.
        case addedTime = "added-time"

        /// Not all of the source is in the result.
        package var isLoss: Bool {
            switch self {
            case .addedIsEdited, .droppedNull, .droppedCopy, .changedPeerID, .escapedText, .respelledNumber,
                .addedConversation:
                false
            case .droppedValue, .droppedOther, .replacedText, .emptyBody, .droppedKey, .roundedTime, .unknownEditTime,
                .addedTime:
                true
            }
        }
    }

    package let kind: Kind
    /// The key of the value; empty where it is the message as a whole.
    package let field: ByteText

    init(_ kind: Kind, _ field: ByteText) {
        self.kind = kind
        self.field = field
    }
}

/// Why a message cannot be written without inventing something.
package enum MessageRefusal: Error, Hashable, Sendable {
    /// A value that the app requires is not there, or has a type or a word that it refuses.
    case unusable(StoredMessage.Field)
    /// Bytes of an id are no text; any other id would be another one.
    case brokenID(StoredMessage.Field)
    /// Its brackets, keys or colons cannot be understood.
    case unreadable
}

/// What came of rewriting one message.
package enum RewrittenMessage: Sendable {
    /// The source is what the app reads.
    case unchanged
    case changed([UInt8], [MessageChange])
    /// Cannot be written; the source is the caller's to keep.
    case refused(MessageRefusal)

    /// Something of the source could not be kept.
    package var isLossy: Bool {
        switch self {
        case .unchanged: false
        case .changed(_, let changes): changes.contains(where: \.kind.isLoss)
        case .refused: true
        }
    }
}
