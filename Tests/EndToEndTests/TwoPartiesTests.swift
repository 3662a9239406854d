import CommandKit
import Foundation
import SXKeyCommands
import TestSupport
import Testing

/// The proof that a daemon and sxkey share one core: two parties talk with nothing but the library product, and sxkey opens
/// what they wrote.
@Suite("two parties made of SophaxCore")
struct TwoPartiesTests {
    private let folder = TemporaryFolder()
    private let said: String

    init() throws {
        let run = ChildProcess.run(
            [ChildProcess.builtProducts + "/two-parties-example", folder.file("parties")], in: folder.path)
        try #require(run.status == 0, "\(run.outputText)\(run.errorText)")
        said = run.outputText
    }

    private func sxkey(_ arguments: String...) -> ChildProcess {
        ChildProcess.run(
            [SamplePhone.sxkey] + arguments, in: folder.file("parties"), environment: ["SXKEY_KEYRING": nil])
    }

    @Test("the example says what it did, and writes files for their owner alone")
    func files() {
        for line in ["Hello: both know each other's keys", "X3DH: Bob reads", "Ratchet and sealed sender", "Group "] {
            #expect(said.contains(line), "\(said)")
        }
        let listing = FolderListing(folder.file("parties"))
        #expect(listing.entries.keys.filter { $0.hasSuffix("keychain.json") }.count == 2)
        #expect(listing.entries.keys.filter { $0.hasSuffix(".enc") }.count == 4)
        #expect(listing.entries.values.filter { $0.hasPrefix("file") }.allSatisfy { $0.hasPrefix("file 600 ") })
    }

    @Test(
        "both message stores are authentic, readable by every app, and hold the same texts", arguments: ["ana", "bob"])
    func stores(party: String) throws {
        let verify = sxkey("store", "verify", party, "--key-file", party + "/keychain.json", "--json")
        #expect(verify.status == 0, "\(verify.outputText)\(verify.errorText)")
        #expect((json(verify.output)?["counts"] as? [String: Any])?["ok"] as? Int == 9)
        let show = sxkey("store", "export", party, "--key-file", party + "/keychain.json", "-o", "-")
        for text in ["Hello Bob, this is Ana", "Hello Ana! 👋", "two", "See you on Saturday"] {
            #expect(show.outputText.contains(text), "\(text)")
        }
    }

    @Test("both sessions are authentic and in step", arguments: ["ana", "bob"])
    func sessions(party: String) throws {
        let list = sxkey("session", "list", "--keychain", party + "/keychain.json")
        #expect(list.status == 0, "\(list.errorText)")
        #expect(list.outputText.contains(party == "ana" ? "Bob (" : "Ana ("))
        let verify = sxkey("session", "verify", "--keychain", party + "/keychain.json", "--json")
        #expect(verify.status == 0, "\(verify.outputText)")
        let session = try #require((json(verify.output)?["sessions"] as? [[String: Any]])?.first)
        #expect(session["hmac"] as? String == "verified" && session["version"] as? Int == 1)
        #expect(session["skippedKeys"] as? Int == 0 && session["canSend"] as? Bool == true)
    }

    private static func has(_ noun: String) -> Bool { Program.specification.nouns.contains { $0.name == noun } }

    @Test("group keys are there on both sides", .enabled(if: has("group")), arguments: ["ana", "bob"])
    func groups(party: String) throws {
        let list = sxkey("group", "list", "--keychain", party + "/keychain.json")
        #expect(list.status == 0, "\(list.outputText)\(list.errorText)")
        let id = try #require(said.split(separator: "\n").first { $0.hasPrefix("Group ") }).split(separator: " ")[1]
        #expect(list.outputText.contains(id.dropLast()), "\(list.outputText)")
    }

    @Test(
        "a message that never arrived opens with the keys of the one it was for, and not with the sender's",
        .enabled(if: has("wire")))
    func undelivered() {
        let file = "bob/undelivered.frames"
        let open = sxkey("wire", "open", file, "--keychain", "bob/keychain.json")
        #expect(open.status == 0, "\(open.outputText)\(open.errorText)")
        #expect(open.outputText.contains("This one is still on its way"))
        let other = sxkey("wire", "open", file, "--keychain", "ana/keychain.json")
        #expect(other.status != 0 && !other.outputText.contains("still on its way"))
    }

    @Test("what never arrived begins with its sender's hello, and that is what its signatures are judged by")
    func undeliveredSender() {
        let file = "bob/undelivered.frames"
        let verify = sxkey("wire", "verify", file, "--without-keys")
        #expect(verify.status == 0, "\(verify.outputText)\(verify.errorText)")
        #expect(verify.outputText.contains("read 2 · self-signed 2 · unreadable 0\n"))
        #expect(!verify.outputText.contains("does not begin with a hello"))
        // To Ana they are her own.
        let own = sxkey("wire", "verify", file, "--keychain", "ana/keychain.json")
        #expect(own.status == 0 && own.outputText.contains("read 2 · own keys 2 · unreadable 0\n"), "\(own.outputText)")
    }

    @Test("every item comes into a keyring as an app has it, and the session is judged there too")
    func keyring() throws {
        folder.write([UInt8](repeating: 7, count: 32), to: "key")
        let keyring = ["--keyring", folder.file("k"), "--keyring-key-file", folder.file("key")]
        func run(_ words: String...) -> ChildProcess {
            ChildProcess.run([SamplePhone.sxkey] + words + keyring, in: folder.file("parties"))
        }
        let made = ChildProcess.run(
            [
                SamplePhone.sxkey, "keyring", "init", "--keyring", folder.file("k"), "--new-keyring-key-file",
                folder.file("key"),
            ], in: folder.path)
        try #require(made.status == 0, "\(made.errorText)")
        let imported = run("identity", "import", "bob/keychain.json", "--json")
        #expect(imported.status == 0, "\(imported.outputText)\(imported.errorText)")
        let items = try #require(json(imported.output)?["items"] as? [String: Any])
        #expect((items["unknown"] as? [Any])?.isEmpty == true && (items["unusual"] as? [Any])?.isEmpty == true)
        #expect((items["added"] as? [Any])?.count == items["read"] as? Int)
        let verify = run("session", "verify", "--json")
        #expect(verify.status == 0, "\(verify.outputText)")
        #expect((json(verify.output)?["ok"] as? Int) == 1)
    }
}
