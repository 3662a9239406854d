import CryptoPrimitives
import Keyring
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("identity export and remove")
struct IdentityExportTests {
    private let specimen: KeyringSpecimen

    init() throws {
        specimen = try KeyringSpecimen()
        try specimen.addAlice()
    }

    private func export(_ words: String...) -> CommandRun {
        let all = ["identity", "export"] + words
        let arguments = all.map { $0.hasPrefix("@") ? specimen.folder.file(String($0.dropFirst())) : $0 }
        return CommandRun.run(
            arguments + ["--keyring", specimen.path, "--keyring-key-file", specimen.folder.file("key")])
    }

    @Test(
        "writes what the app reads, says so after reading it back, and keeps that",
        arguments: ["sophaxid-v2", "sophaxid-v1"])
    func sophaxid(format: String) throws {
        let run = export("--format", format, "--out", "@out", "--new-passphrase-file", "@pw")
        #expect(run.status == .success, "\(run.errors)")
        #expect(run.output.contains("and read it back: it holds this identity"))
        let bytes = fileBytes(specimen.folder.file("out")) ?? []
        #expect(bytes.starts(with: Array("SXID".utf8) + [format == "sophaxid-v2" ? 2 : 1]))
        let passphrase = Array(BundleSpecimen.passphrase.utf8)
        let bundle = try BundleOpener.open(
            BundleFile(bytes: bytes, limits: CommandRun.quick), passphrase: SecretBytes(copying: passphrase.span),
            limits: CommandRun.quick)
        let content = try BundleContent.read(bundle, now: CommandRun.now)
        #expect(content.identity?.publicKeys?.fingerprint.hex == KeyringSpecimen.alice)
        #expect(content.identity?.username == "alice")
        let keyring = try specimen.open()
        let identity = try #require(try keyring.currentIdentity())
        let record = try #require(try keyring.exports(of: identity).first)
        #expect(record.kind == format && record.readBackAt == CommandRun.now)
        #expect(record.sha256 == SHA256.hash(bytes.span))
    }

    @Test("the passphrase is trimmed as the app does it, and counted in characters")
    func passphrase() throws {
        for (text, characters) in [
            ("  fifteen letters ", 15), ("e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", 8),
        ] {
            specimen.folder.write(text, to: "short")
            let run = export("--out", "@out", "--new-passphrase-file", "@short")
            #expect(run.status == .usage)
            #expect(run.errors.contains("this one has \(characters)"), "\(run.errors)")
            #expect(fileBytes(specimen.folder.file("out")) == nil)
        }
        specimen.folder.write(" \(BundleSpecimen.passphrase)\u{3000}", to: "spaces")
        let run = export("--out", "@out", "--new-passphrase-file", "@spaces")
        #expect(run.status == .success && run.output.contains("spaces at the ends of the passphrase were taken off"))
        #expect(specimen.run("identity", "import", "@out", "-p", "@pw").status == .success)
    }

    @Test("nothing is overwritten, nothing unencrypted is written by accident, and nothing stays after a failure")
    func refusals() throws {
        specimen.folder.write("precious", to: "there")
        #expect(export("--out", "@there", "--new-passphrase-file", "@pw").status == .wouldOverwrite)
        #expect(export("--out", "@keyring.sxdb", "--force", "--new-passphrase-file", "@pw").status == .failure)
        #expect(export("--out", "@out", "--format", "keychain-json").status == .usage)
        #expect(export("--out", "-", "--new-passphrase-file", "@pw").status == .usage)
        #expect(specimen.run("identity", "show", "--reveal", "--json").status == .usage)
        #expect(fileBytes(specimen.folder.file("there")) == Array("precious".utf8))
        #expect(specimen.folder.names.sorted() == ["alice.sophaxid", "key", "keyring.sxdb", "pw", "there"])
    }

    @Test("private keys are shown with --reveal only")
    func reveal() throws {
        let seed = (0..<32).map { String($0 / 16, radix: 16) + String($0 % 16, radix: 16) }.joined()
        let hidden = specimen.run("identity", "show")
        #expect(hidden.status == .success && !hidden.output.contains(seed))
        let shown = specimen.run("identity", "show", "--reveal")
        #expect(shown.status == .success && shown.output.contains(seed))
    }

