import CommandKit
import Foundation
import SophaxFiles
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("bundle passwd of the apps' exports")
struct BundlePasswdTests {
    private let folder = TemporaryFolder()
    private static let new = "six bicycles behind the station"

    private func run(_ specimen: BundleSpecimen, _ arguments: String..., new: String = new) throws -> CommandRun {
        folder.write(try specimen.bytes(), to: specimen.fileName)
        folder.write(BundleSpecimen.passphrase, to: "pw")
        folder.write(new, to: "new")
        return CommandRun.run(
            ["bundle", "passwd", folder.file(specimen.fileName), "-p", folder.file("pw")]
                + ["--new-passphrase-file", folder.file("new")] + arguments)
    }

    /// Whether it opens; the iteration counts of the specimens are a finding.
    private func opens(_ name: String, _ secret: String) -> Bool {
        let status = CommandRun.run(["bundle", "verify", folder.file(name), "-p", folder.file(secret)]).status
        return status == .success || status == .finding
    }

    @Test("afterwards the new passphrase opens it and the former one does not", arguments: BundleSpecimen.all)
    func changed(specimen: BundleSpecimen) throws {
        let run = try run(specimen)
        #expect(run.status == .success, "\(run.errors)")
        #expect(run.output.contains("Re-encrypted: everything, with a fresh salt"))
        #expect(run.output.contains("Copies that were made earlier still open with the former secret\n"))
        #expect(opens(specimen.fileName, "new"))
        #expect(!opens(specimen.fileName, "pw"))
        #expect(folder.names == [specimen.fileName, "new", "pw"].sorted())
        #expect(FolderListing.permissions(folder.file(specimen.fileName)) == 0o600)
    }

    @Test("with --out the file stays as it is")
    func elsewhere() throws {
        let run = try run(.fullExport, "--out", folder.file("b.sxfe"))
        #expect(run.status == .success)
        #expect(opens("b.sxfe", "new"))
        #expect(opens("a.sxfe", "pw"))
        let again = CommandRun.run(
            ["bundle", "passwd", folder.file("a.sxfe"), "-p", folder.file("pw"), "--out", folder.file("b.sxfe")]
                + ["--new-passphrase-file", folder.file("new")])
        #expect(again.status == .wouldOverwrite)
    }

    @Test("the passphrase must be one that the app takes", arguments: [BundleSpecimen.fullExport, .android])
    func tooShort(specimen: BundleSpecimen) throws {
        let minimum = specimen.recipe.kind == .android ? 8 : 16
        let before = specimen.fileName
        let run = try run(specimen, new: String(repeating: "x", count: minimum - 1))
        #expect(run.status == .usage)
        #expect(run.errors.contains("has \(minimum - 1) characters; the app that reads it wants at least \(minimum)"))
        #expect(opens(before, "pw"))
    }

    @Test("spaces at the ends of an identity's passphrase do not count, as in the app")
    func trimmed() throws {
        let run = try run(.identity, new: "  fifteen letters   ")
        #expect(run.status == .usage && run.errors.contains("has 15 characters"))
    }

    @Test("a wrong passphrase, damage and a link change nothing")
    func refused() throws {
        folder.write(try BundleSpecimen.fullExport.bytes(passphrase: "another one of these"), to: "a.sxfe")
        folder.write(BundleSpecimen.passphrase, to: "pw")
        folder.write(Self.new, to: "new")
        symlink("a.sxfe", folder.file("link"))
        let before = FolderListing(folder.path)
        for (name, status) in [("a.sxfe", CommandStatus.wrongSecret), ("link", .usage), ("nothing", .notFound)] {
            let run = CommandRun.run(
                ["bundle", "passwd", folder.file(name), "-p", folder.file("pw"), "--new-passphrase-file"]
                    + [folder.file("new")])
            #expect(run.status == status, "\(name): \(run.errors)")
            #expect(FolderListing(folder.path) == before)
        }
    }

    @Test("what an export cannot have is refused before anything is asked")
    func notForExports() throws {
        for arguments in [["--recipient", "NYBy1jZYgNGu6jKa35EhODhR7SGijjt16WXQ0s0WYlQ="], ["--argon2-memory", "19"]] {
            folder.write(try BundleSpecimen.fullExport.bytes(), to: "a.sxfe")
            folder.write(BundleSpecimen.passphrase, to: "pw")
            let run = CommandRun.run(["bundle", "passwd", folder.file("a.sxfe"), "-p", folder.file("pw")] + arguments)
            #expect(run.status == .usage, "\(arguments)")
        }
    }
}
