import Foundation
import TestSupport
import Testing

/// Bundles that are cut off, damaged, of somebody else, or not where they should be: each its own error, and nothing left.
@Suite("damaged and misplaced bundles")
struct BundleDamageTests {
    private let phone: SamplePhone
    private let bundle: [UInt8]

    init() throws {
        phone = try SamplePhone()
        try phone.addKeyring()
        bundle = SampleBundle.bytes
    }

    private static let environment: [String: String?] = ["SXKEY_KEYRING": SampleKeyring.fileName]

    /// Commands that read `FILE` and write `new`, each.
    private static let commands = [
        "bundle extract FILE -p passphrase.txt --out new",
        "bundle export FILE -p passphrase.txt --out new",
        "bundle passwd FILE -p passphrase.txt --new-passphrase-file new-passphrase.txt --out new",
        "bundle merge FILE sample.sxfe -p passphrase.txt -p passphrase.txt --out new --to sxb "
            + "--new-passphrase-file passphrase.txt --argon2-memory 19 --argon2-passes 1",
    ]

    private func run(_ line: String, seconds: Int = 60) -> ChildProcess {
        phone.shell("sxkey " + line, environment: Self.environment, seconds: seconds)
    }

    private func refused(_ bytes: [UInt8], _ status: Int32, _ words: String, _ commands: [String] = commands) throws {
        try phone.write(bytes, to: "bad.sxb")
        let before = phone.listing
        for command in commands {
            let run = run(command.replacingOccurrences(of: "FILE", with: "bad.sxb"))
            #expect(run.status == status, "\(command): \(run.errorText)")
            #expect(run.errorText.contains(words), "\(command): \(run.errorText)")
            #expect(run.errorText.contains("sxkey: hint: "), "\(command)")
            #expect(phone.listing == before, "\(command)")
        }
    }

    @Test("cut off: said of how many bytes, without asking for the passphrase")
    func truncated() throws {
        for length in [5, 100, 400, bundle.count / 2, bundle.count - 1] {
            try phone.write(Array(bundle.prefix(length)), to: "bad.sxb")
            let info = run("bundle info bad.sxb")
            #expect(info.status == 4, "\(length): \(info.errorText)")
            #expect(info.errorText.contains("it is cut off") || info.errorText.contains("damaged"), "\(length)")
        }
        try refused(Array(bundle.dropLast(100)), 4, "it is cut off")
    }

    @Test("something appended")
    func trailing() throws {
        try refused(bundle + [0], 4, "and the bundle ends after \(bundle.count)")
    }

    @Test("a later version of the format")
    func newer() throws {
        var bytes = bundle
        bytes[4] = 2
        try refused(bytes, 6, "this sxkey knows versions up to 1")
    }

    @Test("a damaged header")
    func header() throws {
        var bytes = bundle
        bytes[20] ^= 1
        try refused(bytes, 4, "its header is damaged")
    }

    @Test("a damaged chunk: the passphrase is right, and which chunk it is")
    func chunk() throws {
        var bytes = bundle
        bytes[bundle.count - 40] ^= 1
        try refused(bytes, 4, "the secret is right, but chunk 0, at byte ")
    }

    @Test("a wrong passphrase is told from damage")
    func wrongPassphrase() throws {
        let before = phone.listing
        for command in Self.commands {
            let line = command.replacingOccurrences(of: "FILE -p passphrase.txt", with: "FILE -p new-passphrase.txt")
                .replacingOccurrences(
                    of: "FILE sample.sxfe -p passphrase.txt", with: "FILE sample.sxfe -p new-passphrase.txt"
                )
                .replacingOccurrences(of: "FILE", with: "sample.sxb")
            let run = run(line)
            #expect(run.status == 5, "\(line): \(run.errorText)")
            #expect(run.errorText.contains("cannot open \"sample.sxb\": wrong passphrase\n"), "\(run.errorText)")
            #expect(phone.listing == before)
        }
    }

