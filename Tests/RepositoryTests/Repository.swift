import SystemIO

/// The files of this repository, read from the working tree.
enum Repository {
    static let root: FilePath = FilePath(#filePath).parent.parent.parent

    struct TextFile: Sendable {
        /// From the root, such as `Sources/sxkey/main.swift`.
        let path: String
        let text: [UInt8]
    }

    /// Folders whose files the rules are about; links are not followed, and nothing that a build makes is read.
    static let folders = ["Sources", "Tests", "Benchmarks", "Fuzz", "Examples", "man", "completions", ".ci"]
    static let topFiles = [
        "Package.swift", "Makefile", "README.md", "CHANGELOG.md", "LICENSE", "SECURITY.md", ".swift-format",
        ".gitignore",
    ]

    static func text(of path: String) throws -> [UInt8] {
        var file = try InputFile(opening: root.appending(FilePath(path)))
        return try file.readAll(limit: 16 << 20)
    }

    static func names(in folder: String) throws -> [String] {
        try listFolder(root.appending(FilePath(folder))).map(\.name.text).sorted()
    }

    /// Every file below `folder`, sorted by path.
    static func files(below folder: String) throws -> [TextFile] {
        var found: [TextFile] = []
        for entry in try listFolder(root.appending(FilePath(folder))) {
            let path = folder + "/" + entry.name.text
            switch entry.kind {
            case .folder where ![".build", "seeds", "__pycache__"].contains(entry.name.text):
                found += try files(below: path)
            case .regular:
                found.append(TextFile(path: path, text: try text(of: path)))
            default:
                break
            }
        }
        return found.sorted { $0.path < $1.path }
    }

    static func allFiles() throws -> [TextFile] {
        try folders.flatMap { try files(below: $0) } + topFiles.map { TextFile(path: $0, text: try text(of: $0)) }
    }
}
