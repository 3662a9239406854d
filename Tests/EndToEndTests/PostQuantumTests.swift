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

    @Test("identity new --post-quantum, prekey publish, prekey verify; the keys go through an export and back")
    func fromTheBeginning() throws {
        let made = sxkey("identity", "new", "Quentin", "--post-quantum", "--use", "--keyring-key-file", Self.key)
        #expect(made.status == 0, "\(made.errorText)")
        #expect(made.outputText.contains("Post-quantum ML-KEM key and prekey, ML-DSA key"))
        let published = sxkey("prekey", "publish", "--keyring-key-file", Self.key, "--out", "q.json")
        #expect(published.status == 0, "\(published.errorText)")
        let verified = json(sxkey("prekey", "verify", "q.json", "--json"))
        #expect(verified["exit"] as? Int == 0)
        #expect(verified["postQuantumSignature"] as? String == "valid")
        let id = try #require(verified["postQuantumPreKeyID"] as? Int)

        // A .sophaxid has no room for them, and says so; the items have.
        let export = sxkey(
            "identity", "export", "Quentin", "--format", "keychain-json", "--reveal", "--out", "q.items",
            "--keyring-key-file", Self.key)
        #expect(export.status == 0, "\(export.errorText)")
        let text = phone.text("q.items")
        for account in ["identity.pq", "identity.mldsa", "pqspk.\(id)", "pqspk.current_id"] {
            #expect(text.contains("\"\(account)\""))
        }
    }
}
