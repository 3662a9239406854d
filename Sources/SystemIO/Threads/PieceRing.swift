import Glibc

/// Numbers of pieces of memory that go round between one thread that fills them and one that empties them.
///
/// The memory is the callers': a piece belongs to whoever took its number last. Either side may stop; then the other gets
/// nil from then on.
@safe
package final class PieceRing: @unchecked Sendable {
    /// A full piece: its number, and how many bytes in it count.
    package struct Piece: Sendable {
        package let number: Int
        package let count: Int
    }

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var empty: [Int]
    private var full: [Piece] = []
    private var hasEnded = false
    private var hasStopped = false

    /// All pieces, numbered from 0, are empty.
    package init(pieces: Int) {
        unsafe mutex = .allocate(capacity: 1)
        unsafe changed = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(changed, nil)
        empty = Array(0..<pieces)
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// Waits for an empty piece; nil after `stop`.
    package func takeEmpty() -> Int? {
        locked {
            while empty.isEmpty, !hasStopped { unsafe pthread_cond_wait(changed, mutex) }
            return hasStopped ? nil : empty.removeLast()
        }
    }

    /// Hands over a piece that was filled with `count` bytes.
    package func give(full number: Int, count: Int) {
        locked { full.append(Piece(number: number, count: count)) }
    }

    /// Nothing more will be given full.
    package func end() {
        locked { hasEnded = true }
    }

    /// Waits for a full piece, in the order in which they were given; nil after the last one, and after `stop`.
    package func takeFull() -> Piece? {
        locked {
            while full.isEmpty, !hasEnded, !hasStopped { unsafe pthread_cond_wait(changed, mutex) }
            return hasStopped || full.isEmpty ? nil : full.removeFirst()
        }
    }

    /// Gives a piece back that was emptied.
    package func give(empty number: Int) {
        locked { empty.append(number) }
    }

    /// Wakes the other side for good: one of the two gave up.
    package func stop() {
        locked { hasStopped = true }
    }

    private func locked<R>(_ body: () -> R) -> R {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(mutex)
        }
        return body()
    }
}
