import Glibc

/// One name in a folder.
package struct FolderEntry: Hashable, Sendable {
    package let name: FilePath
    /// What the name itself is; a link is a link.
    package let kind: FileKind
    /// Bytes; only meaningful for regular files.
    package let size: Int
    /// Unix seconds.
    package let modified: Double
}

/// What is in the folder at `path` without `.` and `..`, in the order of the names' bytes. An entry that vanishes meanwhile
/// is left out. Errors: `.notFound`, `.notFolder`, and what the kernel says.
package func listFolder(_ path: FilePath) throws(FileError) -> [FolderEntry] {
    var entries: [FolderEntry] = []
    try readFolder(path) { (descriptor, entryName) throws(FileError) in
        var status = stat()
        let result = unsafe entryName.withCString { unsafe fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
        guard result == 0 else {
            if errno == ENOENT { return }
            throw FileError(.status, path.appending(entryName), code: errno)
        }
        let seen = FileStatus(status)
        entries.append(FolderEntry(name: entryName, kind: seen.kind, size: seen.size, modified: seen.modified))
    }
    return entries.sorted { $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) }
}

/// The names in a folder, in the order of their bytes; nothing is looked at.
func listNames(_ path: FilePath) throws(FileError) -> [FilePath] {
    var names: [FilePath] = []
    try readFolder(path) { (_, name) throws(FileError) in names.append(name) }
    return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
}

/// Gives each name in a folder without `.` and `..`, with the folder's descriptor.
private func readFolder(
    _ path: FilePath, _ body: (_ folder: Int32, FilePath) throws(FileError) -> Void
) throws(FileError) {
    let descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw FileError(.list, path, code: errno) }
    guard let stream = unsafe fdopendir(descriptor) else {
        let code = errno
        close(descriptor)
        throw FileError(.list, path, code: code)
    }
    defer { unsafe closedir(stream) }
    while true {
        errno = 0
        guard let entry = unsafe readdir(stream) else {
            if errno != 0 { throw FileError(.list, path, code: errno) }
            break
        }
        let name = unsafe nameBytes(of: entry)
        if name == Array(".".utf8) || name == Array("..".utf8) { continue }
        try body(descriptor, FilePath(bytes: name))
    }
}

/// Makes one folder with exactly `mode`. An existing one is `.exists`.
package func makeFolder(_ path: FilePath, mode: UInt32 = 0o700) throws(FileError) {
    guard unsafe path.withCString({ unsafe mkdir($0, mode_t(mode)) }) == 0 else {
        throw FileError(.create, path, code: errno)
    }
    // The umask can only have taken bits away.
    _ = unsafe path.withCString { unsafe chmod($0, mode_t(mode)) }
}

/// Removes an empty folder.
package func removeFolder(_ path: FilePath) throws(FileError) {
    guard unsafe path.withCString({ unsafe rmdir($0) }) == 0 else { throw FileError(.remove, path, code: errno) }
}

/// Removes a name that is not a folder.
package func removeFile(_ path: FilePath) throws(FileError) {
    guard unsafe path.withCString({ unsafe unlink($0) }) == 0 else { throw FileError(.remove, path, code: errno) }
}

/// The bytes of the name of a directory entry; its array has no length of its own in Swift's eyes.
private func nameBytes(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
    let start = unsafe UnsafeRawPointer(entry).advanced(by: offset)
    let length = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: length))
}

/// `path` from the root: what is relative is taken from the folder that the process works in. Links and `..` stay as they
/// are, and nothing is looked at. Nil when that folder no longer has a name.
package func absolutePath(_ path: FilePath) -> FilePath? {
    if path.isAbsolute { return path }
    guard let text = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(text) }
    let folder = unsafe FilePath(bytes: Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
    return folder.isAbsolute ? folder.appending(path) : nil
}
