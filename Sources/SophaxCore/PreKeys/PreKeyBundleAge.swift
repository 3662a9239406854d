/// How old a bundle is by a clock, and what the app versions make of it.
///
/// No version agrees with all others: the limit was 24 hours and became one hour; a time in the future was taken up to the
/// same limit and later refused where a session begins, not where a peer says hello; Android has no limit. Whether a clock
/// is right is not known here, so an age is for telling a person, never for refusing to read. Format: SophaxChat 8.1.
public struct PreKeyBundleAge: Hashable, Sendable {
    /// From which age on iOS versions refuse a bundle.
    public enum Limit: Int, Hashable, Sendable, CaseIterable {
        /// Earlier versions: 24 hours.
        case day = 86_400
        /// Later versions.
        case hour = 3_600

        /// The limit itself.
        public var seconds: Double { Double(rawValue) }
    }

    /// How a version compares an age with its limit.
    public enum Rule: Hashable, Sendable, CaseIterable {
        /// |age| < limit: early versions everywhere, later ones for a hello.
        case eitherDirection
        /// 0 ≤ age < limit: later versions where a session begins.
        case pastOnly
    }

    /// Now less the time of the bundle, in seconds: negative when the bundle is from the future by this clock.
    public let seconds: Double

    /// The age of a bundle at `now`, both in the same unit and epoch: see `PreKeyBundle.unixTime`.
    public init(of time: Double, at now: Double) {
        seconds = now - time
    }

    /// Whether the version with this limit and rule takes the bundle.
    public func isAccepted(_ limit: Limit, _ rule: Rule) -> Bool {
        switch rule {
        case .eitherDirection: seconds.magnitude < limit.seconds
        case .pastOnly: seconds >= 0 && seconds < limit.seconds
        }
    }

    /// Whether no iOS version takes the bundle any more, or yet.
    public var isRefusedByAll: Bool { !isAccepted(.day, .eitherDirection) }

    /// Whether the bundle is from the future by this clock: one of the two clocks is wrong.
    public var isInFuture: Bool { seconds < 0 }
}
