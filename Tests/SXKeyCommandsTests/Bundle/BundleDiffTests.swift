import CommandKit
import Foundation
import SophaxFiles
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("bundle diff")
struct BundleDiffTests {
    private let folder = TemporaryFolder()

    private func write(_ specimen: BundleSpecimen, to name: String) throws {
        folder.write(try specimen.bytes(), to: name)
        folder.write(BundleSpecimen.passphrase, to: "pw")
    }

    private func run(_ first: String, _ second: String, _ arguments: String...) -> CommandRun {
        CommandRun.run(
            ["bundle", "diff", folder.file(first), folder.file(second)]
                + ["-p", folder.file("pw"), "-p", folder.file("pw")] + arguments)
    }

    private static func changed(_ specimen: BundleSpecimen, _ from: String, _ to: String) -> BundleSpecimen {
        BundleSpecimen(
            description: specimen.description, fileName: specimen.fileName, recipe: specimen.recipe,
            title: specimen.title, text: specimen.text.replacing(from, with: to),
            newestVersion: specimen.newestVersion,
            headerLength: specimen.headerLength, hasIterations: specimen.hasIterations)
    }

    @Test("a bundle does not differ from itself, nor from one with other spellings", arguments: BundleSpecimen.all)
    func same(specimen: BundleSpecimen) throws {
        let name = specimen.recipe.kind == .android ? specimen.fileName : "one-" + specimen.fileName
        try write(specimen, to: name)
        let run = run(name, name)
        #expect(run.status == .success, "\(run.output)\(run.errors)")
        #expect(run.output.hasSuffix("Verdict: the same (exit 0)\n"), "\(run.output)")
    }

    @Test("a backup and a full export of the same messages are the same in what both can hold")
    func kinds() throws {
        try write(.backup2, to: "a.sophaxbackup")
        try write(.fullExport, to: "b.sxfe")
        let run = run("a.sophaxbackup", "b.sxfe")
        #expect(run.status == .success, "\(run.output)")
        #expect(run.output.contains("identity          not compared: a message backup (A) has no room for them\n"))
        #expect(run.output.contains("messages          1 the same\n"))
        #expect(run.output.contains("Verdict: the same in everything that both can hold (exit 0)\n"))
    }

    @Test("what differs is named, with exit code 8")
    func differs() throws {
        try write(.backup2, to: "a.sophaxbackup")
        try write(Self.changed(.backup2, #""body":"hello""#, #""body":"good bye""#), to: "b.sophaxbackup")
        let run = run("a.sophaxbackup", "b.sophaxbackup")
        #expect(run.status == .finding)
        #expect(run.output.contains("messages          0 the same · 1 changed\n    ≠ A1 in 08c4cab788bd5f92\n"))
        #expect(run.output.contains("Verdict: they differ (exit 8)\n"))
        #expect(!run.output.contains("hello"))
        let data = Data(self.run("a.sophaxbackup", "b.sophaxbackup", "--json").outputBytes)
        let json = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
        #expect(json?["differs"] as? Bool == true && json?["exit"] as? Int == 8)
        let parts = json?["parts"] as? [[String: Any]]
        let items = parts?.last?["items"] as? [[String: Any]]
        #expect(items?.first?["name"] as? String == "A1" && items?.first?["change"] as? String == "changed")
    }

    @Test("two identities are said to be two")
    func identities() throws {
        try write(.identity, to: "a.sophaxid")
        try write(Self.changed(.identity, "AAECAwQFBgcICQ", "BBECAwQFBgcICQ"), to: "b.sophaxid")
        let run = run("a.sophaxid", "b.sophaxid")
        #expect(run.status == .finding)
        #expect(run.output.contains("Verdict: they belong to different identities (exit 8)\n"))
        #expect(run.output.contains(KeyringSpecimen.alice))
    }

    @Test("an iOS and an Android backup of the same messages are the same")
    func platforms() throws {
        try write(.backup2, to: "a.sophaxbackup")
        let message =
            #"{\"id\":\"A1\",\"peerID\":\"08c4cab788bd5f92\",\"direction\":\"sent\",\"body\":\"hello\","#
            + #"\"timestampMs\":1773307201000,\"status\":\"read\"}"#
        let lists = #"{\"08c4cab788bd5f92\":["# + message + "]}"
        try write(
            Self.changed(.android, #""messages":"{}""#, #""messages":""# + lists + "\""), to: "sophaxchat-backup.bin")
        let run = run("a.sophaxbackup", "sophaxchat-backup.bin")
        #expect(run.status == .success, "\(run.output)\(run.errors)")
        #expect(run.output.contains("messages were compared as Android keeps them"))
    }

    @Test("as many passphrases as bundles", arguments: [1, 3])
    func passphrases(count: Int) throws {
        try write(.backup2, to: "a.sophaxbackup")
        let pairs = (0..<count).flatMap { _ in ["-p", folder.file("pw")] }
        let path = folder.file("a.sophaxbackup")
        let run = CommandRun.run(["bundle", "diff", path, path] + pairs)
        #expect(run.status == .usage)
        #expect(run.errors.hasPrefix("sxkey: error: \(count) passphrase"))
        #expect(run.errors.contains("in the order of the files"))
    }

    @Test("a passphrase that is wrong is said of its own file")
    func wrongPassphrase() throws {
        try write(.backup2, to: "a.sophaxbackup")
        folder.write(try BundleSpecimen.backup2.bytes(passphrase: "another one of these"), to: "b.sophaxbackup")
        let run = run("a.sophaxbackup", "b.sophaxbackup")
        #expect(run.status == .wrongSecret)
        #expect(run.errors.contains("b.sophaxbackup\": wrong passphrase"))
        #expect(run.output.isEmpty)
    }
}
