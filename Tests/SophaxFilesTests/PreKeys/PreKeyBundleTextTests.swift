import CryptoPrimitives
import Foundation
import SophaxCore
import TestSupport
import Testing

@testable import SophaxFiles

@Suite("writing bundles")
struct PreKeyBundleTextTests {
    private struct Time: Decodable { let timestamp: Date }

    private static let timestamps: [Double] = {
        var generator = SystemRandomNumberGenerator()
        let likely = (0..<2000).map { _ in Double.random(in: 8e8..<9e8, using: &generator) }
        let any = (0..<2000).map { _ in Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &generator)) }
        let edges: [Double] = [
            0, 1, -1, 817_695_221, 817_695_221.1040374, 1e-7, 1e15, 1e16, 1e17, -1e22, 0.1, .leastNonzeroMagnitude,
            .greatestFiniteMagnitude,
            123_456_789_012_345.67, -0.5,
        ]
        return edges + likely + any.filter(\.isFinite)
    }()

    @Test("the number of the time reads back as the same double, in Foundation and here")
    func timestamps() throws {
        for timestamp in Self.timestamps {
            let text = "{\"timestamp\":\(PreKeyBundleText.number(timestamp))}"
            let read = try JSONDecoder().decode(Time.self, from: Data(text.utf8)).timestamp
            #expect(read.timeIntervalSinceReferenceDate.bitPattern == timestamp.bitPattern, "\(text)")
        }
        for timestamp in Self.timestamps.prefix(200) {
            let bundle = try PreKeySpecimen.bundle(timestamp: timestamp)
            let read = try PreKeyBundleFile.read(PreKeyBundleText.json(bundle)).bundle
            #expect(read == bundle && read.timestamp.bitPattern == timestamp.bitPattern)
            #expect(read.signatureForm == .keysAndTime)
        }
    }

    @Test("the number of the time reads back as the same double in Python", .enabled(if: ChildProcess.has("python3")))
    func python() {
        let texts = Self.timestamps.map(PreKeyBundleText.number)
        let program = "import json,struct,sys\nfor n in json.load(sys.stdin): print(struct.pack('>d', n).hex())"
        let result = ChildProcess.run(
            ["python3", "-c", program], input: Array("[\(texts.joined(separator: ","))]".utf8))
        let expected = Self.timestamps.map { timestamp in
            let hex = String(timestamp.bitPattern, radix: 16)
            // Python reads a number without a point as an integer, which packs as the same double.
            return String(repeating: "0", count: 16 - hex.utf8.count) + hex
        }
        #expect(result.outputText.split(separator: "\n").map(String.init) == expected)
    }

    @Test("whole numbers have no point, as Foundation writes them")
    func wholeNumbers() {
        #expect(PreKeyBundleText.number(796_000_000) == "796000000")
        #expect(PreKeyBundleText.number(817_695_221.1040374) == "817695221.1040374")
    }

    @Test("Foundation's decoder, as the app uses it, reads what is written")
    func foundation() throws {
        var extras = PreKeyBundle.Extras()
        extras.tcpAddress = Array("abcdefghij.onion:25519".utf8)
        let bundle = try PreKeySpecimen.bundle(extras: extras)
        let read = try JSONDecoder().decode(PreKeyFixtureTests.Bundle.self, from: Data(PreKeyBundleText.json(bundle)))
        PreKeyFixtureTests.check(bundle, read)
    }

    @Test("the optional keys come back, and no key is written for what is not there")
    func extras() throws {
        var extras = PreKeyBundle.Extras()
        #expect(
            json(try PreKeySpecimen.bundle(oneTimeID: nil)).keys.sorted() == [
                "dhIdentityKeyPublic", "signedPreKeyId", "signedPreKeyPublic", "signedPreKeySignature",
                "signingKeyPublic", "timestamp", "username",
            ])
        extras.tcpAddress = Array("a:1".utf8)
        extras.avatar = [0xFF, 0xD8]
        extras.mlsKeyPackage = [1]
        extras.postQuantumPreKey = [UInt8](repeating: 2, count: 1184)
        extras.postQuantumPreKeyID = .max
        extras.mldsaPublicKey = [UInt8](repeating: 3, count: 1952)
        extras.mldsaSignature = [UInt8](repeating: 4, count: 3309)
        extras.tlsCertificateFingerprint = [UInt8](repeating: 5, count: 32)
        let bundle = try PreKeySpecimen.bundle(extras: extras)
        let file = try PreKeyBundleFile.read(PreKeyBundleText.json(bundle))
        #expect(file.bundle == bundle && file.bundle.extras == extras)
        #expect(json(bundle)["pqPreKeyId"] as? Int == 0xFFFF_FFFF)
        let findings = PreKeyJudgement(of: file, now: bundle.unixTime).findings
        #expect(findings == [PreKeyFinding(.postQuantumSignatureInvalid), PreKeyFinding(.postQuantumNotSigned)])
    }

    @Test("half of a post-quantum signature, and parts of another length, are found")
    func halves() throws {
        var extras = PreKeyBundle.Extras()
        extras.mldsaPublicKey = [1]
        extras.avatar = [UInt8](repeating: 0, count: 8193)
        extras.tlsCertificateFingerprint = []
        let bundle = try PreKeySpecimen.bundle(extras: extras)
        let file = try PreKeyBundleFile.read(PreKeyBundleText.json(bundle))
        #expect(
            PreKeyJudgement(of: file, now: bundle.unixTime).findings == [
                PreKeyFinding(.halfPostQuantumSignature, "the key without the signature"),
                PreKeyFinding(.unusualLength, "ML-DSA key: 1 bytes in place of 1952"),
                PreKeyFinding(.unusualLength, "TLS certificate fingerprint: 0 bytes in place of 32"),
                PreKeyFinding(.unusualLength, "picture: 8193 bytes, more than 8192"),
            ])
    }

    @Test("clocks that differ are told, and only what no version takes is stale")
    func clocks() throws {
        let bundle = try PreKeySpecimen.bundle()
        let file = try PreKeyBundleFile.read(PreKeyBundleText.json(bundle))
        func kinds(_ seconds: Double) -> [PreKeyFinding.Kind] {
            PreKeyJudgement(of: file, now: bundle.unixTime + seconds).findings.map(\.kind)
        }
        #expect(kinds(0).isEmpty)
        #expect(kinds(120).isEmpty)
        #expect(kinds(3600) == [.staleForLaterApps])
        #expect(kinds(86_400) == [.stale])
        #expect(kinds(-120) == [.clockSkew, .staleForLaterApps])
        #expect(kinds(-30 * 86_400) == [.clockSkew, .stale])
        #expect(kinds(315_576_000) == [.stale])
    }

    private func json(_ bundle: PreKeyBundle) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(PreKeyBundleText.json(bundle)))) as? [String: Any] ?? [:]
    }
}
