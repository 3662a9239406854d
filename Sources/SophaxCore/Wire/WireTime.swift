/// Times as signed messages have them: UTC, whole seconds, the fraction cut off. Format: SophaxChat 8.8.
enum WireTime {
    /// `2026-11-30T01:33:41`, without a suffix; nil for not-a-number, infinity, and outside the years 1…9999.
    static func text(secondsSince2001: Double, later: Int = 0) -> [UInt8]? {
        // -63,113,904,000 is the first second of the year 1, 252,423,993,600 the first of the year 10000.
        guard secondsSince2001 >= -63_113_904_000, secondsSince2001 < 252_423_993_600 else { return nil }
        let seconds = Int(secondsSince2001.rounded(.down)) + later
        let (days, inDay) = divide(seconds, by: 86_400)
        guard let (year, month, day) = date(daysSince2001: days) else { return nil }
        return digits(year, 4) + [UInt8(ascii: "-")] + digits(month, 2) + [UInt8(ascii: "-")] + digits(day, 2)
            + [UInt8(ascii: "T")] + digits(inDay / 3_600, 2) + [UInt8(ascii: ":")] + digits(inDay / 60 % 60, 2)
            + [UInt8(ascii: ":")] + digits(inDay % 60, 2)
    }

    /// The Gregorian date of a day; nil outside the years 1…9999.
    private static func date(daysSince2001 days: Int) -> (year: Int, month: Int, day: Int)? {
        // Years that begin in March, in eras of 400 years = 146,097 days, so that the leap day comes last;
        // 730,791 days lie between 0000-03-01 and 2001-01-01.
        let (era, dayOfEra) = divide(days + 730_791, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        guard (1...9999).contains(year) else { return nil }
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// Quotient rounded down, and a remainder that is never negative.
    private static func divide(_ number: Int, by divisor: Int) -> (Int, Int) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// ASCII digits with zeros before.
    private static func digits(_ number: Int, _ width: Int) -> [UInt8] {
        var rest = number
        var text = [UInt8](repeating: UInt8(ascii: "0"), count: width)
        for place in text.indices.reversed() {
            text[place] += UInt8(rest % 10)
            rest /= 10
        }
        return text
    }
}
