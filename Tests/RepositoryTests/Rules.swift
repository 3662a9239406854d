import Testing

/// What a target of `Sources` may import.
struct LayerRule {
    let target: String
    let mayImport: Set<String>
    /// A target that has no use for pointers at all: the word `unsafe` does not occur in it.
    var isPure = false
}

extension LayerRule: CustomTestStringConvertible {
    var testDescription: String { target }
}

/// The layers of `Sources`: arrows point down only.
///
/// `sxkey` → `SXKeyCommands` → {`Keyring`, {`Archive`, `HistoryExport`} → `History` → `PortableBundle` →
/// `StoreChanges` → `SophaxFiles`, `CommandKit`} → {`SophaxCore` → `JSONCoding`, `SQLiteDatabase`} → `CryptoPrimitives` → C libraries,
/// and `SystemIO` and `QRCodes` at the bottom.
/// Nobody imports Foundation or Dispatch: they cost start-up time and pull in ICU.
let layers = [
    LayerRule(target: "SystemIO", mayImport: ["Glibc", "CLinux"]),
    LayerRule(target: "CryptoPrimitives", mayImport: ["CSodium", "CArgon2", "CLibcrypto", "CUtf8proc", "Glibc"]),
    LayerRule(target: "JSONCoding", mayImport: ["CryptoPrimitives", "SystemIO", "CSimdJSON", "Glibc"]),
    LayerRule(target: "SophaxCore", mayImport: ["JSONCoding", "CryptoPrimitives"], isPure: true),
    LayerRule(
        target: "SophaxFiles",
        mayImport: ["SophaxCore", "JSONCoding", "CryptoPrimitives", "SystemIO", "CSimdJSON", "Glibc"]
    ),
    LayerRule(
        target: "StoreChanges",
        mayImport: ["SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO", "Glibc"]
    ),
    LayerRule(
        target: "PortableBundle",
        mayImport: [
            "StoreChanges", "SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO", "CZstd", "Glibc",
        ]
    ),
    LayerRule(target: "SQLiteDatabase", mayImport: ["CryptoPrimitives", "SystemIO", "CSQLite3", "Glibc"]),
    LayerRule(
        target: "Keyring",
        mayImport: ["SQLiteDatabase", "SophaxCore", "JSONCoding", "CryptoPrimitives", "SystemIO"], isPure: true),
    LayerRule(
        target: "History",
        mayImport: ["PortableBundle", "SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO"]
    ),
    LayerRule(
        target: "Archive",
        mayImport: [
            "History", "SQLiteDatabase", "SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO",
        ]
    ),
    LayerRule(
        target: "HistoryExport",
        mayImport: [
            "History", "SQLiteDatabase", "SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO",
        ]
    ),
    LayerRule(target: "QRCodes", mayImport: ["CQRencode"]),
    LayerRule(target: "CommandKit", mayImport: ["SystemIO"], isPure: true),
    LayerRule(
        target: "SXKeyCommands",
        mayImport: [
            "CommandKit", "Keyring", "Archive", "HistoryExport", "History", "SQLiteDatabase", "PortableBundle",
            "StoreChanges", "SophaxFiles", "JSONCoding", "SophaxCore", "QRCodes", "CryptoPrimitives", "SystemIO",
        ],
        isPure: true
    ),
    LayerRule(target: "sxkey", mayImport: ["SXKeyCommands"], isPure: true),
    LayerRule(target: "sxkey-image", mayImport: ["SystemIO", "CGd", "CZbar", "CSeccomp", "Glibc"]),
    LayerRule(
        target: "SampleData", mayImport: ["SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO"],
        isPure: true),
    LayerRule(target: "sxkey-sample", mayImport: ["SampleData", "SystemIO"], isPure: true),
]

/// Modules of the standard library, which anyone may import.
let standardModules: Set = ["Synchronization"]

/// Targets without Swift: module maps with a `shim.h`, and the C++ shim over libsimdjson.
let systemModules: Set = [
    "CSodium", "CArgon2", "CLibcrypto", "CUtf8proc", "CSQLite3", "CQRencode", "CLinux", "CZstd", "CGd", "CZbar",
    "CSeccomp",
]
let shims: Set = ["CSimdJSON"]

/// The same in `Tests`: what stands in front of the C library in the program that the power cuts are recorded of, and what
/// asks valgrind.
let testShims: Set = ["CDiskRecorder", "CTreeRecorder", "CMemcheck"]

/// The rules as functions of a text, so that each can be shown to fail.
enum Rule {
    static let longestFile = 600

    static func forbiddenImports(in text: [UInt8], of rule: LayerRule) -> [String] {
        SwiftText.imports(of: text).filter { !rule.mayImport.union(standardModules).contains($0) }
    }

    /// Words of code that concern pointers: `unsafe` itself, and names such as `withUnsafeBytes`.
    static func unsafeWords(in text: [UInt8]) -> [String] {
        SwiftText.words(of: SwiftText.code(of: text)).filter { word in
            ["unsafe", "Unsafe", "withUnsafe"].contains { word.hasPrefix($0) }
        }
    }

    static func isTooLong(_ text: [UInt8]) -> Bool {
        text.count(where: { $0 == 0x0A }) > longestFile
    }

    /// Marks that say that something is unfinished. Spelled in halves, so that this file does not hold them itself.
    static func leftOverMarks(in text: [UInt8]) -> [String] {
        let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]
        let words = Set(SwiftText.words(of: text))
        let phrases = ["not " + "implemented", "un" + "implemented", "place" + "holder text"]
        let content = String(decoding: text, as: UTF8.self)
        return marks.filter(words.contains) + phrases.filter(content.contains)
    }

    /// Folders that exist on one machine only. `/home/ana` is the example of the documentation.
    static func machinePaths(in text: [UInt8], alsoForeign: [String] = []) -> [String] {
        let content = String(decoding: text, as: UTF8.self).replacing("/home/ana", with: "")
        return (["/ho" + "me/", "/Us" + "ers/", "/ro" + "ot/"] + alsoForeign).filter(content.contains)
    }
}
