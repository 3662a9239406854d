import CommandKit
import CryptoPrimitives
import Foundation
import SophaxCore
import SophaxFiles
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("prekey verify")
struct PreKeyVerifyTests {
    private let folder = TemporaryFolder()

    /// `CommandRun.now` in seconds since 2001.
    private static let now = CommandRun.now - PreKeyBundle.epoch2001

    private static func bundle(
        age: Double = 60, form: PreKeySignatureForm = .keysAndTime, oneTime: Bool = true,
        extras: PreKeyBundle.Extras = PreKeyBundle.Extras()
    ) throws -> PreKeyBundle {
        let (signing, dh) = ([UInt8](0..<32), [UInt8](32..<64))
        let identity = try Identity(
            signingSeed: SecretBytes(copying: signing.span), dhPrivate: SecretBytes(copying: dh.span),
            username: "alice\u{1b}[31m")
        let key = try X25519.publicKey(of: SecretBytes(randomCount: 32))
        return try PreKeyBundle(
            signedBy: identity, signedPreKey: PublicPreKey(id: 7, key: key),
            oneTimePreKey: oneTime ? PublicPreKey(id: 8, key: key) : nil, timestamp: now - age, extras: extras,
            form: form)
    }

    private func verify(_ bytes: [UInt8], _ arguments: [String] = []) -> CommandRun {
        folder.write(bytes, to: "b.json")
        return CommandRun.run(["prekey", "verify", folder.file("b.json")] + arguments)
    }

    private func verify(_ bundle: PreKeyBundle, _ arguments: [String] = []) -> CommandRun {
        verify(PreKeyBundleText.json(bundle), arguments)
    }

