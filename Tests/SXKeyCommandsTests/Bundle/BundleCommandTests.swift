import CommandKit
import Foundation
import SophaxFiles
import TestSupport
import Testing

@testable import SXKeyCommands

/// What the bundle commands make of each kind of export.
@Suite("bundle commands")
struct BundleCommandTests {
    private let folder = TemporaryFolder()

    private func run(_ verb: String, _ specimen: BundleSpecimen, _ arguments: [String] = []) throws -> CommandRun {
        folder.write(try specimen.bytes(), to: specimen.fileName)
        folder.write(BundleSpecimen.passphrase, to: "pw")
        let secret = verb == "info" ? [] : ["-p", folder.file("pw")]
        return CommandRun.run(["bundle", verb, folder.file(specimen.fileName)] + arguments + secret)
    }

    private func json(_ run: CommandRun) -> [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(run.outputBytes))) as? [String: Any]
    }

    private static let withMessages = [BundleSpecimen.hkdfBackup, .olderBackup, .backup2, .fullExport]
    private static let keysOnly = [BundleSpecimen.firstIdentity, .identity]

    @Test("info needs no passphrase and tells kind, version and cost", arguments: BundleSpecimen.all)
    func info(specimen: BundleSpecimen) throws {
        let run = try run("info", specimen, ["--json"])
        #expect(run.status == .success)
        let json = json(run)
        #expect(json?["kind"] as? String == specimen.recipe.kind.rawValue)
        #expect(json?["headerSize"] as? Int == specimen.headerLength)
        #expect(json?["textSize"] as? Int == specimen.text.utf8.count)
        #expect(json?["authenticated"] as? Bool == false)
        let derivations = json?["keyDerivations"] as? [[String: Any]]
        #expect(derivations?.count == (specimen.recipe.kind == .backup ? 3 : 1))
        #expect(try self.run("info", specimen).output.contains("Not proven: "))
    }

    @Test("messages are verified, shown and exported", arguments: withMessages)
    func messages(specimen: BundleSpecimen) throws {
        let verify = try run("verify", specimen, ["--json"])
        let counts = json(verify)?["counts"] as? [String: Int]
        #expect(counts == ["read": 1, "ok": 1, "merged": 0, "atRisk": 0, "damaged": 0])
        let show = try run("show", specimen)
        #expect(show.status == .success)
        #expect(show.output.contains("2026-03-12 09:20  me        hello\n"))
        let one = try run("show", specimen, ["08c4"])
        #expect(one.output == "08c4cab788bd5f92   direct, 1 message\n2026-03-12 09:20  me        hello\n")
        let lines = try run("show", specimen, ["--json"])
        #expect(json(lines)?["body"] as? String == "hello")
        let out = folder.file("out.jsonl")
        let export = try run("export", specimen, ["--out", out, "--json"])
        #expect(json(export)?["written"] as? Int == 1)
        let exported = String(decoding: fileBytes(out) ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(exported.count == 2)
        #expect(exported.last.map { $0 + "\n" } == lines.output)
    }

    @Test("an identity export has keys to verify and no messages", arguments: keysOnly)
    func identities(specimen: BundleSpecimen) throws {
        let fingerprint = "3619e750a2dd52ba978807b2a00df56d9ae3354382899ca7fafa482ca86a3528"
        let verify = try run("verify", specimen)
        #expect(verify.output.contains("Fingerprint  \(fingerprint)\n"))
        #expect(verify.output.contains("authentic: an identity with both keys\n"))
        let show = try run("show", specimen)
        #expect(show.status == .success && show.output.contains(fingerprint))
        let asJSON = json(try run("show", specimen, ["--json"]))
        #expect((asJSON?["identity"] as? [String: Any])?["fingerprint"] as? String == fingerprint)
        for arguments in [["show", "notes"], ["export", "--out", folder.file("x")]] {
            let none = try run(arguments[0], specimen, Array(arguments.dropFirst()))
            #expect(none.status == .notFound)
            #expect(
                none.error(in: folder.path)
                    == "\"a.sophaxid\" is an identity export: it holds keys and no messages")
        }
        #expect(!folder.names.contains("x"))
    }

    @Test("an Android backup needs its name or --kind")
    func android() throws {
        #expect(try run("verify", .android).status == .success)
        rename(folder.file("sophaxchat-backup.bin"), folder.file("copy.bin"))
        let unknown = CommandRun.run(["bundle", "verify", folder.file("copy.bin"), "-p", folder.file("pw")])
        #expect(unknown.status == .unreadable)
        #expect(unknown.errors.contains("say --kind android, or keep its name sophaxchat-backup.bin"))
        let forced = CommandRun.run(
            ["bundle", "verify", folder.file("copy.bin"), "--kind", "android", "-p", folder.file("pw")])
        #expect(forced.status == .success)
    }

    @Test("a conversation that is not there is named with those that are")
    func noConversation() throws {
        let run = try run("show", .hkdfBackup, ["nobody"])
        #expect(run.status == .notFound)
        #expect(
            run.errors == """
                sxkey: error: there is no conversation "nobody"
                sxkey: hint: there is 08c4cab788bd5f92

                """)
        let none = try self.run("show", .android, ["nobody"])
        #expect(none.errors.contains("hint: there is none at all"))
    }

    @Test("with --json standard output is JSON or nothing")
    func onlyJSON() throws {
        let text = try run("export", .hkdfBackup, ["--format", "text", "--out", "-", "--json"])
        #expect(text.status == .usage && text.output.isEmpty)
        let completions = CommandRun.run(["completions", "bash", "--json"])
        #expect((json(completions)?["script"] as? String)?.hasPrefix("# bash completion") == true)
    }

    @Test("authentic text that is no JSON is said to be so, not called a wrong passphrase")
    func otherText() throws {
        for text in ["", "x", "[]", "{", "{\"a\":1", "\u{0}"] where !text.isEmpty {
            let good = BundleSpecimen.hkdfBackup
            let specimen = BundleSpecimen(
                description: "", fileName: good.fileName, recipe: good.recipe, title: "", text: text,
                newestVersion: nil,
                headerLength: good.headerLength, hasIterations: false)
            let run = try run("verify", specimen)
            #expect(run.status == .unreadable, "\(text)")
            #expect(
                run.error(in: folder.path).hasPrefix(
                    "cannot read \"a.sophaxbackup\": the passphrase is right, but the text inside is no JSON object"),
                "\(run.errors)")
        }
    }
}
