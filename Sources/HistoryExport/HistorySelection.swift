import History
import SophaxFiles

/// Which messages an export takes, and in which order: the same words for an archive, a store and a bundle.
package struct HistorySelection: Sendable {
    package var filter: MessageFilter
    /// At most so many newest messages of each conversation, of those that the filter takes.
    package var limit: Int?
    /// Newest message first in each conversation. Memory holds the whole conversation then.
    package var newestFirst: Bool

    package init(_ filter: MessageFilter = MessageFilter(), limit: Int? = nil, newestFirst: Bool = false) {
        self.filter = filter
        self.limit = limit
        self.newestFirst = newestFirst
    }

    /// Every message of the chosen conversations.
    var isEverything: Bool { limit == nil && filter.takesAllMessages }
}
