import Foundation
import SystemIO
import TestSupport
import Testing

/// An identity goes through the built program and comes back the same.
@Suite("backing up and restoring an identity", .enabled(if: SharedFolder.isThere, "needs the shared fixtures"))
struct RestoreTests {
    private let phone: SamplePhone

    init() throws {
        phone = try SamplePhone()
        let expected = json(fileBytes(SharedFolder.file("fixtures/export/expected.json")) ?? []) ?? [:]
        try phone.write((expected["passphrase"] as? String ?? "") + "\n", to: "pw")
        try phone.write(SampleKeyring.key, to: "k")
    }

    /// Runs a command line with the keyring of this test.
    private func run(_ line: String) -> ChildProcess {
        phone.shell(
            line.replacingOccurrences(of: "FIXTURES", with: SharedFolder.file("fixtures")) + " --keyring-key-file k",
            environment: ["SXKEY_KEYRING": "own.sxdb"])
    }

    private func make() {
        let made = phone.shell(
            "sxkey keyring init --new-keyring-key-file k", environment: ["SXKEY_KEYRING": "own.sxdb"])
        #expect(made.status == 0, "\(made.errorText)")
    }

    /// Who the identity is, in every form; not when it was added or backed up.
    private func person() -> [String: String] {
        let shown = json(run("sxkey identity show Bob --json").output) ?? [:]
        var forms: [String: String] = [:]
        for key in ["name", "fingerprint", "onion"] { forms[key] = shown[key] as? String }
        forms["peerIDs"] = (shown["peerIDs"] as? [String])?.joined(separator: " ")
        for (form, number) in shown["safetyNumbers"] as? [String: String] ?? [:] { forms[form] = number }
        return forms
    }

    @Test("import, export, remove and restore give the same fingerprint, peer ids and safety numbers")
    func wholePath() {
        make()
        #expect(run("sxkey identity import FIXTURES/export/bob.sxfe -p pw").status == 0)
        let before = person()
        // fixtures/export/expected.json
        #expect(before["fingerprint"] == "64b66560c6772ad669c8a7ea44956351bcb218bc13df3c0fe1513a29da4ec7e0")
        #expect(before.count == 7)
        #expect(run("sxkey identity remove Bob").status == 1)
        #expect(run("sxkey identity export --out bob.sophaxid --new-passphrase-file pw").status == 0)
        #expect(run("sxkey identity remove Bob").status == 0)
        #expect(run("sxkey identity show Bob").status == 10)
        #expect(person() == [:])
        #expect(run("sxkey identity import bob.sophaxid -p pw").status == 0)
        #expect(person() == before)
        let verified = phone.shell("sxkey bundle verify bob.sophaxid -p pw --json")
        #expect(verified.status == 0)
        #expect(run("sxkey keyring verify").status == 0)
    }

    @Test("the store is read with the key that the keyring has, and says so")
    func storeKey() throws {
        make()
        let store = "sxkey store info FIXTURES/march/appsupport"
        #expect(run("sxkey store show FIXTURES/march/appsupport").errorText.contains("holds no identity"))
        #expect(run("sxkey identity import FIXTURES/export/bob.sxfe -p pw").status == 0)
        let without = run(store)
        #expect(without.status == 10 && without.errorText.contains("has no storage.master"))
        #expect(run("sxkey identity import FIXTURES/march/keychain-bob.json").status == 0)
        let with = run(store)
        #expect(with.status == 0, "\(with.errorText)")
        #expect(with.outputText.contains("Key         storage.master from keyring identity \"Bob\"; it opens 3 of 3"))
        // An identity without the key, chosen by name.
        #expect(run("sxkey identity import FIXTURES/march/keychain-alice.json").status == 0)
        #expect(run(store + " --identity Alice").status == 10)
        #expect(run(store + " --identity Nobody").errorText.contains("there is no identity \"Nobody\""))
        // A key file and an identity at once mean nothing.
        try phone.write([UInt8](repeating: 1, count: 32), to: "other.key")
        #expect(run(store + " --key-file other.key --identity Bob").status == 2)
        #expect(run(store + " --key-file other.key").status == 5)
    }

    @Test("the name of a contact is shown for the peer id of its keys")
    func names() {
        make()
        #expect(run("sxkey identity import FIXTURES/march/keychain-bob.json").status == 0)
        let added = run("sxkey contact add FIXTURES/march/prekey-bundle-alice.json --name \"Alice B.\"")
        #expect(added.status == 0, "\(added.errorText)")
        let shown = run("sxkey store info FIXTURES/march/appsupport")
        #expect(shown.outputText.contains("Alice B. (08c4cab788bd5f92)"), "\(shown.outputText)")
    }

