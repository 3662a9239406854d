import CommandKit
import Foundation
import TestSupport
import Testing

/// Contacts and safety numbers by the built program: with the app's own files, an independent reader of QR codes, questions
/// on a terminal, and under other locales.
@Suite("contacts and safety numbers")
struct PeopleTests {
    private let phone: SamplePhone

    init() throws {
        phone = try SamplePhone()
        try phone.addKeyring()
    }

    private func run(_ line: String, environment: [String: String?] = [:]) -> ChildProcess {
        let fixtures = SharedFolder.file("fixtures")
        return phone.shell(
            line.replacingOccurrences(of: "FIXTURES", with: fixtures)
                .replacingOccurrences(of: "KEY", with: "--keyring-key-file \(SampleKeyring.keyFileName)"),
            environment: environment.merging(["SXKEY_KEYRING": SampleKeyring.fileName]) { $1 })
    }

    private func scan(_ name: String) -> String {
        ChildProcess.run(["zbarimg", "--quiet", "--raw", "--oneshot", "-Sqrcode.binary", name], in: phone.sample)
            .outputText
    }

    private static let aliceNumber = "54723 08556 80307 43366 21092 83388"
    private static let aliceID = "08c4cab788bd5f92"

    @Test(
        "Alice of the app's files: added, compared in every form, verified, and her key replaced",
        .enabled(if: SharedFolder.isThere, "needs the shared fixtures"))
    func alice() throws {
        let add = run("sxkey contact add FIXTURES/march/prekey-bundle-alice.json KEY")
        #expect(add.status == 0, "\(add.errorText)")
        #expect(add.outputText.hasPrefix("Added Alice (\(Self.aliceID))   NOT VERIFIED\n"))
        // The same person in another file of the app.
        let hello = run("sxkey contact add FIXTURES/march/wire-1-initiateSession.json KEY")
        #expect(hello.outputText.hasPrefix("Known already: Alice (\(Self.aliceID))"), "\(hello.errorText)")
        let forged = run("sxkey contact add FIXTURES/march/wire-6-forged.json KEY")
        #expect(forged.status != 0)

        let shown = json(run("sxkey safety show Alice KEY --json").output)
        let numbers = shown?["numbers"] as? [[String: String]] ?? []
        #expect(numbers.count == 5 && numbers.first?["number"] == Self.aliceNumber)
        for number in numbers {
            let words = number["number"] ?? ""
            let compare = json(run("sxkey safety compare Alice \(words) KEY --json").output)
            #expect(compare?["same"] as? Bool == true)
            let forms = [compare?["form"] as? String, number["form"]]
            #expect(forms[0] == forms[1])
        }
        #expect(run("sxkey safety compare Alice 54723 08556 80307 43366 21092 83389 KEY").status == 8)
        #expect(run("sxkey safety mark Alice \(Self.aliceNumber) KEY").status == 0)
        #expect(run("sxkey safety list KEY").outputText.contains("verified 2 · not verified 1"))

        let replace = run("sxkey contact replace-key Alice \(SamplePeople.inviteFileName) --yes KEY")
        #expect(replace.status == 0, "\(replace.errorText)")
        let contact = json(run("sxkey contact show Alice KEY --json").output)
        #expect(contact?["verified"] as? Bool == false)
        #expect((contact?["keys"] as? [[String: Any]])?.count == 2)
        let history = run("sxkey contact history Alice KEY").outputText
        for words in ["added", "marked as verified: \(Self.aliceNumber) (ios-v0)", "mark taken away", "key replaced"] {
            #expect(history.contains(words), "\(words)")
        }
        #expect(run("sxkey contact add FIXTURES/march/prekey-bundle-alice.json KEY").status == 8)
    }

    @Test("QR codes are read by an independent reader, and by sxkey itself", .enabled(if: ChildProcess.has("zbarimg")))
    func codes() {
        let number = run("sxkey safety show Bob --png --out n.png KEY --json")
        #expect(number.status == 0, "\(number.errorText)")
        let text = json(number.output)?["number"] as? String ?? ""
        #expect(text.utf8.count == 35 && scan("n.png") == text)
        let same = run("sxkey safety scan n.png Bob KEY")
        #expect(same.status == 0 && same.outputText.hasPrefix("The same: "))
        let other = run("sxkey safety scan n.png Carla KEY")
        #expect(other.status == 8 && other.outputText.hasPrefix("Not this contact: this is the number of Bob ("))
        let android = run("sxkey safety show Bob --png --form android-mine --out a.png KEY --json")
        #expect(scan("a.png") == json(android.output)?["number"] as? String)

        for kind in ["add", "meet"] {
            let made = run("sxkey contact card --format png --code \(kind) --out \(kind).png KEY --json")
            let link = json(made.output)?["link"] as? String ?? ""
            #expect(link.hasPrefix("sophaxchat://\(kind)?") && scan("\(kind).png") == link)
            // One's own card is no contact.
            let own = run("sxkey contact add \(kind).png KEY")
            #expect(own.status == 8 && own.errorText.hasPrefix("sxkey: error: these are your own keys"))
            let notNumber = run("sxkey safety scan \(kind).png Bob KEY")
            #expect(notNumber.status == 4 && notNumber.errorText.contains("is no safety number: it is "))
        }
        let wrong = run("sxkey contact add n.png KEY")
        #expect(wrong.status == 4)
        #expect(run("sxkey contact add storage.key KEY").status == 4)
    }

