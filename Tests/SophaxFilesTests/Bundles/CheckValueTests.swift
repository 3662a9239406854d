import CryptoPrimitives
import Testing

@testable import SophaxFiles

/// One file of the table.
struct CheckFile: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let recipe: BundleRecipe
    let text: String
    let size: Int
    let digest: String
    let firstBytes: [UInt8]

    init(
        _ name: String, _ recipe: BundleRecipe, _ text: String, size: Int, digest: String, firstBytes: [UInt8]
    ) {
        testDescription = name
        self.recipe = recipe
        self.text = text
        self.size = size
        self.digest = digest
        self.firstBytes = firstBytes
    }

    static let backupA = ExportText.backup()
    static let backupB = ExportText.backup(extra: ExportText.withFingerprint)

    static let all = [
        CheckFile(
            "SXID v1", .firstIdentity(), ExportText.identity, size: 237,
            digest: "96c904bfaa33f8a9e0c08af514cde1c98fabca47f13f3832dbd0e742ec4d78a9",
            firstBytes: Array("SXID\u{1}".utf8)),
        CheckFile(
            "SXID v2, 600 000", .identity(iterations: 600_000), ExportText.identity, size: 241,
            digest: "d0d94c4fdb42ec33ef70c9cfa0e4a9741ab779709a5ad63a73ee2d182871a1b2",
            firstBytes: Array("SXID\u{2}".utf8) + [0x00, 0x09, 0x27, 0xC0]),
        CheckFile(
            "SXID v2, 720 000", .identity(), ExportText.identity, size: 241,
            digest: "b4fd053676218090efd8aa29f250da83aa51bb537d5594ad9a9b7cb901ebb4af",
            firstBytes: Array("SXID\u{2}".utf8) + [0x00, 0x0A, 0xFC, 0x80]),
        CheckFile(
            "SXBK 01, HKDF", .backup(version: 1, .hkdf), backupA, size: 144,
            digest: "a40c819c47c03e0be69bb2753c417f8216d59be80f8b76f46d9b6ef5df2181a7",
            firstBytes: Array("SXBK\u{1}".utf8)),
        CheckFile(
            "SXBK 01, 600 000", .backup(version: 1, .pbkdf2(iterations: 600_000)), backupA, size: 144,
            digest: "fca800b45a5b4e77ed651d394c76900b383a3906f62dd5d81d30658703813903",
            firstBytes: Array("SXBK\u{1}".utf8)),
        CheckFile(
            "SXBK 02, 720 000", .backup(), backupB, size: 233,
            digest: "8caae9662318f04a2b7666a77559d602ebc00514d01d29e181a61942f1105e5b",
            firstBytes: Array("SXBK\u{2}".utf8)),
        CheckFile(
            "SXFE v1, 720 000", .fullExport(), ExportText.fullExport(backup: backupB), size: 419,
            digest: "675d6adee5d0972165d7b829e9d5152347158ea5d9450967eace1100c72cf037",
            firstBytes: Array("SXFE\u{1}".utf8) + [0x00, 0x0A, 0xFC, 0x80]),
        CheckFile(
            "Android, 100 000", .android(), ExportText.android(), size: 130,
            digest: "1bac4ad565b6dd2cf497f068798a5e57d6961fad4fbbcac437c47e115dd34582", firstBytes: [0xA0, 0xA1]),
    ]
}

/// Section 12 of the format document: files made there with Python's `cryptography`.
@Suite("The check values of the format")
struct CheckValueTests {
    static func randomness(_ recipe: BundleRecipe) -> BundleWriter.Randomness {
        BundleWriter.Randomness(salt: Array(Array(0xA0...0xBF).prefix(recipe.saltLength)), nonce: Array(0xC0...0xCB))
    }

    @Test("are written byte for byte, and read back", arguments: CheckFile.all)
    func files(_ file: CheckFile) throws {
        let bytes = try BundleMaker.seal(file.text, as: file.recipe, randomness: Self.randomness(file.recipe))
        #expect(bytes.count == file.size)
        #expect(bytes.starts(with: file.firstBytes))
        let digest = SHA256.hash(bytes.span)
        #expect(Hex.encode(digest.span) == file.digest)
        let kind: BundleKind? = file.recipe.kind == .android ? .android : nil
        let bundle = try BundleMaker.open(bytes, kind: kind, limits: .standard)
        #expect(bundle.header.kind == file.recipe.kind)
        #expect(bundle.derivation == file.recipe.derivation)
        #expect(bundle.passphraseForm == .typed)
        #expect(BundleMaker.text(bundle) == file.text)
    }

    @Test(
        "give the keys of each derivation",
        arguments: [
            (600_000, "7558addf56bbf5fee7c47e881561068b3a3f60125f55ae084aab324aed7c31e9"),
            (720_000, "bb510626488764fc181f751195c2815d6cbbe82d632f9029b63d3323138a14fe"),
            (nil, "2ee8ffc167ec7d14c5da17ea6a5c7fb0e7695de8024929e1c61ca9dcf348693e"),
        ] as [(UInt32?, String)])
    func keys(_ iterations: UInt32?, _ hex: String) throws {
        let derivation = iterations.map { BundleKeyDerivation.pbkdf2(iterations: $0) } ?? .hkdf
        let passphrase = try BundleMaker.secret(BundleMaker.passphrase)
        let key = try derivation.key(passphrase: passphrase, salt: Array(0xA0...0xBF))
        let found = key.withSpan { Hex.encode($0) }
        #expect(found == hex)
    }

    @Test("hold the identity of the document, with its keys")
    func identity() throws {
        let content = try BundleMaker.content(ExportText.identity, as: .identity(iterations: 600_000))
        let identity = try #require(content.identity)
        #expect(identity.username == "alice")
        #expect(identity.exportedAt?.unixSeconds == 1_774_307_200)
        #expect(identity.publicKeys?.fingerprint.hex == ExportText.fingerprint)
        let seed = Array(UInt8(0)...31)
        let dhPrivate = Array(UInt8(32)...63)
        let isRight = identity.withKeys { keys in
            keys.signingSeed.isEqual(to: seed.span) && keys.dhPrivate.isEqual(to: dhPrivate.span)
        }
        #expect(isRight == true)
        #expect(content.findings.isEmpty)
        #expect(content.backup == nil)
    }

    @Test("hold the same identity and backup in a full export, whose fingerprint fits")
    func fullExport() throws {
        let text = ExportText.fullExport(backup: CheckFile.backupB)
        let content = try BundleMaker.content(text, as: .fullExport(iterations: 100_000))
        #expect(content.identity?.publicKeys?.fingerprint.hex == ExportText.fingerprint)
        #expect(content.backup?.fingerprint?.hex == ExportText.fingerprint)
        #expect(content.backup?.version == 1)
        #expect(content.backup?.username == "alice")
        #expect(content.backup?.peers.count == 0)
        #expect(content.backup?.messages.count == 0)
        #expect(content.findings.isEmpty)
    }
}
