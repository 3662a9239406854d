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
            "bundle export sample.sxfe -p passphrase.txt -o - --format csv",
            "store export phone -k storage.key -o - --format csv",
            "store export phone -k storage.key -o x.db -f --format sqlite >/dev/null && sha256sum <x.db",
            "store export phone -k storage.key -o d --attachments >/dev/null; (cd d && sha256sum * */*); rm -r d",
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
            let isExport = line.contains("export")
            let offset = isExport ? " " + (Self.offsets[zone] ?? "") : ""
            #expect(run.outputText.contains("\(shown)\(offset)  me        milk, eggs, coffee"), "\(run.outputText)")
        }
    }

    private static let offsets = [
        "UTC": "+00:00", "Asia/Kathmandu": "+05:45", "America/St_Johns": "-02:30", "XYZ-3": "+03:00",
    ]

    @Test("a zone that is named is the zone of the export, whatever this machine's is")
    func namedZone() {
        for format in ["text", "markdown"] {
            let line = "store export phone notes -k storage.key -o - --format \(format)"
            for zone in ["Asia/Kathmandu", "America/St_Johns"] {
                let named = phone.shell("sxkey \(line) --timezone \(zone)", environment: ["TZ": "Pacific/Kiritimati"])
                let usual = phone.shell("sxkey \(line)", environment: ["TZ": zone])
                #expect(named.status == 0 && named.output == usual.output, "\(named.errorText)")
                #expect(named.outputText.contains(Self.offsets[zone] ?? "?"))
            }
        }
        for zone in ["No/Such_Zone", "../../etc/passwd", "/etc/localtime", "", "UTC+3"] {
            let run = phone.shell("sxkey store export phone -k storage.key -o - --timezone '\(zone)'")
            #expect(run.status == 2 && run.output.isEmpty, "\(zone)")
        }
        // The days that are typed are of that zone too.
        let day = "store export phone notes -k storage.key -o - --since 2026-05-12 --until 2026-05-12"
        #expect(phone.shell("sxkey \(day)").outputText.split(separator: "\n").count == 1)
        #expect(phone.shell("sxkey \(day) --timezone Pacific/Kiritimati").outputText.split(separator: "\n").count == 1)
        let early = "store export phone notes -k storage.key -o - --since 2026-05-09T12:00 --until 2026-05-09T12:00"
        #expect(phone.shell("sxkey \(early) --timezone Asia/Kathmandu").outputText.split(separator: "\n").count == 1)
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

    @Test("a folder with local times is only updated in the zone that it was made in; one without takes any")
    func updateInAnotherZone() {
        let line = "store export phone -k storage.key --attachments --out"
        for (format, isLocal) in [("text", true), ("markdown", true), ("html", true), ("csv", false)] {
            #expect(phone.shell("TZ=Europe/Berlin sxkey \(line) \(format) --format \(format)").status == 0)
            let before = phone.listing
            let same = phone.shell("TZ=:Europe/Berlin sxkey \(line) \(format) --format \(format) --update")
            #expect(same.status == 0, "\(same.errorText)")
            #expect(phone.listing == before)
            let other = phone.shell("sxkey \(line) \(format) --format \(format) --update --timezone Asia/Tokyo")
            #expect(other.status == (isLocal ? 9 : 0), "\(other.errorText)")
            let why = "timezone was \"Europe/Berlin\", and is \"Asia/Tokyo\" now"
            #expect(other.errorText.contains(why) == isLocal, "\(other.errorText)")
            #expect(phone.listing == before)
        }
    }
}
