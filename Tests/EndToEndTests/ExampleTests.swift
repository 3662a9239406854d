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

    private static func asks(_ command: CommandSpecification, _ example: Example) -> Bool {
        command.options.contains { $0.name == "passphrase-file" }
            && !["-p ", "--passphrase"].contains { example.line.contains($0) }
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
        let before = phone.listing
        if Self.asks(command, example) {
            try #require(TerminalSession.isThere)
            let run = TerminalSession.run(
                [SamplePhone.sxkey] + example.arguments, in: phone.sample,
                "wait_for(b': '); type_in(b'correct horse battery staple\\n'); end()")
            #expect(run.outputText.hasSuffix("status 0 echo True\n"), "\(example.line): \(run.outputText)")
            #expect(run.outputText.contains("Verdict: "), "\(example.line)")
            #expect(!run.outputText.contains("staple"), "\(example.line)")
            let alone = phone.shell(example.line + " </dev/null", seconds: 20)
            #expect(alone.status == CommandKit.ExitStatus.usage.rawValue)
            #expect(alone.errorText.hasPrefix("sxkey: error: no terminal to ask for the passphrase for \""))
            #expect(phone.listing == before)
            return
        }
        let run = phone.shell(example.line)
        #expect(run.status == Self.expected(command).rawValue, "\(example.line): \(run.errorText)")
        #expect(!run.output.isEmpty, "\(example.line)")
        #expect(run.errorText == "", "\(example.line)")
        if example.line.contains("--json"), command.words != "bundle show" {
            #expect(json(run.output) != nil, "\(example.line)")
        }
        // Nothing changed but what --out names, and that is for its owner.
        let after = phone.listing
        for (name, entry) in before.entries { #expect(after.entries[name] == entry, "\(example.line): \(name)") }
        let new = after.entries.filter { before.entries[$0.key] == nil }
        #expect(new.isEmpty != example.line.contains("--out"), "\(example.line): \(new.keys)")
        for (name, entry) in new {
            #expect(entry.hasPrefix("file 600 ") || entry.hasPrefix("folder 700"), "\(name) \(entry)")
        }
    }
}
