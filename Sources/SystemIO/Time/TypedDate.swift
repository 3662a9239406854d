/// A date as a person types it, and the span of time that it names: `2026`, `2026-05`, `2026-05-01`, `2026-05-01T10:00`,
/// with seconds, a fraction and an offset or `Z` if wanted. Without an offset it is local time.
package struct TypedDate: Hashable, Sendable {
    /// The first moment, Unix seconds: where `--since` begins.
    package let start: Double
    /// The first moment after a whole year, month or day, or after a whole minute or second; with a fraction it is `start`.
    /// `--until` takes what is before it, or at `start`.
    package let end: Double

    /// Why a text is no date.
    package enum Problem: Error, Hashable, Sendable {
        /// Not of any of the shapes above.
        case unknownForm
        /// Of a right shape, but no calendar has it, such as 30 February.
        case noSuchDate

        /// In plain words, to follow `"…" is no date: `.
        package var reason: String {
            switch self {
            case .unknownForm:
                "write 2026, 2026-05, 2026-05-01 or 2026-05-01T10:00, with an offset such as +02:00 or Z if wanted"
            case .noSuchDate: "the calendar has no such day or time"
            }
        }
    }

    package init(parsing text: [UInt8], zone: LocalZone) throws(Problem) {
        guard let parts = DateParts(text) else { throw .unknownForm }
        guard let first = parts.firstInstant else { throw .noSuchDate }
        func moment(_ date: CivilDate) -> Double? {
            if let offset = parts.offsetSeconds { return date.unixSeconds - Double(offset) }
            return zone.unixSeconds(of: date)
        }
        guard let start = moment(first), CivilDate(unixSeconds: start) != nil else { throw .noSuchDate }
        let leap: Double = parts.time?.isLeapSecond == true ? 1 : 0
        self.start = start + leap
        if let time = parts.time {
            let isFraction = first.microsecond > 0
            end = self.start + (isFraction ? 0 : time.hasSeconds ? 1 : 60)
        } else if let next = parts.nextInstant, let end = moment(next) {
            self.end = end
        } else {
            end = .infinity
        }
    }
}