    @Test("a friend's keyring takes the card and the invite link, as text and as picture")
    func cardAndBack() throws {
        let key = "--keyring-key-file \(SampleKeyring.keyFileName)"
        #expect(
            run("sxkey keyring init --keyring friend.sxdb --new-keyring-key-file \(SampleKeyring.keyFileName)").status
                == 0)
        #expect(run("sxkey contact card KEY > card.txt && sxkey contact card --format meet KEY > meet.txt").status == 0)
        #expect(run("sxkey contact card --format png --code meet KEY --out meet.png").status == 0)
        let card = run("sxkey contact add card.txt --keyring friend.sxdb \(key) --json")
        #expect(card.outputText.contains("\"outcome\":\"added\""), "\(card.errorText)")
        let link = run("sxkey contact add \"$(cat meet.txt)\" --keyring friend.sxdb \(key) --json")
        #expect(link.outputText.contains("\"outcome\":\"completed\"") && link.outputText.contains("\"name\":\"Ana\""))
        let picture = run("sxkey contact add meet.png --keyring friend.sxdb \(key) --json")
        #expect(picture.outputText.contains("\"outcome\":\"known\""))
        #expect(run("cat card.txt | sxkey contact add - --keyring friend.sxdb \(key)").status == 0)
    }

    @Test(
        "digits are ASCII, and typed ones may be any, whatever the locale",
        arguments: ["fa_IR.UTF-8", "ar_EG.UTF-8", "C"])
    func locales(name: String) {
        let shown = run("sxkey safety show Bob KEY", environment: ["LC_ALL": name, "LANG": name])
        #expect(shown.outputText == run("sxkey safety show Bob KEY").outputText)
        #expect(!shown.outputText.unicodeScalars.contains { !$0.isASCII && $0.properties.numericType == .decimal })
        let typed = "۰۸۸۳۷ ۸۸۷۵۸-٢٩١٣٧ ６９２８７ 00344\u{200f} 41961"
        let compare = run("sxkey safety compare Bob \"\(typed)\" KEY", environment: ["LC_ALL": name])
        #expect(compare.status == 0, "\(compare.outputText)")
    }

    @Test(
        "questions are asked on the terminal, and anything but yes changes nothing",
        .enabled(if: TerminalSession.isThere))
    func questions() {
        func session(_ arguments: [String], _ steps: String) -> String {
            TerminalSession.run(
                [SamplePhone.sxkey] + arguments + [
                    "--keyring", SampleKeyring.fileName, "--keyring-key-file", SampleKeyring.keyFileName,
                ], in: phone.sample, steps
            ).outputText
        }
        let no = session(["contact", "remove", "Carla"], "wait_for(b'[y/N] '); type_in(b'n\\n'); end()")
        #expect(no.hasSuffix("status 1 echo True\n") && no.contains("sxkey: error: nothing was changed\n"), "\(no)")
        let mark = session(
            ["safety", "mark", "Bob"], "wait_for(b'shows: '); type_in(b'08837 88758 29137 69287 00344 41961\\n'); end()"
        )
        #expect(mark.contains("Marked as verified: Bob") && mark.hasSuffix("status 0 echo True\n"), "\(mark)")
        let replace = session(
            ["contact", "replace-key", "Carla", SamplePeople.inviteFileName],
            "wait_for(b'[y/N] '); type_in(b'yes\\n'); end()")
        #expect(replace.contains("Key until now  ") && replace.contains("Replaced the key of Carla"), "\(replace)")
        let yes = session(["contact", "remove", "Carla"], "wait_for(b'[y/N] '); type_in(b'Y\\n'); end()")
        #expect(yes.contains("Removed Carla") && yes.hasSuffix("status 0 echo True\n"), "\(yes)")
    }
}
