import CryptoPrimitives
import Foundation
import PortableBundle
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("bundle convert")
struct BundleConvertTests {
    private let folder = TemporaryFolder()

    init() {
        folder.write(BundleSpecimen.passphrase, to: "pw")
    }

    private func write(_ specimen: BundleSpecimen, _ name: String? = nil) throws -> String {
        let name = name ?? specimen.fileName
        folder.write(try specimen.bytes(), to: name)
        return folder.file(name)
    }

    private func convert(
        _ input: String, _ out: String, _ options: String..., limits: BundleLimits = CommandRun.quick
    ) -> CommandRun {
        CommandRun.run(
            ["bundle", "convert", input, "-p", folder.file("pw"), "--out", folder.file(out), "--new-passphrase-file"]
                + [folder.file("pw"), "--json"] + options, limits: limits)
    }

    private func json(_ run: CommandRun) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any]) ?? [:]
    }

    /// The decrypted text of an export in the folder.
    private func text(_ name: String, limits: BundleLimits = CommandRun.quick) throws -> [String: Any] {
        let bytes = fileBytes(folder.file(name)) ?? []
        let file = try BundleFile(bytes: bytes, fileName: Array(name.utf8), limits: limits)
        let secret = Array(BundleSpecimen.passphrase.utf8)
        let opened = try BundleOpener.open(
            file, passphrase: SecretBytes(copying: secret.span), limits: limits, workers: 1)
        let text = opened.text.bytes(in: 0..<opened.text.count)
        return try #require(try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
    }

    private static let richBackup =
        #"{"version":1,"createdAt":796000000,"username":"alice","peers":["#
        + #"{"id":"08c4cab788bd5f92f16ff0814022b379","username":"bob","signingKeyPublic":"JUO5L/EJVRFHat2MNp2222yTNmWhGXjdoUBO4QZpVZ0=","#
        + #""dhKeyPublic":"Z11X3e13iTELPS52gfN5C0ZsdzsVIf7PNleXg3FepS8=","safetyNumber":"1","isOnline":true}],"#
        + #""messages":{"notetoself":[{"id":"N1","peerID":"__note_to_self__","direction":"sent","body":"n","timestamp":1.5,"#
        + #""status":"read"}],"08c4cab788bd5f92f16ff0814022b379":[{"id":"A1","peerID":"08c4cab788bd5f92f16ff0814022b379","#
        + #""direction":"received","body":"e\u0301 \/ \ud83d\ude00","timestamp":795000001.25,"status":"read","isEdited":true,"#
        + #""editedAt":795000002,"hopCount":3,"reactions":{"08c4cab788bd5f92f16ff0814022b379":"x"}}]},"#
        + #""identityFingerprint":"3619e750a2dd52ba978807b2a00df56d9ae3354382899ca7fafa482ca86a3528"}"#

    private func writeRich(_ name: String) throws -> String {
        let (text, passphrase) = (Array(Self.richBackup.utf8), Array(BundleSpecimen.passphrase.utf8))
        folder.write(
            try BundleWriter.seal(
                text.span, as: .backup(CommandRun.quick), passphrase: SecretBytes(copying: passphrase.span)), to: name)
        return folder.file(name)
    }

    @Test(
        "a backup that only an old app opens becomes one that the newest opens",
        arguments: [BundleSpecimen.hkdfBackup, .olderBackup, .backup2])
    func newest(specimen: BundleSpecimen) throws {
        let run = convert(try write(specimen), "new.sophaxbackup")
        #expect(run.status == .success, "\(run.errors)")
        let bytes = fileBytes(folder.file("new.sophaxbackup")) ?? []
        #expect(Array(bytes.prefix(5)) == Array("SXBK".utf8) + [2])
        // The newest app knows one derivation only.
        let secret = Array(BundleSpecimen.passphrase.utf8)
        let salt = Array(bytes[5..<37])
        let key = try PBKDF2.deriveSHA256(
            passphrase: SecretBytes(copying: secret.span), salt: salt.span,
            iterations: CommandRun.quick.backupIterations, length: 32)
        var cipher = try AESGCM(key: key)
        let box = Array(bytes[37...])
        let text = try cipher.openCombined(box.span)
        let isObject = text.withSpan { $0[0] } == UInt8(ascii: "{")
        #expect(isObject)
        #expect(json(run)["losses"] as? [String] == [])
        let counts = json(run)["counts"] as? [String: Int]
        #expect(counts == ["read": 1, "written": 1, "skipped": 0, "failed": 0])
    }

    @Test("messages, contacts, name and fingerprint are in the new backup, in the shape of the newest app")
    func backup() throws {
        let run = convert(try writeRich("a.sophaxbackup"), "b.sophaxbackup")
        #expect(run.status == .success, "\(run.errors)")
        let text = try text("b.sophaxbackup")
        #expect(text["username"] as? String == "alice" && text["version"] as? Int == 1)
        #expect(
            text["identityFingerprint"] as? String == "3619e750a2dd52ba978807b2a00df56d9ae3354382899ca7fafa482ca86a3528"
        )
        let messages = try #require(text["messages"] as? [String: [[String: Any]]])
        #expect(Set(messages.keys) == ["notetoself", "08c4cab788bd5f92f16ff0814022b379"])
        #expect(messages["notetoself"]?.first?["isEdited"] as? Bool == false)
        let message = try #require(messages["08c4cab788bd5f92f16ff0814022b379"]?.first)
        #expect(message["timestamp"] as? Double == 795_000_001.25 && message["hopCount"] as? Int == 3)
        #expect((message["body"] as? String)?.utf8.elementsEqual("e\u{301} / \u{1F600}".utf8) == true)
        let peers = try #require(text["peers"] as? [[String: Any]])
        #expect(peers.first?["isDirectlyConnected"] as? Bool == false && peers.first?["isOnline"] as? Bool == true)
    }

    @Test(
        "what a kind cannot hold is listed before it is lost",
        arguments: [
            ("b.sophaxbackup", [String]()), ("b.sxfe", ["no-identity"]), ("b.sophaxid", ["no-identity"]),
            ("sophaxchat-backup.bin", ["messages-dropped-key"]),
        ])
    func losses(out: String, codes: [String]) throws {
        let input = try writeRich("a.sophaxbackup")
        let run = convert(input, out)
        if codes.isEmpty {
            #expect(run.status == .success)
            return
        }
        #expect(fileBytes(folder.file(out)) == nil, "\(out) was written")
        if codes == ["no-identity"] {
            #expect(run.status == .notFound && run.errors.contains("no-identity"))
            return
        }
        #expect(run.status == .failure && run.errors.contains("would-lose"))
        let lossy = convert(input, out, "--lossy")
        #expect(lossy.status == .success, "\(lossy.errors)")
        let listed = (json(lossy)["losses"] as? [[String: Any]]) ?? []
        #expect(
            Set(listed.filter { $0["inFile"] as? Bool == false }.compactMap { $0["code"] as? String }) == Set(codes))
        #expect(
            listed.filter { $0["inFile"] as? Bool == false }.compactMap { $0["field"] as? String } == ["hopCount"])
    }

    @Test("a full export gives up its keys only with --lossy, and to nobody else")
    func fullExport() throws {
        let input = try write(.fullExport)
        let refused = convert(input, "b.sophaxbackup")
        #expect(refused.status == .failure && fileBytes(folder.file("b.sophaxbackup")) == nil)
        let run = convert(input, "b.sophaxbackup", "--lossy")
        #expect(run.status == .success)
        let losses = (json(run)["losses"] as? [[String: Any]]) ?? []
        #expect(losses.compactMap { $0["code"] as? String } == ["identity"])
        let text = try text("b.sophaxbackup")
        #expect(text["signingKeyPrivate"] == nil && text["messages"] != nil)
        #expect(convert(input, "b.sophaxid").status == .failure)
        let identity = convert(input, "b.sophaxid", "--lossy")
        #expect(identity.status == .success)
        #expect(((json(identity)["losses"] as? [[String: Any]]) ?? []).first?["code"] as? String == "messages")
        #expect(
            try self.text("b.sophaxid")["signingKeyPrivate"] as? String
                == "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
    }

    @Test("iPhone to Android and back keeps every message that Android can hold")
    func platforms() throws {
        let input = try writeRich("a.sophaxbackup")
        #expect(convert(input, "sophaxchat-backup.bin", "--lossy").status == .success)
        let android = try text("sophaxchat-backup.bin")
        // Android refuses keys that it does not know, and all values are strings.
        #expect(Set(android.keys) == ["version", "username", "peers", "conversationIDs", "messages"])
        #expect(android.values.allSatisfy { $0 is String })
        let lists = try #require(
            try JSONSerialization.jsonObject(with: Data((android["messages"] as? String ?? "").utf8))
                as? [String: [[String: Any]]])
        let message = try #require(lists["08c4cab788bd5f92"]?.first)
        #expect(message["timestampMs"] as? Int == 1_773_307_201_250 && message["editedAt"] as? Int == 1_773_307_202_000)
        #expect(message["isEdited"] == nil && message["hopCount"] == nil)
        let back = convert(folder.file("sophaxchat-backup.bin"), "c.sophaxbackup", "--lossy")
        #expect(back.status == .success, "\(back.errors)")
        let again = try #require(try text("c.sophaxbackup")["messages"] as? [String: [[String: Any]]])
        #expect(again["08c4cab788bd5f92"]?.first?["timestamp"] as? Double == 795_000_001.25)
        #expect(again["notetoself"]?.first?["timestamp"] as? Double == 1.5)
    }

    @Test("passphrases follow the rules of the app that reads the file")
    func passphrases() throws {
        let input = try write(.fullExport)
        func run(_ out: String, _ passphrase: String, _ options: String...) -> CommandRun {
            folder.write(passphrase, to: "new")
            return CommandRun.run(
                ["bundle", "convert", input, "-p", folder.file("pw"), "--out", folder.file(out), "--lossy", "--force"]
                    + ["--new-passphrase-file", folder.file("new")] + options)
        }
        let fifteen = "correct horse b"
        #expect(fifteen.count == 15)
        for out in ["b.sxfe", "b.sophaxbackup", "b.sophaxid"] {
            #expect(run(out, fifteen).status == .usage, "\(out)")
            #expect(run(out, fifteen + "a").status == .success, "\(out)")
        }
        // Spaces at the ends count for two of the kinds, and are taken off for identities.
        #expect(run("b.sxfe", fifteen + " ").status == .success)
        #expect(run("b.sophaxid", fifteen + " ").status == .usage)
        // Android counts UTF-16 units: four emoji are eight.
        #expect(run("sophaxchat-backup.bin", "\u{1F600}\u{1F601}\u{1F602}\u{1F603}").status == .success)
        #expect(run("sophaxchat-backup.bin", "\u{1F600}\u{1F601}\u{1F602}a").status == .usage)
        #expect(run("b.sxfe", fifteen + "a", "--recipient", "bob").status == .usage)
        #expect(run("b.sxfe", fifteen + "a", "--argon2-passes", "2").status == .usage)
    }

    @Test(
        "the input is never overwritten, nor another file without --force; a name without a known ending is asked about"
    )
    func outputs() throws {
        let input = try write(.backup2, "a.sophaxbackup")
        let before = fileBytes(input)
        #expect(convert(input, "a.sophaxbackup", "--force").status == .failure)
        #expect(fileBytes(input) == before)
        folder.write("mine", to: "b.sophaxbackup")
        #expect(convert(input, "b.sophaxbackup").status == .wouldOverwrite)
        #expect(fileBytes(folder.file("b.sophaxbackup")) == Array("mine".utf8))
        #expect(convert(input, "c.backup").status == .usage)
        #expect(convert(input, "c.backup", "--to", "sophaxbackup").status == .success)
    }
}
