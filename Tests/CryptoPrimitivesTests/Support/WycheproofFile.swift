import Foundation
import TestSupport

/// A file of Wycheproof vectors; `Group` and its tests hold what the kind of file has.
struct WycheproofFile<Group: Decodable>: Decodable {
    let numberOfTests: Int
    let testGroups: [Group]

    static func read(_ name: String) throws -> Self {
        try JSONDecoder().decode(Self.self, from: Data(sharedBytes("vectors/wycheproof/\(name)_test.json")))
    }
}

/// What Wycheproof says about a case.
enum WycheproofResult: String, Decodable {
    case valid
    case invalid
    case acceptable
}

/// The bytes of a file of the shared folder.
func sharedBytes(_ path: String) throws -> [UInt8] {
    guard let bytes = fileBytes(SharedFolder.file(path)) else { throw CocoaError(.fileReadNoSuchFile) }
    return bytes
}
