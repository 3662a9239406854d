import Foundation
import TestSupport
import Testing

/// sxkey's own bundle, from its making to its end, with the built program.
@Suite("bundles of sxkey")
struct BundleTests {
    private let phone: SamplePhone

    init() throws {
        phone = try SamplePhone(SamplePhone.realSample)
        try phone.addKeyring()
    }

    private static let environment: [String: String?] = ["SXKEY_KEYRING": SampleKeyring.fileName]
    private static let cheap = "--argon2-memory 19 --argon2-passes 1"

    @discardableResult
    private func sxkey(_ line: String, _ status: Int32 = 0) -> ChildProcess {
        let run = phone.shell("sxkey " + line, environment: Self.environment)
        #expect(run.status == status, "\(line): \(run.outputText)\(run.errorText)")
        return run
    }

    private func files(_ folder: String) -> [String: String] {
        FolderListing(phone.file(folder)).entries.filter { $0.value.hasPrefix("file") }
    }

    @Test("info needs no secret, verify proves everything, and both agree with the store")
    func looks() throws {
        let info = json(sxkey("bundle info sample.sxb --json").output)
        #expect(info?["kind"] as? String == "sxb" && info?["opensWith"] as? String == "passphrase")
        #expect(info?["fileSize"] as? Int == fileBytes(phone.file("sample.sxb"))?.count)
        let bundle = json(sxkey("bundle verify sample.sxb -p passphrase.txt --json", 8).output)
        let store = json(sxkey("store verify phone -k storage.key --json", 8).output)
        let counts = bundle?["counts"] as? [String: Int]
        let storeCounts = store?["counts"] as? [String: Int]
        #expect(counts?["ok"] == storeCounts?["ok"] && counts?["ok"] == 28)
        #expect(counts?["missing"] == 0 && counts?["damaged"] == 0)
        #expect((bundle?["identity"] as? [String: Any])?["username"] as? String == "Ana")
        #expect((bundle?["contacts"] as? [[String: Any]])?.contains { $0["verified"] as? Bool == true } == true)
    }

    @Test("messages are shown and exported as those of the store are")
    func messages() throws {
        let shown = sxkey("bundle show sample.sxb notes -p passphrase.txt").outputText
        #expect(shown == sxkey("store show phone notes -k storage.key").outputText)
        sxkey("bundle export sample.sxb -p passphrase.txt --out bundle.jsonl")
        sxkey("store export phone -k storage.key --out store.jsonl")
        let lines = phone.text("bundle.jsonl").split(separator: "\n").dropFirst().sorted()
        #expect(lines.count == 28)
        #expect(lines == phone.text("store.jsonl").split(separator: "\n").dropFirst().sorted())
    }

    @Test("extract writes every entry, attachments as the store gives them out, keys only with --reveal")
    func extract() throws {
        sxkey("bundle extract sample.sxb -p passphrase.txt --out files")
        sxkey("store attachment phone -k storage.key --all --out attachments")
        let names = files("attachments").keys
        #expect(!names.isEmpty)
        for name in names {
            #expect(
                fileBytes(phone.file("files/attachments/\(name)")) == fileBytes(phone.file("attachments/\(name)")))
        }
        #expect(files("files")["identity.json"] == nil && files("files")["contacts.json"] != nil)
        for key in try SampleSecrets.keys(of: phone) {
            let text = Data(key).base64EncodedString()
            for name in files("files").keys { #expect(!phone.text("files/\(name)").contains(text), "\(name)") }
        }
        sxkey("bundle extract sample.sxb identity -p passphrase.txt --out keys --reveal")
        #expect(files("keys").keys.sorted() == ["identity.json"])
        let identity = json(fileBytes(phone.file("keys/identity.json")) ?? [])
        #expect((identity?["items"] as? [[String: Any]])?.count == 4)
        #expect(FolderListing.permissions(phone.file("keys")) == 0o700)
        #expect(FolderListing.permissions(phone.file("keys/identity.json")) == 0o600)
    }

    @Test("what is extracted has the sizes of the manifest")
    func manifest() throws {
        sxkey("bundle extract sample.sxb manifest.json -p passphrase.txt --out only")
        let manifest = json(fileBytes(phone.file("only/manifest.json")) ?? [])
        let entries = manifest?["entries"] as? [[String: Any]]
        sxkey("bundle extract sample.sxb -p passphrase.txt --reveal --out all")
        for entry in entries ?? [] {
            let name = try #require(entry["name"] as? String)
            guard !name.hasPrefix("attachments/") else { continue }
            #expect(fileBytes(phone.file("all/\(name)"))?.count == entry["size"] as? Int, "\(name)")
        }
    }