    @Test("is refused until this very identity was exported, read back, and the file is still so")
    func removal() throws {
        let before = specimen.bytes
        let never = specimen.run("identity", "remove", "alice")
        #expect(never.status == .failure && never.errors.contains("was never exported"))
        #expect(specimen.bytes == before)
        #expect(export("--out", "@out", "--new-passphrase-file", "@pw").status == .success)
        let exported = specimen.bytes
        var bytes = fileBytes(specimen.folder.file("out")) ?? []
        bytes[60] ^= 1
        specimen.folder.write(bytes, to: "out")
        let changed = specimen.run("identity", "remove", "alice")
        #expect(changed.status == .failure && changed.errors.contains("as it was written"))
        bytes[60] ^= 1
        specimen.folder.write(bytes, to: "moved")
        #expect(
            specimen.run("identity", "remove", "alice", "--export", "@alice.sophaxid").errors.contains(
                "is not as"))
        #expect(specimen.bytes == exported)
        let plan = specimen.run("identity", "remove", "alice", "--export", "@moved", "--dry-run")
        #expect(plan.status == .success && specimen.bytes == exported)
        #expect(specimen.run("identity", "remove", "alice", "--export", "@moved").status == .success)
        #expect(try specimen.open().identities().isEmpty)
        #expect(specimen.run("identity", "import", "@moved", "-p", "@pw").status == .success)
        #expect(try specimen.open().currentIdentity()?.fingerprint.hex == KeyringSpecimen.alice)
    }

    @Test("is refused when the export lacks items, and names them; an export of everything brings everything back")
    func lackingItems() throws {
        let made = specimen.run("identity", "new", "Zo\u{eb}", "--use")
        #expect(made.status == .success, "\(made.errors)")
        #expect(export("--out", "@out", "--new-passphrase-file", "@pw").output.contains("Not in it"))
        let refused = specimen.run("identity", "remove", "Zo\u{eb}")
        #expect(refused.status == .failure && refused.errors.contains("storage.master"))
        #expect(export("--out", "@all.json", "--format", "keychain-json", "--reveal").status == .success)
        let (before, items) = try everything("Zo\u{eb}")
        #expect(items.count > 20)
        #expect(specimen.run("identity", "remove", "Zo\u{eb}").status == .success)
        #expect(specimen.run("identity", "import", "@all.json").status == .success)
        let (after, back) = try everything("Zo\u{eb}")
        #expect(before == after)
        #expect(items == back)
    }

    @Test("an item that was changed after the export is not in it, whatever the clock said")
    func changedItem() throws {
        #expect(specimen.run("identity", "new", "Zo\u{eb}", "--use").status == .success)
        #expect(export("--out", "@all.json", "--format", "keychain-json", "--reveal").status == .success)
        do {
            let keyring = try specimen.open(.readWrite)
            let identity = try #require(try keyring.identities(named: Array("Zo\u{eb}".utf8)).first)
            let account = try #require(ItemAccount(bytes: Array("storage.master".utf8)))
            try keyring.setItem(account, of: identity, to: SecretBytes(randomCount: 32), at: 1)
        }
        let refused = specimen.run("identity", "remove", "Zo\u{eb}")
        #expect(refused.status == .failure && refused.errors.contains("holds: storage.master\n"))
        #expect(try specimen.open().identities().count == 2)
    }

    /// Fingerprint and all items of an identity in clear.
    private func everything(_ name: String) throws -> (String, [String: [UInt8]]) {
        let keyring = try specimen.open()
        let identity = try #require(try keyring.identities(named: Array(name.utf8)).first)
        var items: [String: [UInt8]] = [:]
        for listing in try keyring.items(of: identity) {
            guard let value = try keyring.item(listing.account, of: identity) else { continue }
            items[listing.account.text] = value.withSpan { span in span.indices.map { span[$0] } }
        }
        return (identity.fingerprint.hex, items)
    }

    @Test("a typed fingerprint destroys, and only the right one")
    func destroying() throws {
        let before = specimen.bytes
        for typed in ["3619e750a2dd52ba", "yes", String(KeyringSpecimen.alice.reversed())] {
            #expect(specimen.run("identity", "remove", "alice", "--yes-destroy", typed).status == .usage)
        }
        #expect(specimen.bytes == before)
        #expect(specimen.run("identity", "remove", "alice", "--yes-destroy", KeyringSpecimen.alice).status == .success)
        #expect(try specimen.open().identities().isEmpty)
    }

    @Test("a signature is good by an own identity, bad for another file, and no proof by a stranger")
    func signatures() throws {
        specimen.folder.write("hello\n", to: "letter")
        #expect(specimen.run("identity", "sign", "@letter").status == .success)
        #expect(specimen.run("identity", "sign", "@letter").status == .wouldOverwrite)
        let good = specimen.run("identity", "verify", "@letter")
        #expect(good.status == .success && good.output.contains("your own identity alice"))
        #expect(specimen.run("identity", "verify", "@letter", "--signer", KeyringSpecimen.alice).status == .success)
        let stranger = try KeyringSpecimen()
        for name in ["letter", "letter.sxsig"] {
            stranger.folder.write(fileBytes(specimen.folder.file(name)) ?? [], to: name)
        }
        let unknown = stranger.run("identity", "verify", "@letter", "--json")
        #expect(unknown.status == .finding)
        #expect(
            unknown.output.contains(#""good":false,"fits":true"#) && unknown.output.contains(#""signer":"unknown""#))
        #expect(
            stranger.run("identity", "verify", "@letter", "--signer", String(repeating: "0", count: 64)).status
                == .finding)
        specimen.folder.write("hello!\n", to: "letter")
        let changed = specimen.run("identity", "verify", "@letter")
        #expect(changed.status == .finding && changed.output.contains("BAD"))
        specimen.folder.write("hello", to: "letter.sxsig")
        #expect(specimen.run("identity", "verify", "@letter").status == .unreadable)
    }
}
