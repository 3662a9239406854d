import SophaxFiles

/// What a restore did to a store, or would do.
package struct RestoredStore: Sendable {
    package var conversations = 0
    /// Messages of the bundle.
    package var messages = 0
    package var blobs = 0
    package var attachments = 0
    /// Of the messages, where there was a store before.
    package var merge = MessageMerge.Counts()
    package var conflicts: [MessageMerge.Conflict] = []
    /// Attachments and queues that are there already, with the same bytes.
    package var same = 0
    /// Those that are there with other bytes, and were left as they are.
    package var different: [ByteText] = []
    /// Entries that no store can have: the name, and why.
    package var refused: [(name: String, reason: String)] = []
    /// Conversations whose files in the store cannot be read whole: they are left as they are.
    package var blocked: [ConversationID] = []
    /// Lines that are no message: the name of the entry, and how many.
    package var lost: [(name: String, lines: Int)] = []
    /// Messages of Android that were changed into those of iOS, with values that iOS has no place for.
    package var converted = 0
    package var lossy = 0
    /// Messages that cannot be written as an iOS message.
    package var refusedMessages = 0
    /// Conversations that newer apps cannot decode, as they were in the bundle.
    package var atRisk = 0

    package init() {}

    /// Everything of the bundle is in the store.
    package var isWhole: Bool {
        refused.isEmpty && blocked.isEmpty && lost.isEmpty && different.isEmpty && refusedMessages == 0 && lossy == 0
    }
}
