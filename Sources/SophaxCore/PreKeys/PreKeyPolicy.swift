/// When prekeys are made and how long they are kept.
///
/// The first three values are those of the apps, format SophaxChat 8.1. The apps keep every signed prekey for ever and use
/// only the newest. Here an earlier one is kept as long as somebody may still answer to a bundle that has it: at least for
/// the grace period, and never fewer than the last few, so that rotating often takes away none that is in use.
public struct PreKeyPolicy: Hashable, Sendable {
    /// Age from which a signed prekey is replaced, in seconds.
    public var rotationAge: Double = 7 * 86_400

    /// One-time prekeys after refilling.
    public var oneTimeTarget = 20

    /// Refilling is due when fewer than this many are left.
    public var refillBelow = 10

    /// How long a signed prekey is kept after its successor was made, in seconds.
    public var gracePeriod: Double = 30 * 86_400

    /// Earlier signed prekeys that are kept whatever their age.
    public var earlierKept = 5

    /// The values above.
    public init() {}

    /// The policy of the apps, with the grace period that the apps do not need.
    public static let standard = PreKeyPolicy()

    /// Whether a signed prekey made at `created` is due for replacement at `now`. One from the future is not: only the
    /// clock is wrong.
    public func isRotationDue(created: Double, now: Double) -> Bool {
        now - created >= rotationAge
    }

    /// One-time prekeys to make when `available` are left; 0 when refilling is not due.
    public func missingOneTime(available: Int) -> Int {
        available < refillBelow ? oneTimeTarget - available : 0
    }

    /// Of the earlier signed prekeys, given as the times when each was replaced, the places of those to remove at `now`.
    ///
    /// A time of nil is not known and never removes. A clock that was set back removes nothing either.
    public func expired(replacedAt times: [Double?], now: Double) -> [Int] {
        // Newest first: those of unknown time are the oldest, and stay.
        let order = times.indices.sorted { (times[$0] ?? -.infinity) > (times[$1] ?? -.infinity) }
        return order.dropFirst(earlierKept).filter { index in
            guard let time = times[index] else { return false }
            return now - time >= gracePeriod
        }.sorted()
    }
}
