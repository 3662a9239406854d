import SophaxFiles

/// Which messages go: those that meet every condition that is given.
package struct PruneSelection: Sendable {
    /// Seconds since 1970: messages that should have disappeared by then.
    package var expiredAt: Double?
    /// Seconds since 1970: messages written before.
    package var before: Double?
    /// Nil is any.
    package var conversations: Set<ConversationID>?

    package init(expiredAt: Double? = nil, before: Double? = nil, conversations: Set<ConversationID>? = nil) {
        self.expiredAt = expiredAt
        self.before = before
        self.conversations = conversations
    }

    package var isEmpty: Bool { expiredAt == nil && before == nil && conversations == nil }
    /// Whole conversations go, whatever their messages say.
    var isByConversation: Bool { expiredAt == nil && before == nil && conversations != nil }

    func takes(_ conversation: ConversationID) -> Bool { conversations?.contains(conversation) ?? true }

    /// `guess` is the conversation of a message that names none. A message without a date that a double holds is never
    /// older than anything.
    func takes(_ message: StoredMessage, in guess: ConversationID) -> Bool {
        guard !isEmpty, takes(message.conversation ?? guess) else { return false }
        if let expiredAt {
            guard let time = message.time(.expiresAt)?.unixSeconds, time < expiredAt else { return false }
        }
        if let before {
            guard let time = message.time?.unixSeconds, time < before else { return false }
        }
        return true
    }
}
