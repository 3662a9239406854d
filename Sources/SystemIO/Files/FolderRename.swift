import CLinux
import Glibc

/// Each of two names in one folder gets what the other stood for, in one step: none of them is missing at any moment.
///
/// Errors: `.exchange` with EINVAL where the file system cannot do it, EBUSY for a mount point, and what the kernel says.
package func exchangeNames(_ first: FilePath, _ second: FilePath, in folder: FilePath) throws(FileError) {
    let descriptor = try Descriptor.openFolder(folder)
    defer { close(descriptor) }
    let result = unsafe first.withCString { one in
        unsafe second.withCString { other in unsafe sx_rename_exchanging(descriptor, one, descriptor, other) }
    }
    guard result == 0 else { throw FileError(.exchange, folder.appending(first), code: errno) }
}

/// Gives what is called `old` in `folder` the name `new`, unless that is taken.
///
/// Errors: `.rename` with the path of `new`; its kind is `.exists` when the name is taken.
package func renameWithoutReplacing(
    _ old: FilePath, to new: FilePath, in folder: FilePath
) throws(FileError) {
    let descriptor = try Descriptor.openFolder(folder)
    defer { close(descriptor) }
    let result = unsafe old.withCString { from in
        unsafe new.withCString { to in
            let result = unsafe sx_rename_without_replacing(descriptor, from, descriptor, to)
            guard result != 0, errno == EINVAL || errno == ENOSYS else { return result }
            // No such rename here. A folder cannot be linked; rename(2) itself only replaces an empty one.
            var status = stat()
            if unsafe fstatat(descriptor, to, &status, AT_SYMLINK_NOFOLLOW) == 0 {
                errno = EEXIST
                return -1
            }
            return unsafe renameat(descriptor, from, descriptor, to)
        }
    }
    guard result == 0 else { throw FileError(.rename, folder.appending(new), code: errno) }
}

/// Makes the names in a folder last. A folder that may be entered but not listed cannot be synced, and is left.
package func syncFolder(_ folder: FilePath) throws(FileError) {
    let descriptor = try Descriptor.openFolder(folder)
    defer { close(descriptor) }
    try Descriptor.syncFolder(descriptor, path: folder)
}

/// Brings a file that somebody else wrote, and its name, to the disk. What is no regular file has no place there. Errors:
/// `.open`, `.sync`.
package func syncFile(_ path: FilePath) throws(FileError) {
    guard try fileStatus(at: path).kind == .regular else { return }
    let resolved = try resolvedPath(path)
    let descriptor = unsafe resolved.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw FileError(.open, path, code: errno) }
    defer { close(descriptor) }
    try Descriptor.sync(descriptor, path: path)
    try syncFolder(resolved.parent)
}

/// The path with every link followed, from the root. Errors: `.status`.
package func resolvedPath(_ path: FilePath) throws(FileError) -> FilePath {
    let text: UnsafeMutablePointer<CChar>? = unsafe path.withCString { unsafe realpath($0, nil) }
    guard let text = unsafe text else { throw FileError(.status, path, code: errno) }
    defer { unsafe free(text) }
    return unsafe FilePath(bytes: Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
}
