import CSodium

/// libsodium's one-time start, done before the first use of guarded memory or randomness.
enum SodiumLibrary {
    /// True once `sodium_init` has succeeded; computed once for the process.
    private static let isReady: Bool = sodium_init() >= 0

    /// Starts libsodium if nobody has.
    ///
    /// Without it the random source is unknown, so going on would be worse than stopping.
    static func start() {
        precondition(isReady, "libsodium could not be started")
    }
}
