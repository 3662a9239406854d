import SystemIO
import TestSupport
import Testing

@testable import SophaxFiles

@Suite("The header of an export")
struct BundleHeaderTests {
    static let recipes: [BundleRecipe] = [
        .firstIdentity(), .identity(iterations: 600_000), .backup(version: 1, .hkdf), .backup(), .fullExport(),
        .android(),
    ]

    /// The beginning of a file of this recipe, as long as the shortest one.
    static func shortest(_ recipe: BundleRecipe) -> [UInt8] {
        recipe.prefix + [UInt8](repeating: 7, count: recipe.saltLength + 12 + 1 + 16)
    }

    static func parse(
        _ bytes: [UInt8], kind: BundleKind? = nil, name: String = "", limits: BundleLimits = .standard
    ) throws(BundleError) -> BundleHeader {
        try BundleHeader.parse(bytes.span, forcedKind: kind, fileName: Array(name.utf8), limits: limits)
    }

    @Test("says kind, version, salt, nonce and size of the payload", arguments: recipes)
    func fields(_ recipe: BundleRecipe) throws {
        let salt = Array(UInt8(1)...32).prefix(recipe.saltLength)
        let nonce = Array(UInt8(101)...112)
        let bytes = recipe.prefix + salt + nonce + [UInt8](repeating: 0, count: 40)
        let header = try Self.parse(bytes, kind: recipe.kind)
        #expect(header.kind == recipe.kind)
        #expect(header.version == (recipe.kind == .android ? nil : recipe.version))
        #expect(header.salt == Array(salt))
        #expect(header.nonce == nonce)
        #expect(header.payloadSize == 24)
        #expect(header.fileSize == bytes.count)
        let hasField = recipe.kind == .fullExport || recipe == .identity(iterations: 600_000)
        #expect((header.iterations != nil) == hasField)
    }

    @Test("needs one byte of text: every shorter file is truncated, and says so", arguments: recipes)
    func truncations(_ recipe: BundleRecipe) throws {
        let whole = Self.shortest(recipe)
        #expect(try Self.parse(whole, kind: recipe.kind).payloadSize == 1)
        #expect(throws: BundleError.empty) { try Self.parse([], kind: recipe.kind) }
        for length in 1..<whole.count {
            let expected: BundleError
            if recipe.kind != .android && length < 4 {
                expected = .notAnExport
            } else {
                // The version byte tells how long an identity export is at least.
                let known = recipe.kind == .identity && length == 4 ? 66 : whole.count
                expected = .truncated(recipe.kind, minimum: known, found: length)
            }
            let kind: BundleKind? = recipe.kind == .android ? .android : nil
            #expect(throws: expected) { try Self.parse(Array(whole[..<length]), kind: kind) }
        }
    }

    @Test(
        "has the minimum of the format",
        arguments: zip([66, 70, 66, 66, 70, 45], recipes) as Zip2Sequence<[Int], [BundleRecipe]>)
    func minimum(_ size: Int, _ recipe: BundleRecipe) {
        #expect(Self.shortest(recipe).count == size)
    }

