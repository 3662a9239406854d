import CryptoPrimitives
import Keyring
import SophaxCore
import TestSupport
import Testing

@testable import SXKeyCommands

/// X-Wing keys of a keyring that others can harm, and bundles that are for them.
@Suite("X-Wing keys that bundles are for")
struct RecipientKeyTests {
    private let specimen: KeyringSpecimen

    init() throws {
        specimen = try KeyringSpecimen()
        try done(specimen.run("identity", "new", "Ana", "--post-quantum"))
        try done(specimen.run("identity", "new", "Vic"))
    }

    /// A run that has to succeed, and its output.
    @discardableResult
    private func done(_ run: CommandRun) throws -> String {
        try #require(run.status == .success, "\(run.output)\(run.errors)")
        return run.output
    }

    private func key(of name: String, in specimen: KeyringSpecimen) throws -> String {
        let output = try done(specimen.run("identity", "show", name, "--recipient-key"))
        return String(output.dropLast())
    }

    private func flip(_ account: ItemAccount, of name: String) throws {
        let keyring = try specimen.open(.readWrite)
        let identity = try #require(keyring.identities(named: Array(name.utf8)).first)
        guard let value = try keyring.item(account, of: identity) else {
            Issue.record("no item")
            return
        }
        var bytes = value.withSpan { bytes in bytes.indices.map { bytes[$0] } }
        bytes[0] ^= 1
        try keyring.setItem(account, of: identity, to: SecretBytes(copying: bytes.span), at: CommandRun.now)
    }

