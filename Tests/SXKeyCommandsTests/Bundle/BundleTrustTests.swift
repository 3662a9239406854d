import CryptoPrimitives
import Glibc
import PortableBundle
import SophaxCore
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

/// A bundle for keys can be made by anybody who knows the public one. What it says of people must not become trusted by
/// passing through a new bundle.
@Suite("Trust in a bundle for keys")
struct BundleTrustTests {
    private let specimen: KeyringSpecimen
    /// Alice's X25519 key.
    private let key: [UInt8]

    init() throws {
        specimen = try KeyringSpecimen()
        try specimen.addAlice()
        specimen.folder.write("correct horse battery staple", to: "new")
        key = try MadePeople.identity(0).publicKeys.dh
    }

    /// A bundle for alice with a contact who is marked as verified; `signer` is the first byte of somebody's keys.
    private func write(_ name: String, signer: UInt8?) throws {
        var head = DocumentHead()
        let keys = try MadePeople.identity(0x50).publicKeys
        let mark = ContactRecord.Mark(form: "ios-own", number: "12345 67890", markedAt: 1000, byIdentity: nil)
        head.contacts = [
            ContactRecord(
                name: Array("Mallory".utf8), isBlocked: false, addedAt: 1000,
                keys: [
                    .init(
                        keys: keys, firstSeen: 1000, lastSeen: 1000, isCurrent: true, replacedAt: nil,
                        origin: "invite", peerIDs: [], mark: mark)
                ], events: [])
        ]
        let document = try HeldDocument(.contacts, ItemsWriter(.contacts, head: head).finished())
        let source = DocumentSource(
            [document], createdAt: 1000, creator: "a test", owner: Manifest.Owner(), notIncluded: [])
        var ink: SXBSink.Signer?
        if let signer {
            let person = try MadePeople.identity(signer)
            ink = try SXBSink.Signer(person.publicKeys, sign: Self.pen(person.signingSeed.copy()))
        }
        _ = try SXBSink.write(
            source,
            to: SXBSink.Target(
                FilePath(specimen.folder.file(name)), replacing: false, notSameAs: [],
                recipients: [.publicKey(key)], signer: ink, verifying: true))
    }

    private final class Seed: Sendable {
        let bytes: SecretBytes
        init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
    }

    private static func pen(
        _ seed: consuming SecretBytes
    ) -> (Span<UInt8>) throws(SigningError) -> [UInt8] {
        let seed = Seed(seed)
        return { (message) throws(SigningError) in try Ed25519.sign(message, seed: seed.bytes) }
    }

    private func convert(_ name: String) -> CommandRun {
        specimen.run(
            "bundle", "convert", "@\(name)", "--out", "@new.sxb", "--new-passphrase-file", "@new", "--argon2-memory",
            "19", "--argon2-passes", "1", "--argon2-lanes", "1")
    }

    private func merge(_ name: String) -> CommandRun {
        specimen.run(
            "bundle", "merge", "@\(name)", "@\(name)", "--out", "@new.sxb", "--recipient",
            Base64.encode(key.span))
    }

    @Test("one that nobody signed, or an unknown person, does not become a bundle of one's own")
    func untrusted() throws {
        try write("unsigned.sxb", signer: nil)
        try write("unknown.sxb", signer: 0x50)
        for (name, who) in [("unsigned.sxb", "NOT SIGNED"), ("unknown.sxb", "not in the keyring")] {
            for make in [convert, merge] {
                let run = make(name)
                #expect(run.status == .success, "\(name): \(run.errors)")
                #expect(run.errors.contains("not taken over") && run.errors.contains(who), "\(run.errors)")
                // The one opens with the new passphrase, the other with alice's key.
                let withKey = specimen.run("bundle", "verify", "@new.sxb", "--json")
                let made =
                    withKey.output.isEmpty
                    ? specimen.run("bundle", "verify", "@new.sxb", "--json", "-p", "@new") : withKey
                #expect(made.output.contains("Mallory"), "\(made.output)\(made.errors)")
                #expect(!made.output.contains("\"verified\":true"), "\(made.output)")
                unlink(specimen.folder.file("new.sxb"))
            }
        }
        let verified = specimen.run("bundle", "verify", "@unsigned.sxb")
        #expect(verified.output.contains("Signed by    nobody"), "\(verified.output)")
    }

    @Test("one that was signed by an identity of the keyring does")
    func own() throws {
        try write("own.sxb", signer: 0)
        let run = convert("own.sxb")
        #expect(run.status == .success, "\(run.errors)")
        #expect(merge("own.sxb").status == .wouldOverwrite)
    }
}
