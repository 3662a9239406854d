/// The written parts of a date, as far as it goes: year, month, day, time, fraction, offset.
struct DateParts {
    struct Time {
        let hour: Int
        let minute: Int
        /// 0…59; a leap second is 59 with `isLeapSecond`.
        var second = 0
        var microsecond = 0
        var hasSeconds = false
        var isLeapSecond = false
    }

    let year: Int
    private(set) var month: Int?
    private(set) var day: Int?
    private(set) var time: Time?
    /// Seconds east of UTC; nil when none is written.
    private(set) var offsetSeconds: Int?

    /// Nil when the text is not such a date. Whether the month has the day is asked by `firstInstant`.
    init?(_ text: [UInt8]) {
        var reader = DateReader(text)
        guard let year = reader.digits(4) else { return nil }
        self.year = year
        guard !reader.isAtEnd else { return }
        guard reader.take("-"), let month = reader.digits(2) else { return nil }
        self.month = month
        guard !reader.isAtEnd else { return }
        guard reader.take("-"), let day = reader.digits(2) else { return nil }
        self.day = day
        guard !reader.isAtEnd else { return }
        guard reader.take("T") || reader.take("t") || reader.take(" ") else { return nil }
        guard let hour = reader.digits(2), reader.take(":"), let minute = reader.digits(2) else { return nil }
        var time = Time(hour: hour, minute: minute)
        if reader.take(":") {
            guard let second = reader.digits(2) else { return nil }
            time.hasSeconds = true
            time.isLeapSecond = second == 60
            time.second = second == 60 ? 59 : second
            if reader.take(".") || reader.take(",") {
                guard let microsecond = reader.fraction() else { return nil }
                time.microsecond = microsecond
            }
        }
        self.time = time
        if reader.take("Z") || reader.take("z") {
            offsetSeconds = 0
        } else if !reader.isAtEnd {
            let isWest = reader.take("-")
            guard isWest || reader.take("+"), let hours = reader.digits(2), hours < 24 else { return nil }
            _ = reader.take(":")
            guard let minutes = reader.digits(2), minutes < 60 else { return nil }
            offsetSeconds = (isWest ? -1 : 1) * (hours * 3_600 + minutes * 60)
        }
        guard reader.isAtEnd else { return nil }
    }

    /// The earliest moment that fits, without the offset; nil when the calendar has no such date.
    var firstInstant: CivilDate? {
        CivilDate(
            year: year, month: month ?? 1, day: day ?? 1, hour: time?.hour ?? 0, minute: time?.minute ?? 0,
            second: time?.second ?? 0, microsecond: time?.microsecond ?? 0)
    }

    /// The first moment after it, for whole years, months and days; nil after the year 9999 and for a date with a time.
    var nextInstant: CivilDate? {
        guard time == nil else { return nil }
        guard let month else { return CivilDate(year: year + 1, month: 1, day: 1) }
        let afterMonth = month == 12 ? (year + 1, 1) : (year, month + 1)
        guard let day, day < CivilDate.days(inMonth: month, of: year) else {
            return CivilDate(year: afterMonth.0, month: afterMonth.1, day: 1)
        }
        return CivilDate(year: year, month: month, day: day + 1)
    }
}

/// Takes a date apart from left to right.
private struct DateReader {
    private let text: [UInt8]
    private var position = 0

    init(_ text: [UInt8]) {
        self.text = text
    }

    var isAtEnd: Bool {
        position == text.count
    }

    mutating func take(_ wanted: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: wanted) else { return false }
        position += 1
        return true
    }

    /// Exactly `count` digits.
    mutating func digits(_ count: Int) -> Int? {
        guard text.count - position >= count else { return nil }
        var value = 0
        for index in position..<position + count {
            guard let digit = digit(at: index) else { return nil }
            value = value * 10 + digit
        }
        position += count
        return value
    }

    /// One digit or more as microseconds.
    mutating func fraction() -> Int? {
        var value = 0
        var count = 0
        while position < text.count, let digit = digit(at: position) {
            if count < 6 { value = value * 10 + digit }
            count += 1
            position += 1
        }
        guard count > 0 else { return nil }
        for _ in min(count, 6)..<6 { value *= 10 }
        return value
    }

    private func digit(at index: Int) -> Int? {
        let byte = text[index]
        return byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? Int(byte - UInt8(ascii: "0")) : nil
    }
}
