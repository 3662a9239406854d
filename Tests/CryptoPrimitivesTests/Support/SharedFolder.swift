import Foundation
import Testing

/// The folder of published vectors beside the repository; not every machine has it.
enum SharedFolder {
    /// Its place: `SXKEY_SHARED`, else `../shared` as seen from the package.
    static let root: URL? = {
        if let named = ProcessInfo.processInfo.environment["SXKEY_SHARED"] { return URL(fileURLWithPath: named) }
        var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        while folder.path != "/" {
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
                let shared = folder.deletingLastPathComponent().appendingPathComponent("shared")
                return FileManager.default.fileExists(atPath: shared.path) ? shared : nil
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }()

    static var isPresent: Bool { root != nil }

    /// The bytes of one of its files.
    static func read(_ path: String) throws -> Data {
        let root = try #require(root, "the shared folder is not there")
        return try Data(contentsOf: root.appendingPathComponent(path))
    }
}

/// A file of Wycheproof vectors; `Group` and its tests hold what the kind of file has.
struct WycheproofFile<Group: Decodable>: Decodable {
    let numberOfTests: Int
    let testGroups: [Group]

    static func read(_ name: String) throws -> Self {
        try JSONDecoder().decode(Self.self, from: SharedFolder.read("vectors/wycheproof/\(name)_test.json"))
    }
}

/// What Wycheproof says about a case.
enum WycheproofResult: String, Decodable {
    case valid
    case invalid
    case acceptable
}
