import CryptoPrimitives
import Foundation
import SophaxCore
import TestSupport
import Testing

@testable import SophaxFiles

/// Bundles and messages that the app's own code wrote.
@Suite("bundles of the fixtures", .enabled(if: SharedFolder.isThere, "../shared is not here"))
struct PreKeyFixtureTests {
    struct Bundle: Decodable, Equatable {
        let signingKeyPublic: Data
        let dhIdentityKeyPublic: Data
        let signedPreKeyPublic: Data
        let signedPreKeySignature: Data
        let signedPreKeyId: UInt32
        let oneTimePreKeyPublic: Data?
        let oneTimePreKeyId: UInt32?
        let username: String
        let timestamp: Date
        let tcpAddress: String?
    }

    struct Hello: Decodable { let bundle: Bundle }
    struct Initiate: Decodable { let senderBundle: Bundle }
    struct Wire: Decodable { let payload: Data, senderID: String }

    static let names = [
        "prekey-bundle-alice.json", "prekey-bundle-bob.json", "wire-4-hello.json", "wire-1-initiateSession.json",
    ]

    static func bytes(_ name: String) -> [UInt8] { fileBytes(SharedFolder.file("fixtures/march/\(name)")) ?? [] }

    /// The bundle as Foundation reads it.
    static func expected(_ name: String) throws -> Bundle {
        let data = Data(bytes(name))
        let decoder = JSONDecoder()
        guard let wire = try? decoder.decode(Wire.self, from: data) else {
            return try decoder.decode(Bundle.self, from: data)
        }
        if let hello = try? decoder.decode(Hello.self, from: wire.payload) { return hello.bundle }
        return try decoder.decode(Initiate.self, from: wire.payload).senderBundle
    }

    static func check(_ bundle: PreKeyBundle, _ expected: Bundle) {
        #expect(bundle.identityKeys.signing == Array(expected.signingKeyPublic))
        #expect(bundle.identityKeys.dh == Array(expected.dhIdentityKeyPublic))
        #expect(bundle.signedPreKey.key == Array(expected.signedPreKeyPublic))
        #expect(bundle.signedPreKey.id == UInt64(expected.signedPreKeyId))
        #expect(bundle.signature == Array(expected.signedPreKeySignature))
        #expect(bundle.oneTimePreKey?.key == expected.oneTimePreKeyPublic.map(Array.init))
        #expect(bundle.oneTimePreKey?.id == expected.oneTimePreKeyId.map(UInt64.init))
        #expect(bundle.username == Array(expected.username.utf8))
        #expect(bundle.extras.tcpAddress == expected.tcpAddress.map { Array($0.utf8) })
        // To the last bit: the signature may be over these bytes.
        #expect(bundle.timestamp.bitPattern == expected.timestamp.timeIntervalSinceReferenceDate.bitPattern)
    }

    @Test("all values are those that Foundation reads", arguments: names)
    func values(name: String) throws {
        let file = try PreKeyBundleFile.read(Self.bytes(name))
        #expect(file.bundle.platform == .ios)
        Self.check(file.bundle, try Self.expected(name))
        let alone = try PreKeyBundleFile.read(file.sourceJSON)
        #expect(alone.bundle == file.bundle && alone.source == .bundle && alone.message == nil)
    }

    @Test("the signatures of March are over the prekey alone, and every id fits its keys", arguments: names)
    func judgement(name: String) throws {
        let file = try PreKeyBundleFile.read(Self.bytes(name))
        let judgement = PreKeyJudgement(of: file, now: file.bundle.unixTime + 60)
        #expect(judgement.signatureForm == .keyOnly)
        #expect(judgement.messageIsSigned == (file.message == nil ? nil : true))
        #expect(judgement.peerIDs.allSatisfy { $0.fits && $0.id.form == .hex32 })
        #expect(judgement.peerIDs.count == (file.message == nil ? 0 : 1))
        #expect(judgement.findings == [PreKeyFinding(.timeNotSigned)])
    }

    @Test("where a bundle comes from is told")
    func sources() throws {
        let sources = try Self.names.map { try PreKeyBundleFile.read(Self.bytes($0)).source }
        #expect(sources == [.bundle, .bundle, .hello, .initiateSession])
    }

    @Test("messages without a bundle are named by their type")
    func otherMessages() {
        let types = ["wire-2-sealed-noaad.json": "sealed", "wire-5-ack.json": "ack"]
        for (name, type) in types {
            #expect(throws: PreKeyFileError.otherMessage(type: Array(type.utf8))) {
                try PreKeyBundleFile.read(Self.bytes(name))
            }
        }
        for name in ["keychain-alice.json", "expected.json", "session-alice-end.json"] {
            #expect(throws: PreKeyFileError.notRecognised) { try PreKeyBundleFile.read(Self.bytes(name)) }
        }
    }

    @Test("a hello with another sender, or changed after it was signed, is found out")
    func forgedHello() throws {
        let text = String(decoding: Self.bytes("wire-4-hello.json"), as: UTF8.self)
        let file = try PreKeyBundleFile.read(
            Array(text.replacing("64b66560c6772ad6", with: "64b66560c6772ad7").utf8))
        let judgement = PreKeyJudgement(of: file, now: file.bundle.unixTime)
        #expect(judgement.messageIsSigned == false)
        #expect(
            judgement.findings.filter(\.kind.isRisk).map(\.kind) == [.messageSignatureInvalid, .peerIDMismatch])
        for length in [16, 64] {
            let id = String(file.bundle.fingerprint.hex.prefix(length))
            let other = text.replacing("64b66560c6772ad669c8a7ea44956351", with: id)
            let judged = try PreKeyJudgement(of: .read(Array(other.utf8)), now: 0)
            #expect(judged.peerIDs.map(\.fits) == [true])
        }
    }
}
