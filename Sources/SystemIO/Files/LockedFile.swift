import CLinux
import Glibc

/// A small file that only one process at a time has, by a lock of flock(2); let go when it goes out of scope.
///
/// The lock belongs to the open file and ends with the process, however that ends.
package struct LockedFile: ~Copyable, Sendable {
    /// Who has the lock.
    package enum Failure: Error, Equatable, Sendable {
        case file(FileError)
        /// Another process.
        case locked
    }

    package let path: FilePath
    /// It was there before.
    package let existed: Bool
    private let descriptor: Int32

    /// Opens or makes the file, mode 0600, and locks it without waiting.
    package init(locking path: FilePath) throws(Failure) {
        // Whoever had the lock may remove the file before it lets go: then the lock of that file says nothing.
        for _ in 0..<64 {
            var existed = true
            let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW
            var opened = unsafe path.withCString { unsafe open($0, flags) }
            if opened < 0, errno == ENOENT {
                existed = false
                opened = unsafe path.withCString { unsafe open($0, flags | O_CREAT | O_EXCL, 0o600) }
                if opened < 0, errno == EEXIST { continue }
            }
            guard opened >= 0 else { throw .file(FileError(existed ? .open : .create, path, code: errno)) }
            do throws(Failure) {
                try Self.lock(opened, path)
                let own = try Self.looking { () throws(FileError) in try fileStatus(of: opened, path: path) }
                let named = try? fileStatus(at: path, followingLinks: false)
                if own.kind != .regular { throw .file(FileError(.open, path, .notRegular)) }
                if named?.identity == own.identity {
                    self.path = path
                    self.existed = existed
                    descriptor = opened
                    return
                }
            } catch {
                close(opened)
                throw error
            }
            close(opened)
        }
        throw .locked
    }

    deinit {
        close(descriptor)
    }

    /// Whether some process has the lock of the file at `path`; false when there is no such file. Nothing is made.
    package static func isLocked(_ path: FilePath) -> Bool {
        let opened = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        guard opened >= 0 else { return false }
        defer { close(opened) }
        return flock(opened, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// All that is in it. More than `limit` bytes is `.tooLarge`.
    package func read(limit: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < bytes.count {
            let rest = bytes.count - count
            let result = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(descriptor, buffer.baseAddress?.advanced(by: count), rest, count)
            }
            if result == 0 { break }
            if result < 0 {
                if errno == EINTR { continue }
                throw FileError(.read, path, code: errno)
            }
            count += result
        }
        guard count <= limit else { throw FileError(.read, path, .tooLarge(limit: limit)) }
        return Array(bytes[..<count])
    }

    /// Writes `bytes` behind what is there, and syncs the file.
    package func append(_ bytes: [UInt8]) throws(FileError) {
        guard lseek(descriptor, 0, SEEK_END) >= 0 else { throw FileError(.write, path, code: errno) }
        var failure: FileError?
        unsafe bytes.withUnsafeBytes { raw in
            do throws(FileError) {
                unsafe try Descriptor.writeAll(descriptor, raw, path: path)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        try sync()
    }

    /// Cuts it off at `size` bytes, and syncs the file.
    package func truncate(to size: Int) throws(FileError) {
        while ftruncate(descriptor, size) != 0 {
            if errno != EINTR { throw FileError(.write, path, code: errno) }
        }
        try sync()
    }

    /// Brings to the disk what is in it, whoever wrote that.
    package func sync() throws(FileError) {
        try Descriptor.sync(descriptor, path: path)
    }

    private static func lock(_ descriptor: Int32, _ path: FilePath) throws(Failure) {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: throw .locked
            default: throw .file(FileError(.lock, path, code: errno))
            }
        }
    }

    private static func looking<R>(_ body: () throws(FileError) -> R) throws(Failure) -> R {
        do throws(FileError) { return try body() } catch { throw .file(error) }
    }
}
