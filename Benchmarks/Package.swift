// swift-tools-version: 6.2
import PackageDescription

/// What sxkey is measured against: a Swift program as a user would write it, and the bounds.
let package = Package(
    name: "Benchmarks",
    targets: [
        .systemLibrary(name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .executableTarget(
            name: "codable-verify",
            dependencies: ["CLibcrypto"],
            path: "Sources/CodableVerify",
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .executableTarget(
            name: "store-bound",
            path: "Sources/StoreBound",
            linkerSettings: [.linkedLibrary("crypto"), .linkedLibrary("simdjson")]
        ),
        .executableTarget(
            name: "rekey-bound",
            path: "Sources/RekeyBound",
            linkerSettings: [.linkedLibrary("crypto")]
        ),
        .executableTarget(
            name: "sealing-bound",
            path: "Sources/SealingBound",
            linkerSettings: [.linkedLibrary("crypto"), .linkedLibrary("sqlite3")]
        ),
        .executableTarget(
            name: "protocol-bound",
            path: "Sources/ProtocolBound",
            linkerSettings: [.linkedLibrary("crypto"), .linkedLibrary("sodium")]
        ),
    ],
    cxxLanguageStandard: .cxx17
)
