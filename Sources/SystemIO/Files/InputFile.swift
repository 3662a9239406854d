import CLinux
import Glibc

/// A file open for reading; closed when it goes out of scope.
///
/// Regular files, pipes and devices; never a folder. A named pipe without a writer fails after five seconds.
package struct InputFile: ~Copyable, Sendable {
    package let path: FilePath
    package let status: FileStatus
    private let descriptor: Int32
    private let closes: Bool
    /// A byte that was read to learn whether the named pipe has a writer.
    private var readAhead: UInt8?

    /// How long a named pipe may stay without a writer.
    package static let writerPatienceSeconds = 5

    /// Opens `path`. Errors: what open(2) says, `.isFolder`, `.noWriter`.
    package init(opening path: FilePath) throws(FileError) {
        try self.init(opening: path, writerPatienceMilliseconds: Self.writerPatienceSeconds * 1000)
    }

    init(opening path: FilePath, writerPatienceMilliseconds: Int) throws(FileError) {
        let opened = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
        guard opened >= 0 else { throw FileError(.open, path, code: errno) }
        do throws(FileError) {
            let status = try fileStatus(of: opened, path: path)
            if status.kind == .folder { throw FileError(.read, path, .isFolder) }
            readAhead = nil
            if status.kind == .pipe, !Self.isUnnamedPipe(opened) {
                readAhead = try Self.waitForWriter(opened, path, milliseconds: writerPatienceMilliseconds)
            }
            // From here on a read may wait for a slow writer.
            _ = fcntl(opened, F_SETFL, O_RDONLY)
            self.status = status
        } catch {
            close(opened)
            throw error
        }
        self.path = path
        descriptor = opened
        closes = true
    }

    /// Opens the regular file at `relative` below a folder, without following a symbolic link below it.
    ///
    /// Errors: what openat(2) says (a link gives `ELOOP` or `ENOTDIR`); `.notRegular` for anything but a regular file.
    package init(opening relative: FilePath, below folder: FilePath) throws(FileError) {
        let path = folder.appending(relative)
        let components = relative.bytes.split(separator: UInt8(ascii: "/")).map { FilePath(bytes: Array($0)) }
        guard let name = components.last else { throw FileError(.open, path, .isFolder) }
        var current = unsafe folder.withCString { unsafe open($0, O_PATH | O_DIRECTORY | O_CLOEXEC) }
        guard current >= 0 else { throw FileError(.open, folder, code: errno) }
        defer { close(current) }
        for component in components.dropLast() {
            let next = unsafe component.withCString {
                unsafe openat(current, $0, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            }
            guard next >= 0 else { throw FileError(.open, path, code: errno) }
            close(current)
            current = next
        }
        let opened = unsafe name.withCString {
            unsafe openat(current, $0, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        }
        guard opened >= 0 else { throw FileError(.open, path, code: errno) }
        do throws(FileError) {
            let status = try fileStatus(of: opened, path: path)
            guard status.kind == .regular else { throw FileError(.read, path, .notRegular) }
            self.status = status
        } catch {
            close(opened)
            throw error
        }
        readAhead = nil
        self.path = path
        descriptor = opened
        closes = true
    }

    /// The standard input, named `-` in errors. It stays open afterwards.
    package init(standardInput path: FilePath = "-") throws(FileError) {
        try self.init(inheriting: 0, path: path, closes: false)
    }

    /// A descriptor that the caller of the program passed in; closed afterwards.
    package init(descriptor: Int32, path: FilePath) throws(FileError) {
        try self.init(inheriting: descriptor, path: path, closes: true)
    }

    private init(inheriting descriptor: Int32, path: FilePath, closes: Bool) throws(FileError) {
        let status = try fileStatus(of: descriptor, path: path)
        if status.kind == .folder { throw FileError(.read, path, .isFolder) }
        self.path = path
        self.status = status
        self.descriptor = descriptor
        self.closes = closes
        readAhead = nil
    }

    deinit {
        if closes { close(descriptor) }
    }

    /// Drops what the kernel has of a synced file in memory, so that it is read from the disk.
    package borrowing func forgetCache() {
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    }

    /// Lends the descriptor for one system call.
    borrowing func withDescriptor<R>(_ body: (Int32) -> R) -> R {
        body(descriptor)
    }

    /// Bytes of a regular file as the folder has it, nil for pipes and devices. Only a hint: a file may grow or shrink.
    package var size: Int? {
        status.kind == .regular ? status.size : nil
    }

    package var identity: FileIdentity {
        status.identity
    }

    /// Reads at least one byte into `buffer` and gives the number; 0 at the end of the file.
    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        if let byte = readAhead, buffer.count > 0 {
            unsafe buffer[0] = byte
            readAhead = nil
            return 1
        }
        return unsafe try Descriptor.read(descriptor, into: buffer, path: path)
    }

    /// Reads until `buffer` is full or the file ends; gives the number of bytes.
    package mutating func readFully(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = unsafe try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Reads from byte `offset` of a regular file until `buffer` is full or the file ends; gives the number of bytes. The
    /// place where `read` goes on stays as it was.
    package func readFully(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(FileError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
            if count == 0 { break }
            if count > 0 {
                filled += count
            } else if errno != EINTR {
                throw FileError(.read, path, code: errno)
            }
        }
        return filled
    }

    /// Reads up to `count` bytes from byte `offset` of a regular file, as the form for memory does. For public bytes.
    package func read(upTo count: Int, at offset: Int) throws(FileError) -> [UInt8] {
        var failure: FileError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            do throws(FileError) {
                filled = unsafe try readFully(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Reads up to `count` bytes, fewer only at the end of the file. For public bytes: the array is not wiped.
    package mutating func read(upTo count: Int) throws(FileError) -> [UInt8] {
        var failure: FileError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            do throws(FileError) {
                filled = unsafe try readFully(into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Reads all the rest. More than `limit` bytes is `.tooLarge(limit:)`, found before more than that is read.
    package mutating func readAll(limit: Int) throws(FileError) -> [UInt8] {
        if let size, size > limit { throw FileError(.read, path, .tooLarge(limit: limit)) }
        let ceiling = min(limit, Int.max - 1)
        var bytes = [UInt8]()
        // One byte more than expected, so that a regular file of unchanged size is read in one piece.
        var wanted = min(max(size ?? 0, Self.firstPiece), ceiling) + 1
        while true {
            let piece = try read(upTo: wanted)
            let isLast = piece.count < wanted
            if bytes.isEmpty { bytes = piece } else { bytes.append(contentsOf: piece) }
            if bytes.count > limit { throw FileError(.read, path, .tooLarge(limit: limit)) }
            if isLast { return bytes }
            wanted = min(bytes.count, ceiling - bytes.count) + 1
        }
    }

    private static let firstPiece = 65_536

    /// A pipe of pipe(2) or of a shell's `<(…)`: its writer exists already, or has come and gone.
    private static func isUnnamedPipe(_ descriptor: Int32) -> Bool {
        sx_is_unnamed_pipe(descriptor) != 0
    }

    /// Waits until a writer is there. A read of one byte is the only question to which the kernel answers "a writer, but
    /// no data" (EAGAIN) and "no writer" (0) differently; a byte that comes with it is given back.
    private static func waitForWriter(
        _ descriptor: Int32, _ path: FilePath, milliseconds: Int
    ) throws(FileError) -> UInt8? {
        let slice = 20
        var waited = 0
        while true {
            if Descriptor.wait(descriptor, for: POLLIN, milliseconds: 0) != 0 { return nil }
            var byte: UInt8 = 0
            let count = unsafe Glibc.read(descriptor, &byte, 1)
            if count == 1 { return byte }
            if count < 0, errno == EAGAIN { return nil }
            if count < 0, errno != EINTR { throw FileError(.read, path, code: errno) }
            if waited >= milliseconds { throw FileError(.open, path, .noWriter(seconds: milliseconds / 1000)) }
            _ = Descriptor.wait(descriptor, for: POLLIN, milliseconds: Int32(slice))
            waited += slice
        }
    }
}
