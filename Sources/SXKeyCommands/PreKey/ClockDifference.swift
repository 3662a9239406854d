import CommandKit

/// How far a time is from now, in words: "2 min ago", "30 d in the future".
///
/// Clocks differ, so the difference is told and nobody is called expired.
struct ClockDifference {
    /// Now less the time; negative for the future.
    let seconds: Double

    /// A difference that no calendar has is not given in numbers.
    private static let measurable: Double = 1e12

    var text: String {
        let size = seconds.magnitude
        guard size < Self.measurable else { return seconds < 0 ? "far in the future" : "far in the past" }
        return Quantity.duration(size) + (seconds < 0 ? " in the future" : " ago")
    }
}
