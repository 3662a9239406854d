import CryptoPrimitives
import SystemIO

@testable import SophaxFiles

/// Makes and opens exports with key derivations that cost nothing.
enum BundleMaker {
    static let passphrase = "correct horse battery staple"

    /// The derivations keep their order and stay different from each other.
    static let quick: BundleLimits = {
        var limits = BundleLimits()
        limits.olderBackupIterations = 6
        limits.backupIterations = 7
        limits.firstIdentityIterations = 5
        limits.androidIterations = 4
        return limits
    }()

    static func secret(_ text: String) throws -> SecretBytes {
        try secret(Array(text.utf8))
    }

    static func secret(_ bytes: [UInt8]) throws -> SecretBytes {
        try SecretBytes(copying: bytes.span)
    }

    static func seal(
        _ text: String, as recipe: BundleRecipe, passphrase: String = passphrase,
        randomness: BundleWriter.Randomness? = nil
    ) throws -> [UInt8] {
        let bytes = Array(text.utf8)
        return try BundleWriter.seal(bytes.span, as: recipe, passphrase: secret(passphrase), randomness: randomness)
    }

    static func open(
        _ bytes: [UInt8], passphrase: String = passphrase, kind: BundleKind? = nil, limits: BundleLimits = quick,
        workers: Int = 2
    ) throws -> OpenedBundle {
        try BundleOpener.open(
            BundleFile(bytes: bytes, forcedKind: kind, limits: limits), passphrase: secret(passphrase), limits: limits,
            workers: workers)
    }

    /// 2026-05-28, in seconds since 1970.
    static let now: Double = 1_780_000_000

    /// Seals, opens and reads a text.
    static func content(_ text: String, as recipe: BundleRecipe) throws -> BundleContent {
        let kind: BundleKind? = recipe.kind == .android ? .android : nil
        return try BundleContent.read(open(seal(text, as: recipe), kind: kind), now: now, workers: 2)
    }

    static func text(_ bundle: OpenedBundle) -> String {
        String(decoding: bundle.text.bytes(in: 0..<bundle.text.count), as: UTF8.self)
    }
}
