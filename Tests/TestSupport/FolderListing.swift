import Glibc

/// What a folder has in it, so that a test can tell whether a command left or changed something.
///
/// Each name with its kind, permissions and content; links as links.
package struct FolderListing: Equatable, CustomStringConvertible {
    package let entries: [String: String]

    package init(_ path: String) {
        var entries: [String: String] = [:]
        Self.collect(path, "", &entries)
        self.entries = entries
    }

    package var names: [String] { entries.keys.sorted() }

    package var description: String { names.map { "\($0) \(entries[$0] ?? "")" }.joined(separator: "\n") }

    /// The last twelve bits of a file's mode, -1 when it is not there.
    package static func permissions(_ path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_mode & 0o7777) : -1
    }

    private static func collect(_ root: String, _ below: String, _ entries: inout [String: String]) {
        guard let folder = opendir(root + "/" + below) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            let child = below.isEmpty ? name : below + "/" + name
            var status = stat()
            guard lstat(root + "/" + child, &status) == 0 else { continue }
            let mode = String(status.st_mode & 0o7777, radix: 8)
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                entries[child] = "folder \(mode)"
                collect(root, child, &entries)
            case S_IFREG where status.st_size < 1 << 24:
                entries[child] = "file \(mode) \(status.st_size) \(fileBytes(root + "/" + child).hashValue)"
            default: entries[child] = "other \(mode) \(status.st_mode & S_IFMT) \(status.st_size)"
            }
        }
    }
}
