import History
import SophaxFiles

/// Which messages an export takes: the same words for an archive, a store and a bundle.
package struct HistorySelection: Sendable {
    package var messages: MessageSelection
    /// At most so many newest messages of each conversation.
    package var limit: Int?

    package init(_ messages: MessageSelection = MessageSelection(), limit: Int? = nil) {
        self.messages = messages
        self.limit = limit
    }
}
