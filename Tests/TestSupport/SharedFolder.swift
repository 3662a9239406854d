import Glibc

/// The shared folder beside the package (formats, fixtures, vectors), or the one that SXKEY_SHARED names.
package enum SharedFolder {
    /// Nil where it is not; tests that need it are skipped.
    package static let path: String? = {
        // This file is three levels below the package: Tests/TestSupport/<file>.
        let package = #filePath.split(separator: "/").dropLast(3)
        let beside = "/" + package.dropLast().joined(separator: "/") + "/shared"
        let named = unsafe getenv("SXKEY_SHARED").map { unsafe String(cString: $0) }
        let folder = named ?? beside
        return unsafe access(folder + "/fixtures", R_OK) == 0 ? folder : nil
    }()

    package static var isThere: Bool { path != nil }

    /// A path below the folder; for tests that are enabled only where it is there.
    package static func file(_ name: String) -> String { (path ?? "/nonexistent") + "/" + name }
}
