import CommandKit
import Foundation
import SampleData
import TestSupport
import Testing

/// The table of exit statuses, with the exact words, as scripts and people meet them.
@Suite("exit statuses and messages")
struct ExitStatusTests {
    private let phone: SamplePhone

    init() throws {
        phone = try SamplePhone()
    }

    /// Runs a command line twice, for people and with `--json`, and compares status, message and code.
    private func expect(
        _ line: String, _ status: Int32, _ message: String, code: String? = nil, hint: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let before = phone.listing
        let run = phone.shell(line)
        #expect(run.status == status, "\(line): \(run.errorText)", sourceLocation: sourceLocation)
        let lines = run.errorText.split(separator: "\n").map(String.init)
        #expect(lines.first == "sxkey: error: " + message, "\(line)", sourceLocation: sourceLocation)
        #expect(
            lines.dropFirst().allSatisfy { $0.hasPrefix("sxkey: hint: ") }, "\(line)", sourceLocation: sourceLocation)
        if let hint {
            #expect(lines.contains("sxkey: hint: " + hint), "\(run.errorText)", sourceLocation: sourceLocation)
        }
        #expect(run.output.isEmpty, "\(line)", sourceLocation: sourceLocation)
        let asJSON = phone.shell(line.replacingOccurrences(of: "sxkey ", with: "sxkey --json "))
        #expect(asJSON.status == status, "\(line)", sourceLocation: sourceLocation)
        #expect(asJSON.output.isEmpty, "\(line)", sourceLocation: sourceLocation)
        #expect(asJSON.errorText.filter { $0 == "\n" }.count == 1, "one document", sourceLocation: sourceLocation)
        let error = json(asJSON.errorOutput)?["error"] as? [String: Any]
        #expect(error?["message"] as? String == message, "\(line)", sourceLocation: sourceLocation)
        #expect(error?["exit"] as? Int == Int(status), "\(line)", sourceLocation: sourceLocation)
        if let code { #expect(error?["code"] as? String == code, "\(line)", sourceLocation: sourceLocation) }
        #expect(phone.listing == before, "\(line)", sourceLocation: sourceLocation)
    }

    @Test("2: a command line that cannot be run")
    func usage() {
        expect("sxkey ", 2, "no command given", code: "usage", hint: "\"sxkey --help\" shows how it is used")
        expect("sxkey stoer info", 2, "unknown command \"stoer\"", hint: "did you mean \"store\"?")
        expect("sxkey store", 2, "\"store\" needs a verb")
        expect("sxkey store shwo", 2, "\"store\" has no verb \"shwo\"", hint: "did you mean \"show\"?")
        expect("sxkey store info", 2, "DIR is missing")
        expect("sxkey store show phone", 2, "--key-file FILE is missing")
        expect("sxkey store info phone extra", 2, "one operand too many: \"extra\"")
        expect("sxkey store info phone --jbos 3", 2, "unknown option \"--jbos\"", hint: "did you mean \"--jobs\"?")
        expect("sxkey store info phone --jobs 0", 2, "--jobs cannot be \"0\"", hint: "a whole number from 1 to 256")
        expect("sxkey store export phone -k storage.key", 2, "--out PATH is missing")
        expect("sxkey store export phone -k storage.key -o x --format pdf", 2, "--format cannot be \"pdf\"")
        expect("sxkey store show phone -k storage.key --since 2026-02-30", 2, "--since cannot be \"2026-02-30\"")
        expect("sxkey store show phone -k storage.key --since 2027 --until 2026", 2, "--since is later than --until")
        expect(
            "sxkey store attachment phone -k storage.key -o x", 2, "either the ID of one attachment or --all is needed")
        expect("sxkey completions tcsh", 2, "SHELL cannot be \"tcsh\"")
        expect(
            "sxkey bundle verify sample.sxfe", 2, "no terminal to ask for the passphrase for \"sample.sxfe\"",
            code: "no-terminal")
        expect("sxkey bundle verify sample.sxfe --passphrase-fd 64999", 2, "descriptor 64999 is not open for reading")
        expect(
            "sxkey bundle verify sample.sxfe -p /dev/null", 2, "\"/dev/null\" holds no passphrase for \"sample.sxfe\"")
    }

    @Test("3: some is damaged, the rest is shown")
    func someDamaged() throws {
        var bytes = try #require(fileBytes(phone.file("phone/sophax_messages/notetoself.enc")))
        bytes[30] ^= 1
        try phone.write(bytes, to: "phone/sophax_messages/notetoself.enc")
        for arguments in ["info", "verify", "show", "export -o out.jsonl", "export -o -"] {
            let run = phone.shell("sxkey store \(arguments) phone -k storage.key")
            #expect(run.status == 3, "\(arguments)")
            #expect(!run.output.isEmpty, "\(arguments)")
        }
        let run = phone.run("store", "show", "phone", "-k", "storage.key", "--json")
        #expect(run.status == 3)
        let error = json(run.errorOutput)?["error"] as? [String: Any]
        #expect(error?["code"] as? String == "some-damaged")
        #expect(error?["message"] as? String == "1 file or message could not be read")
        #expect(phone.text("out.jsonl").split(separator: "\n").count > 10)
    }

