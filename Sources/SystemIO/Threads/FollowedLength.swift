import Glibc

/// How far one thread has written a file, for another that reads after it.
@safe
package final class FollowedLength: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var length = 0
    private var hasEnded = false
    private var hasStopped = false

    package init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe changed = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(changed, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// The bytes before `length` are in the file.
    package func advance(to length: Int) {
        locked { self.length = max(self.length, length) }
    }

    /// No byte comes behind the last `advance`.
    package func end() {
        locked { hasEnded = true }
    }

    /// Wakes the other side for good: nobody wants the file any more.
    package func stop() {
        locked { hasStopped = true }
    }

    package var isStopped: Bool {
        locked { hasStopped }
    }

    /// Waits for the bytes before `wanted` and gives it, or the length of the file when that is less; nil after `stop`.
    package func wait(for wanted: Int) -> Int? {
        locked {
            while length < wanted, !hasEnded, !hasStopped { unsafe pthread_cond_wait(changed, mutex) }
            return hasStopped ? nil : min(length, wanted)
        }
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
