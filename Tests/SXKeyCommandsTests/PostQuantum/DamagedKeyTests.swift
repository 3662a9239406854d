import CryptoPrimitives
import Foundation
import Keyring
import SophaxCore
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

/// Post-quantum keys that came in damaged: what is there and cannot be used becomes neither a weaker key nor silence.
@Suite("damaged post-quantum keys")
struct DamagedKeyTests {
    private let specimen: KeyringSpecimen

    init() throws {
        specimen = try KeyringSpecimen()
        let made = specimen.run("identity", "new", "Quentin", "--post-quantum")
        try #require(made.status == .success, "\(made.errors)")
    }

    /// What happens to the value of an item.
    enum Harm: Sendable, CaseIterable {
        case cut, flipped, gone

        func value(of bytes: [UInt8]) -> [UInt8]? {
            switch self {
            case .cut: Array(bytes.prefix(bytes.count / 2))
            case .flipped: [bytes[0] ^ 1] + bytes.dropFirst()
            case .gone: nil
            }
        }
    }

    private func harm(_ account: ItemAccount, _ harm: Harm) throws {
        let keyring = try specimen.open(.readWrite)
        let identity = try #require(keyring.identities().first)
        guard let value = try keyring.item(account, of: identity) else { throw NoItem() }
        if let changed = harm.value(of: value.withSpan { bytes in bytes.indices.map { bytes[$0] } }) {
            try keyring.setItem(account, of: identity, to: SecretBytes(copying: changed.span), at: CommandRun.now)
        } else {
            #expect(try keyring.removeItem(account, of: identity))
        }
    }

    private struct NoItem: Error {}

    private func currentPreKey() throws -> ItemAccount {
        let keyring = try specimen.open()
        let identity = try #require(keyring.identities().first)
        return try #require(keyring.preKeys(of: identity).currentPostQuantum).account
    }

    private func published(_ arguments: String...) -> CommandRun {
        CommandRun.run(
            [
                "prekey", "publish", "--out", "-", "--keyring", specimen.path, "--keyring-key-file",
                specimen.folder.file("key"),
            ] + arguments)
    }

    private func bundle(_ run: CommandRun) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(run.outputBytes))) as? [String: Any] ?? [:]
    }

    @Test(
        "publish refuses a damaged ML-KEM prekey, offers neither the identity's own key nor none, and rotation heals it",
        arguments: [
            ("key", Harm.cut), ("key", .flipped), ("key", .gone), ("number", .cut), ("number", .flipped),
            ("number", .gone),
        ], [true, false])
    func preKey(_ fault: (part: String, harm: Harm), keepsOwn: Bool) throws {
        let preKey = try currentPreKey()
        if !keepsOwn { try harm(.mlKEM, .gone) }
        try harm(fault.part == "key" ? preKey : .postQuantumPreKeyID, fault.harm)
        let run = published()
        // Where the only item of the kind is gone nothing is left that says there was one, but the number.
        #expect(run.status == .unreadable && run.outputBytes.isEmpty, "\(run.output)\(run.errors)")
        #expect(run.errors.contains("pqspk."), "\(run.errors)")
        let classical = published("--classical")
        #expect(classical.status == .success && bundle(classical)["pqPreKey"] == nil)

        let rotated = specimen.run("prekey", "rotate")
        #expect(rotated.status == .success && rotated.output.contains("a new ML-KEM prekey"), "\(rotated.output)")
        let again = published()
        #expect(again.status == .success && again.errors == "", "\(again.errors)")
        #expect(bundle(again).keys.contains { $0.hasPrefix("pq") || $0.hasPrefix("kyber") }, "\(bundle(again).keys)")
    }

    @Test("a bundle that is not signed with ML-DSA says so, on standard error too", arguments: [Harm.cut, .flipped])
    func signingKey(harm: Harm) throws {
        try self.harm(.mlDSA, harm)
        let run = published()
        #expect(run.status == .success)
        #expect(run.errors.contains("not signed with ML-DSA"), "\(run.errors)")
        #expect(bundle(run)["mldsaPublicKey"] == nil && bundle(run)["mldsaSPKSignature"] == nil)
        let info = specimen.run("prekey", "info")
        #expect(info.output.contains("an ML-DSA key that cannot be used"), "\(info.output)")
        #expect(specimen.run("prekey", "info", "--json").output.contains(#""canSignPostQuantum":false"#))
    }

    @Test("keyring verify finds a key that is none", arguments: [Harm.cut, .flipped])
    func verify(harm: Harm) throws {
        #expect(specimen.run("keyring", "verify").status == .success)
        for account in [ItemAccount.mlKEM, .xWing, try currentPreKey()] {
            try self.harm(account, harm)
            let run = specimen.run("keyring", "verify")
            #expect(run.status == .finding, "\(run.output)")
            #expect(run.output.contains("AT RISK   the item \(account.text)"), "\(run.output)")
            #expect(specimen.run("keyring", "verify", "--json").output.contains(#""severity":"risk""#))
        }
    }

    @Test("bundle verify and bundle restore look at private items as an import does")
    func bundles() throws {
        try harm(.mlKEM, .flipped)
        let made = specimen.run(
            "bundle", "create", "--new-passphrase-file", "@pw", "--argon2-memory", "19", "--out", "@q.sxb")
        #expect(made.status == .success, "\(made.errors)")
        let verified = CommandRun.run(
            ["bundle", "verify", specimen.folder.file("q.sxb"), "-p", specimen.folder.file("pw")])
        #expect(verified.status == .finding, "\(verified.output)\(verified.errors)")
        #expect(verified.output.contains("AT RISK      identity.pq: its seed is not that"), "\(verified.output)")

        let other = try KeyringSpecimen()
        let restored = other.run("bundle", "restore", specimen.folder.file("q.sxb"), "-p", specimen.folder.file("pw"))
        #expect(restored.status == .finding, "\(restored.output)\(restored.errors)")
        #expect(restored.output.contains("AT RISK      identity.pq: its seed is not that"), "\(restored.output)")
        #expect(other.run("keyring", "verify").status == .finding)
    }
}
