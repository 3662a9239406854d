/// Why a message is not taken into a queue; the queue is as before.
public enum QueueError: Error, Equatable, Sendable {
    /// The apps keep no more: of all, or of one person.
    case full(limit: Int)
    /// What stands under the recipient's id cannot be read, and would be lost; see `PendingQueue.damagedLists`.
    case listDamaged
    /// No app has an id of so many bytes.
    case idTooLong(limit: Int, found: Int)
}
