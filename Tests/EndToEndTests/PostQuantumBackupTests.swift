import Foundation
import TestSupport
import Testing

/// Post-quantum keys that go from one keyring into another, by the built program.
@Suite("post-quantum keys in a second keyring")
struct PostQuantumBackupTests {
    private let folder = TemporaryFolder()

    init() throws {
        folder.write([UInt8](repeating: 7, count: 32), to: "key")
        folder.write(Array("correct horse battery\n".utf8), to: "pass")
        for keyring in ["old", "new"] {
            let made = sxkey("keyring", "init", "--keyring", keyring, "--new-keyring-key-file", "key", in: nil)
            try #require(made.status == 0, "\(made.errorText)")
        }
        let made = sxkey("identity", "new", "Quentin", "--post-quantum", in: "old")
        try #require(made.status == 0, "\(made.errorText)")
    }

    private func sxkey(_ words: String..., in keyring: String?) -> ChildProcess {
        let place = keyring.map { ["--keyring", $0, "--keyring-key-file", "key"] } ?? []
        return ChildProcess.run(
            [SamplePhone.sxkey] + words + place, in: folder.path, environment: ["SXKEY_KEYRING": nil])
    }

    /// A run that has to succeed, and its output.
    @discardableResult
    private func done(_ run: ChildProcess) throws -> String {
        try #require(run.status == 0, "\(run.outputText)\(run.errorText)")
        return run.outputText
    }

    private func object(_ file: String) throws -> [String: Any] {
        let bytes = try #require(FileManager.default.contents(atPath: folder.file(file)))
        return try #require(JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    }

    private func write(_ object: [String: Any], to file: String) throws {
        folder.write(Array(try JSONSerialization.data(withJSONObject: object)), to: file)
    }

    /// The items of Quentin, account to base64.
    private func items(in keyring: String) throws -> [String: String] {
        let file = "\(keyring).items"
        try done(
            sxkey("identity", "export", "Quentin", "--format", "keychain-json", "--reveal", "-o", file, in: keyring))
        return try #require(object(file) as? [String: String])
    }

    private func signature(of bundle: String) throws -> String? {
        let run = sxkey("prekey", "verify", bundle, "--json", in: nil)
        return (try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])?["postQuantumSignature"]
            as? String
    }

    @Test("all items come back out of a .sxb, and sign and open there")
    func restored() throws {
        let key = try done(sxkey("identity", "show", "--recipient-key", in: "old"))
        try done(
            sxkey(
                "bundle", "create", "--new-passphrase-file", "pass", "--argon2-memory", "19", "-o", "q.sxb", in: "old"))
        try done(sxkey("bundle", "restore", "q.sxb", "-p", "pass", in: "new"))
        try done(sxkey("keyring", "verify", in: "new"))
        #expect(try done(sxkey("identity", "show", "--recipient-key", in: "new")) == key)
        let (before, after) = (try items(in: "old"), try items(in: "new"))
        #expect(before == after)
        for account in ["identity.pq", "identity.mldsa", "identity.xwing", "pqspk.current_id"] {
            #expect(after[account] != nil, "\(account)")
        }
        try done(sxkey("prekey", "publish", "-o", "q.json", in: "new"))
        #expect(try signature(of: "q.json") == "valid")
    }

    @Test("bundle passwd gives a bundle to another X-Wing key, and takes it from the one before")
    func otherRecipient() throws {
        try done(sxkey("identity", "new", "Rosa", "--post-quantum", in: "new"))
        let rosa = try done(sxkey("identity", "show", "--recipient-key", in: "new"))
            .trimmingCharacters(in: .newlines)
        try done(sxkey("bundle", "create", "--recipient", "Quentin", "-o", "q.sxb", in: "old"))
        #expect(sxkey("bundle", "verify", "q.sxb", in: "new").status == 5)
        try done(sxkey("bundle", "passwd", "q.sxb", "--recipient", rosa, in: "old"))
        try done(sxkey("bundle", "verify", "q.sxb", in: "new"))
        #expect(sxkey("bundle", "verify", "q.sxb", in: "old").status == 5)
    }

    /// Quentin's items with the bare seed as `identity.mldsa`, as an app may have it, in `bare.items`; and `own.json`, a
    /// bundle that he published.
    private func makeBareSeed() throws {
        try done(sxkey("prekey", "publish", "-o", "own.json", in: "old"))
        var items = try items(in: "old")
        let stored = try #require(Data(base64Encoded: items["identity.mldsa"] ?? ""))
        items["identity.mldsa"] = stored.prefix(32).base64EncodedString()
        try write(items, to: "bare.items")
    }

    @Test("an identity.mldsa in a layout that proves nothing signs after a bundle of one's own has proven what it is")
    func ownBundle() throws {
        try makeBareSeed()
        let unproven = sxkey("identity", "import", "bare.items", in: "new")
        #expect(unproven.status == 8 && unproven.outputText.contains("--own-bundle"), "\(unproven.outputText)")
        let unsigned = try done(sxkey("prekey", "publish", "-o", "unsigned.json", in: "new"))
        #expect(unsigned.contains("not signed"))
        #expect(try signature(of: "unsigned.json") == nil)

        try done(sxkey("identity", "import", "bare.items", "--own-bundle", "own.json", in: "new"))
        try done(sxkey("keyring", "verify", in: "new"))
        try done(sxkey("prekey", "publish", "-o", "signed.json", in: "new"))
        #expect(try signature(of: "signed.json") == "valid")
        let keys = try ["own.json", "signed.json"].map { try object($0)["mldsaPublicKey"] as? String }
        #expect(keys[0] != nil && keys[0] == keys[1])
        // What the app has stays as it is, and what is proven stays so in an export.
        let kept = try items(in: "new")
        #expect(kept["identity.mldsa"]?.count == 44 && kept["identity.mldsa.public"] == keys[0])
        try done(sxkey("identity", "import", "new.items", "--own-bundle", "own.json", in: "new"))
    }

    @Test("a bundle that proves nothing of identity.mldsa is refused, and nothing is imported")
    func otherBundles() throws {
        try makeBareSeed()
        try done(sxkey("identity", "new", "Rosa", "--post-quantum", in: "new"))
        try done(sxkey("prekey", "publish", "-o", "rosa.json", in: "new"))
        var bundle = try object("own.json")
        let signature = try #require(bundle["mldsaSPKSignature"] as? String)
        bundle["mldsaSPKSignature"] = "AAAA" + signature.dropFirst(4)
        try write(bundle, to: "changed.json")
        (bundle["mldsaPublicKey"], bundle["mldsaSPKSignature"]) = (nil, nil)
        try write(bundle, to: "classical.json")
        var items = try object("bare.items")
        items["identity.mldsa"] = Data(repeating: 9, count: 32).base64EncodedString()
        try write(items, to: "other.items")
        items["identity.mldsa"] = nil
        try write(items, to: "without.items")

        for (items, bundle, status, text) in [
            ("bare.items", "rosa.json", Int32(8), "another identity"), ("bare.items", "changed.json", 8, "signature"),
            ("bare.items", "classical.json", 10, "no ML-DSA key"),
            ("other.items", "own.json", 8, "not the private half"),
            ("without.items", "own.json", 8, "no identity.mldsa"),
        ] {
            let run = sxkey("identity", "import", items, "--own-bundle", bundle, in: "new")
            #expect(run.status == status && run.errorText.contains(text), "\(run.outputText)\(run.errorText)")
        }
        #expect(try done(sxkey("identity", "list", in: "new")).contains("Quentin") == false)
    }
}
