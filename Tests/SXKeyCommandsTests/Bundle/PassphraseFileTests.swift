import CommandKit
import CryptoPrimitives
import SophaxFiles
import TestSupport
import Testing

@testable import SXKeyCommands

/// Files that hold a passphrase, as editors and shells write them.
@Suite("passphrase files")
struct PassphraseFileTests {
    private let folder = TemporaryFolder()

    /// Seals a backup and tries to open it with a passphrase file.
    private func open(sealedWith passphrase: String, _ file: [UInt8]) throws -> CommandRun {
        folder.write(try BundleSpecimen.hkdfBackup.bytes(passphrase: passphrase), to: "a.sophaxbackup")
        folder.write(file, to: "pw")
        return CommandRun.run(["bundle", "show", folder.file("a.sophaxbackup"), "-p", folder.file("pw")])
    }

    @Test("one line ending is taken off", arguments: ["", "\n", "\r\n"])
    func lineEndings(ending: String) throws {
        let run = try open(sealedWith: "long pass phrase", Array(("long pass phrase" + ending).utf8))
        #expect(run.status == .success, "\(run.errors)")
    }

    @Test(
        "a line break inside is refused, and nothing of it is used",
        arguments: ["lo\rng", "lo\nng", "long\n\n", "long\r", "long\n\r\n", "\nlong", "long\r\r\n"])
    func lineBreaks(text: String) throws {
        for passphrase in ["lo", "long", text] {
            let run = try open(sealedWith: passphrase, Array(text.utf8))
            #expect(run.status == .usage)
            #expect(run.error(in: folder.path) == "\"pw\" has a line break inside the passphrase")
        }
    }

    @Test("a NUL inside is refused, and so is UTF-16")
    func nul() throws {
        let utf16: [UInt8] = [0xFF, 0xFE, 0x6C, 0, 0x6F, 0, 0x6E, 0, 0x67, 0]
        for file in [Array("lo\0ng".utf8), Array("long\0".utf8), utf16] {
            let run = try open(sealedWith: "lo", file)
            #expect(run.status == .usage)
            #expect(run.error(in: folder.path) == "\"pw\" has a NUL byte inside the passphrase")
            #expect(run.errors.contains("saved as UTF-16"))
        }
    }

    @Test("a file without a passphrase is refused", arguments: ["", "\n", "\r\n"])
    func empty(text: String) throws {
        let run = try open(sealedWith: "x", Array(text.utf8))
        #expect(run.status == .usage)
        #expect(run.error(in: folder.path) == "\"pw\" holds no passphrase for \"a.sophaxbackup\"")
    }

    @Test("a file of spaces is tried as it is typed")
    func spaces() throws {
        #expect(try open(sealedWith: "   ", Array("   \n".utf8)).status == .success)
        #expect(try open(sealedWith: "x", Array("   \n".utf8)).status == .wrongSecret)
    }

    @Test("65,536 bytes are the limit")
    func limit() throws {
        let longest = String(repeating: "a", count: 65_536)
        #expect(try open(sealedWith: longest, Array(longest.utf8)).status == .success)
        let run = try open(sealedWith: longest, Array((longest + "b").utf8))
        #expect(run.status == .usage)
        #expect(run.error(in: folder.path) == "\"pw\" is longer than 65536 bytes")
    }

    @Test("both spellings of an accent open what either sealed")
    func unicodeForms() throws {
        let (composed, decomposed) = ("caf\u{E9} \u{1E69}", "cafe\u{301} s\u{323}\u{307}")
        for sealed in [composed, decomposed] {
            for typed in [composed, decomposed] {
                #expect(try open(sealedWith: sealed, Array(typed.utf8)).status == .success)
            }
        }
    }

    @Test("spaces at the ends are tried with and without, as the apps did")
    func trimming() throws {
        let padded = " \t\u{A0}\u{3000}long pass phrase\u{2028} "
        #expect(try open(sealedWith: padded, Array(padded.utf8)).status == .success)
        #expect(try open(sealedWith: "long pass phrase", Array(padded.utf8)).status == .success)
        // What was typed without spaces does not get any.
        #expect(try open(sealedWith: padded, Array("long pass phrase".utf8)).status == .wrongSecret)
        // Spaces inside are never touched.
        #expect(try open(sealedWith: "long  pass", Array("long pass".utf8)).status == .wrongSecret)
    }

    @Test("bytes that are not UTF-8 are a passphrase too")
    func bytes() throws {
        let passphrase: [UInt8] = [0xFF, 0x80, 0x41]
        let text = Array(BundleSpecimen.hkdfBackup.text.utf8)
        let sealed = try BundleWriter.seal(
            text.span, as: .backup(version: 1, .hkdf), passphrase: SecretBytes(copying: passphrase.span))
        folder.write(sealed, to: "a.sophaxbackup")
        folder.write(passphrase, to: "pw")
        let run = CommandRun.run(["bundle", "show", folder.file("a.sophaxbackup"), "-p", folder.file("pw")])
        #expect(run.status == .success)
    }

    @Test("a passphrase file that is none is said so")
    func noFile() throws {
        folder.write(try BundleSpecimen.hkdfBackup.bytes(), to: "a.sophaxbackup")
        _ = folder.makeFolder("folder")
        let cases: [(String, CommandStatus, String)] = [
            ("nothing", .notFound, "cannot open \"nothing\": no such file or folder"),
            ("folder", .unreadable, "cannot read \"folder\": it is a folder"),
        ]
        for (name, status, message) in cases {
            let run = CommandRun.run(["bundle", "show", folder.file("a.sophaxbackup"), "-p", folder.file(name)])
            #expect(run.status == status && run.error(in: folder.path) == message, "\(run.errors)")
        }
    }

    @Test("one secret from two places, or two things from one place, is a usage error")
    func conflicts() throws {
        let both = CommandRun.run(["bundle", "show", "x", "-p", "pw", "--passphrase-fd", "3"])
        #expect(both.status == .usage)
        #expect(both.error(in: "") == "--passphrase-file and --passphrase-fd exclude each other")
        for source in [["-p", "-"], ["--passphrase-fd", "0"], ["--passphrase-fd=0"]] {
            let run = CommandRun.run(["bundle", "show", "-"] + source)
            #expect(run.status == .usage)
            #expect(run.error(in: "") == "standard input cannot be both the bundle and the passphrase")
        }
    }

    @Test("a descriptor that nobody opened is a usage error")
    func closedDescriptor() throws {
        folder.write(try BundleSpecimen.hkdfBackup.bytes(), to: "a.sophaxbackup")
        let run = CommandRun.run(["bundle", "show", folder.file("a.sophaxbackup"), "--passphrase-fd", "64999"])
        #expect(run.status == .usage)
        #expect(run.error(in: folder.path) == "descriptor 64999 is not open for reading")
    }
}
