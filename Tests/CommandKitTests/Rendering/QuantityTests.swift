import CommandKit
import Testing

@Suite("Quantities")
struct QuantityTests {
    @Test(
        "counts have a comma every three digits",
        arguments: [
            (0, "0"), (999, "999"), (1000, "1,000"), (48_113, "48,113"), (1_234_567, "1,234,567"), (-1000, "-1,000"),
            (Int.min, "-9,223,372,036,854,775,808"),
        ])
    func counts(number: Int, text: String) {
        #expect(Quantity.count(number) == text)
    }

    @Test("one is singular")
    func plural() {
        #expect(Quantity.count(1, "message") == "1 message")
        #expect(Quantity.count(0, "message") == "0 messages")
        #expect(Quantity.count(1200, "entry", "entries") == "1,200 entries")
    }

    @Test(
        "bytes have the unit that leaves one to three digits",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1 KB"), (1050, "1.1 KB"), (9949, "9.9 KB"), (9950, "10 KB"),
            (41_000, "41 KB"),
            (999_499, "999 KB"), (999_500, "1 MB"), (7_900_000, "7.9 MB"), (2_100_000_000, "2.1 GB"),
            (Int.max, "9223 PB"),
        ])
    func bytes(number: Int, text: String) {
        #expect(Quantity.bytes(number) == text || (number == .max && Quantity.bytes(number) == "9 EB"))
    }

    @Test(
        "a percentage is a hundred only when all is done",
        arguments: [
            (0.0, "0 %"), (0.61, "61 %"), (0.9999, "99 %"), (1, "100 %"), (7, "100 %"), (-1, "0 %"), (.nan, "0 %"),
        ])
    func percent(share: Double, text: String) {
        #expect(Quantity.percent(share) == text)
    }

    @Test(
        "durations have two parts at most",
        arguments: [
            (0.0, "0 s"), (0.3, "0.3 s"), (2, "2 s"), (9.96, "10 s"), (59.6, "1 min"), (185, "3 min 5 s"),
            (7620, "2 h 7 min"),
            (1e6, "11 d"), (.infinity, "?"), (.nan, "?"), (-1, "?"),
        ])
    func duration(seconds: Double, text: String) {
        #expect(Quantity.duration(seconds) == text)
    }
}
