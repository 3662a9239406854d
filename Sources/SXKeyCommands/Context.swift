import CommandKit
import CryptoPrimitives
import SophaxFiles
import SystemIO

/// What commands work with; nothing else of the outside world reaches them.
package struct Context {
    package let console: Console
    package let progress: Progress
    /// Seconds since 1970.
    package let now: Double
    package let zone: LocalZone
    /// Threads for work that can be spread.
    package let workers: Int
    /// Work and sizes that a bundle may ask for.
    package let bundleLimits: BundleLimits
    /// Whether a prompt may be shown on the terminal.
    package let mayAsk: Bool
    /// A variable of the environment as bytes, nil when it is not set.
    package let environment: @Sendable (_ name: String) -> [UInt8]?
    package let randomness: RandomSource

    package init(
        console: Console, progress: Progress = .silent, now: Double, zone: LocalZone, workers: Int,
        bundleLimits: BundleLimits = .standard, mayAsk: Bool,
        environment: @escaping @Sendable (_ name: String) -> [UInt8]? = { _ in nil },
        randomness: RandomSource = .system
    ) {
        self.console = console
        self.progress = progress
        self.now = now
        self.zone = zone
        self.workers = workers
        self.bundleLimits = bundleLimits
        self.mayAsk = mayAsk
        self.environment = environment
        self.randomness = randomness
    }

    /// The real one.
    package static func live(_ options: GlobalOptions) -> Context {
        Context(
            console: Console(options), progress: .forTerminal(options), now: wallClock(), zone: LocalZone(),
            workers: processorCount(), mayAsk: true, environment: { ProcessSettings.environment($0) })
    }
}
