import Foundation
import TestSupport
import Testing

/// Sessions that went through a bundle into a new keyring: they serve to read, and say so.
@Suite("sessions through a bundle")
struct SessionBackupTests {
    private let folder = TemporaryFolder()

    init() throws {
        let made = ChildProcess.run(
            [ChildProcess.builtProducts + "/two-parties-example", folder.file("parties")], in: folder.path)
        try #require(made.status == 0, "\(made.errorText)")
        folder.write([UInt8](repeating: 7, count: 32), to: "key")
        folder.write(Array("correct horse\n".utf8), to: "passphrase")
        for keyring in ["old", "new"] {
            let made = sxkey(
                "keyring", "init", "--keyring", keyring, "--new-keyring-key-file", "key", in: nil)
            try #require(made.status == 0, "\(made.errorText)")
        }
        let taken = sxkey("identity", "import", "parties/bob/keychain.json", in: "old")
        try #require(taken.status == 0, "\(taken.errorText)")
    }

    private func sxkey(_ words: String..., in keyring: String?) -> ChildProcess {
        let place = keyring.map { ["--keyring", $0, "--keyring-key-file", "key"] } ?? []
        return ChildProcess.run(
            [SamplePhone.sxkey] + words + place, in: folder.path, environment: ["SXKEY_KEYRING": nil])
    }

    @Test("a restored session is authentic, is marked as stale, and still opens what never arrived")
    func restored() throws {
        let created = sxkey(
            "bundle", "create", "--include-sessions", "--new-passphrase-file", "passphrase", "--argon2-memory", "19",
            "-o", "b.sxb", in: "old")
        try #require(created.status == 0, "\(created.errorText)")
        let restore = sxkey("bundle", "restore", "b.sxb", "-p", "passphrase", "--include-sessions", in: "new")
        try #require(restore.status == 0, "\(restore.errorText)")
        #expect(restore.outputText.contains("2 added, marked as stale"), "\(restore.outputText)")

        let before = try session(sxkey("session", "verify", "--json", in: "old"))
        let after = try session(sxkey("session", "verify", "--json", in: "new"))
        #expect(before["stale"] as? Bool == false && after["stale"] as? Bool == true)
        for key in ["hmac", "peerID"] { #expect(before[key] as? String == after[key] as? String) }
        for key in ["version", "sent", "received", "previousSent", "skippedKeys"] {
            #expect(before[key] as? Int != nil && before[key] as? Int == after[key] as? Int, "\(key)")
        }
        #expect(after["hmac"] as? String == "verified")
        let codes = (after["findings"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
        #expect(codes?.contains("stale") == true)

        let opened = sxkey("wire", "open", "parties/bob/undelivered.frames", in: "new")
        #expect(opened.status == 0, "\(opened.outputText)\(opened.errorText)")
        #expect(opened.outputText.contains("This one is still on its way"))
    }

    @Test("without --include-sessions none comes back, and the restore says why")
    func left() throws {
        let created = sxkey(
            "bundle", "create", "--include-sessions", "--new-passphrase-file", "passphrase", "--argon2-memory", "19",
            "-o", "b.sxb", in: "old")
        try #require(created.status == 0, "\(created.errorText)")
        let restore = sxkey("bundle", "restore", "b.sxb", "-p", "passphrase", in: "new")
        try #require(restore.status == 0, "\(restore.errorText)")
        #expect(restore.outputText.contains("--include-sessions"), "\(restore.outputText)")
        let verify = sxkey("session", "verify", "--json", in: "new")
        #expect(verify.status == 0 && (json(verify.output)?["read"] as? Int) == 0, "\(verify.outputText)")
    }

    private func session(_ run: ChildProcess) throws -> [String: Any] {
        #expect(run.status == 0, "\(run.outputText)\(run.errorText)")
        let sessions = try #require(json(run.output)?["sessions"] as? [[String: Any]], "\(run.outputText)")
        #expect(sessions.count == 1)
        return try #require(sessions.first)
    }
}
