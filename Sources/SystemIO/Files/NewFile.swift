import CLinux
import Glibc

/// A file that was just made, open for writing and for reading back what was written.
///
/// It has its name from the beginning: it belongs into a folder that nobody else looks at yet.
package struct NewFile: ~Copyable, Sendable {
    package let path: FilePath
    private var descriptor: Int32

    /// Makes the file at `path`, which must not exist, mode 0600.
    package init(creating path: FilePath) throws(FileError) {
        let opened = unsafe path.withCString {
            unsafe open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        guard opened >= 0 else { throw FileError(.create, path, code: errno) }
        self.path = path
        descriptor = opened
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Writes every byte behind what was written before.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        unsafe try Descriptor.writeAll(descriptor, bytes, path: path)
    }

    /// Fills `buffer` with what stands at `offset`; a file that ends before is `.read` with an error of its own.
    package func readBack(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) {
        var done = 0
        while done < buffer.count {
            let result = unsafe pread(
                descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done, offset + done)
            if result > 0 {
                done += result
            } else if result == 0 || errno != EINTR {
                throw FileError(.read, path, code: result == 0 ? EIO : errno)
            }
        }
    }

    /// Empties the file, to begin again.
    package func restart() throws(FileError) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw FileError(.write, path, code: errno)
        }
    }

    /// Takes over the content of `source` without copying it, where the file system can; false where it cannot.
    package func clone(_ source: borrowing InputFile) -> Bool {
        source.withDescriptor { sx_clone_file(descriptor, $0) == 0 }
    }

    /// Sets permissions and time of the last change, and the owner when the process is root's.
    package func take(_ entry: TreeEntry, time: Bool) throws(FileError) {
        if geteuid() == 0, fchown(descriptor, entry.owner, entry.group) != 0 {
            throw FileError(.create, path, code: errno)
        }
        guard fchmod(descriptor, mode_t(entry.permissions)) == 0 else { throw FileError(.create, path, code: errno) }
        guard time else { return }
        let modified = timespec(tv_sec: entry.modified.seconds, tv_nsec: entry.modified.nanoseconds)
        let times = [modified, modified]
        guard unsafe futimens(descriptor, times) == 0 else { throw FileError(.create, path, code: errno) }
    }

    package func sync() throws(FileError) {
        try Descriptor.sync(descriptor, path: path)
    }

    /// Closes the file; some file systems say only here that the disk was full.
    package consuming func finish() throws(FileError) {
        let closing = descriptor
        descriptor = -1
        // After EINTR Linux has closed it all the same.
        if close(closing) != 0, errno != EINTR { throw FileError(.close, path, code: errno) }
    }
}

/// Makes a link `path` that says `target`. Errors: `.create`.
package func makeLink(_ path: FilePath, to target: FilePath) throws(FileError) {
    let result = unsafe target.withCString { to in unsafe path.withCString { name in unsafe symlink(to, name) } }
    guard result == 0 else { throw FileError(.create, path, code: errno) }
}

/// What the link at `path` says. Errors: `.read`.
package func linkTarget(_ path: FilePath) throws(FileError) -> FilePath {
    var buffer = [UInt8](repeating: 0, count: 4097)
    let count = unsafe path.withCString { name in
        unsafe buffer.withUnsafeMutableBytes { bytes in
            guard let start = unsafe bytes.bindMemory(to: CChar.self).baseAddress else { return -1 }
            return unsafe readlink(name, start, bytes.count)
        }
    }
    guard count >= 0 else { throw FileError(.read, path, code: errno) }
    return FilePath(bytes: Array(buffer[..<count]))
}

/// Sets permissions and time of a folder or the time of a link, and the owner when the process is root's.
package func takeStatus(_ entry: TreeEntry, at path: FilePath, time: Bool) throws(FileError) {
    let result: Int32 = unsafe path.withCString { name in
        if geteuid() == 0,
            unsafe fchownat(AT_FDCWD, name, entry.owner, entry.group, AT_SYMLINK_NOFOLLOW) != 0
        {
            return -1
        }
        if entry.kind != .link, unsafe chmod(name, mode_t(entry.permissions)) != 0 { return -1 }
        guard time else { return 0 }
        let modified = timespec(tv_sec: entry.modified.seconds, tv_nsec: entry.modified.nanoseconds)
        let times = [modified, modified]
        return unsafe utimensat(AT_FDCWD, name, times, AT_SYMLINK_NOFOLLOW)
    }
    guard result == 0 else { throw FileError(.create, path, code: errno) }
}
