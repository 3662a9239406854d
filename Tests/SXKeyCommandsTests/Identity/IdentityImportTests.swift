import CryptoPrimitives
import Keyring
import SophaxFiles
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("identity import")
struct IdentityImportTests {
    private let specimen: KeyringSpecimen

    init() throws {
        specimen = try KeyringSpecimen()
    }

    /// Seed 64…95, DH key 96…127: the second identity of the check values.
    private static let bob =
        #"{"identity.signing":"QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl8=","#
        + #""identity.dh":"YGFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6e3x9fn8=","user.username":"Qm9i","#
        + #""storage.master":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=","an app's own":"/w=="}"#

    @Test("takes an identity from every kind of export, and it is the one of the check values")
    func exports() throws {
        for export in [BundleSpecimen.firstIdentity, .identity, .fullExport] {
            let specimen = try KeyringSpecimen()
            specimen.folder.write(try export.bytes(), to: "file")
            let run = specimen.run("identity", "import", "@file", "-p", "@pw")
            #expect(run.status == .success, "\(export): \(run.errors)")
            let identity = try #require(try specimen.open().currentIdentity())
            #expect(identity.fingerprint.hex == KeyringSpecimen.alice)
            #expect(identity.name.text == "alice")
        }
    }

    @Test("keeps every item of a keychain, and another identity does not become the current one")
    func keychain() throws {
        try specimen.addAlice()
        specimen.folder.write(Self.bob, to: "bob.json")
        let run = specimen.run("identity", "import", "@bob.json")
        #expect(run.status == .success, "\(run.errors)")
        #expect(run.output.contains("is still alice (3619e750a2dd52ba)"))
        let keyring = try specimen.open()
        #expect(try keyring.currentIdentity()?.fingerprint.hex == KeyringSpecimen.alice)
        let bob = try #require(try keyring.identities(named: Array("Bob".utf8)).first)
        // Formats section 12: the associated data ends with the second identity's 32 digits.
        #expect(bob.fingerprint.hex.hasPrefix("ce04d757588b607db7dd1e31c428b180"))
        #expect(
            try keyring.items(of: bob).map(\.account.text)
                == ["an app's own", "identity.dh", "identity.signing", "storage.master", "user.username"])
    }

    @Test("what fails leaves every byte of the keyring as it was, and names the reason")
    func untouched() throws {
        try specimen.addAlice()
        let good = try BundleSpecimen.identity.bytes()
        var (newer, flipped) = (good, good)
        newer[4] = 3
        flipped[good.count - 1] ^= 1
        let torSecret = Array("== ed25519v1-secret: type0 ==\0\0\0".utf8) + [UInt8](repeating: 7, count: 64)
        let foreign =
            #"{"identity.signing":"\#(String(repeating: "A", count: 84))AA==","identity.dh":"\#(String(repeating: "A", count: 43))="}"#
        let files: [(name: String, bytes: [UInt8], status: CommandStatus, code: String)] = [
            ("truncated", Array(good.prefix(60)), .unreadable, "cut off"), ("newer", newer, .newerVersion, "version 3"),
            ("flipped", flipped, .wrongSecret, "wrong passphrase, or the file is damaged"),
            ("backup", try BundleSpecimen.backup2.bytes(), .notFound, "holds messages and no keys"),
            ("tor", torSecret, .unreadable, "expanded form"),
            ("torpublic", Array(torSecret.prefix(64)), .unreadable, "the public key of Tor"),
            ("nothing", Array("PK".utf8), .unreadable, "not a known file"),
            ("empty", [], .unreadable, "not a known file"),
            ("nokeys", Array(#"{"storage.master":"AA=="}"#.utf8), .notFound, "no item identity.signing"),
            (
                "short", Array(#"{"identity.signing":"AA==","identity.dh":"AA=="}"#.utf8), .unreadable,
                "has 1 bytes, not 32"
            ),
            ("foreign", Array(foreign.utf8), .unreadable, "the public key beside identity.signing is another one"),
        ]
        let before = specimen.bytes
        for file in files {
            specimen.folder.write(file.bytes, to: file.name)
            let run = specimen.run("identity", "import", "@\(file.name)", "-p", "@pw", "--use")
            #expect(run.status == file.status, "\(file.name): \(run.errors)")
            #expect(run.errors.contains(file.code), "\(file.name): \(run.errors)")
            #expect(specimen.bytes == before, "\(file.name)")
        }
        specimen.folder.write("another passphrase altogether", to: "wrong")
        specimen.folder.write(good, to: "good")
        #expect(specimen.run("identity", "import", "@good", "-p", "@wrong").status == .wrongSecret)
        #expect(specimen.bytes == before)
    }

    @Test("a valid but other identity than the expected one is refused with both fingerprints")
    func unexpected() throws {
        specimen.folder.write(try BundleSpecimen.identity.bytes(), to: "alice.sophaxid")
        let before = specimen.bytes
        let run = specimen.run("identity", "import", "@alice.sophaxid", "-p", "@pw", "--expect", "ce04d757588b607d")
        #expect(run.status == .finding)
        #expect(
            run.errors.contains("expected: ce04d757588b607d") && run.errors.contains("found: \(KeyringSpecimen.alice)"))
        #expect(specimen.bytes == before)
        let right = specimen.run("identity", "import", "@alice.sophaxid", "-p", "@pw", "--expect", "3619E750a2")
        #expect(right.status == .success)
    }

    @Test("an identity that is there gets what it lacks; what differs is kept and named")
    func again() throws {
        specimen.folder.write(Self.bob, to: "bob.json")
        #expect(specimen.run("identity", "import", "@bob.json").status == .success)
        let other = Self.bob.replacing("AAECAwQF", with: "BBECAwQF").replacing("\"an app's own\"", with: "\"new one\"")
        specimen.folder.write(other, to: "other.json")
        let run = specimen.run("identity", "import", "@other.json")
        #expect(run.status == .someDamaged)
        #expect(run.output.contains("5 read: 1 added · 3 there already · 1 kept, other than in the file"))
        #expect(run.output.contains("kept       storage.master"))
        let keyring = try specimen.open()
        let bob = try #require(try keyring.currentIdentity())
        guard let master = try keyring.item(.storageMaster, of: bob) else {
            Issue.record("no storage.master")
            return
        }
        let kept: [UInt8] = Array(0..<32)
        let isKept = master.isEqual(to: kept.span)
        #expect(isKept)
    }

    @Test("a plan changes nothing, and says by fingerprint what would be current")
    func dryRun() throws {
        try specimen.addAlice()
        specimen.folder.write(Self.bob, to: "bob.json")
        let before = specimen.bytes
        let run = specimen.run("identity", "import", "@bob.json", "--use", "--dry-run")
        #expect(run.status == .success)
        #expect(run.output.contains("Would import Bob"))
        #expect(run.output.contains("would be this one, before it was alice (3619e750a2dd52ba)"))
        #expect(run.output.hasSuffix("Nothing was changed\n"))
        #expect(specimen.bytes == before)
        #expect(
            specimen.run("identity", "import", "@bob.json", "--use").output.contains(
                "is now this one, before it was alice"))
    }

    @Test("messages that belong to another identity than the keys are an alarm")
    func fingerprint() throws {
        let text = BundleSpecimen.fullExport.text.replacing(
            #""messages":{"#, with: #""identityFingerprint":"\#(String(repeating: "0", count: 64))","messages":{"#)
        #expect(text != BundleSpecimen.fullExport.text)
        let (bytes, passphrase) = (Array(text.utf8), Array(BundleSpecimen.passphrase.utf8))
        specimen.folder.write(
            try BundleWriter.seal(
                bytes.span, as: BundleSpecimen.fullExport.recipe, passphrase: SecretBytes(copying: passphrase.span)),
            to: "file")
        let before = specimen.bytes
        let run = specimen.run("identity", "import", "@file", "-p", "@pw")
        #expect(run.status == .finding)
        #expect(run.errors.contains("its messages belong to another identity than its keys"))
        #expect(specimen.bytes == before)
    }
}