    @Test("empty files, folders, pipes and things that are no bundle")
    func others() throws {
        try phone.write([], to: "empty.sxb")
        try phone.write("SXB2", to: "short.sxb")
        try phone.write("hello, this is no bundle at all, but text", to: "text.sxb")
        _ = phone.makeFolder("folder.sxb")
        _ = phone.shell("mkfifo pipe.sxb")
        let before = phone.listing
        for (name, status) in [("empty", Int32(4)), ("short", 4), ("text", 4), ("folder", 4), ("nothing", 10)] {
            for command in ["bundle info FILE", "bundle verify FILE -p passphrase.txt"] + Self.commands {
                let run = run(command.replacingOccurrences(of: "FILE", with: name + ".sxb"))
                #expect(run.status == status, "\(command) \(name): \(run.errorText)")
                #expect(phone.listing == before)
            }
        }
        let pipe = phone.shell(
            "cat sample.sxb > pipe.sxb & sxkey bundle verify pipe.sxb -p passphrase.txt; status=$?; wait; exit $status",
            environment: Self.environment, seconds: 30)
        #expect(pipe.status == 4, "\(pipe.errorText)")
        #expect(pipe.errorText.contains("write it to a file first"), "\(pipe.errorText)")
    }

    @Test("the output is never an input, whatever it is called")
    func sameFile() throws {
        _ = phone.shell("ln sample.sxb hard; ln -s sample.sxb soft")
        let before = phone.listing
        let names = ["sample.sxb", "./sample.sxb", "hard", "soft", "/proc/self/cwd/sample.sxb"]
        for command in Self.commands.dropFirst() {
            for name in names {
                let line = command.replacingOccurrences(of: "FILE", with: "sample.sxb")
                    .replacingOccurrences(of: "--out new", with: "--out \(name) --force")
                let run = run(line)
                #expect(run.status == 1, "\(line): \(run.errorText)")
                #expect(run.errorText.contains("it is the same file as an input"), "\(line): \(run.errorText)")
                #expect(phone.listing == before, "\(line)")
            }
        }
    }

    @Test("a full disk leaves nothing, and says so", arguments: commands)
    func fullDisk(command: String) throws {
        let before = phone.listing
        let line = command.replacingOccurrences(of: "FILE", with: "sample.sxb")
        let run = phone.shell("ulimit -f 1; sxkey \(line)", environment: Self.environment)
        #expect(run.status == 1, "\(line): \(run.errorText)")
        #expect(run.errorText.contains("no space left") || run.errorText.contains("file too large"), "\(run.errorText)")
        #expect(phone.listing == before)
        let device = phone.shell(
            "sxkey " + line.replacingOccurrences(of: "--out new", with: "--out /dev/full/new"),
            environment: Self.environment)
        #expect(device.status != 0 && phone.listing == before)
    }

    @Test("an interrupted extraction leaves nothing", .enabled(if: ChildProcess.has("timeout")))
    func interrupted() throws {
        let big = String(repeating: "x", count: 40_000)
        let list = SamplePhone.list(300, peer: "08c4cab788bd5f92", body: big)
        try phone.writeStoreFile(list, "phone/sophax_messages/08c4cab788bd5f92.enc")
        let made = run(
            "bundle create --store phone -k storage.key --out big.sxb --new-passphrase-file passphrase.txt "
                + "--argon2-memory 19 --argon2-passes 1")
        #expect(made.status == 0, "\(made.errorText)")
        let before = phone.listing
        for moment in ["0.05", "0.15", "0.4"] {
            _ = phone.shell(
                "timeout -s INT \(moment) sxkey bundle extract big.sxb -p passphrase.txt --out new; rm -rf new",
                environment: Self.environment)
            #expect(phone.listing == before, "\(moment)")
        }
    }

    @Test("a bundle of another person is not merged, and said to be one")
    func anotherPerson() throws {
        let bob =
            #"{"version":1,"createdAt":796000000,"username":"Bob","peers":[],"messages":{},"#
            + #""identityFingerprint":"\#(String(repeating: "ab", count: 32))"}"#
        try phone.write(try SamplePhone.sealed(bob), to: "bob.sophaxbackup")
        let before = phone.listing
        let run = run(
            Self.commands[3].replacingOccurrences(of: "FILE sample.sxfe", with: "sample.sxb bob.sophaxbackup"))
        #expect(run.status == 8, "\(run.errorText)")
        #expect(run.errorText.contains("they belong to two identities"))
        #expect(run.errorText.contains(String(repeating: "ab", count: 32)))
        #expect(phone.listing == before)
    }

    @Test("without a terminal and without a passphrase it ends at once", arguments: commands)
    func noTerminal(command: String) throws {
        let line = command.replacingOccurrences(of: "-p passphrase.txt", with: "")
            .replacingOccurrences(of: "FILE", with: "sample.sxb")
        let run = phone.shell("setsid sxkey \(line) </dev/null", environment: Self.environment, seconds: 20)
        #expect(run.status == 2, "\(run.errorText)")
        #expect(run.errorText.contains("no terminal to ask for the passphrase for \"sample.s"), "\(run.errorText)")
    }
}
