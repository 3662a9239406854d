import CryptoPrimitives
import Testing

@testable import SophaxFiles

@Suite("Opening an export")
struct BundleOpenerTests {
    static let quick = BundleMaker.quick
    static let backupRecipes: [BundleRecipe] = [UInt8(0), 1, 2, 9].flatMap { version in
        [.hkdf, .pbkdf2(iterations: 6), .pbkdf2(iterations: 7)].map { .backup(version: version, $0) }
    }
    static let allRecipes =
        backupRecipes + [
            .firstIdentity(quick), .identity(iterations: 3), .fullExport(iterations: 3), .android(quick),
        ]

    static func kind(_ recipe: BundleRecipe) -> BundleKind? { recipe.kind == .android ? .android : nil }

    @Test("finds each key derivation under each version byte, and says which it was", arguments: allRecipes)
    func derivations(_ recipe: BundleRecipe) throws {
        for workers in [1, 2, 5] {
            let bytes = try BundleMaker.seal("{}", as: recipe)
            let bundle = try BundleMaker.open(bytes, kind: Self.kind(recipe), workers: workers)
            #expect(bundle.derivation == recipe.derivation)
            #expect(bundle.header.kind == recipe.kind)
            #expect(BundleMaker.text(bundle) == "{}")
        }
    }

    @Test("a wrong passphrase and a damaged file are one error, which counts what was tried", arguments: allRecipes)
    func wrongPassphrase(_ recipe: BundleRecipe) throws {
        let bytes = try BundleMaker.seal("{}", as: recipe)
        let derivations = recipe.kind == .backup ? 3 : 1
        #expect(throws: BundleError.notAuthentic(recipe.kind, attempts: derivations)) {
            try BundleMaker.open(bytes, passphrase: "another", kind: Self.kind(recipe))
        }
        #expect(throws: BundleError.notAuthentic(recipe.kind, attempts: derivations * 2)) {
            try BundleMaker.open(bytes, passphrase: "another ", kind: Self.kind(recipe))
        }
        #expect(throws: BundleError.emptyPassphrase) {
            try BundleMaker.open(bytes, passphrase: "", kind: Self.kind(recipe))
        }
    }

    static let oneOfEachKind: [BundleRecipe] = [
        .backup(version: 2, .pbkdf2(iterations: 7)), .firstIdentity(quick), .identity(iterations: 3),
        .fullExport(iterations: 3), .android(quick),
    ]

    @Test("no bit may change behind the magic, no byte may be missing, none may follow", arguments: oneOfEachKind)
    func damage(_ recipe: BundleRecipe) throws {
        let bytes = try BundleMaker.seal("{}", as: recipe)
        let opens = { (bytes: [UInt8]) throws -> Bool in
            do {
                _ = try BundleMaker.open(bytes, kind: Self.kind(recipe), workers: 1)
                return true
            } catch BundleError.notAuthentic {
                return false
            }
        }
        // A backup's version byte is not authenticated and only orders the derivations.
        let first = recipe.kind == .android ? 0 : recipe.prefix.count
        for bit in (first * 8)..<(bytes.count * 8) {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(try !opens(changed))
        }
        for length in (bytes.count - 1)..<bytes.count {
            #expect(try !opens(Array(bytes[..<length])))
        }
        #expect(try !opens(bytes + [0]))
        #expect(try opens(bytes))
    }

    @Test("the version byte of a backup does not matter")
    func versionByte() throws {
        var bytes = try BundleMaker.seal("{}", as: .backup(version: 2, .hkdf))
        for version in UInt8.min...UInt8.max {
            bytes[4] = version
            #expect(try BundleMaker.open(bytes).derivation == .hkdf)
        }
    }

    @Test("a passphrase typed with spaces opens what the app exported trimmed")
    func trimmed() throws {
        let bytes = try BundleMaker.seal("{}", as: .identity(iterations: 3), passphrase: "sixteen letters!")
        let bundle = try BundleMaker.open(bytes, passphrase: "\u{2003}sixteen letters! \r\n")
        #expect(bundle.passphraseForm == .trimmed)
    }

    @Test("a passphrase exported with its spaces opens as typed, and not without them")
    func notTrimmed() throws {
        let bytes = try BundleMaker.seal("{}", as: .backup(version: 2, .hkdf), passphrase: "with a space ")
        #expect(try BundleMaker.open(bytes, passphrase: "with a space ").passphraseForm == .typed)
        #expect(throws: BundleError.notAuthentic(.backup, attempts: 3)) {
            try BundleMaker.open(bytes, passphrase: "with a space")
        }
    }

    @Test("an accent typed in the other normal form opens, with spaces too")
    func normalForms() throws {
        let composed = "ni\u{F1}o caf\u{E9}"
        let decomposed = "nin\u{303}o cafe\u{301}"
        let recipe = BundleRecipe.fullExport(iterations: 3)
        let first = try BundleMaker.seal("{}", as: recipe, passphrase: composed)
        #expect(try BundleMaker.open(first, passphrase: decomposed).passphraseForm == .composed)
        #expect(try BundleMaker.open(first, passphrase: decomposed + " ").passphraseForm == .trimmedComposed)
        let second = try BundleMaker.seal("{}", as: recipe, passphrase: decomposed)
        #expect(try BundleMaker.open(second, passphrase: composed).passphraseForm == .decomposed)
        #expect(try BundleMaker.open(second, passphrase: " " + composed).passphraseForm == .trimmedDecomposed)
    }

    @Test("a passphrase that is no text opens")
    func notText() throws {
        let passphrase: [UInt8] = [0xFF, 0x00, 0xC2, 0x20]
        let text = Array("{}".utf8)
        let recipe = BundleRecipe.backup(version: 1, .hkdf)
        let bytes = try BundleWriter.seal(text.span, as: recipe, passphrase: BundleMaker.secret(passphrase))
        let bundle = try BundleOpener.open(
            BundleFile(bytes: bytes), passphrase: BundleMaker.secret(passphrase), limits: Self.quick)
        #expect(bundle.passphraseForm == .typed)
    }

    @Test("the likely key is tried alone, then as many at a time as there are workers")
    func order() throws {
        let bytes = try BundleMaker.seal("{}", as: .backup(version: 1, .hkdf))
        let file = try BundleFile(bytes: bytes)
        var steps: [BundleOpener.Progress] = []
        #expect(throws: BundleError.self) {
            try BundleOpener.open(file, passphrase: BundleMaker.secret("no "), limits: Self.quick, workers: 2) {
                steps.append($0)
            }
        }
        #expect(steps.map(\.tried) == [0, 1, 3, 5])
        #expect(steps.allSatisfy { $0.total == 6 })
    }

    @Test("each file has its own salt and nonce")
    func randomness() throws {
        let first = try BundleMaker.seal("{}", as: .backup(version: 1, .hkdf))
        let second = try BundleMaker.seal("{}", as: .backup(version: 1, .hkdf))
        #expect(first[5..<37] != second[5..<37])
        #expect(first[37..<49] != second[37..<49])
    }

    @Test("a text of every length around the block size comes back", arguments: Array(1...34) + [4095, 4096, 100_000])
    func lengths(_ length: Int) throws {
        let text = String(repeating: "x", count: length)
        let bytes = try BundleMaker.seal(text, as: .backup(version: 2, .hkdf))
        #expect(try BundleMaker.text(BundleMaker.open(bytes)) == text)
    }
}
