import Foundation
import TestSupport
import Testing

@testable import SXKeyCommands

/// Numbers of format SophaxChat 12: Alice is its first identity, one's own is its second.
@Suite("safety commands")
struct SafetyCommandTests {
    private let people: MadePeople

    init() throws {
        people = try MadePeople()
        #expect(people.run("contact", "add", MadePeople.aliceInvite).status == .success)
    }

    private static let numbers = [
        ("ios-v0", MadePeople.aliceNumber), ("ios-v1", "23732 18731 48516 33635 18375 82783"),
        ("android-mine", "42836 14907 03608 53619 56421 17823 54037 16174 34439 54449 16814 13095"),
        ("android-theirs", "58204 15662 47453 29381 07259 05115 27403 03511 02387 62697 10020 21308"),
        ("android-own", "08229 10272 49088 09229 50726 37168 22171 45996 36974 01722 60729 27928"),
    ]
    private static let own = [
        ("ios-v0", "10549 10610 40971 22178 49695 74064"), ("ios-v1", "84442 33258 17951 32283 94459 34128"),
        ("android-own", "26739 24978 12490 63881 21961 52980 56114 62191 55641 64940 22479 61317"),
    ]

    private func list(_ json: [String: Any], _ member: String) -> [[String]] {
        (json[member] as? [[String: String]] ?? []).map { [$0["form"] ?? "", $0["number"] ?? ""] }
    }