    @Test("without a keyring the error is that of a missing key file, and listing names needs none")
    func noKeyring() {
        let environment = ["HOME": phone.sample, "XDG_DATA_HOME": nil, "SXKEY_KEYRING": nil] as [String: String?]
        let show = phone.shell("sxkey store show phone", environment: environment)
        #expect(show.status == 2 && show.errorText.hasPrefix("sxkey: error: --key-file FILE is missing\n"))
        let info = phone.shell("sxkey store info phone", environment: environment)
        #expect(info.status == 0 && info.outputText.contains("names and sizes only"))
    }

    @Test("the folder and the file are for their owner only, whatever the umask; wider ones are told")
    func modes() {
        let environment = ["HOME": phone.sample, "XDG_DATA_HOME": nil, "SXKEY_KEYRING": nil] as [String: String?]
        let made = phone.shell("umask 000; sxkey keyring init --new-keyring-key-file k", environment: environment)
        #expect(made.status == 0 && made.errorText == "")
        let entries = phone.listing.entries
        #expect(entries[".local/share/sxkey"]?.hasPrefix("folder 700") == true)
        #expect(entries[".local/share/sxkey/keyring.sxdb"]?.hasPrefix("file 600") == true)
        let list = "sxkey identity list --keyring-key-file k"
        #expect(phone.shell(list, environment: environment).errorText == "")
        let wide = phone.shell("chmod 644 .local/share/sxkey/keyring.sxdb; \(list)", environment: environment)
        #expect(wide.status == 0)
        #expect(wide.errorText.contains("is open to others: mode 0644, should be 0600"))
        #expect(phone.shell("sxkey keyring info", environment: environment).status == 8)
        // Once more: never overwritten.
        let again = phone.shell("sxkey keyring init --new-keyring-key-file k", environment: environment)
        #expect(again.status == 9)
    }

    @Test("every file that rekey and passwd leave opens with the new secret only")
    func secrets() throws {
        make()
        try phone.write([UInt8](repeating: 9, count: 32), to: "new.key")
        #expect(run("sxkey identity import FIXTURES/march/keychain-bob.json").status == 0)
        let before = person()
        #expect(run("sxkey keyring backup --out copy.sxdb").status == 0)
        let rekeyed = run("sxkey keyring rekey")
        #expect(rekeyed.status == 0 && rekeyed.outputText.contains("28 private items, each read back"))
        #expect(person() == before)
        let passwd = run("sxkey keyring passwd --new-keyring-key-file new.key")
        #expect(passwd.status == 0 && passwd.outputText.contains("re-encrypted: nothing"))
        #expect(run("sxkey identity list").status == 5)
        let copy = run("sxkey identity list --keyring copy.sxdb")
        #expect(copy.status == 0 && copy.outputText.contains("64b66560c6772ad6"))
        let new = phone.shell(
            "sxkey keyring verify --keyring-key-file new.key", environment: ["SXKEY_KEYRING": "own.sxdb"])
        #expect(new.status == 0)
        #expect(!phone.listing.entries.keys.contains { $0.hasSuffix("-journal") || $0.contains(".rekey-") })
    }

    @Test(
        "a new passphrase is asked for twice, and two that differ make nothing",
        .enabled(if: TerminalSession.isThere, "needs a terminal"))
    func askedTwice() throws {
        func make(_ second: String) -> ChildProcess {
            TerminalSession.run(
                [
                    SamplePhone.sxkey, "keyring", "init", "--keyring", "typed.sxdb", "--argon2-memory", "19",
                    "--argon2-passes", "1",
                ], in: phone.sample,
                "wait_for(b': '); type_in(b'correct horse\\n'); wait_for(b'Again'); type_in(b'\(second)\\n'); end()")
        }
        let differ = make("correct house")
        #expect(differ.outputText.contains("the two entries for the new passphrase for keyring \"typed.sxdb\" differ"))
        #expect(differ.outputText.contains("status 2 echo True"))
        #expect(fileBytes(phone.file("typed.sxdb")) == nil)
        let made = make("correct horse")
        #expect(made.outputText.contains("New passphrase for keyring \"typed.sxdb\": "))
        #expect(made.outputText.contains("status 0 echo True"), "\(made.outputText)")
        #expect(!made.outputText.contains("horse"))
    }
}
