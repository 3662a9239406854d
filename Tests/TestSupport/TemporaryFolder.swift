import Glibc

/// A folder that is removed with everything in it when the test lets go of it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        let base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array((base + "/sxkey-test-XXXXXX").utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { name in
            unsafe name.baseAddress.flatMap { unsafe mkdtemp($0) }
        }
        precondition(unsafe made != nil, "cannot make a temporary folder in \(base)")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Self.remove(path)
    }

    package func file(_ name: String) -> String { path + "/" + name }

    package func makeFolder(_ name: String) -> String {
        let folder = file(name)
        mkdir(folder, 0o700)
        return folder
    }

    /// Writes a file with mode 0600 and gives its path.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) -> String {
        let path = file(name)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        precondition(descriptor >= 0, "cannot write \(path)")
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done)
            }
            precondition(count > 0, "cannot write \(path)")
            done += count
        }
        close(descriptor)
        return path
    }

    @discardableResult
    package func write(_ text: String, to name: String) -> String { write(Array(text.utf8), to: name) }

    /// Names in the folder, sorted.
    package var names: [String] { Self.names(path) }

    private static func names(_ path: String) -> [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func remove(_ path: String) {
        for name in names(path) {
            let child = path + "/" + name
            var status = stat()
            if unsafe lstat(child, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                remove(child)
            } else {
                unlink(child)
            }
        }
        rmdir(path)
    }
}

/// The bytes of a file; nil when it cannot be read.
package func fileBytes(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = unsafe piece.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { return count == 0 ? bytes : nil }
        bytes += piece[..<count]
    }
}
