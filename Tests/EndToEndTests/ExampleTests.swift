import CommandKit
import SXKeyCommands
import TestSupport
import Testing

/// What help shows as examples works, on the files that `sxkey-sample` makes.
@Suite("examples of help")
struct ExampleTests {
    private static let examples: [(command: CommandSpecification, example: Example)] =
        Program.specification.commands.flatMap { command in command.examples.map { (command, $0) } }

    /// The sample has conversations that newer apps cannot read.
    private static func expected(_ command: CommandSpecification) -> CommandKit.ExitStatus {
        command.words == "store verify" ? .finding : .success
    }

    /// Which passphrase is asked for, nil when the line gives all that is needed.
    private static func asked(_ command: CommandSpecification, _ example: Example) -> String? {
        // Its examples give the archive's key file, and one option for each source.
        if command.noun == "archive" { return nil }
        // Its files are no secret of the keyring's.
        if command.words == "related unwrap", example.line.contains("--related-key") { return nil }
        if command.words == "related show", example.line.contains("btmessage.json") { return nil }
        func has(_ option: String) -> Bool { command.options.contains { $0.name == option } }
        func given(_ options: String...) -> Bool { options.contains { example.line.contains($0) } }
        // A contact comes from many kinds of files, of which only exports are encrypted.
        // Words of shares have a passphrase only where they were made with one.
        let isEncrypted =
            (command.noun != "contact" || given(".sxfe", ".sophaxbackup")) && command.words != "identity combine"
        if has("passphrase-file"), isEncrypted, !given("-p ", " --passphrase", " --yes-destroy") {
            return "passphrase for \""
        }
        // A bundle opens with its own passphrase, unless it was made for keys.
        if has("keyring-passphrase-file"), !has("key-file"), command.noun != "bundle",
            !given("--keyring-passphrase", "--keyring-key-file", "--keychain ")
        {
            return "passphrase for keyring \""
        }
        return nil
    }

    /// Files that a command changes or makes without an `--out`.
    private static func mayChange(_ name: String, _ command: CommandSpecification) -> Bool {
        switch command.noun {
        case "keyring", "identity", "prekey", "contact", "safety", "group", "related":
            name == SampleKeyring.fileName || name.hasPrefix("new.sxdb")
        case "archive": name == SampleArchive.fileName || name.hasPrefix("new.sxdb")
        case "bundle":
            (command.words == "bundle create" || command.words == "bundle restore") && name == SampleKeyring.fileName
        // The folder of the store, and the one as it was beside it.
        case "store": command.options.contains { $0.name == "no-keep" } && name.hasPrefix("phone")
        default: false
        }
    }

    @Test("every command has an example, and the statuses that it lists")
    func everyCommand() {
        for command in Program.specification.commands {
            #expect(!command.examples.isEmpty, "\(command.words)")
            #expect(command.exitStatuses.contains { $0.status == Self.expected(command) }, "\(command.words)")
        }
    }

    @Test("every example does what it says", arguments: examples.indices)
    func runs(index: Int) throws {
        let (command, example) = Self.examples[index]
        let phone = try SamplePhone(SamplePhone.realSample)
        try phone.addKeyring()
        if command.noun == "archive" { try phone.addArchive() }
        let environment: [String: String?] = [
            "SXKEY_KEYRING": SampleKeyring.fileName, "SXKEY_ARCHIVE": SampleArchive.fileName,
        ]
        let before = phone.listing
        if let asked = Self.asked(command, example) {
            try #require(TerminalSession.isThere)
            let alone = phone.shell(example.line + " </dev/null", environment: environment, seconds: 20)
            #expect(alone.status == CommandKit.ExitStatus.usage.rawValue)
            #expect(alone.errorText.hasPrefix("sxkey: error: no terminal to ask for the \(asked)"))
            #expect(phone.listing == before)
            let run = TerminalSession.run(
                ["env", "SXKEY_KEYRING=\(SampleKeyring.fileName)", SamplePhone.sxkey] + example.arguments,
                in: phone.sample, "wait_for(b': '); type_in(b'correct horse battery staple\\n'); end()")
            #expect(run.outputText.hasSuffix("status 0 echo True\n"), "\(example.line): \(run.outputText)")
            #expect(run.outputText.contains("Passphrase for "), "\(example.line)")
            #expect(!run.outputText.contains("staple"), "\(example.line)")
            return
        }
        let run = phone.shell(example.line, environment: environment)
        #expect(run.status == Self.expected(command).rawValue, "\(example.line): \(run.errorText)")
        #expect(!run.output.isEmpty, "\(example.line)")
        #expect(run.errorText == "", "\(example.line)")
        // Messages are lines of JSON.
        if example.line.contains("--json"), command.words != "bundle show", command.noun != "wire",
            command.words != "group open"
        {
            #expect(json(run.output) != nil, "\(example.line)")
        }
        // Nothing changed but what --out names, and that is for its owner.
        let after = phone.listing
        for (name, entry) in before.entries where !Self.mayChange(name, command) {
            #expect(after.entries[name] == entry, "\(example.line): \(name)")
        }
        let new = after.entries.filter { before.entries[$0.key] == nil && !Self.mayChange($0.key, command) }
        // In the sample there is nothing to salvage.
        let makesFiles =
            ["--out", "--key-out"].contains(where: example.line.contains) && command.words != "store salvage"
        #expect(new.isEmpty != makesFiles, "\(example.line): \(new.keys)")
        for (name, entry) in new {
            #expect(entry.hasPrefix("file 600 ") || entry.hasPrefix("folder 700"), "\(name) \(entry)")
        }
    }
}
