/// A point in time as the apps write it, with the number exactly as it stands in the source.
package struct AppTime: Equatable, Sendable {
    /// What the number counts (formats sections 2.1 and 4.4).
    package enum Unit: String, Sendable {
        /// iOS: seconds since 2001-01-01T00:00:00Z, a double.
        case secondsSince2001 = "seconds-since-2001"
        /// Android: milliseconds since 1970-01-01T00:00:00Z, an integer.
        case millisecondsSince1970 = "milliseconds-since-1970"
    }

    /// Seconds from 1970-01-01T00:00:00Z to 2001-01-01T00:00:00Z.
    package static let epoch2001: Double = 978_307_200

    /// The number as it stands in the source, such as `795000013.25`.
    package let source: String
    package let unit: Unit
    /// Seconds since 1970; NaN when the source is no number that a double holds.
    package let unixSeconds: Double

    package init(_ number: Double, source: String, unit: Unit) {
        self.source = source
        self.unit = unit
        unixSeconds = Self.unixSeconds(number, unit)
    }

    package static func unixSeconds(_ number: Double, _ unit: Unit) -> Double {
        switch unit {
        case .secondsSince2001: number + epoch2001
        case .millisecondsSince1970: number / 1_000
        }
    }

    /// 2010 until 2100: outside it a date says that a clock, a unit or an epoch was wrong.
    package static let plausible: Range<Double> = 1_262_304_000..<4_102_444_800
    package var isPlausible: Bool { Self.plausible.contains(unixSeconds) }
}
