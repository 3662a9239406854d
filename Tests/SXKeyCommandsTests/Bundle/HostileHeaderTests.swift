import CommandKit
import CryptoPrimitives
import SophaxFiles
import TestSupport
import Testing

@testable import SXKeyCommands

/// Headers that were made to waste time or memory: refused before anything is asked or derived.
@Suite("hostile headers of exports")
struct HostileHeaderTests {
    private let folder = TemporaryFolder()

    private func header(_ magic: String, version: UInt8, iterations: UInt32? = nil, rest: Int = 200) -> [UInt8] {
        let count = iterations.map { value in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } } ?? []
        return Array(magic.utf8) + [version] + count + [UInt8](repeating: 0x55, count: rest)
    }

    /// With the limits of the released program and without any passphrase: whoever gets past the header needs one.
    private func verify(_ bytes: [UInt8]) -> CommandRun {
        folder.write(bytes, to: "x")
        return CommandRun.run(["bundle", "verify", folder.file("x")], limits: .standard)
    }

    private static let withIterations = [("SXID", UInt8(2), "identity export"), ("SXFE", 1, "full export")]

    @Test("more iterations than ten million are refused", arguments: withIterations)
    func tooManyIterations(magic: String, version: UInt8, title: String) {
        for (count, text) in [
            (UInt32(10_000_001), "10,000,001"), (1 << 31 - 1, "2,147,483,647"), (1 << 31, "2,147,483,648"),
            (.max, "4,294,967,295"),
        ] {
            let run = verify(header(magic, version: version, iterations: count))
            #expect(run.status == .unreadable)
            #expect(
                run.error(in: folder.path)
                    == "cannot open \"x\": its header asks for \(text) key derivation iterations; sxkey does at most 10,000,000"
            )
        }
    }

    @Test("no iterations at all are refused", arguments: withIterations)
    func noIterations(magic: String, version: UInt8, title: String) {
        let run = verify(header(magic, version: version, iterations: 0))
        #expect(run.status == .unreadable)
        #expect(
            run.error(in: folder.path)
                == "cannot open \"x\": its header asks for 0 key derivation iterations, which no \(title) has")
    }

    @Test("ten million iterations are at the limit and may be tried", arguments: withIterations)
    func atTheLimit(magic: String, version: UInt8, title: String) {
        for count: UInt32 in [1, 10_000_000] {
            let run = verify(header(magic, version: version, iterations: count))
            #expect(run.status == .usage)
            #expect(run.error(in: folder.path) == "no terminal to ask for the passphrase for \"x\"")
        }
        let info = CommandRun.run(["bundle", "info", folder.file("x")], limits: .standard)
        #expect(info.status == .success)
        #expect(info.output.contains("PBKDF2 with 10,000,000 iterations"))
    }

    @Test("a file at the ceiling opens, one above it does not")
    func ceiling() throws {
        let (text, passphrase) = (Array(BundleSpecimen.identity.text.utf8), Array(BundleSpecimen.passphrase.utf8))
        folder.write(passphrase, to: "pw")
        for (count, status) in [(UInt32(999), CommandStatus.finding), (1000, .finding), (1001, .unreadable)] {
            let bytes = try BundleWriter.seal(
                text.span, as: .identity(iterations: count), passphrase: SecretBytes(copying: passphrase.span))
            folder.write(bytes, to: "x")
            let run = CommandRun.run(["bundle", "verify", folder.file("x"), "-p", folder.file("pw")])
            // A finding: the apps want more iterations than that.
            #expect(run.status == status, "\(count): \(run.errors)")
        }
    }

    @Test("every version byte of an export whose version tells the layout", arguments: withIterations)
    func versions(magic: String, newest: UInt8, title: String) {
        for version in UInt8.min...UInt8.max {
            let run = verify(header(magic, version: version, iterations: 600_000))
            let article = magic == "SXID" ? "an" : "a"
            switch version {
            case 0:
                #expect(run.status == .unreadable)
                #expect(
                    run.error(in: folder.path)
                        == "cannot open \"x\": no app has written \(article) \(title) of version 0")
            case 1...newest:
                #expect(run.status == .usage)
            default:
                #expect(run.status == .newerVersion)
                #expect(
                    run.error(in: folder.path)
                        == "cannot open \"x\": it is \(article) \(title) of version \(version), and this sxkey knows versions up to \(newest)"
                )
            }
        }
    }

    @Test("every version byte of a backup is only a hint")
    func backupVersions() throws {
        let sealed = try BundleSpecimen.hkdfBackup.bytes()
        folder.write(BundleSpecimen.passphrase, to: "pw")
        for version in UInt8.min...UInt8.max {
            var bytes = sealed
            bytes[4] = version
            folder.write(bytes, to: "x")
            let run = CommandRun.run(["bundle", "verify", folder.file("x"), "-p", folder.file("pw")])
            #expect([.success, .finding].contains(run.status), "version \(version): \(run.errors)")
        }
    }

    @Test("--kind is held against the first bytes")
    func kinds() throws {
        let known = ["identity": "SXID", "backup": "SXBK", "full-export": "SXFE"]
        for (kind, magic) in known {
            for (other, bytes) in known where other != kind {
                folder.write(header(bytes, version: 1, iterations: 600_000), to: "x")
                let run = CommandRun.run(["bundle", "info", folder.file("x"), "--kind", kind])
                #expect(run.status == .unreadable, "\(magic) as \(kind)")
                #expect(run.error(in: folder.path).hasPrefix("cannot open \"x\": it is no "), "\(run.errors)")
            }
        }
    }
}
