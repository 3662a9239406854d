import Glibc

/// The shared folder beside the package (formats, fixtures, vectors), or the one that SXKEY_SHARED names; nil where it
/// is not, and tests that need it are skipped.
enum SharedFolder {
    static let path: String? = {
        if let named = unsafe getenv("SXKEY_SHARED") { return unsafe String(cString: named) }
        // This file is four levels below the package: Tests/SophaxCoreTests/Support/<file>.
        let package = #filePath.split(separator: "/").dropLast(4)
        let beside = "/" + package.dropLast().joined(separator: "/") + "/shared"
        return unsafe access(beside + "/fixtures", R_OK) == 0 ? beside : nil
    }()

    static let isThere = path != nil
}
