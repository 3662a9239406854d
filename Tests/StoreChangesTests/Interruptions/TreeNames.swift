import Glibc
import TestSupport

/// Reads and writes folders for the simulated disk.
enum TreeNames {
    static func names(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    static func linkText(_ path: String) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = readlink(path, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    static func bytes(_ path: String) -> [UInt8] { fileBytes(path) ?? [] }

    static func write(_ bytes: [UInt8], to path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        precondition(descriptor >= 0, "cannot write \(path)")
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done)
            }
            precondition(count > 0, "cannot write \(path)")
            done += count
        }
        close(descriptor)
    }

    /// Copies a folder with all that is in it.
    static func copy(_ source: String, to target: String) {
        var status = stat()
        precondition(lstat(source, &status) == 0, "cannot look at \(source)")
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            mkdir(target, 0o700)
            for name in names(source) { copy(source + "/" + name, to: target + "/" + name) }
        case S_IFLNK: symlink(linkText(source), target)
        default: write(bytes(source), to: target)
        }
    }
}
