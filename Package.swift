// swift-tools-version: 6.2
import PackageDescription

/// Swift 6 language mode, every warning an error, and each use of an unsafe construct marked where it happens.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
]

/// Tests call libc freely; strict memory safety is a rule for what is shipped.
let testing: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
    name: "sxkey",
    products: [
        .executable(name: "sxkey", targets: ["sxkey"]),
        .executable(name: "sxkey-image", targets: ["sxkey-image"]),
        .library(name: "SophaxCore", targets: ["SophaxCore", "CryptoPrimitives"]),
    ],
    targets: [
        // C libraries: module maps only, except the C++ shim over libsimdjson.
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .systemLibrary(name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // No pkg-config: its -DUTF8PROC_EXPORTS is refused by SwiftPM, and the module map names the library.
        .systemLibrary(name: "CUtf8proc", providers: [.apt(["libutf8proc-dev"])]),
        .systemLibrary(name: "CSQLite3", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CLinux"),
        // Only the picture helper is linked with these.
        .systemLibrary(name: "CGd", pkgConfig: "gdlib", providers: [.apt(["libgd-dev"])]),
        .systemLibrary(name: "CZbar", pkgConfig: "zbar", providers: [.apt(["libzbar-dev"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .target(
            name: "CSimdJSON",
            cxxSettings: [.define("SIMDJSON_EXCEPTIONS", to: "0")],
            linkerSettings: [.linkedLibrary("simdjson")]
        ),

        // Arrows point down only; Tests/RepositoryTests/LayeringTests.swift holds it.
        .target(name: "SystemIO", dependencies: ["CLinux"], swiftSettings: strict),
        .target(
            name: "CryptoPrimitives",
            dependencies: ["CSodium", "CArgon2", "CLibcrypto", "CUtf8proc"],
            swiftSettings: strict
        ),
        // JSON as the apps write it and read it.
        .target(
            name: "JSONCoding", dependencies: ["CryptoPrimitives", "SystemIO", "CSimdJSON"], swiftSettings: strict),
        .target(name: "SophaxCore", dependencies: ["JSONCoding", "CryptoPrimitives"], swiftSettings: strict),
        .target(
            name: "SophaxFiles",
            dependencies: ["SophaxCore", "JSONCoding", "CryptoPrimitives", "SystemIO", "CSimdJSON"],
            swiftSettings: strict
        ),
        // How a store is changed without losing any of it.
        .target(
            name: "StoreChanges",
            dependencies: ["SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO"],
            swiftSettings: strict
        ),
        // sxkey's own bundle, and what goes between it, the apps' exports and stores.
        .target(
            name: "PortableBundle",
            dependencies: [
                "StoreChanges", "SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO", "CZstd",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "SQLiteDatabase",
            dependencies: ["CryptoPrimitives", "SystemIO", "CSQLite3"],
            swiftSettings: strict
        ),
        .target(
            name: "Keyring",
            dependencies: ["SQLiteDatabase", "SophaxCore", "JSONCoding", "CryptoPrimitives", "SystemIO"],
            swiftSettings: strict
        ),
        // Messages from wherever they are: what archives and exports are made of.
        .target(
            name: "History",
            dependencies: [
                "PortableBundle", "SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO",
            ],
            swiftSettings: strict
        ),
        // The sealed, searchable archive of messages.
        .target(
            name: "Archive",
            dependencies: [
                "History", "SQLiteDatabase", "SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO",
            ],
            swiftSettings: strict
        ),
        // Messages in the formats that people keep.
        .target(
            name: "HistoryExport",
            dependencies: [
                "History", "SQLiteDatabase", "SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO",
            ],
            swiftSettings: strict
        ),
        .target(name: "QRCodes", dependencies: ["CQRencode"], swiftSettings: strict),
        .target(name: "CommandKit", dependencies: ["SystemIO"], swiftSettings: strict),
        .target(
            name: "SXKeyCommands",
            dependencies: [
                "CommandKit", "Keyring", "Archive", "HistoryExport", "History", "SQLiteDatabase", "PortableBundle",
                "StoreChanges", "SophaxFiles", "JSONCoding", "SophaxCore", "QRCodes", "CryptoPrimitives", "SystemIO",
            ],
            swiftSettings: strict
        ),
        .executableTarget(name: "sxkey", dependencies: ["SXKeyCommands"], swiftSettings: strict),
        // The helper for pictures: no keys in it, and none of its libraries in sxkey.
        .executableTarget(
            name: "sxkey-image",
            dependencies: ["SystemIO", "CGd", "CZbar", "CSeccomp"],
            swiftSettings: strict
        ),

        // A small store and exports made with sxkey's own code, for `make demo` and the tests; not installed.
        .target(
            name: "SampleData",
            dependencies: ["SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO"],
            swiftSettings: strict
        ),
        .executableTarget(name: "sxkey-sample", dependencies: ["SampleData", "SystemIO"], swiftSettings: strict),

        // Runs SQL on a sealed database for Benchmarks/sealed; not installed.
        .executableTarget(
            name: "sealed-bench",
            dependencies: ["SQLiteDatabase", "CryptoPrimitives", "SystemIO"],
            path: "Benchmarks/Sources/SealedBench",
            swiftSettings: testing
        ),

        // Bundles out of and into a folder, for Benchmarks/bundle; not installed.
        .executableTarget(
            name: "bundle-bench",
            dependencies: [
                "PortableBundle", "SophaxFiles", "JSONCoding", "SophaxCore", "CryptoPrimitives", "SystemIO",
            ],
            path: "Benchmarks/Sources/BundleBench",
            swiftSettings: testing
        ),

        // Imports into archives, and plain loads of the same rows, for Benchmarks/archive; not installed.
        .executableTarget(
            name: "archive-bench",
            dependencies: [
                "Archive", "History", "SQLiteDatabase", "SophaxFiles", "JSONCoding", "CryptoPrimitives", "SystemIO",
            ],
            path: "Benchmarks/Sources/ArchiveBench",
            swiftSettings: testing
        ),

        // An archive of a million messages and queries for it, for Benchmarks/search; not installed.
        .executableTarget(
            name: "search-bench",
            dependencies: ["Archive", "SQLiteDatabase", "CryptoPrimitives", "SystemIO"],
            path: "Benchmarks/Sources/SearchBench",
            swiftSettings: testing
        ),

        // Agreements and messages of the protocol, for Benchmarks/protocol; not installed.
        .executableTarget(
            name: "protocol-bench",
            dependencies: ["SophaxCore", "CryptoPrimitives"],
            path: "Benchmarks/Sources/ProtocolBench",
            swiftSettings: testing
        ),

        // Post-quantum keys, secrets and signatures, for Benchmarks/postquantum; not installed.
        .executableTarget(
            name: "postquantum-bench",
            dependencies: ["CryptoPrimitives"],
            path: "Benchmarks/Sources/PostQuantumBench",
            swiftSettings: testing
        ),

        // The example of a daemon, which is a package of its own as well: here its tests run it. Not installed.
        .executableTarget(
            name: "two-parties-example",
            dependencies: ["SophaxCore", "CryptoPrimitives"],
            path: "Examples/two-parties/Sources/two-parties",
            swiftSettings: testing
        ),

        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: testing),
        .testTarget(
            name: "CryptoPrimitivesTests", dependencies: ["CryptoPrimitives", "TestSupport"], swiftSettings: testing),
        // What handles secrets, with the secrets marked for valgrind: `Tests/constant-time` runs it.
        .target(name: "CMemcheck", path: "Tests/CMemcheck"),
        .executableTarget(
            name: "constant-time-probe", dependencies: ["CryptoPrimitives", "SophaxCore", "CMemcheck"],
            path: "Tests/ConstantTimeProbe", swiftSettings: testing),
        // What the tests of SystemIO need a process of its own for.
        .executableTarget(
            name: "SystemIOProbe", dependencies: ["SystemIO"], path: "Tests/SystemIOProbe", swiftSettings: testing),
        .testTarget(
            name: "SystemIOTests", dependencies: ["SystemIO", "SystemIOProbe", "TestSupport"], swiftSettings: testing),
        .testTarget(
            name: "JSONCodingTests", dependencies: ["JSONCoding", "CryptoPrimitives", "TestSupport"],
            swiftSettings: testing),
        .testTarget(
            name: "SophaxCoreTests",
            dependencies: ["SophaxCore", "JSONCoding", "CryptoPrimitives", "TestSupport"],
            swiftSettings: testing
        ),
        .testTarget(
            name: "SophaxFilesTests",
            dependencies: [
                "SophaxFiles", "JSONCoding", "SampleData", "SophaxCore", "CryptoPrimitives", "SystemIO", "TestSupport",
            ],
            swiftSettings: testing
        ),
        // sxkey with a recorder of what it does to the disk: a process to kill, and to cut the power of.
        .target(name: "CTreeRecorder", path: "Tests/CTreeRecorder"),
        .executableTarget(
            name: "StoreProbe", dependencies: ["SXKeyCommands", "CTreeRecorder", "SystemIO"], path: "Tests/StoreProbe",
            swiftSettings: testing),
        .testTarget(
            name: "StoreChangesTests",
            dependencies: [
                "StoreChanges", "StoreProbe", "SampleData", "Keyring", "SQLiteDatabase", "SophaxFiles", "JSONCoding",
                "SophaxCore",
                "CryptoPrimitives", "SystemIO", "TestSupport",
            ],
            swiftSettings: testing
        ),
        .testTarget(
            name: "PortableBundleTests",
            dependencies: [
                "PortableBundle", "StoreChanges", "SampleData", "SophaxFiles", "JSONCoding", "SophaxCore",
                "CryptoPrimitives",
                "SystemIO", "TestSupport",
            ],
            swiftSettings: testing
        ),
        .testTarget(
            name: "HistoryTests",
            dependencies: [
                "History", "PortableBundle", "SampleData", "SophaxFiles", "JSONCoding", "SophaxCore",
                "CryptoPrimitives", "SystemIO",
                "TestSupport",
            ],
            swiftSettings: testing
        ),
        // Imports into a sealed archive: a process to kill.
        .executableTarget(
            name: "ArchiveProbe",
            dependencies: [
                "Archive", "History", "SQLiteDatabase", "SophaxFiles", "JSONCoding", "CryptoPrimitives", "SystemIO",
            ],
            path: "Tests/ArchiveProbe", swiftSettings: testing),
        .testTarget(
            name: "ArchiveTests",
            dependencies: [
                "Archive", "ArchiveProbe", "History", "PortableBundle", "SQLiteDatabase", "SampleData", "SophaxFiles",
                "JSONCoding",
                "SophaxCore",
                "CryptoPrimitives", "SystemIO", "TestSupport",
            ],
            swiftSettings: testing
        ),
        .testTarget(
            name: "HistoryExportTests",
            dependencies: [
                "HistoryExport", "History", "PortableBundle", "SQLiteDatabase", "SampleData", "SophaxFiles",
                "JSONCoding",
                "SophaxCore", "CryptoPrimitives", "SystemIO", "TestSupport",
            ],
            swiftSettings: testing
        ),
        // Transactions whose result can be told by looking; the recorder of what reaches the disk; a process to kill.
        .target(
            name: "DatabaseWorkload", dependencies: ["SQLiteDatabase"], path: "Tests/DatabaseWorkload",
            swiftSettings: testing),
        .target(name: "CDiskRecorder", path: "Tests/CDiskRecorder"),
        .executableTarget(
            name: "DatabaseProbe",
            dependencies: ["SQLiteDatabase", "DatabaseWorkload", "CDiskRecorder", "CryptoPrimitives", "SystemIO"],
            path: "Tests/DatabaseProbe",
            swiftSettings: testing
        ),
        .testTarget(
            name: "SQLiteDatabaseTests",
            dependencies: [
                "SQLiteDatabase", "DatabaseWorkload", "DatabaseProbe", "CryptoPrimitives", "SystemIO", "TestSupport",
            ],
            swiftSettings: testing
        ),
        .testTarget(
            name: "KeyringTests",
            dependencies: [
                "Keyring", "SQLiteDatabase", "SophaxCore", "JSONCoding", "CryptoPrimitives", "SystemIO", "TestSupport",
            ],
            swiftSettings: testing
        ),
        .testTarget(name: "QRCodesTests", dependencies: ["QRCodes", "TestSupport"], swiftSettings: testing),
        .testTarget(
            name: "CommandKitTests", dependencies: ["CommandKit", "SystemIO", "TestSupport"], swiftSettings: testing),
        .testTarget(
            name: "SXKeyCommandsTests",
            dependencies: [
                "SXKeyCommands", "CommandKit", "SampleData", "Keyring", "Archive", "HistoryExport", "History",
                "SQLiteDatabase", "PortableBundle", "StoreChanges", "SophaxFiles", "JSONCoding", "SophaxCore",
                "QRCodes",
                "StoreProbe", "CryptoPrimitives", "SystemIO", "TestSupport",
            ],
            swiftSettings: testing
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "sxkey", "sxkey-image", "two-parties-example", "SXKeyCommands", "CommandKit", "SampleData", "Keyring",
                "Archive",
                "HistoryExport", "History", "SQLiteDatabase", "PortableBundle", "StoreChanges", "SophaxFiles",
                "JSONCoding",
                "SophaxCore", "QRCodes", "CryptoPrimitives",
                "SystemIO",
                "TestSupport",
            ],
            swiftSettings: testing
        ),
        .testTarget(
            name: "RepositoryTests",
            dependencies: ["SXKeyCommands", "CommandKit", "Keyring", "SophaxFiles", "JSONCoding", "SystemIO"],
            swiftSettings: testing
        ),
    ],
    cxxLanguageStandard: .cxx17
)