    @Test("4: cut off, damaged, or not a known format")
    func unreadable() throws {
        let whole = try #require(fileBytes(phone.file("sample.sxfe")))
        try phone.write(Array(whole.prefix(40)), to: "cut.sxfe")
        try phone.write("", to: "empty.sxfe")
        try phone.write(
            [UInt8]("SXFE\u{1}".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 99), to: "slow.sxfe")
        expect(
            "sxkey bundle info cut.sxfe", 4,
            "cannot open \"cut.sxfe\": it is cut off: 40 bytes, where a full export has at least 70", code: "truncated")
        expect("sxkey bundle verify empty.sxfe", 4, "cannot open \"empty.sxfe\": it is empty", code: "empty")
        expect("sxkey bundle show storage.key", 4, "cannot open \"storage.key\": it is not a known export")
        expect(
            "sxkey bundle verify slow.sxfe", 4,
            "cannot open \"slow.sxfe\": its header asks for 4,294,967,295 key derivation iterations; sxkey does at most 10,000,000"
        )
        expect("sxkey bundle info phone", 4, "cannot read \"phone\": it is a folder")
        expect("sxkey store info storage.key", 4, "cannot list \"storage.key\": it is not a folder")
        expect("sxkey store verify . -k storage.key", 4, "\".\" is no message store", code: "not-a-store")
        expect(
            "sxkey bundle info sample.sxfe --kind backup", 4,
            "cannot open \"sample.sxfe\": it is no message backup: it is a full export")
    }

    @Test("5: wrong passphrase or key")
    func wrongSecret() throws {
        try phone.write("wrong horse battery staple", to: "wrong.txt")
        try phone.write([UInt8](repeating: 7, count: 32), to: "wrong.key")
        for line in [
            "verify sample.sxfe", "show sample.sxfe", "export sample.sxfe -o new",
            "export sample.sxfe -o storage.key --force",
        ] {
            expect(
                "sxkey bundle \(line) -p wrong.txt", 5,
                "cannot open \"sample.sxfe\": wrong passphrase, or the file is damaged", code: "not-authentic")
        }
        for line in [
            "info phone", "verify phone", "show phone", "export phone -o new", "attachment phone --all -o new",
        ] {
            expect(
                "sxkey store \(line) -k wrong.key", 5, "cannot open \"phone\": this key opens not one of its files",
                code: "wrong-key")
        }
        expect(
            "sxkey store info phone -k passphrase.txt", 5,
            "cannot take the key from \"passphrase.txt\": it has 29 bytes, as none of the forms has",
            code: "bad-key-file")
    }

    @Test("6: made by a newer version")
    func newer() throws {
        var bytes = try #require(fileBytes(phone.file("sample.sxfe")))
        bytes[4] = 2
        try phone.write(bytes, to: "newer.sxfe")
        for verb in ["info", "verify", "show"] {
            expect(
                "sxkey bundle \(verb) newer.sxfe", 6,
                "cannot open \"newer.sxfe\": it is a full export of version 2, and this sxkey knows versions up to 1",
                code: "newer-version", hint: "a newer sxkey may open it; nothing was changed")
        }
    }

    @Test("8: all authentic, but a finding")
    func finding() {
        let run = phone.run("store", "verify", "phone", "-k", "storage.key")
        #expect(run.status == 8)
        #expect(run.outputText.hasSuffix("Verdict: all is authentic, but not all is safe (exit 8)\n"))
        let asJSON = phone.run("store", "verify", "phone", "-k", "storage.key", "--json", "--quiet")
        #expect(asJSON.status == 8)
        #expect(json(asJSON.output)?["verdict"] as? String == "finding")
        #expect(json(asJSON.output)?["exit"] as? Int == 8)
    }

    @Test("9: would overwrite")
    func wouldOverwrite() throws {
        try phone.write("old", to: "old.jsonl")
        for line in ["bundle export sample.sxfe -p passphrase.txt", "store export phone -k storage.key"] {
            expect(
                "sxkey \(line) -o old.jsonl", 9, "cannot create \"old.jsonl\": it exists already",
                code: "would-overwrite", hint: "--force overwrites it")
        }
        expect(
            "sxkey store attachment phone --all -k storage.key -o phone", 9,
            "cannot create \"phone\": it exists already")
    }

    @Test("10: not found")
    func notFound() {
        expect("sxkey bundle info nothing", 10, "cannot open \"nothing\": no such file or folder", code: "not-found")
        expect("sxkey store info nothing", 10, "cannot list \"nothing\": no such file or folder")
        expect("sxkey store info phone -k nothing", 10, "cannot open \"nothing\": no such file or folder")
        expect("sxkey store show phone nobody -k storage.key", 10, "there is no conversation \"nobody\"")
        expect("sxkey bundle show sample.sxfe nobody -p passphrase.txt", 10, "there is no conversation \"nobody\"")
        expect("sxkey store attachment phone ABC -k storage.key -o x", 10, "there is no attachment \"ABC\"")
        expect("sxkey store export phone -k storage.key -o no/x", 10, "cannot open \"no\": no such file or folder")
    }
}
