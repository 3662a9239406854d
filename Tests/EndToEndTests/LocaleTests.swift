import TestSupport
import Testing

/// Machine formats are the same everywhere; dates for people are local.
@Suite("locales and time zones")
struct LocaleTests {
    private let phone: SamplePhone

    init() throws {
        phone = try SamplePhone()
    }

    private static let zones = ["UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati", "No/Such_Zone", ""]

    @Test("JSON and JSON lines are the same in every time zone, byte for byte")
    func machineFormats() {
        for line in [
            "store show phone -k storage.key --json", "store export phone -k storage.key -o -",
            "store info phone -k storage.key --json", "store verify phone -k storage.key --json",
            "bundle verify sample.sxfe -p passphrase.txt --json", "bundle export sample.sxfe -p passphrase.txt -o -",
            "bundle export sample.sxfe -p passphrase.txt -o - --format json",
        ] {
            let outputs = Self.zones.map { phone.shell("sxkey \(line)", environment: ["TZ": $0]).output }
            #expect(!outputs[0].isEmpty)
            #expect(outputs.allSatisfy { $0 == outputs[0] }, "\(line)")
        }
    }

    @Test(
        "transcripts show local time",
        arguments: [
            ("UTC", "2026-05-09 06:13"), ("Asia/Kathmandu", "2026-05-09 11:58"),
            ("America/St_Johns", "2026-05-09 03:43"),
            ("XYZ-3", "2026-05-09 09:13"),
        ])
    func localTime(zone: String, shown: String) {
        for line in [
            "store show phone notes -k storage.key", "store export phone notes -k storage.key -o - --format text",
        ] {
            let run = phone.shell("sxkey \(line)", environment: ["TZ": zone])
            #expect(run.outputText.contains("\(shown)  me        milk, eggs, coffee"), "\(run.outputText)")
        }
    }

    @Test("days that are typed are local days")
    func typedDays() {
        // The sample has notes of 2026-05-09 06:13, -10 07:13 and -11 08:13 UTC.
        for (zone, day, count) in [
            ("UTC", "2026-05-11", 1), ("UTC", "2026-05-12", 0), ("XYZ-20", "2026-05-11", 1),
            ("XYZ-20", "2026-05-12", 1),
            ("XYZ+9", "2026-05-08", 1), ("XYZ+9", "2026-05-11", 0),
        ] {
            let run = phone.shell(
                "sxkey store show phone notes -k storage.key --json --since \(day) --until \(day)",
                environment: ["TZ": zone])
            #expect(run.outputText.split(separator: "\n").count == count, "\(zone) \(day)")
        }
    }

    @Test(
        "digits are ASCII whatever the locale",
        arguments: ["fa_IR.UTF-8", "ar_EG.UTF-8", "th_TH.UTF-8", "de_DE.UTF-8", "C", "xx"])
    func digits(locale: String) {
        for line in [
            "store info phone -k storage.key", "store verify phone -k storage.key --json",
            "store show phone -k storage.key",
            "bundle info sample.sxfe", "bundle verify sample.sxfe -p passphrase.txt",
        ] {
            let here = phone.shell(
                "sxkey \(line)", environment: ["LC_ALL": locale, "LANG": locale, "LANGUAGE": locale])
            let usual = phone.shell("sxkey \(line)", environment: ["LC_ALL": "C.UTF-8"])
            let withoutSeconds = { (text: String) in text.replacing(/in [0-9.]+ m?s/, with: "") }
            #expect(withoutSeconds(here.outputText) == withoutSeconds(usual.outputText), "\(line)")
        }
    }

    @Test("numbers and dates may be typed in any digits")
    func typedDigits() {
        let usual = phone.shell("sxkey store show phone -k storage.key --limit 2 --since 2026-05-10")
        #expect(usual.status == 0 && !usual.output.isEmpty)
        for (two, day) in [("۲", "۲۰۲۶-۰۵-۱۰"), ("٢", "٢٠٢٦-٠٥-١٠"), ("２", "２０２６-０５-１０")] {
            let run = phone.shell("sxkey store show phone -k storage.key --limit \(two) --since \(day)")
            #expect(run.output == usual.output, "\(run.errorText)")
        }
    }
}