    @Test("of a newer version is refused as newer, before its length is looked at")
    func newerVersions() {
        for version in UInt8(3)...255 {
            #expect(throws: BundleError.newerVersion(.identity, found: version, newest: 2)) {
                try Self.parse(Array("SXID".utf8) + [version])
            }
        }
        for version in UInt8(2)...255 {
            #expect(throws: BundleError.newerVersion(.fullExport, found: version, newest: 1)) {
                try Self.parse(Array("SXFE".utf8) + [version])
            }
        }
        for magic in ["SXID", "SXFE"] {
            let kind: BundleKind = magic == "SXID" ? .identity : .fullExport
            #expect(throws: BundleError.unknownVersion(kind, found: 0)) { try Self.parse(Array(magic.utf8) + [0]) }
        }
    }

    @Test("of a backup may have any version byte, which only orders the key derivations")
    func backupVersions() throws {
        let hkdf = BundleKeyDerivation.hkdf
        let older = BundleKeyDerivation.pbkdf2(iterations: 600_000)
        let newer = BundleKeyDerivation.pbkdf2(iterations: 720_000)
        for version in UInt8.min...UInt8.max {
            let header = try Self.parse(Self.shortest(.backup(version: version, .hkdf)))
            #expect(header.version == version)
            #expect(header.derivations() == (version == 1 ? [hkdf, older, newer] : [newer, older, hkdf]))
        }
    }

    @Test("takes any iteration count from 1 to the ceiling, and refuses the next one at once")
    func iterations() throws {
        for kind in [BundleKind.identity, .fullExport] {
            func bytes(_ iterations: UInt32) -> [UInt8] {
                Self.shortest(
                    kind == .identity ? .identity(iterations: iterations) : .fullExport(iterations: iterations))
            }
            #expect(throws: BundleError.noIterations(kind)) { try Self.parse(bytes(0)) }
            for iterations: UInt32 in [1, 99_999, 599_999, 600_000, 720_000, 10_000_000] {
                let header = try Self.parse(bytes(iterations))
                #expect(header.iterations == iterations)
                #expect(header.derivations() == [.pbkdf2(iterations: iterations)])
            }
            for iterations: UInt32 in [10_000_001, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] {
                let error = BundleError.tooManyIterations(kind, found: iterations, ceiling: 10_000_000)
                #expect(throws: error) { try Self.parse(bytes(iterations)) }
            }
            var limits = BundleLimits()
            limits.iterationCeiling = 1000
            #expect(throws: BundleError.tooManyIterations(kind, found: 1001, ceiling: 1000)) {
                try Self.parse(bytes(1001), limits: limits)
            }
        }
    }

    @Test("knows which iteration counts the apps refuse")
    func floors() throws {
        #expect(try Self.parse(Self.shortest(.identity(iterations: 599_999))).isBelowIterationFloor)
        #expect(try !Self.parse(Self.shortest(.identity(iterations: 600_000))).isBelowIterationFloor)
        #expect(try Self.parse(Self.shortest(.fullExport(iterations: 99_999))).isBelowIterationFloor)
        #expect(try !Self.parse(Self.shortest(.fullExport(iterations: 100_000))).isBelowIterationFloor)
        #expect(try !Self.parse(Self.shortest(.firstIdentity())).isBelowIterationFloor)
        #expect(try !Self.parse(Self.shortest(.backup())).isBelowIterationFloor)
    }

    @Test("of no known kind is taken for an Android backup only by its name, or when the caller says so")
    func android() throws {
        let bytes = [UInt8](repeating: 9, count: 60)
        #expect(throws: BundleError.notAnExport) { try Self.parse(bytes) }
        for name in ["backup.bin", "sophaxchat-backup.bin.txt", "Sophaxchat-backup.bin", "x/sophaxchat-backup.bin"] {
            #expect(throws: BundleError.notAnExport) { try Self.parse(bytes, name: name) }
        }
        #expect(try Self.parse(bytes, name: "sophaxchat-backup.bin").kind == .android)
        #expect(try Self.parse(bytes, kind: .android).kind == .android)
        // The magic of another kind is stronger than the name, but not than the caller.
        let backup = Self.shortest(.backup())
        #expect(try Self.parse(backup, name: "sophaxchat-backup.bin").kind == .backup)
        #expect(try Self.parse(backup, kind: .android).kind == .android)
    }

    @Test("of another kind than the caller says is refused")
    func forcedKind() {
        #expect(throws: BundleError.otherKind(expected: .identity, found: .backup)) {
            try Self.parse(Self.shortest(.backup()), kind: .identity)
        }
        #expect(throws: BundleError.otherKind(expected: .fullExport, found: nil)) {
            try Self.parse([UInt8](repeating: 9, count: 80), kind: .fullExport)
        }
    }

    @Test("differs from every other kind by each bit of its magic")
    func magicBits() {
        for recipe in Self.recipes where recipe.kind != .android {
            for bit in 0..<32 {
                var bytes = Self.shortest(recipe)
                bytes[bit / 8] ^= 1 << (bit % 8)
                #expect(throws: BundleError.notAnExport) { try Self.parse(bytes) }
            }
        }
    }

    @Test("of a file above the size ceiling is refused")
    func sizeCeiling() throws {
        var limits = BundleLimits()
        limits.sizeCeiling = 100
        let bytes = Self.shortest(.backup())
        #expect(throws: BundleError.tooLarge(found: 101, ceiling: 100)) {
            try BundleHeader.parse(bytes.span, fileSize: 101, limits: limits)
        }
        #expect(try BundleHeader.parse(bytes.span, fileSize: 100, limits: limits).payloadSize == 100 - 65)
    }
}

@Suite("Reading an export from a file")
struct BundleFileTests {
    let folder = TemporaryFolder()

    private func read(_ name: String, limits: BundleLimits = .standard) throws -> BundleFile {
        var input = try InputFile(opening: FilePath(folder.file(name)))
        return try BundleFile(reading: &input, limits: limits)
    }

    @Test(
        "gives all its bytes, whatever the size",
        arguments: [66, 67, 1 << 20, (1 << 20) + 52, (1 << 20) + 53, 3_000_000])
    func sizes(_ size: Int) throws {
        let recipe = BundleRecipe.backup()
        let bytes = recipe.prefix + (0..<(size - 5)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        folder.write(bytes, to: "a.sophaxbackup")
        let file = try read("a.sophaxbackup")
        #expect(file.bytes == bytes)
        #expect(file.header.fileSize == size)
    }

    @Test("takes the name of an Android backup from the path")
    func androidName() throws {
        folder.write([UInt8](repeating: 3, count: 64), to: "sophaxchat-backup.bin")
        folder.write([UInt8](repeating: 3, count: 64), to: "other.bin")
        #expect(try read("sophaxchat-backup.bin").header.kind == .android)
        #expect(throws: BundleError.notAnExport) { try read("other.bin") }
    }

    @Test("refuses an empty file, a short one and one above the ceiling")
    func refusals() throws {
        folder.write([UInt8](), to: "empty")
        folder.write("SXBK", to: "short")
        folder.write(BundleHeaderTests.shortest(.backup()) + [UInt8](repeating: 0, count: 100), to: "large")
        var limits = BundleLimits()
        limits.sizeCeiling = 165
        #expect(throws: BundleError.empty) { try read("empty") }
        #expect(throws: BundleError.truncated(.backup, minimum: 66, found: 4)) { try read("short") }
        #expect(throws: BundleError.tooLarge(found: 166, ceiling: 165)) { try read("large", limits: limits) }
    }
}
