import Glibc

/// One thread beside the caller's; it is waited for when the value goes out of scope.
package struct WorkerThread: ~Copyable, Sendable {
    private let thread: pthread_t

    /// Starts `body` with a stack of 8 MiB. Nil when there can be no further thread.
    package init?(_ body: @escaping @Sendable () -> Void) {
        guard let thread = startPThread(body) else { return nil }
        self.thread = thread
    }

    /// Waits until `body` has returned.
    package consuming func join() {}

    deinit {
        pthread_join(thread, nil)
    }
}