    @Test("every number that an app shows is shown, with the app's name")
    func show() {
        let json = people.json("safety", "show", "Alice")
        #expect(list(json, "numbers") == Self.numbers.map { [$0.0, $0.1] })
        #expect(list(json, "own") == Self.own.map { [$0.0, $0.1] })
        let text = people.run("safety", "show", "Alice").output
        #expect(
            text == """
                Alice — 3619e750a2dd52ba   key first seen 2026-05-28, unchanged since   NOT VERIFIED

                  Read this aloud; Alice sees it on their own phone
                    iPhone, later app    23732 18731 48516 33635 18375 82783   ios-v1
                    iPhone, earlier app  12559 02102 68762 54115 93340 48812   ios-v0
                    Android              08229 10272 49088   android-own
                                         09229 50726 37168
                                         22171 45996 36974
                                         01722 60729 27928

                  Your phone shows this beside Alice
                    iPhone               12559 02102 68762 54115 93340 48812   ios-v0
                    Android              42836 14907 03608   android-mine
                                         53619 56421 17823
                                         54037 16174 34439
                                         54449 16814 13095

                  The phone of Alice shows this beside you
                    iPhone               10549 10610 40971 22178 49695 74064
                    Android              58204 15662 47453   android-theirs
                                         29381 07259 05115
                                         27403 03511 02387
                                         62697 10020 21308

                  Your phone shows this as your own
                    iPhone, later app    84442 33258 17951 32283 94459 34128   ios-v1
                    iPhone, earlier app  10549 10610 40971 22178 49695 74064   ios-v0
                    Android              26739 24978 12490   android-own
                                         63881 21961 52980
                                         56114 62191 55641
                                         64940 22479 61317

                """)
        let mine = people.json("safety", "show")
        #expect(mine["numbers"] == nil && list(mine, "own") == Self.own.map { [$0.0, $0.1] })
        #expect(people.run("safety", "show").output.hasPrefix("Your own numbers — ce04d757588b607d\n"))
        #expect(people.run("safety", "show", "Alice", "--form", "ios-v0").status == .usage)
        #expect(people.run("safety", "show", "Alice", "--qr", "--svg").status == .usage)
        #expect(people.run("safety", "show", "--qr", "--form", "android-mine").status == .usage)
        let code = people.run("safety", "show", "Alice", "--qr").output
        #expect(code.contains("▀") && code.hasSuffix("12559 02102 68762 54115 93340 48812 (ios-v0)\n"))
    }

    @Test("each number is the same, in one word, many words and other digits", arguments: numbers)
    func same(form: String, number: String) {
        let persian = String(
            String.UnicodeScalarView(
                number.unicodeScalars.map { $0 == " " ? "-" : Unicode.Scalar($0.value - 0x30 + 0x6f0) ?? $0 }))
        for words in [[number], number.split(separator: " ").map(String.init), [persian]] {
            let json = CommandRun.run(
                ["safety", "compare", "Alice"] + words + [
                    "--json", "--keyring", people.folder.file("k"), "--keyring-key-file", people.folder.file("key"),
                ])
            #expect(json.status == .success)
            #expect(json.output.contains("\"outcome\":\"same\",\"same\":true,\"form\":\"\(form)\""))
        }
        #expect(people.run("safety", "mark", "Alice", number).status == .success)
        let mark = people.json("contact", "show", "Alice")["mark"] as? [String: Any]
        #expect(mark?["form"] as? String == form && mark?["number"] as? String == number)
        #expect(mark?["marked"] as? String == "2026-05-28T20:26:40Z")
        #expect((mark?["byIdentity"] as? String)?.hasPrefix("ce04d757588b607d") == true)
    }

    @Test(
        "what differs is said in words, with status 8, and nothing is marked",
        arguments: [
            (
                "12559 02102 68762 54115 93340 48821", "groups-differ",
                "Different: the last group is 48812 here, 48821 there. "
                    + "Read it again before you worry; if it stays, do not trust this key.\n"
            ),
            (
                "12559 02102 68762 54115 93340 4881", "too-short",
                "Different: 29 digits, where an iPhone shows 30: a digit is "
                    + "missing in the last group. Read it again.\n"
            ),
            (
                "12559 02102 68762 541155 93340 48812", "too-long",
                "Different: 31 digits, where an iPhone shows 30: there is a "
                    + "digit too many in the fourth group. Read it again.\n"
            ),
            (
                "54115 93340 48812 12559 02102 68762", "halves-swapped",
                "Different: the halves are swapped: read the second half "
                    + "first, it is the number that iPhones show beside Alice, and earlier apps to Alice as their own (ios-v0). "
                    + "Read it again.\n"
            ),
            (
                "10549 10610 40971 22178 49695 74064", "own-number",
                "Not this contact: this is your own number (ios-v0), not one "
                    + "of Alice. It proves that the other phone has your key; now compare the number that it shows for Alice.\n"
            ),
            (
                "00000 00000 00000 00000 00000 00001", "different",
                "Different: it is like none of the numbers of Alice. If it is "
                    + "read rightly, somebody else holds this key: do not trust it.\n"
            ),
        ])
    func different(number: String, outcome: String, words: String) {
        let text = people.run("safety", "compare", "Alice", number)
        #expect(text.status == .finding)
        #expect(text.output == words)
        #expect(people.json("safety", "compare", "Alice", number)["outcome"] as? String == outcome)
        let mark = people.run("safety", "mark", "Alice", number)
        #expect(mark.status == .finding && mark.errors.hasPrefix("sxkey: error: not marked: "))
        #expect(people.json("contact", "show", "Alice")["verified"] as? Bool == false)
    }

    @Test("the number of another contact is told")
    func otherContact() throws {
        #expect(
            people.run("contact", "add", try people.writeBundle(0x60, name: "Bob", to: "b.json")).status == .success)
        let run = people.run("safety", "compare", "Bob", MadePeople.aliceNumber)
        #expect(run.status == .finding)
        #expect(
            run.output.hasPrefix(
                "Not this contact: this is the number of Alice (3619e750a2dd52ba) (ios-v0), not one of Bob."))
    }

    @Test("a mark needs a number or a form; it stays with the key when the name changes")
    func mark() {
        let nothing = people.run("safety", "mark", "Alice")
        #expect(nothing.status == .usage && nothing.errors.contains("hint: say the number, or --form FORM\n"))
        #expect(people.run("safety", "mark", "Alice", "--form", "nothing").status == .usage)
        #expect(people.run("safety", "mark", "Alice", "123", "--form", "ios-v0").status == .usage)
        #expect(people.run("safety", "mark", "Alice", "--form", "android-mine").status == .success)
        #expect(people.run("contact", "rename", "Alice", "Ali").status == .success)
        #expect(
            people.run("contact", "add", MadePeople.aliceInvite).output.contains(
                "Known already: Ali (3619e750a2dd52ba)   verified"))
        let list = people.run("safety", "list")
        #expect(list.output.contains("verified 2026-05-28 (android-mine)") && list.output.contains("42836 14907"))
        #expect(list.output.hasSuffix("verified 1 · not verified 0\n"))
        #expect(people.run("safety", "unmark", "Ali").output == "No longer verified: Ali (3619e750a2dd52ba)\n")
        #expect(people.run("safety", "unmark", "Ali").status == .notFound)
    }

    @Test("what is no number is a usage error that says why")
    func notNumbers() {
        for (text, words) in [
            ("hello", "it has \"h\" in it"), ("3619e750a2dd52ba", "3619e750a2dd52ba is a peer id or fingerprint"),
            ("\u{200b}", "there are no digits in it"), ("1\u{1b}[2J", "it has \"\\u{1b}\" in it"),
        ] {
            let run = people.run("safety", "compare", "Alice", text)
            #expect(run.status == .usage)
            #expect(run.errors.hasPrefix("sxkey: error: this is no safety number: \(words)\n"), "\(run.errors)")
        }
    }
}
