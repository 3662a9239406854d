import Glibc

/// A moment as clocks here show it.
package struct LocalTime: Hashable, Sendable {
    package let date: CivilDate
    /// Seconds east of UTC.
    package let offsetSeconds: Int
    /// The zone's short name, for example `CEST` or `+0545`; from the zone files, so escape it.
    package let zoneName: String

    /// `+02:00`.
    package var offsetText: String {
        let minutes = abs(offsetSeconds) / 60
        return (offsetSeconds < 0 ? "-" : "+") + padded(minutes / 60, 2) + ":" + padded(minutes % 60, 2)
    }

    /// `2026-05-01T10:00:00.25+02:00`.
    package var rfc3339: String {
        "\(date.dayText)T\(date.secondText)\(date.fractionText)\(offsetText)"
    }
}

/// The time zone of this process: `TZ`, or the machine's own, through the C library.
package struct LocalZone: Sendable {
    /// Reads `TZ` and the zone files.
    package init() {
        tzset()
    }

    /// The zone of a name of the tz database, such as `Europe/Berlin`, for this whole process from now on: the C library has
    /// one zone at a time. Call it before there are threads. Nil when there is no such zone here.
    package init?(named name: [UInt8]) {
        guard Self.isZone(name) else { return nil }
        let value = [CChar(bitPattern: UInt8(ascii: ":"))] + name.map { CChar(bitPattern: $0) } + [0]
        guard unsafe setenv("TZ", value, 1) == 0 else { return nil }
        tzset()
    }

    /// What the zone is called: as `TZ` says, or where the machine's own zone file leads to; for a file that has no such name
    /// the offsets that it gives, so that equal names mean equal times.
    package var name: [UInt8] {
        if let value = ProcessSettings.environment("TZ") {
            let name = value.first == UInt8(ascii: ":") ? Array(value.dropFirst()) : value
            return name.isEmpty ? Array("UTC".utf8) : name
        }
        let folder = Array("/zoneinfo/".utf8)
        if let file = try? resolvedPath("/etc/localtime").bytes,
            let place = file.indices.last(where: { file[$0...].starts(with: folder) })
        {
            return Array(file[(place + folder.count)...])
        }
        // Both halves of some years.
        let moments = stride(from: 0.0, through: 2_100_000_000, by: 15_778_800)
        let offsets = moments.map { time(at: $0)?.offsetSeconds ?? 0 }
        var runs: [String] = []
        for offset in offsets where runs.last != String(offset) { runs.append(String(offset)) }
        return Array(runs.isEmpty ? "UTC".utf8 : runs.joined(separator: " ").utf8)
    }

    /// Whether the tz database of this machine has the name. The C library itself takes any other for UTC.
    private static func isZone(_ name: [UInt8]) -> Bool {
        let isName = name.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || [UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+")].contains(byte)
        }
        guard isName, !name.isEmpty, name.count <= 64, name.first != UInt8(ascii: "/") else { return false }
        let folder = ProcessSettings.environment("TZDIR").map { FilePath(bytes: $0) } ?? "/usr/share/zoneinfo"
        guard var file = try? InputFile(opening: folder.appending(FilePath(bytes: name))),
            let beginning = try? file.read(upTo: 4)
        else { return name == Array("UTC".utf8) }
        return beginning == Array("TZif".utf8)
    }

    /// The local time at a Unix time; nil for not-a-number, infinity, and outside the years 1…9999.
    package func time(at unixSeconds: Double) -> LocalTime? {
        guard let utc = CivilDate(unixSeconds: unixSeconds) else { return nil }
        var seconds = time_t(utc.wholeUnixSeconds)
        var parts = unsafe tm()
        guard unsafe localtime_r(&seconds, &parts) != nil else { return nil }
        let offset = unsafe parts.tm_gmtoff
        guard let date = CivilDate(seconds: utc.wholeUnixSeconds + offset, microsecond: utc.microsecond) else {
            return nil
        }
        let name = unsafe parts.tm_zone.map { unsafe String(cString: $0) } ?? ""
        return LocalTime(date: date, offsetSeconds: offset, zoneName: name)
    }

    /// The Unix time when clocks here show `date`. Of an hour that comes twice, and for one that is skipped, what mktime(3)
    /// takes.
    package func unixSeconds(of date: CivilDate) -> Double? {
        // -1 is an answer as well as an error; only an error leaves the impossible day of the week alone.
        var parts = unsafe tm(
            tm_sec: Int32(date.second), tm_min: Int32(date.minute), tm_hour: Int32(date.hour),
            tm_mday: Int32(date.day), tm_mon: Int32(date.month - 1), tm_year: Int32(date.year - 1900), tm_wday: 7,
            tm_yday: 0, tm_isdst: -1, tm_gmtoff: 0, tm_zone: nil)
        let seconds = unsafe mktime(&parts)
        guard unsafe parts.tm_wday != 7 else { return nil }
        return Double(seconds) + Double(date.microsecond) / 1e6
    }
}

/// Unix seconds now.
package func wallClock() -> Double {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}

/// Seconds of a clock that never steps, for durations.
package func steadyClock() -> Double {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}
