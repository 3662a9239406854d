import CLinux
import Glibc

/// The system calls on descriptors, each repeated when a signal interrupts it.
enum Descriptor {
    /// Reads up to `buffer.count` bytes and gives their number, 0 at the end. Waits where the descriptor does not block.
    static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, path: FilePath
    ) throws(FileError) -> Int {
        guard buffer.count > 0 else { return 0 }
        while true {
            let count = unsafe Glibc.read(descriptor, buffer.baseAddress, min(buffer.count, largestTransfer))
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN: _ = wait(descriptor, for: POLLIN, milliseconds: -1)
            default: throw FileError(.read, path, code: errno)
            }
        }
    }

    /// Writes every byte of `buffer`. Waits where the descriptor does not block.
    static func writeAll(
        _ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, path: FilePath
    ) throws(FileError) {
        var offset = 0
        while offset < buffer.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[offset...])
            let count = unsafe Glibc.write(descriptor, rest.baseAddress, min(rest.count, largestTransfer))
            if count >= 0 {
                offset += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: _ = wait(descriptor, for: POLLOUT, milliseconds: -1)
            default: throw FileError(.write, path, code: errno)
            }
        }
    }

    /// Waits until something of `events` or an error or a hang-up is there; gives what came, 0 after the time is over.
    static func wait(_ descriptor: Int32, for events: Int32, milliseconds: Int32) -> Int32 {
        var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        let result = unsafe poll(&request, 1, milliseconds)
        return result > 0 ? Int32(request.revents) : 0
    }

    static func sync(_ descriptor: Int32, path: FilePath) throws(FileError) {
        while fsync(descriptor) != 0 {
            switch errno {
            case EINTR: continue
            // A file system or a kind of file that knows no fsync has nothing to lose by it.
            case EINVAL, EROFS, ENOTSUP: return
            default: throw FileError(.sync, path, code: errno)
            }
        }
    }

    /// Brings all that was written to the file system of an open file to the disk.
    static func syncFileSystem(_ descriptor: Int32, path: FilePath) throws(FileError) {
        while sx_sync_file_system(descriptor) != 0 {
            if errno != EINTR { throw FileError(.sync, path, code: errno) }
        }
    }

    /// Makes a new or changed name in a folder last, where the folder could be opened for it.
    static func syncFolder(_ folder: Int32, path: FilePath) throws(FileError) {
        do throws(FileError) {
            try sync(folder, path: path)
        } catch {
            // Opened by `openFolder` without the right to list it: there is no descriptor that could be synced.
            if error.code != EBADF { throw error }
        }
    }

    /// Opens the folder at `path`; where it may be entered but not listed, a descriptor that cannot be synced.
    static func openFolder(_ path: FilePath) throws(FileError) -> Int32 {
        let flags = O_DIRECTORY | O_CLOEXEC
        var descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | flags) }
        if descriptor < 0, errno == EACCES {
            descriptor = unsafe path.withCString { unsafe open($0, sx_O_PATH | flags) }
        }
        guard descriptor >= 0 else { throw FileError(.open, path, code: errno) }
        return descriptor
    }

    /// Linux moves at most this many bytes in one call (read(2)).
    private static let largestTransfer = 0x7fff_f000
}
