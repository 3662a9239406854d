import CommandKit
import SophaxCore
import SophaxFiles
import TestSupport
import Testing

@testable import SXKeyCommands

/// Prekeys by the built program, under clocks that are wrong.
@Suite("prekeys and wrong clocks", .enabled(if: ChildProcess.has("faketime"), "needs faketime"))
struct PreKeyTests {
    private let phone: SamplePhone

    init() throws {
        phone = try SamplePhone()
        try phone.addKeyring()
    }

    /// Runs sxkey on the keyring of the sample, its clock put off by `offset`.
    private func sxkey(_ offset: String, _ arguments: String...) -> ChildProcess {
        ChildProcess.run(
            ["faketime", "-f", offset, SamplePhone.sxkey] + arguments, in: phone.sample,
            environment: ["SXKEY_KEYRING": SampleKeyring.fileName])
    }

    private static let key = ["--keyring-key-file", SampleKeyring.keyFileName]

    @Test(
        "a bundle is judged by the difference of the clocks, and read whatever it is",
        arguments: [
            ("-30d", "30 d in the future", 8), ("-2m", "in the future", 0), ("+2m", "2 min", 0), ("+10y", "36", 8),
        ] as [(String, String, Int32)])
    func verify(offset: String, words: String, status: Int32) throws {
        let made = sxkey("+0s", "prekey", "publish", "--keyring-key-file", SampleKeyring.keyFileName, "--out", "a.json")
        #expect(made.status == 0, "\(made.errorText)")
        let run = sxkey(offset, "prekey", "verify", "a.json")
        #expect(run.status == status)
        #expect(run.outputText.contains("Signature        valid, over signing key, signed prekey and time (v2"))
        let line = run.outputText.split(separator: "\n").first { $0.contains("  Made  ") } ?? ""
        #expect(line.contains(words) && line.hasSuffix(" by this computer's clock"), "\(line)")
        #expect(sxkey(offset, "prekey", "verify", "a.json", "--any-age").status == 0)
    }

    @Test("what is stored is read under every clock", arguments: ["-30d", "-2m", "+2m", "+10y", "-20y"])
    func stored(offset: String) throws {
        let made = sxkey("+0s", "prekey", "replenish", "--keyring-key-file", SampleKeyring.keyFileName)
        #expect(made.status == 0)
        let info = sxkey(offset, "prekey", "info", "--keyring-key-file", SampleKeyring.keyFileName, "--json")
        #expect(info.status == 0)
        #expect(json(info.output)?["available"] as? Int == 20)
        #expect(sxkey(offset, "store", "info", "phone", "--key-file", "storage.key").status == 0)
        let bundle = sxkey(offset, "prekey", "publish", "--keyring-key-file", SampleKeyring.keyFileName, "--out", "-")
        #expect(bundle.status == 0, "\(bundle.errorText)")
        let file = try PreKeyBundleFile.read(bundle.output)
        #expect(file.bundle.signatureForm == .keysAndTime)
    }

    @Test("a clock that jumps ahead and back rotates once, and loses no prekey")
    func jump() throws {
        func earlier(_ offset: String, _ verb: String...) -> Int? {
            let run = ChildProcess.run(
                ["faketime", "-f", offset, SamplePhone.sxkey, "prekey"] + verb + Self.key + ["--json"],
                in: phone.sample, environment: ["SXKEY_KEYRING": SampleKeyring.fileName])
            return json(run.output)?["earlier"] as? Int
        }
        #expect(earlier("+0s", "rotate") == 0)
        #expect(earlier("+10y", "rotate", "--if-due") == 1)
        #expect(earlier("+0s", "rotate", "--if-due") == 1)
        #expect(earlier("-10y", "rotate") == 2)
        #expect(earlier("+0s", "info") == 2)
    }
}
