/// Dates as RFC 3339 writes them, `2026-05-01T10:00:00.25Z`.
package enum RFC3339 {
    /// UTC with up to six digits of a fraction, trailing zeros left out. Nil for not-a-number, infinity and dates outside
    /// the years 1…9999.
    package static func format(unixSeconds: Double) -> String? {
        guard let date = CivilDate(unixSeconds: unixSeconds) else { return nil }
        return "\(date.dayText)T\(date.secondText)\(date.fractionText)Z"
    }

    /// Unix seconds of a full date with time and offset, nil for anything else. `t`, `z`, a space between day and time and a
    /// leap second `:60` are taken; digits of the fraction after the sixth are dropped.
    package static func parse(_ text: [UInt8]) -> Double? {
        guard let parts = DateParts(text), let time = parts.time, time.hasSeconds, let offset = parts.offsetSeconds,
            let date = parts.firstInstant
        else { return nil }
        let seconds = date.wholeUnixSeconds - offset + (time.isLeapSecond ? 1 : 0)
        // The offset may have led out of the years that can be written.
        guard CivilDate(seconds: seconds, microsecond: 0) != nil else { return nil }
        return Double(seconds) + Double(date.microsecond) / 1e6
    }

    package static func parse(_ text: String) -> Double? {
        parse(Array(text.utf8))
    }
}
