/// How the app makes a file name of a conversation id (formats section 6.1.1).
package enum StoreNameRule: String, CaseIterable, Sendable {
    /// Old home until `76ae539`: hex digits and `-`. A group conversation `group.<UUID>` becomes `<UUID>`.
    case v0
    /// Since `066621c`: letters, numbers, `-` and `.`.
    case v1

    /// The name without `.enc`. Different ids can give one name, such as `__a__` and `a`.
    package func stem(for conversation: ConversationID) -> ByteText {
        // By `Character`, against the custom here: the app filters so, and its properties are Swift's.
        let kept = conversation.text.string.filter { character in
            switch self {
            case .v0: character.isHexDigit || character == "-"
            case .v1: character.isLetter || character.isNumber || character == "-" || character == "."
            }
        }
        return ByteText(kept)
    }
}

extension ConversationID {
    /// What the name of a store file, or a key of a backup, says of messages that do not name their conversation.
    package init(guessedFrom stem: ByteText) {
        if stem == StoreNameRule.v1.stem(for: .notesToSelf) {
            self = .notesToSelf
        } else {
            self = ConversationFiles.group(ofOrphan: stem) ?? ConversationID(stem)
        }
    }
}

/// What a file in the message folder is.
package enum StoreFileKind: Hashable, Sendable {
    case conversation
    case blob(BlobKind)
    /// Not a name that the app gives.
    case foreign
}

/// Files beside the conversations (formats section 6.1.2). Their names have underscores, which no conversation's name has.
package enum BlobKind: String, CaseIterable, Sendable {
    /// Messages waiting to be sent, already encrypted for the peer.
    case pendingQueue = "pending_queue"
    /// Other people's messages, held as a relay.
    case storedForwardItems = "stored_forward_items"
    /// Contacts of the distributed hash table.
    case dhtBuckets = "dht_kbuckets"
    /// sxkey's own: messages that no app version can read, kept beside the list that they were taken out of.
    /// Specified in sxkey-formats(5), "Messages kept aside".
    case refusedMessages = "refused_messages"
}

/// The name of an attachment's file: hex digits and `-` of its id (formats section 6.2).
package func attachmentFileName(for id: ByteText) -> ByteText {
    ByteText(id.string.filter { $0.isHexDigit || $0 == "-" })
}