    private func json(_ run: CommandRun) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(run.outputBytes))) as? [String: Any] ?? [:]
    }

    private func codes(_ run: CommandRun) -> [String] {
        (json(run)["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }

    @Test("a fresh bundle of the newest app is authentic, and its name cannot steer the terminal")
    func fresh() throws {
        let run = verify(try Self.bundle())
        #expect(run.status == .success)
        #expect(run.output.contains("  Signature        valid, over signing key, signed prekey and time (v2"))
        #expect(run.output.contains("3619e750a2dd52ba978807b2a00df56d9ae3354382899ca7fafa482ca86a3528\n"))
        #expect(run.output.contains(", 1 min ago by this computer's clock\n"))
        #expect(!run.output.contains("\u{1b}"))
        #expect(run.output.hasSuffix("Verdict: authentic (exit 0)\n"))
    }

    @Test("JSON has the form, the time to the last bit, the limits and the ids")
    func asJSON() throws {
        let bundle = try Self.bundle(age: 4000.125, form: .keyOnly)
        let run = verify(bundle, ["--json"])
        let json = json(run)
        #expect(json["signatureForm"] as? String == "v0")
        #expect(json["timeIsSigned"] as? Bool == false)
        #expect(json["messageIsSigned"] is NSNull)
        #expect((json["timestamp"] as? Double)?.bitPattern == bundle.timestamp.bitPattern)
        #expect(json["ageSeconds"] as? Double == 4000.125)
        #expect(
            json["ageLimits"] as? [[String: Int]]
                == [
                    ["seconds": 86_400, "inHello": 1, "inSession": 1],
                    ["seconds": 3_600, "inHello": 0, "inSession": 0],
                ])
        #expect(json["signedPreKeyID"] as? Int == 7 && json["oneTimePreKeyID"] as? Int == 8)
        #expect(json["exit"] as? Int == 0 && run.status == .success)
        #expect(codes(run) == ["stale-for-later-apps", "time-not-signed"])
    }

    @Test(
        "clocks that differ are told as a difference, and change the exit status only beyond every limit",
        arguments: [
            (30.0 * 86_400, "30 d ago", 8), (-30 * 86_400, "30 d in the future", 8), (-120, "2 min in the future", 0),
            (120, "2 min ago", 0), (315_576_000, "3652 d ago", 8), (-315_576_000, "3652 d in the future", 8),
        ] as [(Double, String, Int32)])
    func clocks(age: Double, words: String, exit: Int32) throws {
        let run = verify(try Self.bundle(age: age))
        #expect(run.status.rawValue == exit)
        #expect(run.output.contains(", \(words) by this computer's clock\n"))
        #expect(run.output.contains("made in the future by this computer's clock") == (age < 0))
        #expect(verify(try Self.bundle(age: age), ["--any-age"]).status == .success)
        #expect(run.output.contains("Signature        valid"))
    }

    @Test("a time that no calendar has is told without numbers", arguments: [(1e300, "past"), (-1e300, "future")])
    func farAway(age: Double, direction: String) throws {
        let run = verify(try Self.bundle(age: age))
        #expect(run.status == .finding)
        #expect(run.output.contains("Made             at no date of the calendar, far in the \(direction) by this"))
        #expect(json(verify(try Self.bundle(age: age), ["--json"]))["made"] is NSNull)
    }

    @Test("--at takes another time than now")
    func at() throws {
        let old = try Self.bundle(age: 86_400 * 365)
        #expect(verify(old).status == .finding)
        let day = verify(old, ["--at", "2025-05-28T20:30Z"])
        #expect(day.status == .success)
        #expect(day.output.contains("by the time of --at"))
        #expect(verify(old, ["--at", "yesterday"]).status == .usage)
    }

    @Test("a changed time or prekey is a finding that no option takes away")
    func forged() throws {
        let text = String(decoding: PreKeyBundleText.json(try Self.bundle()), as: UTF8.self)
        let forged = Array(text.replacing("\"timestamp\":8", with: "\"timestamp\":9").utf8)
        let run = verify(forged, ["--any-age"])
        #expect(run.status == .finding)
        #expect(run.output.contains("Signature        INVALID\n"))
        #expect(run.output.hasSuffix("Verdict: do not use these keys (exit 8)\n"))
        #expect(codes(verify(forged, ["--json"])).contains("signature-invalid"))
        #expect(json(verify(forged, ["--json"]))["signatureForm"] is NSNull)
    }

    @Test("an ML-KEM key is looked at, and an ML-DSA signature verified")
    func postQuantum() throws {
        var extras = PreKeyBundle.Extras()
        extras.offer(try PostQuantumPreKeyPair.make(excluding: []))
        extras.postQuantumPreKeyID = 9
        var bundle = try Self.bundle(extras: extras)
        let unsigned = verify(bundle)
        #expect(unsigned.output.contains("ML-KEM key       prekey, id 9\n  ML-DSA           none\n"))
        #expect(unsigned.output.contains("no signature is over the ML-KEM key"))
        #expect(unsigned.status == .success)
        try bundle.addSignature(by: PostQuantumSigningKey.make())
        let run = verify(bundle)
        #expect(run.output.contains("ML-DSA           valid, by the key in the bundle, over the same bytes\n"))
        #expect(run.status == .success)
        let fields = json(verify(bundle, ["--json"]))
        #expect(fields["postQuantumSignature"] as? String == "valid" && fields["postQuantumPreKeyID"] as? Int == 9)

        func refused(_ code: String, _ change: (inout PreKeyBundle.Extras) -> Void) throws {
            var extras = bundle.extras
            change(&extras)
            let changed = try PreKeyBundle(
                identityKeys: bundle.identityKeys, signedPreKey: bundle.signedPreKey, signature: bundle.signature,
                oneTimePreKey: bundle.oneTimePreKey, username: bundle.username, timestamp: bundle.timestamp,
                extras: extras)
            let run = verify(changed, ["--json", "--any-age"])
            #expect(run.status == .finding && codes(run).contains(code), "\(code): \(codes(run))")
        }
        try refused("post-quantum-signature-invalid") { $0.mldsaSignature?[7] ^= 1 }
        try refused("half-post-quantum-signature") { $0.mldsaSignature = nil }
        try refused("post-quantum-key-invalid") { $0.postQuantumPreKey = [UInt8](repeating: 0xFF, count: 1_184) }
        try refused("post-quantum-key-invalid") { $0.postQuantumPreKey?.removeLast() }
        try refused("post-quantum-key-invalid") { $0.postQuantumPreKey = nil }
    }

    @Test("what is no bundle is unreadable, with the field named")
    func unreadable() throws {
        let cases: [(String, String, String)] = [
            ("hello", "not-json", "cannot read \"b.json\": it is no JSON object, at byte 0"),
            ("{}", "not-a-bundle", "cannot read \"b.json\": it holds no bundle of prekeys"),
            (
                #"{"type":"ack","payload":"","senderID":"","timestamp":0,"signature":""}"#, "not-a-bundle",
                "cannot read \"b.json\": a message of type \"ack\" brings no bundle of prekeys"
            ),
            (
                #"{"signingKeyPublic":"AA=="}"#, "bad-bundle",
                "cannot read \"b.json\": \"signingKeyPublic\" has 1 bytes in place of 32"
            ),
        ]
        for (text, code, message) in cases {
            let run = verify(Array(text.utf8))
            #expect(run.status == .unreadable && run.output.isEmpty)
            #expect(run.error(in: folder.path) == message)
            #expect(verify(Array(text.utf8), ["--json"]).errors.contains("\"code\":\"\(code)\""))
        }
        #expect(CommandRun.run(["prekey", "verify", folder.file("none")]).status == .notFound)
        let large = verify([UInt8](repeating: 0x20, count: PreKeyBundleFile.sizeCeiling + 1))
        #expect(large.status == .unreadable)
    }

    @Test(
        "the hello of the fixtures is signed by its own key, and its sender fits in 32 digits",
        .enabled(if: SharedFolder.isThere, "../shared is not here"))
    func hello() throws {
        let bytes = fileBytes(SharedFolder.file("fixtures/march/wire-4-hello.json")) ?? []
        let run = verify(bytes, ["--any-age"])
        #expect(run.status == .success)
        #expect(run.output.contains("b.json: a hello message with a bundle of prekeys (iOS)\n"))
        #expect(run.output.contains("64b66560c6772ad669c8a7ea44956351 (senderID): fits the keys in 32 digits\n"))
        #expect(run.output.contains("Message signed   by the same key\n"))
        let text = String(decoding: bytes, as: UTF8.self).replacing("64b66560c6772ad6", with: "64b66560c6772ad7")
        let other = verify(Array(text.utf8), ["--any-age"])
        #expect(other.status == .finding)
        #expect(other.output.contains("does NOT fit the keys"))
    }
}
