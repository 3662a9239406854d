import Synchronization

/// Counts the guarded blocks in use, so that the system's limit of mappings is never reached.
///
/// Linux allows a process 65,530 mappings by default and a block takes four. libsodium (1.0.18) does not look whether
/// `mprotect` succeeded: at the limit it hands out blocks **without guard pages** as often as it fails, and a thread
/// that then finds no room for its stack ends the process. So the count is kept here and stops short of that.
enum LiveBlocks {
    /// The most blocks at a time: 60,000 mappings, which leaves 5,530 for everything else.
    static let maximum = 15_000

    private static let count = Atomic<Int>(0)

    /// Counts one more block; false when there are too many.
    static func add() -> Bool {
        if count.add(1, ordering: .relaxed).oldValue < maximum { return true }
        remove()
        return false
    }

    /// Counts one block less.
    static func remove() {
        count.subtract(1, ordering: .relaxed)
    }
}
