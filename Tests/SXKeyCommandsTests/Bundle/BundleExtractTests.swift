import CommandKit
import Foundation
import SophaxFiles
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("bundle extract")
struct BundleExtractTests {
    private let folder = TemporaryFolder()

    private func run(_ specimen: BundleSpecimen, _ arguments: String...) throws -> CommandRun {
        folder.write(try specimen.bytes(), to: specimen.fileName)
        folder.write(BundleSpecimen.passphrase, to: "pw")
        return CommandRun.run(
            ["bundle", "extract", folder.file(specimen.fileName), "-p", folder.file("pw")] + arguments)
    }

    private var files: [String] {
        FolderListing(folder.file("out")).entries.filter { $0.value.hasPrefix("file") }.keys.sorted()
    }

    @Test("messages come out byte for byte, private keys only with --reveal")
    func fullExport() throws {
        let run = try run(.fullExport, "--out", folder.file("out"), "--json")
        #expect(run.status == .success)
        #expect(files == ["conversations/08c4cab788bd5f92.jsonl", "manifest.json"])
        let line = String(decoding: fileBytes(folder.file("out/" + files[0])) ?? [], as: UTF8.self)
        #expect(BundleSpecimen.fullExport.text.contains(line.dropLast()) && line.hasSuffix("}\n"))
        let json = (try? JSONSerialization.jsonObject(with: Data(run.outputBytes))) as? [String: Any]
        #expect(json?["leftOut"] as? [String] == ["identity.json"])
        #expect((json?["written"] as? [Any])?.count == 2)
        let revealed = try self.run(.fullExport, "--out", folder.file("keys"), "--reveal")
        #expect(revealed.status == .success)
        let identity = String(decoding: fileBytes(folder.file("keys/identity.json")) ?? [], as: UTF8.self)
        #expect(identity.contains("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="))
    }

    @Test("every kind of export can be taken apart", arguments: BundleSpecimen.all)
    func everyKind(specimen: BundleSpecimen) throws {
        let run = try run(specimen, "--out", folder.file("out"))
        #expect(run.status == .success, "\(run.errors)")
        #expect(files.first { $0.hasPrefix("manifest") } != nil)
    }

    @Test("private keys that were asked for by name need --reveal, and nothing is made")
    func needsReveal() throws {
        let run = try run(.identity, "identity.json", "--out", folder.file("out"))
        #expect(run.status == .usage)
        #expect(run.errors.contains("say --reveal"))
        #expect(!folder.names.contains("out"))
    }

    @Test("a name that is nothing in the bundle is said, with what there is")
    func unknown() throws {
        let run = try run(.hkdfBackup, "nobody", "--out", folder.file("out"))
        #expect(run.status == .notFound)
        #expect(
            run.errors == """
                sxkey: error: there is nothing called "nobody" in the bundle
                sxkey: hint: there is conversations/08c4cab788bd5f92.jsonl

                """)
        #expect(!folder.names.contains("out"))
    }

    @Test("something that is there already stays, whatever it is", arguments: ["file", "folder", "link"])
    func taken(kind: String) throws {
        switch kind {
        case "file": folder.write("mine", to: "out")
        case "folder": _ = folder.makeFolder("out")
        default: symlink("nowhere", folder.file("out"))
        }
        let before = FolderListing(folder.path).entries["out"]
        let run = try run(.hkdfBackup, "--out", folder.file("out"))
        #expect(run.status == .wouldOverwrite)
        #expect(FolderListing(folder.path).entries["out"] == before)
    }

    @Test("a wrong passphrase makes nothing")
    func wrongPassphrase() throws {
        folder.write(try BundleSpecimen.hkdfBackup.bytes(passphrase: "another one of these"), to: "a.sophaxbackup")
        folder.write(BundleSpecimen.passphrase, to: "pw")
        let run = CommandRun.run(
            ["bundle", "extract", folder.file("a.sophaxbackup"), "-p", folder.file("pw"), "--out", folder.file("out")])
        #expect(run.status == .wrongSecret)
        #expect(folder.names == ["a.sophaxbackup", "pw"])
    }
}
