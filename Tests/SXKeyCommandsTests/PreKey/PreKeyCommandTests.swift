import CommandKit
import CryptoPrimitives
import Foundation
import Keyring
import SQLiteDatabase
import SophaxCore
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

/// The prekey commands on a sealed keyring that a key file opens.
@Suite("prekey info, rotate, replenish and publish")
struct PreKeyCommandTests {
    private let folder = TemporaryFolder()
    private static let key = [UInt8](repeating: 0x6B, count: 32)

    init() throws {
        folder.write(Self.key, to: "key")
        let keyring = try Keyring.make(at: FilePath(folder.file("k")), slots: [NewSlot(.key(Self.secret(Self.key)))])
        for (name, first) in [("alice", UInt8(0)), ("bob", 64)] {
            let keys = try Identity(
                signingSeed: Self.secret((0..<32).map { first + $0 }),
                dhPrivate: Self.secret((32..<64).map { first + $0 }), username: name)
            let title = try #require(IdentityName(trimming: name))
            _ = try keyring.addIdentity(keys, name: title, origin: "new", at: CommandRun.now)
        }
    }

    private static func secret(_ bytes: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: bytes.span) }

    private func run(_ verb: String, _ arguments: String...) -> CommandRun {
        CommandRun.run(
            ["prekey", verb, "--keyring", folder.file("k"), "--keyring-key-file", folder.file("key")] + arguments)
    }

    private func json(_ run: CommandRun) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(run.outputBytes))) as? [String: Any] ?? [:]
    }

    private func info(_ arguments: String...) -> [String: Any] {
        json(
            CommandRun.run(
                [
                    "prekey", "info", "--keyring", folder.file("k"), "--keyring-key-file", folder.file("key"), "--json",
                ] + arguments))
    }

    @Test("a keyring without prekeys says what makes them")
    func empty() {
        let run = run("info")
        #expect(run.status == .success)
        #expect(run.output.hasPrefix("Prekeys of alice (3619e750a2dd52ba)\n  Signed prekey    none\n"))
        #expect(run.output.contains("→ \"sxkey prekey publish\" makes what is missing\n"))
        #expect(info()["rotationDue"] as? Bool == true)
    }

    @Test("publish makes what is missing, writes a bundle that verify accepts, and says what is left")
    func publish() throws {
        let run = run("publish", "--out", folder.file("a.json"), "--tcp-address", "abc.onion:25519")
        #expect(run.status == .success && run.errors.isEmpty)
        #expect(run.output.contains("  20 new one-time prekeys\n"))
        #expect(run.output.contains(", in no other bundle; 19 left\n"))
        let file = try PreKeyBundleFile.read(fileBytes(folder.file("a.json")) ?? [])
        #expect(file.bundle.signatureForm == .keysAndTime)
        #expect(file.bundle.username == Array("alice".utf8))
        #expect(file.bundle.unixTime == CommandRun.now)
        #expect(file.bundle.extras.tcpAddress == Array("abc.onion:25519".utf8))
        let verify = CommandRun.run(["prekey", "verify", folder.file("a.json")])
        #expect(verify.status == .success && verify.output.hasSuffix("Verdict: authentic (exit 0)\n"))
        let info = info()
        #expect(info["available"] as? Int == 19 && info["published"] as? Int == 1)
        #expect((info["signedPreKeyID"] as? Int).map(UInt64.init) == file.bundle.signedPreKey.id)
        #expect(info["rotationTime"] as? String == "2026-06-04T20:26:40Z")
        #expect(self.run("publish", "--out", folder.file("a.json")).status == .wouldOverwrite)
        // What could not be written took no one-time prekey.
        #expect(self.info()["available"] as? Int == 19)
    }

    @Test("two bundles have the same signed prekey and two one-time prekeys, or none")
    func twoBundles() throws {
        var bundles: [PreKeyBundle] = []
        for arguments in [["--out", "-"], ["--out", "-"], ["--out", "-", "--without-one-time", "--form", "v0"]] {
            let run = CommandRun.run(
                ["prekey", "publish", "--keyring", folder.file("k"), "--keyring-key-file", folder.file("key")]
                    + arguments)
            bundles.append(try PreKeyBundleFile.read(run.outputBytes).bundle)
        }
        #expect(Set(bundles.map(\.signedPreKey)).count == 1)
        #expect(bundles[0].oneTimePreKey != bundles[1].oneTimePreKey && bundles[0].oneTimePreKey != nil)
        #expect(bundles[2].oneTimePreKey == nil)
        #expect(bundles.map(\.signatureForm) == [.keysAndTime, .keysAndTime, .keyOnly])
    }

    @Test("a dry run shows the plan and changes not one byte")
    func dryRun() {
        let before = fileBytes(folder.file("k"))
        for arguments in [["rotate"], ["replenish"], ["publish", "--out", folder.file("x")]] {
            let run = CommandRun.run(
                ["prekey"] + arguments
                    + ["--keyring", folder.file("k"), "--keyring-key-file", folder.file("key"), "--dry-run"])
            #expect(run.status == .success)
            #expect(run.output.hasPrefix("Plan for the prekeys of alice (3619e750a2dd52ba)\n  "))
            #expect(run.output.contains(" new "))
        }
        #expect(fileBytes(folder.file("k")) == before)
        #expect(!folder.names.contains("x"))
    }

    @Test("rotating five times in one minute keeps the five before; --if-due does nothing then")
    func rotate() throws {
        var ids: Set<Int> = []
        for _ in 0..<6 {
            let json = json(run("rotate", "--json"))
            #expect(json["rotated"] as? Bool == true && (json["removed"] as? [Any])?.isEmpty == true)
            ids.insert(try #require(json["signedPreKeyID"] as? Int))
        }
        #expect(ids.count == 6)
        #expect(info()["earlier"] as? Int == 5)
        let idle = json(run("rotate", "--if-due", "--json"))
        #expect(idle["rotated"] as? Bool == false && info()["earlier"] as? Int == 5)
        #expect(run("rotate", "--if-due").output.contains("  nothing to do: "))
        #expect(run("info").output.contains("  Replacement      in 7 d, on 2026-06-0"))
    }

    @Test("replenish makes twenty, then nothing; --all fills up what was handed out")
    func replenish() {
        #expect(json(run("replenish", "--json"))["oneTimeMade"] as? Int == 20)
        #expect(json(run("replenish", "--json"))["oneTimeMade"] as? Int == 0)
        _ = run("publish", "--out", folder.file("a.json"))
        #expect(json(run("replenish", "--json"))["oneTimeMade"] as? Int == 0)
        #expect(json(run("replenish", "--all", "--json"))["oneTimeMade"] as? Int == 1)
    }

    @Test("another identity than the current one has its own prekeys")
    func identities() {
        _ = run("replenish", "--identity", "bob")
        #expect(info("--identity", "bob")["available"] as? Int == 20)
        #expect(info()["available"] as? Int == 0)
        #expect(run("info", "--identity", "carol").status == .notFound)
    }

    @Test("an output that is the keyring or its key is refused, and a wrong key opens nothing")
    func refusals() {
        let before = fileBytes(folder.file("k"))
        for name in ["k", "key"] {
            #expect(run("publish", "--force", "--out", folder.file(name)).status != .success)
        }
        folder.write([UInt8](repeating: 1, count: 32), to: "other")
        let wrong = CommandRun.run(
            ["prekey", "info", "--keyring", folder.file("k"), "--keyring-key-file", folder.file("other")])
        #expect(wrong.status == .wrongSecret)
        #expect(fileBytes(folder.file("k")) == before)
        #expect(run("publish", "--out", "-", "--tcp-address", "a b").status == .usage)
        #expect(run("publish", "--out", "-", "--tcp-address", "").status == .usage)
    }

    @Test("rotate --post-quantum makes the keys once, publish offers them signed, and --classical leaves them out")
    func postQuantum() throws {
        #expect(
            run("info").output.contains("Post-quantum     none; \"sxkey prekey rotate --post-quantum\" makes keys\n"))
        #expect(run("rotate", "--post-quantum", "--dry-run").output.contains("  a new ML-KEM prekey\n"))
        #expect(info()["hasPostQuantumKey"] as? Bool == false)
        #expect(run("rotate", "--post-quantum", "--if-due").status == .usage)
        let made = json(run("rotate", "--post-quantum", "--json"))
        let id = try #require(made["postQuantumPreKeyID"] as? Int)
        #expect(made["postQuantumMade"] as? Bool == true)
        let after = info()
        #expect(after["postQuantumPreKeyID"] as? Int == id && after["postQuantum"] as? Int == 1)
        #expect(after["hasPostQuantumKey"] as? Bool == true && after["hasPostQuantumSigningKey"] as? Bool == true)
        let published = run("publish", "--out", folder.file("pq.json"))
        #expect(
            published.output.contains("  Post-quantum     ML-KEM prekey id \(id), signed with ML-DSA\n"),
            "\(published.output)")
        let verify = CommandRun.run(["prekey", "verify", folder.file("pq.json")])
        #expect(verify.status == .success && verify.output.contains("ML-KEM key       prekey, id \(id)\n"))
        #expect(verify.output.contains("ML-DSA           valid"))
        let file = try PreKeyBundleFile.read(fileBytes(folder.file("pq.json")) ?? [])
        #expect(file.bundle.extras.postQuantumPreKey?.count == 1_184)
        #expect(
            run("publish", "--classical", "--out", folder.file("c.json")).output.contains("Post-quantum     none\n"))
        let classical = try PreKeyBundleFile.read(fileBytes(folder.file("c.json")) ?? [])
        #expect(!classical.bundle.extras.hasPostQuantum)
        // Rotating makes the next, and the one that was handed out stays.
        let next = json(run("rotate", "--json"))
        #expect(next["postQuantumMade"] as? Bool == true && next["postQuantumPreKeyID"] as? Int != id)
        #expect(info()["postQuantum"] as? Int == 2)
        let verified = CommandRun.run([
            "keyring", "verify", "--keyring", folder.file("k"), "--keyring-key-file", folder.file("key"),
        ])
        #expect(verified.status == .success && !verified.output.contains("note"), "\(verified.output)")
    }
}
