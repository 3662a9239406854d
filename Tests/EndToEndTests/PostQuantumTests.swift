import Foundation
import SophaxCore
import SophaxFiles
import TestSupport
import Testing

@testable import SXKeyCommands

/// An identity with post-quantum keys by the built program: from its making to a bundle that is verified.
@Suite("post-quantum keys by the program")
struct PostQuantumTests {
    private let phone: SamplePhone

    init() throws {
        phone = try SamplePhone()
        try phone.addKeyring()
    }

    private func sxkey(_ arguments: String...) -> ChildProcess {
        ChildProcess.run(
            [SamplePhone.sxkey] + arguments, in: phone.sample, environment: ["SXKEY_KEYRING": SampleKeyring.fileName])
    }

    private static let key = SampleKeyring.keyFileName

    private func json(_ run: ChildProcess) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(run.output))) as? [String: Any] ?? [:]
    }

    @Test("identity new --post-quantum, prekey publish, prekey verify; an export has all the keys")
    func fromTheBeginning() throws {
        let made = sxkey("identity", "new", "Quentin", "--post-quantum", "--use", "--keyring-key-file", Self.key)
        #expect(made.status == 0, "\(made.errorText)")
        #expect(made.outputText.contains("Post-quantum ML-KEM key and prekey, ML-DSA key, recipient key (X-Wing)"))
        let published = sxkey("prekey", "publish", "--keyring-key-file", Self.key, "--out", "q.json")
        #expect(published.status == 0, "\(published.errorText)")
        let verified = json(sxkey("prekey", "verify", "q.json", "--json"))
        #expect(verified["exit"] as? Int == 0)
        #expect(verified["postQuantumSignature"] as? String == "valid")
        let id = try #require(verified["postQuantumPreKeyID"] as? Int)

        let export = sxkey(
            "identity", "export", "Quentin", "--format", "keychain-json", "--reveal", "--out", "q.items",
            "--keyring-key-file", Self.key)
        #expect(export.status == 0, "\(export.errorText)")
        let text = phone.text("q.items")
        for account in ["identity.pq", "identity.mldsa", "identity.xwing", "pqspk.\(id)", "pqspk.current_id"] {
            #expect(text.contains("\"\(account)\""))
        }
    }

    @Test("a bundle for an X-Wing key is opened by its owner's keyring, by name and by key")
    func recipient() throws {
        #expect(
            sxkey("identity", "new", "Quentin", "--post-quantum", "--use", "--keyring-key-file", Self.key).status == 0)
        let printed = sxkey("identity", "show", "--recipient-key", "--keyring-key-file", Self.key)
        #expect(printed.status == 0, "\(printed.errorText)")
        let word = printed.outputText.trimmingCharacters(in: .newlines)
        #expect(word.utf8.count == 1_624)
        for recipient in ["Quentin", word] {
            let made = sxkey(
                "bundle", "create", "--recipient", recipient, "--out", "q.sxb", "--force", "--keyring-key-file",
                Self.key)
            #expect(made.status == 0, "\(made.errorText)")
            let info = sxkey("bundle", "info", "q.sxb")
            #expect(info.outputText.contains("X-Wing key (X25519 and ML-KEM-768)"), "\(info.outputText)")
            let verified = sxkey("bundle", "verify", "q.sxb", "--keyring-key-file", Self.key)
            #expect(verified.status == 0, "\(verified.outputText)\(verified.errorText)")
        }
        let none = sxkey("identity", "show", "Ana", "--recipient-key", "--keyring-key-file", Self.key)
        #expect(none.status == 10 && none.errorText.contains("has no X-Wing key"), "\(none.errorText)")
    }
}
