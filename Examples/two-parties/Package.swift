// swift-tools-version: 6.2
import PackageDescription

// A daemon's package: it depends on sxkey's library product, and on nothing else of sxkey.
let package = Package(
    name: "two-parties",
    dependencies: [.package(name: "sxkey", path: "../..")],
    targets: [
        .executableTarget(
            name: "two-parties",
            dependencies: [.product(name: "SophaxCore", package: "sxkey")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        )
    ]
)
