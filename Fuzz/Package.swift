// swift-tools-version: 6.2
import PackageDescription

/// Access to what is internal in the libraries, also in release builds.
let visible: [SwiftSetting] = [.unsafeFlags(["-enable-testing"])]

/// libFuzzer targets over sxkey's own sources: `Sources` holds links into the main package, so that what is `package`
/// there is visible here, and everything is compiled with the fuzzer's instrumentation.
let package = Package(
    name: "Fuzz",
    targets: [
        .systemLibrary(name: "CSodium"),
        .systemLibrary(name: "CArgon2"),
        .systemLibrary(name: "CLibcrypto"),
        .systemLibrary(name: "CUtf8proc"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CSQLite3"),
        .systemLibrary(name: "CQRencode"),
        .systemLibrary(name: "CZstd"),
        .target(
            name: "CSimdJSON",
            cxxSettings: [.define("SIMDJSON_EXCEPTIONS", to: "0")],
            linkerSettings: [.linkedLibrary("simdjson")]
        ),
        .target(name: "SystemIO", dependencies: ["CLinux"]),
        .target(name: "CryptoPrimitives", dependencies: ["CSodium", "CArgon2", "CLibcrypto", "CUtf8proc"]),
        .target(
            name: "JSONCoding", dependencies: ["CryptoPrimitives", "SystemIO", "CSimdJSON"], swiftSettings: visible),
        .target(name: "SophaxCore", dependencies: ["JSONCoding", "CryptoPrimitives"], swiftSettings: visible),
        .target(
            name: "SophaxFiles",
            dependencies: ["SophaxCore", "JSONCoding", "CryptoPrimitives", "SystemIO", "CSimdJSON"],
            swiftSettings: visible
        ),
        .target(
            name: "StoreChanges",
            dependencies: ["SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO"]
        ),
        .target(
            name: "PortableBundle",
            dependencies: [
                "StoreChanges", "SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO", "CZstd",
            ],
            swiftSettings: visible
        ),
        .target(name: "SQLiteDatabase", dependencies: ["CryptoPrimitives", "SystemIO", "CSQLite3"]),
        .target(name: "Keyring", dependencies: ["SQLiteDatabase", "SophaxCore", "CryptoPrimitives", "SystemIO"]),
        .target(
            name: "History",
            dependencies: [
                "PortableBundle", "SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO",
            ]
        ),
        .target(
            name: "Archive",
            dependencies: [
                "History", "SQLiteDatabase", "SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO",
            ]
        ),
        .target(
            name: "HistoryExport",
            dependencies: [
                "History", "SQLiteDatabase", "SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO",
            ]
        ),
        .target(name: "QRCodes", dependencies: ["CQRencode"]),
        .target(name: "CommandKit", dependencies: ["SystemIO"]),
        .target(
            name: "SXKeyCommands",
            dependencies: [
                "CommandKit", "Keyring", "Archive", "HistoryExport", "History", "SQLiteDatabase", "PortableBundle",
                "StoreChanges", "SophaxFiles", "JSONCoding", "SophaxCore", "QRCodes", "CryptoPrimitives", "SystemIO",
            ]
        ),
        .executableTarget(name: "fuzz-messages", dependencies: ["SophaxFiles", "CSimdJSON"]),
        .executableTarget(name: "fuzz-bundle", dependencies: ["SophaxFiles", "CryptoPrimitives"]),
        .executableTarget(name: "fuzz-sxb", dependencies: ["PortableBundle", "CryptoPrimitives", "SystemIO"]),
        .executableTarget(name: "fuzz-prekeys", dependencies: ["SophaxFiles", "SophaxCore"]),
        .executableTarget(name: "fuzz-session", dependencies: ["SophaxCore", "CryptoPrimitives"]),
        .executableTarget(name: "fuzz-ratchet", dependencies: ["SophaxCore", "JSONCoding"]),
        .executableTarget(name: "fuzz-wire", dependencies: ["SophaxFiles", "SophaxCore", "JSONCoding"]),
        .executableTarget(name: "fuzz-shares", dependencies: ["SophaxCore", "CryptoPrimitives"]),
        .executableTarget(name: "fuzz-related", dependencies: ["SophaxFiles", "CryptoPrimitives"]),
        .executableTarget(name: "fuzz-links", dependencies: ["SophaxCore"]),
        .executableTarget(name: "fuzz-keyfile", dependencies: ["SophaxFiles", "CryptoPrimitives"]),
        .executableTarget(name: "fuzz-arguments", dependencies: ["SXKeyCommands", "CommandKit"]),
    ],
    cxxLanguageStandard: .cxx17
)
