import CryptoPrimitives
import Keyring
import SQLiteDatabase
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("keyring commands")
struct KeyringCommandTests {
    private let specimen: KeyringSpecimen

    init() throws {
        specimen = try KeyringSpecimen()
    }

    @Test("a newer schema is refused with its own status, and not a byte is touched")
    func newerSchema() throws {
        try specimen.addAlice()
        try specimen.open(.readWrite).database.execute("PRAGMA user_version = 2")
        let before = specimen.bytes
        for words in [["identity", "list"], ["identity", "new", "Zo\u{eb}"], ["identity", "use", "alice"]] {
            let run = CommandRun.run(
                words + ["--keyring", specimen.path, "--keyring-key-file", specimen.folder.file("key")])
            #expect(run.status == .newerVersion)
            #expect(run.errors.contains("a newer sxkey made it (schema 2, this one knows 1)"))
        }
        #expect(specimen.bytes == before)
    }

    @Test("a wrong secret, a missing keyring and another file are told apart")
    func errors() throws {
        specimen.folder.write([UInt8](repeating: 1, count: 32), to: "other")
        specimen.folder.write("no keyring at all", to: "text")
        specimen.folder.write([UInt8](repeating: 1, count: 31), to: "shortkey")
        func run(_ keyring: String, _ key: String) -> CommandRun {
            CommandRun.run([
                "identity", "list", "--keyring", specimen.folder.file(keyring), "--keyring-key-file",
                specimen.folder.file(key),
            ])
        }
        #expect(run("keyring.sxdb", "other").status == .wrongSecret)
        #expect(run("keyring.sxdb", "shortkey").status == .wrongSecret)
        #expect(run("nothing", "key").status == .notFound)
        #expect(run("text", "key").status == .unreadable)
        #expect(run("keyring.sxdb", "nothing").status == .notFound)
        #expect(run("keyring.sxdb", "key").status == .success)
    }

    @Test("a new passphrase must have eight characters, and is never trimmed")
    func newPassphrase() throws {
        for (text, status) in [("seven77", CommandStatus.usage), ("       ", .usage), ("eight888", .success)] {
            specimen.folder.write(text, to: "new")
            let run = CommandRun.run([
                "keyring", "init", "--keyring", specimen.folder.file("made"), "--new-keyring-passphrase-file",
                specimen.folder.file("new"), "--argon2-memory", "19", "--argon2-passes", "1",
            ])
            #expect(run.status == status, "\(text): \(run.errors)")
        }
        specimen.folder.write(" eight888", to: "new")
        let spaced = CommandRun.run([
            "identity", "list", "--keyring", specimen.folder.file("made"), "--keyring-passphrase-file",
            specimen.folder.file("new"),
        ])
        #expect(spaced.status == .wrongSecret)
    }

    @Test("slots come and go, the last one stays, and each change says that nothing was re-encrypted")
    func slots() throws {
        specimen.folder.write([UInt8](repeating: 1, count: 32), to: "other")
        #expect(specimen.run("keyring", "slot", "remove", "0").status == .usage)
        let added = specimen.run("keyring", "slot", "add", "--new-keyring-key-file", "@other", "--json")
        #expect(added.status == .success && added.output.contains(#""done":"added","slot":1"#))
        #expect(added.output.contains(#""reencrypted":false"#))
        let missing = specimen.run("keyring", "rekey")
        #expect(missing.status == .usage && missing.errors.contains("slot 1"))
        #expect(specimen.run("keyring", "slot", "remove", "5").status == .notFound)
        let dropped = specimen.run("keyring", "rekey", "--drop-slot", "1")
        #expect(dropped.status == .success && dropped.output.contains("Dropped       slot 1"))
        #expect(specimen.run("keyring", "verify").status == .success)
    }

    @Test("a private item that was changed in the file is named, and the rest is counted")
    func damagedItem() throws {
        try specimen.addAlice()
        try specimen.open(.readWrite).database.execute(
            "UPDATE item SET value = zeroblob(60) WHERE account = 'identity.dh'")
        let run = specimen.run("keyring", "verify")
        #expect(run.status == .someDamaged)
        #expect(run.output.contains("the item identity.dh of 3619e750a2dd52ba does not open"))
        #expect(run.output.contains("2 private items"))
    }
}
