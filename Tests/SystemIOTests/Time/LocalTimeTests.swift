import Glibc
import TestSupport
import Testing

@testable import SystemIO

/// The values are from Python's zoneinfo. Each zone needs a process of its own, because `TZ` belongs to the process.
@Suite("Local time", .enabled(if: access("/usr/share/zoneinfo/Asia/Kathmandu", R_OK) == 0, "needs the package tzdata"))
struct LocalTimeTests {
    private func lines(_ command: String, _ arguments: [String], zone: String, locale: String = "C") -> [String] {
        let result = ChildProcess.run(
            [Probe.path, command] + arguments, environment: ["TZ": zone, "LC_ALL": locale, "LANG": locale])
        return result.outputText.split(separator: "\n").map(String.init)
    }

    @Test(
        "a moment is shown as the clocks there show it, and read back",
        arguments: [
            ("Asia/Kathmandu", "1970-01-01T05:30:00+05:30 +0530", "2026-07-01T05:45:00.25+05:45 +0545"),
            ("America/St_Johns", "1969-12-31T20:30:00-03:30 NST", "2026-06-30T21:30:00.25-02:30 NDT"),
            ("Europe/Berlin", "1970-01-01T01:00:00+01:00 CET", "2026-07-01T02:00:00.25+02:00 CEST"),
            ("UTC", "1970-01-01T00:00:00+00:00 UTC", "2026-07-01T00:00:00.25+00:00 UTC"),
        ])
    func zones(zone: String, atZero: String, later: String) {
        #expect(
            lines("local-times", ["0", "1782864000.25", "nan", "1e300"], zone: zone)
                == [atZero + " 0.0", later + " 1782864000.25", "none", "none"])
    }

    @Test("the locale changes nothing", arguments: ["th_TH.UTF-8", "fa_IR.UTF-8", "ar_SA.UTF-8", "C"])
    func locales(locale: String) {
        #expect(
            lines("local-times", ["0"], zone: "Asia/Kathmandu", locale: locale)
                == ["1970-01-01T05:30:00+05:30 +0530 0.0"])
    }

    @Test("the second before the epoch is a time, not an error")
    func minusOne() {
        #expect(lines("local-times", ["-1"], zone: "UTC") == ["1969-12-31T23:59:59+00:00 UTC -1.0"])
    }

    @Test("a date without an offset is meant here, over the change to summer time as well")
    func typedDates() {
        #expect(
            lines(
                "typed-dates", ["2026", "2026-03-29", "2026-10", "2026-05-01T10:00Z"], zone: "Europe/Berlin") == [
                    "1767222000.0 1798758000.0", "1774738800.0 1774821600.0", "1790805600.0 1793487600.0",
                    "1777629600.0 1777629660.0",
                ])
        #expect(
            lines("typed-dates", ["2026-05-01T10:00", "2026-05-01"], zone: "Asia/Kathmandu") == [
                "1777608900.0 1777608960.0", "1777572900.0 1777659300.0",
            ])
    }
}

@Suite("Typed dates")
struct TypedDateTests {
    private func parse(_ text: String) throws -> TypedDate {
        try TypedDate(parsing: Array(text.utf8), zone: LocalZone())
    }

    @Test(
        "each shape names its span",
        arguments: [
            ("2026-05-01T10:00Z", 1_777_629_600, 1_777_629_660), ("2026-05-01T10:00:07Z", 1_777_629_607, 1_777_629_608),
            ("2026-05-01t10:00:07.5z", 1_777_629_607.5, 1_777_629_607.5),
            ("2026-05-01 12:00+0200", 1_777_629_600, 1_777_629_660),
            ("2026-05-01T04:15-05:45", 1_777_629_600, 1_777_629_660),
        ] as [(String, Double, Double)])
    func spans(text: String, start: Double, end: Double) throws {
        let date = try parse(text)
        #expect(date.start == start)
        #expect(date.end == end)
    }

    @Test(
        "a text of no such shape is told from a day that no calendar has",
        arguments: [
            ("", TypedDate.Problem.unknownForm), ("yesterday", .unknownForm), ("26-05-01", .unknownForm),
            ("2026-5-1", .unknownForm), ("2026/05/01", .unknownForm), ("01.05.2026", .unknownForm),
            ("2026-05-01T10", .unknownForm), ("2026-05-01T10:00 Uhr", .unknownForm), ("2026-", .unknownForm),
            ("2026-13", .noSuchDate), ("2026-02-29", .noSuchDate), ("0000", .noSuchDate),
            ("2026-05-01T25:00", .noSuchDate), ("2026-00-01", .noSuchDate),
        ])
    func problems(text: String, problem: TypedDate.Problem) {
        #expect(throws: problem) { try parse(text) }
    }

    @Test("the last year has no end")
    func lastYear() throws {
        #expect(try parse("9999").end == .infinity)
        #expect(try parse("9999-12-31").end == .infinity)
    }
}