    @Test("diff of a bundle and the export of the same phone, and of itself")
    func diff() throws {
        let itself = sxkey("bundle diff sample.sxb sample.sxb -p passphrase.txt -p passphrase.txt").outputText
        #expect(itself.hasSuffix("Verdict: the same (exit 0)\n"))
        let other = sxkey("bundle diff sample.sxfe sample.sxb -p passphrase.txt -p passphrase.txt --json", 8)
        let parts = json(other.output)?["parts"] as? [[String: Any]]
        let messages = parts?.first { $0["part"] as? String == "conversations" }
        #expect(messages?["same"] as? Int == 19 && messages?["added"] as? Int == 9)
        #expect(messages?["removed"] as? Int == 0 && messages?["changed"] as? Int == 0)
        let gaps = json(other.output)?["notCompared"] as? [[String: Any]]
        #expect(
            gaps?.contains { $0["part"] as? String == "attachments" && $0["reason"] as? String == "no-room" } == true)
    }

    @Test("merge has what either has, and merging again adds nothing")
    func merge() throws {
        let new = "--new-passphrase-file passphrase.txt \(Self.cheap)"
        let secrets = "-p passphrase.txt -p passphrase.txt"
        let run = sxkey("bundle merge sample.sophaxbackup sample.sxb \(secrets) --out both.sxb \(new) --json")
        let merged = json(run.output)?["merged"] as? [[String: Any]]
        let messages = merged?.first { $0["part"] as? String == "conversations" }
        #expect(messages?["same"] as? Int == 19 && messages?["onlySecond"] as? Int == 9)
        sxkey("bundle diff sample.sxb both.sxb \(secrets)", 0)
        sxkey("bundle merge both.sxb sample.sxb \(secrets) --out again.sxb \(new)")
        sxkey("bundle diff both.sxb again.sxb \(secrets)", 0)
        // Into an app's format: what it cannot hold is named first.
        let lossy = sxkey(
            "bundle merge both.sxb sample.sxfe \(secrets) --out both.sxfe --new-passphrase-file passphrase.txt", 1)
        #expect(lossy.errorText.contains("--lossy"))
        #expect(!phone.listing.names.contains("both.sxfe"))
    }

    @Test("passwd: the new passphrase opens it, the former one does not, the content is the same byte for byte")
    func passwd() throws {
        let before = try #require(fileBytes(phone.file("sample.sxb")))
        let run = sxkey(
            "bundle passwd sample.sxb -p passphrase.txt --new-passphrase-file new-passphrase.txt \(Self.cheap)")
        #expect(run.outputText.contains("re-encrypted: nothing, the content is the same byte for byte\n"))
        #expect(run.outputText.contains("Copies that were made earlier still open with the former secret\n"))
        let after = try #require(fileBytes(phone.file("sample.sxb")))
        #expect(after != before)
        // Content and trailer: the header is what differs, and it comes first.
        let size = json(sxkey("bundle info sample.sxb --json").output)?["contentSize"] as? Int ?? 0
        #expect(size > 1000 && after.suffix(size + 16).prefix(size) == before.suffix(size + 16).prefix(size))
        sxkey("bundle verify sample.sxb -p passphrase.txt", 5)
        sxkey("bundle verify sample.sxb -p new-passphrase.txt", 8)
        // A second passphrase beside the first.
        sxkey(
            "bundle passwd sample.sxb -p new-passphrase.txt --keep 1 --new-passphrase-file passphrase.txt \(Self.cheap)"
        )
        for secret in ["passphrase.txt", "new-passphrase.txt"] { sxkey("bundle verify sample.sxb -p \(secret)", 8) }
        // And the first taken away again.
        sxkey("bundle passwd sample.sxb -p new-passphrase.txt --keep 2")
        sxkey("bundle verify sample.sxb -p new-passphrase.txt", 5)
        sxkey("bundle verify sample.sxb -p passphrase.txt", 8)
    }

    @Test("a bundle for keys opens with the keyring, says who signed it, and with no passphrase")
    func keys() throws {
        try phone.write(SampleBundle.forKeys, to: "keys.sxb")
        let verified = sxkey("bundle verify keys.sxb --keyring-key-file keyring.key", 8).outputText
        #expect(verified.contains("  Signed by    Ana ("))
        let wrong = sxkey("bundle verify keys.sxb --keyring-passphrase-file new-passphrase.txt", 5)
        #expect(wrong.errorText.contains("keyring"))
        let changed = sxkey("bundle passwd keys.sxb --keyring-key-file keyring.key --recipient Bob --out bob.sxb")
        #expect(
            changed.errorText.contains("is not verified") && changed.errorText.contains("you cannot open it yourself"))
        let none = sxkey("bundle verify bob.sxb --keyring-key-file keyring.key", 5)
        #expect(none.errorText.contains("it was made for other keys than those of the identities in the keyring"))
        let kind = sxkey(
            "bundle passwd keys.sxb --keyring-key-file keyring.key --new-passphrase-file passphrase.txt", 2)
        #expect(kind.errorText.contains("a bundle for passphrases cannot become one for keys, nor the reverse"))
    }

    @Test("an identity may go when a bundle holds all of it, and not when it is for the identity alone")
    func remove() throws {
        let keyring = "--keyring-key-file keyring.key"
        sxkey("bundle create --out ana.sxb --new-passphrase-file passphrase.txt \(Self.cheap) \(keyring)")
        let wrong = sxkey("identity remove Ana --dry-run -p new-passphrase.txt \(keyring)", 5)
        #expect(wrong.errorText.contains("wrong passphrase"))
        sxkey("identity remove Ana --dry-run -p passphrase.txt \(keyring)")
        // A prekey that came later is not in it.
        sxkey("prekey rotate \(keyring)")
        let lacks = sxkey("identity remove Ana -p passphrase.txt \(keyring)", 1)
        #expect(lacks.errorText.contains("removing it would destroy what no export of it holds: spk."))
        sxkey("bundle create --out own.sxb --recipient Ana \(keyring)")
        let itself = sxkey("identity remove Ana --export own.sxb \(keyring)", 1)
        #expect(itself.errorText.contains("so it would be lost with it"))
        sxkey("bundle create --out new.sxb --new-passphrase-file passphrase.txt \(Self.cheap) \(keyring)")
        let removed = sxkey("identity remove Ana -p passphrase.txt \(keyring)").outputText
        #expect(removed.contains("\"sxkey bundle restore\" brings it back"))
    }
}
