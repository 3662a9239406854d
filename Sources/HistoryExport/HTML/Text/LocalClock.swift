import SystemIO

/// A moment as a page shows it: the local day and time, the offset, and UTC.
struct PageTime: Equatable {
    let utc: CivilDate
    let local: CivilDate
    let offsetSeconds: Int

    /// Years times twelve and the month from 0: the months in order.
    var month: Int { local.year * 12 + local.month - 1 }

    /// 0 is Monday.
    var weekday: Int {
        let days = CivilDate(year: local.year, month: local.month, day: local.day).map { $0.wholeUnixSeconds / 86_400 }
        // 1970-01-01 was a Thursday.
        return (((days ?? 0) + 3) % 7 + 7) % 7
    }
}

/// Local times for many messages: the C library is asked once a day, not once a message.
struct LocalClock {
    private let zone: LocalZone
    /// The UTC day that `offset` holds for.
    private var day = Int.min
    private var offset = 0

    init(_ zone: LocalZone) {
        self.zone = zone
    }

    /// Nil outside the years 1…9999.
    mutating func time(at unixSeconds: Double) -> PageTime? {
        guard let utc = CivilDate(unixSeconds: unixSeconds) else { return nil }
        let number = Int((unixSeconds / 86_400).rounded(.down))
        if number != day {
            let start = Double(number) * 86_400
            guard let first = zone.time(at: start), let last = zone.time(at: start + 86_399),
                first.offsetSeconds == last.offsetSeconds
            else {
                // The offset changes on this day.
                return zone.time(at: unixSeconds).map {
                    PageTime(utc: utc, local: $0.date, offsetSeconds: $0.offsetSeconds)
                }
            }
            day = number
            offset = first.offsetSeconds
        }
        guard let local = CivilDate(unixSeconds: unixSeconds + Double(offset)) else { return nil }
        return PageTime(utc: utc, local: local, offsetSeconds: offset)
    }
}

/// The words of dates, by numbers from 0.
enum DateWords {
    /// 0 is January.
    static func month(_ number: Int) -> StaticString {
        switch number {
        case 0: "January"
        case 1: "February"
        case 2: "March"
        case 3: "April"
        case 4: "May"
        case 5: "June"
        case 6: "July"
        case 7: "August"
        case 8: "September"
        case 9: "October"
        case 10: "November"
        default: "December"
        }
    }

    /// 0 is January.
    static func shortMonth(_ number: Int) -> StaticString {
        switch number {
        case 0: "Jan"
        case 1: "Feb"
        case 2: "Mar"
        case 3: "Apr"
        case 4: "May"
        case 5: "Jun"
        case 6: "Jul"
        case 7: "Aug"
        case 8: "Sep"
        case 9: "Oct"
        case 10: "Nov"
        default: "Dec"
        }
    }

    /// 0 is Monday.
    static func weekday(_ number: Int) -> StaticString {
        switch number {
        case 0: "Monday"
        case 1: "Tuesday"
        case 2: "Wednesday"
        case 3: "Thursday"
        case 4: "Friday"
        case 5: "Saturday"
        default: "Sunday"
        }
    }

    /// 0 is Monday.
    static func shortWeekday(_ number: Int) -> StaticString {
        switch number {
        case 0: "Mon"
        case 1: "Tue"
        case 2: "Wed"
        case 3: "Thu"
        case 4: "Fri"
        case 5: "Sat"
        default: "Sun"
        }
    }
}

extension Markup {
    /// `Friday, 1 May 2026`.
    mutating func longDay(_ time: PageTime) {
        add(DateWords.weekday(time.weekday))
        add(", ")
        shortDay(time.local)
    }

    /// `1 May 2026`.
    mutating func shortDay(_ date: CivilDate) {
        number(date.day)
        add(" ")
        add(DateWords.month(date.month - 1))
        add(" ")
        number(date.year)
    }

    /// `18:03`.
    mutating func minute(_ date: CivilDate) {
        twoDigits(date.hour)
        add(":")
        twoDigits(date.minute)
    }

    /// `May 2026` for a month counted as `PageTime.month`.
    mutating func monthName(_ month: Int) {
        add(DateWords.month(month % 12))
        add(" ")
        number(month / 12)
    }

    /// `+02:00`.
    mutating func offset(_ seconds: Int) {
        let minutes = Int(seconds.magnitude) / 60
        add(seconds < 0 ? "\u{2212}" : "+")
        twoDigits(minutes / 60)
        add(":")
        twoDigits(minutes % 60)
    }

    /// `2026-05-01T16:03:59Z`, UTC, for machines.
    mutating func machineTime(_ date: CivilDate) {
        machineDay(date)
        add("T")
        minute(date)
        add(":")
        twoDigits(date.second)
        add("Z")
    }

    /// `2026-05-01`.
    mutating func machineDay(_ date: CivilDate) {
        if date.year < 1000 { add("0") }
        if date.year < 100 { add("0") }
        if date.year < 10 { add("0") }
        number(date.year)
        add("-")
        twoDigits(date.month)
        add("-")
        twoDigits(date.day)
    }

    /// A whole `time` element: day and minute, with all else in its attributes.
    mutating func fullTime(_ time: PageTime) {
        add("<time datetime=\"")
        machineTime(time.utc)
        add("\" title=\"")
        exactTime(time)
        add("\">")
        shortDay(time.local)
        add(", ")
        minute(time.local)
        add("</time>")
    }

    /// `Friday, 1 May 2026, 18:03:59 +02:00`.
    mutating func exactTime(_ time: PageTime) {
        longDay(time)
        add(", ")
        minute(time.local)
        add(":")
        twoDigits(time.local.second)
        add(" ")
        offset(time.offsetSeconds)
    }
}
