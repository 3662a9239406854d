import Testing

@testable import SystemIO

@Suite("RFC 3339")
struct RFC3339Tests {
    @Test(
        "a time is written in UTC with as many digits as it has, six at most",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (0.5, "1970-01-01T00:00:00.5Z"), (-0.25, "1969-12-31T23:59:59.75Z"),
            (1_782_864_000.25, "2026-07-01T00:00:00.25Z"), (1_700_000_000.123456, "2023-11-14T22:13:20.123456Z"),
            (0.000001, "1970-01-01T00:00:00.000001Z"), (0.0000004, "1970-01-01T00:00:00Z"),
            (1.9999999, "1970-01-01T00:00:02Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"), (253_402_300_799.5, "9999-12-31T23:59:59.5Z"),
        ] as [(Double, String)])
    func format(seconds: Double, text: String) {
        #expect(RFC3339.format(unixSeconds: seconds) == text)
    }

    @Test(
        "a number that is no date of these years gives nothing and no trap",
        arguments: [
            Double.nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude, -1e300, 1e19,
            253_402_300_800, 253_402_300_799.9999999.nextUp, -62_135_596_800.1,
        ])
    func noDate(seconds: Double) {
        #expect(RFC3339.format(unixSeconds: seconds) == nil)
    }

    @Test(
        "dates are read in every spelling of RFC 3339",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-07-01T00:00:00.25Z", 1_782_864_000.25),
            ("2026-07-01t00:00:00.250z", 1_782_864_000.25), ("2026-07-01 02:00:00+02:00", 1_782_864_000),
            ("2026-06-30T20:30:00-03:30", 1_782_864_000), ("2026-07-01T00:00:00.123456789Z", 1_782_864_000.123456),
            ("1990-12-31T23:59:60Z", 662_688_000), ("1990-12-31T15:59:60-08:00", 662_688_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800), ("2026-07-01T00:00:00+00:00", 1_782_864_000),
            ("1937-01-01T12:00:27.87+00:20", -1_041_337_172.13),
        ] as [(String, Double)])
    func parse(text: String, seconds: Double) {
        #expect(RFC3339.parse(text) == seconds)
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "2026", "2026-07-01", "2026-07-01T00:00Z", "2026-07-01T00:00:00", "2026-07-01T00:00:00.Z",
            "2026-07-01T24:00:00Z", "2026-07-01T00:60:00Z", "2026-07-01T00:00:61Z", "2026-02-29T00:00:00Z",
            "2026-7-1T00:00:00Z", "2026-07-01T00:00:00Zx", "2026-07-01T00:00:00+2", "2026-07-01T00:00:00+24:00",
            "2026-07-01T00:00:00+02:60", "+026-07-01T00:00:00Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00",
            "9999-12-31T23:59:59-01:00", "２０２６-07-01T00:00:00Z", "2026-07-01T00:00:00\u{0}Z",
        ])
    func refuse(text: String) {
        #expect(RFC3339.parse(text) == nil)
    }
}
