import Glibc

/// Which file it is, whatever it is called: device and inode.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
}

/// What a name stands for.
package enum FileKind: Hashable, Sendable {
    case regular, folder, link, pipe, device, socket, unknown
}

/// What the kernel says of a file.
package struct FileStatus: Hashable, Sendable {
    package let identity: FileIdentity
    package let kind: FileKind
    /// Bytes; only meaningful for regular files.
    package let size: Int
    /// Last change of the content, Unix seconds.
    package let modified: Double
    /// Permission bits, 0o000…0o7777.
    package let permissions: UInt32

    /// True when others than the owner may read it.
    package var isReadableByOthers: Bool {
        permissions & 0o044 != 0
    }

    init(_ status: stat) {
        identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        size = Int(exactly: status.st_size) ?? .max
        modified = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
        permissions = UInt32(status.st_mode) & 0o7777
        kind =
            switch UInt32(status.st_mode) & 0o170000 {
            case 0o100000: .regular
            case 0o040000: .folder
            case 0o120000: .link
            case 0o010000: .pipe
            case 0o020000, 0o060000: .device
            case 0o140000: .socket
            default: .unknown
            }
    }
}

/// The status of what is at `path`, links followed unless `followingLinks` is false.
package func fileStatus(at path: FilePath, followingLinks: Bool = true) throws(FileError) -> FileStatus {
    var status = stat()
    let result = unsafe path.withCString { name in
        unsafe fstatat(AT_FDCWD, name, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW)
    }
    guard result == 0 else { throw FileError(.status, path, code: errno) }
    return FileStatus(status)
}

/// The status of an open descriptor; `path` only names it in the error.
func fileStatus(of descriptor: Int32, path: FilePath) throws(FileError) -> FileStatus {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileError(.status, path, code: errno) }
    return FileStatus(status)
}
