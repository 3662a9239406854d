import Archive
import CryptoPrimitives
import SQLiteDatabase
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

/// An archive in a temporary folder that opens with a key file, and commands on it.
struct ArchiveSpecimen {
    let folder = TemporaryFolder()
    var path: String { folder.file("archive.sxdb") }
    var key: UnlockSecret { get throws { try .key(SecretBytes(copying: Self.keyBytes.span)) } }
    private static let keyBytes = [UInt8](repeating: 0x2a, count: 32)

    init() throws {
        folder.write(Self.keyBytes, to: "key")
        folder.write(BundleSpecimen.passphrase, to: "pw")
        _ = try Archive.make(at: FilePath(path), slots: [NewSlot(try key)])
    }

    /// Runs a command with this archive; `@name` is a file of the folder.
    func run(_ words: String...) -> CommandRun {
        let arguments = words.map { $0.hasPrefix("@") ? folder.file(String($0.dropFirst())) : $0 }
        return CommandRun.run(
            ["archive"] + arguments + ["--archive", path, "--archive-key-file", folder.file("key")])
    }
}

@Suite("archive commands")
struct ArchiveCommandTests {
    private let specimen: ArchiveSpecimen
    private let store: MadeStore

    init() throws {
        specimen = try ArchiveSpecimen()
        store = MadeStore()
        try store.conversation(
            MadeStore.bob, [MadeStore.message("A", peer: MadeStore.bob), MadeStore.message("B", peer: MadeStore.bob)])
    }

    @Test("slots come and go as those of a keyring, and a new master key keeps what is inside")
    func slots() throws {
        #expect(specimen.run("import", store.path, "--key-file", store.keyFile).status == .success)
        specimen.folder.write([UInt8](repeating: 1, count: 32), to: "other")
        #expect(specimen.run("slot", "remove", "0").status == .usage)
        let added = specimen.run("slot", "add", "--new-archive-key-file", "@other", "--json")
        #expect(added.status == .success && added.output.contains(#""done":"added","slot":1"#))
        #expect(specimen.run("rekey").errors.contains("slot 1"))
        let rekeyed = specimen.run("rekey", "--slot-key-file", "1=" + specimen.folder.file("other"), "--json")
        #expect(rekeyed.status == .success && rekeyed.output.contains(#""messages":2"#), "\(rekeyed.errors)")
        let copied = specimen.run("backup", "--out", "@copy.sxdb")
        #expect(copied.status == .success && copied.output.contains("2 messages"), "\(copied.errors)")
        #expect(specimen.run("passwd", "--slot", "1", "--new-archive-key-file", "@key").status == .success)
        #expect(specimen.run("list").output.contains("2 messages in 1 conversation"))
        #expect(specimen.run("verify", "--full").status == .success)
    }

    @Test("an archive that is not there, and things that are no source, are told apart")
    func errors() throws {
        specimen.folder.write("no history at all", to: "text")
        specimen.folder.write(try BundleSpecimen.identity.bytes(), to: "a.sophaxid")
        specimen.folder.write(try BundleSpecimen.hkdfBackup.bytes(), to: "a.sophaxbackup")
        let missing = CommandRun.run([
            "archive", "import", store.path, "--archive", specimen.folder.file("nothing"), "--archive-key-file",
            specimen.folder.file("key"),
        ])
        #expect(missing.status == .notFound && missing.errors.contains("\"sxkey archive init\" makes one"))
        #expect(specimen.run("import", "@text", "-p", "@pw").status == .unreadable)
        #expect(specimen.run("import", "@nothing", "-p", "@pw").status == .notFound)
        #expect(specimen.run("import", "@a.sophaxid", "-p", "@pw").status == .notFound)
        let itself = specimen.run("import", "@archive.sxdb", "--key-file", "@key")
        #expect(itself.status == .usage && itself.errors.contains("is the archive itself"))
        let passphrases = specimen.run("import", "@a.sophaxbackup", "-p", "@pw", "-p", "@pw")
        #expect(passphrases.status == .usage && passphrases.errors.contains("2 passphrases given, and 1 input to open"))
        let keys = specimen.run("import", "@a.sophaxbackup", "-p", "@pw", "--key-file", "@key")
        #expect(keys.status == .usage && keys.errors.contains("1 key file given, and no source opens with one"))
        let wrong = specimen.run("import", store.path, "--key-file", "@key")
        #expect(wrong.status == .wrongSecret, "\(wrong.errors)")
        #expect(specimen.run("import", "@a.sophaxbackup", "-p", "@pw").status == .success)
        #expect(specimen.run("show", "nobody").status == .notFound)
        #expect(specimen.run("show", "--id", "nothing").status == .notFound)
    }

    @Test("a newer schema is refused with its own status, and a keyring is no archive")
    func otherFiles() throws {
        let archive = try Archive(opening: FilePath(specimen.path), .readWrite, unlocking: specimen.key)
        try archive.database.execute("PRAGMA user_version = 99")
        #expect(specimen.run("list").status == .newerVersion)
        let keyring = try KeyringSpecimen()
        let run = CommandRun.run([
            "archive", "list", "--archive", keyring.path, "--archive-key-file", keyring.folder.file("key"),
        ])
        #expect(run.status == .unreadable && run.errors.contains("it is a keyring, not an archive"))
    }

    @Test("another archive is a source, which opens with a passphrase or a key file, in the order of the sources")
    func otherArchive() throws {
        #expect(specimen.run("import", store.path, "--key-file", store.keyFile).status == .success)
        let other = try ArchiveSpecimen()
        let taken = other.run(
            "import", specimen.path, store.path, "--key-file", specimen.folder.file("key"), "--key-file",
            store.keyFile, "--json")
        #expect(taken.status == .success, "\(taken.errors)")
        #expect(taken.output.contains(#""counts":{"read":2,"new":2,"#))
        #expect(taken.output.contains(#""counts":{"read":2,"new":0,"alreadyThere":2"#))
        let without = other.run("import", specimen.path)
        #expect(without.status == .usage && without.errors.contains("opens with a key file"))
    }

    @Test("a dry run says what an import would bring, and changes nothing")
    func dryRun() throws {
        let run = specimen.run(
            "import", store.path, store.path, "--key-file", store.keyFile, "--key-file", store.keyFile,
            "--dry-run", "--json")
        #expect(run.status == .success, "\(run.errors)")
        #expect(run.output.contains(#""counts":{"read":2,"new":2,"#))
        #expect(run.output.contains(#""counts":{"read":2,"new":0,"alreadyThere":2"#))
        #expect(specimen.run("list").output.contains("holds no messages"))
        #expect(specimen.run("info", "--json").output.contains(#""imports":[]"#))
    }

    @Test("what cannot be read is listed and counted, and the rest is in the archive")
    func losses() throws {
        store.folder.write([UInt8](repeating: 7, count: 200), to: "phone/sophax_messages/\(MadeStore.alice).enc")
        let run = specimen.run("import", store.path, "--key-file", store.keyFile)
        #expect(run.status == .someDamaged)
        #expect(run.output.contains("authentication failed"))
        #expect(specimen.run("list").output.contains("2 messages in 1 conversation"))
    }
}
