import SophaxFiles

/// Which messages of a history somebody wants: the one selection language of searches and exports.
///
/// Everything that is set must hold. As a predicate it is asked message by message; an archive says the same in SQL.
package struct MessageFilter: Sendable {
    package enum Direction: String, Sendable, CaseIterable {
        case sent, received
    }

    /// Ids in short form (`PeerIDForm.short`), so that both lengths of a peer id are one; nil takes all.
    package private(set) var conversations: Set<ConversationID>?
    /// Times, sender, and text that the body holds.
    package var messages: MessageSelection
    package var direction: Direction?
    package var hasAttachment: Bool
    package var isEdited: Bool
    /// Leaves out messages with an expiry, of whatever time.
    package var noExpiring: Bool

    package init(
        _ messages: MessageSelection = MessageSelection(), direction: Direction? = nil, hasAttachment: Bool = false,
        isEdited: Bool = false, noExpiring: Bool = false
    ) {
        self.messages = messages
        self.direction = direction
        self.hasAttachment = hasAttachment
        self.isEdited = isEdited
        self.noExpiring = noExpiring
    }

    /// Takes these conversations only, besides those that were named before.
    package mutating func restrict(to some: some Sequence<ConversationID>) {
        conversations = (conversations ?? []).union(some.map(PeerIDForm.short.conversation))
    }

    package func takes(_ conversation: ConversationID) -> Bool {
        guard let conversations else { return true }
        return conversations.contains(PeerIDForm.short.conversation(conversation))
    }

    /// Nothing but the conversation decides.
    package var takesAllMessages: Bool {
        direction == nil && !hasAttachment && !isEdited && !noExpiring && messages.takesAll
    }

    /// Whether a message of a conversation that is taken is taken itself.
    package func takes(_ message: StoredMessage, in conversation: ConversationID) -> Bool {
        if let direction, message.isSent != (direction == .sent) { return false }
        if hasAttachment, !message.has(.attachmentID) || message.isWrong(.attachmentID) { return false }
        if isEdited, !message.isEdited { return false }
        if noExpiring, message.has(.expiresAt) { return false }
        return messages.takes(message, in: conversation)
    }
}
