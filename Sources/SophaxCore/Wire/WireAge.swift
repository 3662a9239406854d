/// Whether a message is of an age that the apps take, by the caller's clock.
///
/// Less than 300 seconds in the past, 600 when it came through a relay, and less than 30 in the future. The first app versions
/// had no such rule. What was stored or captured is older and not worse for it. Format: SophaxChat 8.8.
public struct WireAge: Hashable, Sendable {
    /// How a message came.
    public enum Route: Hashable, Sendable {
        case direct, relayed

        /// Seconds in the past from which on a message is too old.
        public var pastLimit: Double { self == .direct ? 300 : 600 }
    }

    public enum Verdict: Hashable, Sendable {
        case timely, tooOld, fromFuture
    }

    /// Seconds in the future from which on a message is refused; less is taken, since clocks differ.
    public static let futureLimit: Double = 30

    /// From the message's time to the clock's; negative when the message is from the future.
    public let seconds: Double

    /// - Parameters:
    ///   - message: whose time counts.
    ///   - now: seconds since 2001-01-01T00:00:00Z.
    public init(of message: WireMessage, now: Double) {
        seconds = now - message.timestamp
    }

    /// What an app says that gets the message now.
    public func verdict(_ route: Route) -> Verdict {
        if seconds <= -Self.futureLimit { return .fromFuture }
        // Not-a-number is no age that anybody takes.
        return seconds < route.pastLimit ? .timely : .tooOld
    }
}