    @Test("a damaged one shuts no other bundle, is named, and is put aside for a new one")
    func damaged() throws {
        for name in ["Ana", "Vic"] {
            try done(specimen.run("bundle", "create", "--recipient", name, "--out", "@\(name).sxb"))
        }
        try flip(.xWing, of: "Ana")
        let other = specimen.run("bundle", "verify", "@Vic.sxb")
        #expect(other.status == .success, "\(other.output)\(other.errors)")
        #expect(other.errors.contains("identity.xwing of Ana"), "\(other.errors)")
        let own = specimen.run("bundle", "verify", "@Ana.sxb")
        #expect(own.status == .wrongSecret && own.errors.contains("is damaged"), "\(own.errors)")
        let shown = specimen.run("identity", "show", "Ana")
        #expect(shown.status == .success && shown.output.contains("a damaged recipient key"), "\(shown.errors)")
        #expect(specimen.run("identity", "show", "Ana", "--json").output.contains(#""recipientKeyIsDamaged":true"#))
        let refused = specimen.run("bundle", "create", "--recipient", "Ana", "--out", "@new.sxb")
        #expect(refused.status == .unreadable && refused.errors.contains("rotate --post-quantum"), "\(refused.errors)")
        #expect(fileBytes(specimen.folder.file("new.sxb")) == nil)

        try done(specimen.run("prekey", "rotate", "--post-quantum", "--identity", "Ana"))
        try done(specimen.run("keyring", "verify"))
        try done(specimen.run("bundle", "create", "--recipient", "Ana", "--out", "@new.sxb"))
        let opened = specimen.run("bundle", "verify", "@new.sxb")
        #expect(opened.status == .success && opened.errors == "", "\(opened.errors)")
        let accounts = try specimen.open().items(of: #require(specimen.open().identities().first)).map(\.account.text)
        #expect(accounts.contains { $0.hasPrefix("identity.xwing.damaged-") })
    }

    @Test("a second one that a bundle or an import brings is kept, and what is for either opens")
    func second() throws {
        try done(specimen.run("bundle", "create", "--recipient", "Ana", "--out", "@first.sxb"))
        try done(
            specimen.run(
                "bundle", "create", "--new-passphrase-file", "@pw", "--argon2-memory", "19", "--out", "@all.sxb"))
        try done(
            specimen.run("identity", "export", "Ana", "--out", "@ana.sophaxid", "--new-passphrase-file", "@pw"))
        try done(
            specimen.run(
                "identity", "export", "Ana", "--format", "keychain-json", "--reveal", "--out", "@ana.items"))
        let first = try key(of: "Ana", in: specimen)

        for viaImport in [false, true] {
            let other = try KeyringSpecimen()
            func file(_ name: String) -> String { specimen.folder.file(name) }
            try done(other.run("identity", "import", file("ana.sophaxid"), "-p", "@pw"))
            try done(other.run("prekey", "rotate", "--post-quantum"))
            let second = try key(of: "Ana", in: other)
            #expect(second != first)
            try done(other.run("bundle", "create", "--recipient", "Ana", "--out", "@second.sxb"))
            #expect(other.run("bundle", "verify", file("first.sxb")).status == .wrongSecret)
            let brought =
                viaImport
                ? other.run("identity", "import", file("ana.items"))
                : other.run("bundle", "restore", file("all.sxb"), "-p", "@pw")
            // The other ML-KEM and ML-DSA keys differ, and stay.
            #expect(brought.status == .someDamaged && !brought.output.contains("kept       identity.xwing"))
            for name in [file("first.sxb"), "@second.sxb"] { try done(other.run("bundle", "verify", name)) }
            #expect(try key(of: "Ana", in: other) == second)
            let again =
                viaImport
                ? other.run("identity", "import", file("ana.items"))
                : other.run("bundle", "restore", file("all.sxb"), "-p", "@pw")
            #expect(again.output.contains(" 0 added"), "\(again.output)")
        }
    }

    @Test("it is said whom a bundle is for, and how strong that is")
    func warnings() throws {
        let ana = try key(of: "Ana", in: specimen)
        let bare = specimen.run("bundle", "create", "--recipient", ana, "--out", "@bare.sxb")
        #expect(!bare.errors.contains("you cannot open it yourself"), "\(bare.errors)")
        #expect(bare.errors.contains("only the X-Wing key of"), "\(bare.errors)")
        let mixed = specimen.run(
            "bundle", "create", "--recipient", "Ana", "--recipient", "Vic", "--out", "@mixed.sxb")
        #expect(mixed.errors.contains("break X25519") && mixed.errors.contains("Vic"), "\(mixed.errors)")
        for one in ["Ana", "Vic"] {
            let run = specimen.run("bundle", "create", "--recipient", one, "--out", "@\(one).sxb")
            #expect(!run.errors.contains("break X25519"), "\(run.errors)")
        }
        let bad = specimen.run(
            "bundle", "create", "--recipient", "////" + ana.dropFirst(4), "--out", "@bad.sxb")
        #expect(bad.status == .usage && bad.errors.contains("ML-KEM part"), "\(bad.errors)")
        let typo = specimen.run("bundle", "create", "--recipient", String(ana.dropLast(9)), "--out", "@bad.sxb")
        #expect(typo.status == .notFound && typo.errors.utf8.count < 600, "\(typo.errors)")
    }

    @Test("a bundle for one of one's own keys is for oneself, whichever of them opens it")
    func forReader() throws {
        let identity = try #require(specimen.open().identities(named: Array("Ana".utf8)).first)
        let dh = Base64.encode(identity.keys.dh.span)
        try done(specimen.run("bundle", "create", "--recipient", "Ana", "--out", "@a.sxb"))
        try done(specimen.run("bundle", "passwd", "@a.sxb", "--keep", "1", "--recipient", dh))
        let run = specimen.run("bundle", "verify", "@a.sxb")
        #expect(run.status == .success && !run.output.contains("who did not make it for you"), "\(run.output)")
        // For somebody else it was passed on.
        let other = try KeyringSpecimen()
        try done(other.run("identity", "new", "Rosa", "--post-quantum"))
        let rosa = try key(of: "Rosa", in: other)
        try done(specimen.run("bundle", "passwd", "@a.sxb", "--keep", "1", "--recipient", rosa))
        let passedOn = other.run("bundle", "verify", specimen.folder.file("a.sxb"))
        #expect(passedOn.output.contains("who did not make it for you"), "\(passedOn.output)\(passedOn.errors)")
    }
}
