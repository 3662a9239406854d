import Testing

@testable import SystemIO

@Suite("Civil dates")
struct CivilDateTests {
    // From Python's datetime.
    static let known: [(date: [Int], seconds: Int)] = [
        ([1, 1, 1, 0, 0, 0], -62_135_596_800), ([1582, 10, 15, 0, 0, 0], -12_219_292_800),
        ([1600, 2, 29, 0, 0, 0], -11_670_998_400), ([1899, 12, 31, 23, 59, 59], -2_208_988_801),
        ([1970, 1, 1, 0, 0, 0], 0), ([2000, 2, 29, 12, 0, 0], 951_825_600), ([2038, 1, 19, 3, 14, 8], 2_147_483_648),
        ([2100, 3, 1, 0, 0, 0], 4_107_542_400), ([2400, 2, 29, 0, 0, 0], 13_574_563_200),
        ([9999, 12, 31, 23, 59, 59], 253_402_300_799),
    ]

    @Test("known dates have their seconds and back", arguments: known)
    func knownDates(date: [Int], seconds: Int) throws {
        let civil = try #require(
            CivilDate(year: date[0], month: date[1], day: date[2], hour: date[3], minute: date[4], second: date[5]))
        #expect(civil.wholeUnixSeconds == seconds)
        #expect(CivilDate(unixSeconds: Double(seconds)) == civil)
    }

    @Test("every tenth day of all years comes back the same, and follows the one before")
    func roundTrip() throws {
        var before: CivilDate?
        for day in stride(from: -719_162, through: 2_932_896, by: 10) {
            let civil = try #require(CivilDate(seconds: day * 86_400, microsecond: 0))
            guard civil.wholeUnixSeconds == day * 86_400 else {
                Issue.record("\(civil) is not day \(day)")
                return
            }
            if let before, (before.year, before.month, before.day) >= (civil.year, civil.month, civil.day) {
                Issue.record("\(civil) comes after \(before)")
                return
            }
            before = civil
        }
    }

    @Test("days that no calendar has are refused")
    func refused() {
        #expect(CivilDate(year: 2100, month: 2, day: 29) == nil)
        #expect(CivilDate(year: 2000, month: 2, day: 29) != nil)
        #expect(CivilDate(year: 2026, month: 4, day: 31) == nil)
        #expect(CivilDate(year: 0, month: 1, day: 1) == nil)
        #expect(CivilDate(year: 10_000, month: 1, day: 1) == nil)
        #expect(CivilDate(year: 2026, month: 13, day: 1) == nil)
        #expect(CivilDate(year: 2026, month: 1, day: 0) == nil)
        #expect(CivilDate(year: 2026, month: 1, day: 1, hour: 24) == nil)
        #expect(CivilDate(year: 2026, month: 1, day: 1, second: 60) == nil)
    }
}
