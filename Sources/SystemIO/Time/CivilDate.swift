/// A day and time of the Gregorian calendar (extended back before 1582), without a time zone.
package struct CivilDate: Hashable, Sendable {
    /// 1…9999.
    package let year: Int
    /// 1…12.
    package let month: Int
    /// 1…31.
    package let day: Int
    package let hour: Int
    package let minute: Int
    /// 0…59; leap seconds are not counted.
    package let second: Int
    /// 0…999,999.
    package let microsecond: Int

    /// Nil when a part is out of its range, or the month has no such day.
    package init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, microsecond: Int = 0
    ) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.days(inMonth: month, of: year), (0...23).contains(hour), (0...59).contains(minute),
            (0...59).contains(second), (0...999_999).contains(microsecond)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond
    }

    /// The UTC date of a Unix time, rounded to the microsecond; nil for not-a-number, infinity, and outside 1…9999.
    package init?(unixSeconds: Double) {
        guard unixSeconds.isFinite, unixSeconds >= Self.earliest, unixSeconds < Self.end else { return nil }
        let whole = unixSeconds.rounded(.down)
        // The difference is exact, and small enough for its own rounding.
        var microsecond = Int(((unixSeconds - whole) * 1e6).rounded())
        var seconds = Int(whole)
        if microsecond >= 1_000_000 {
            microsecond = 0
            seconds += 1
        }
        self.init(seconds: seconds, microsecond: microsecond)
    }

    /// `seconds` are whole Unix seconds.
    init?(seconds: Int, microsecond: Int) {
        let days = (Double(seconds) / 86_400).rounded(.down)
        guard days >= -719_162, days <= 2_932_896 else { return nil }
        let dayNumber = Int(days)
        let inDay = seconds - dayNumber * 86_400
        // Years that begin in March, in eras of 400 years = 146,097 days, so that the leap day comes last.
        let shifted = dayNumber + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        self.init(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
            day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1, hour: inDay / 3_600, minute: inDay / 60 % 60,
            second: inDay % 60, microsecond: microsecond)
    }

    /// Whole Unix seconds, the date taken as UTC.
    package var wholeUnixSeconds: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return days * 86_400 + hour * 3_600 + minute * 60 + second
    }

    /// Unix seconds, the date taken as UTC.
    package var unixSeconds: Double {
        Double(wholeUnixSeconds) + Double(microsecond) / 1e6
    }

    /// Days of a month 1…12.
    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// 0001-01-01T00:00:00Z and the second after 9999-12-31T23:59:59Z.
    private static let earliest: Double = -62_135_596_800
    private static let end: Double = 253_402_300_800
}

extension CivilDate {
    /// `2026-05-01`.
    package var dayText: String {
        "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// `18:03`.
    package var minuteText: String {
        "\(padded(hour, 2)):\(padded(minute, 2))"
    }

    /// `2026-05-01 18:03`.
    package var dayAndMinuteText: String {
        "\(dayText) \(minuteText)"
    }

    /// `18:03:59`.
    package var secondText: String {
        "\(minuteText):\(padded(second, 2))"
    }

    /// `.25`, empty for no fraction; at most six digits, none of them a trailing zero.
    package var fractionText: String {
        guard microsecond > 0 else { return "" }
        var digits = padded(microsecond, 6)
        while digits.utf8.last == UInt8(ascii: "0") { digits.removeLast() }
        return "." + digits
    }
}

/// `number` ≥ 0 with zeros before it up to `width` digits, ASCII whatever the locale.
func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
