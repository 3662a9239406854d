import CLinux
import Glibc

/// What a file system has room for, for this user.
package struct FreeSpace: Hashable, Sendable {
    /// Bytes that may still be written.
    package let bytes: Int
    /// Bytes that a file takes up at least, and in steps of.
    package let blockSize: Int
    /// Files that may still be made; nil where the file system has no such limit.
    package let files: Int?

    /// The file system that `path` is on. Errors: `.status`.
    package init(at path: FilePath) throws(FileError) {
        var info = statvfs()
        let result = unsafe path.withCString { unsafe statvfs($0, &info) }
        guard result == 0 else { throw FileError(.status, path, code: errno) }
        let block = Int(clamping: info.f_frsize)
        blockSize = max(1, block)
        let (product, overflow) = block.multipliedReportingOverflow(by: Int(clamping: info.f_bavail))
        bytes = overflow ? .max : product
        files = info.f_files == 0 ? nil : Int(clamping: info.f_favail)
    }

    /// For tests.
    package init(bytes: Int, blockSize: Int, files: Int?) {
        self.bytes = bytes
        self.blockSize = blockSize
        self.files = files
    }
}

/// How the files of one folder are made to last.
package enum FolderSync: Hashable, Sendable {
    /// syncfs(2): once for all of them.
    case wholeFileSystem
    /// fsync(2) on each: there the kernel does not hand a sync of the whole file system on, or is not known to.
    case eachFile

    /// Which of them is right for the file system of `folder`.
    ///
    /// The first is only taken where syncfs(2) is known to bring data and names to the disk and to tell of errors; a file
    /// system in user space (FUSE) never hears of it.
    package static func suited(to folder: FilePath) -> FolderSync {
        guard let descriptor = try? Descriptor.openFolder(folder) else { return .eachFile }
        defer { close(descriptor) }
        guard tellsOfErrors(kernel: kernelRelease()) else { return .eachFile }
        return known.contains(sx_file_system_kind(descriptor)) ? .wholeFileSystem : .eachFile
    }

    /// Before Linux 5.8 syncfs(2) said that all is well also when data did not reach the disk.
    static func tellsOfErrors(kernel release: [UInt8]) -> Bool {
        let parts = release.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).prefix(2).map {
            part in
            Int(String(decoding: part.prefix { (0x30...0x39).contains($0) }, as: UTF8.self)) ?? 0
        }
        guard parts.count == 2 else { return false }
        return parts[0] > 5 || parts[0] == 5 && parts[1] >= 8
    }

    /// Such as `6.1.0-30-amd64` (uname(2)).
    private static func kernelRelease() -> [UInt8] {
        var name = utsname()
        guard unsafe uname(&name) == 0 else { return [] }
        return unsafe withUnsafeBytes(of: name.release) { unsafe Array($0.prefix { $0 != 0 }) }
    }

    /// ext2/3/4, XFS, Btrfs, F2FS, tmpfs (statfs(2)).
    private static let known: Set<Int> = [0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x0102_1994]
}

/// One sync of a whole file system. It has to be made before the first write: the kernel tells of writes that failed since
/// the folder was opened, and of none before that somebody else was told of.
package final class FileSystemSync: Sendable {
    private let path: FilePath
    private let descriptor: Int32

    /// The file system that `folder` is on. Errors: `.open`.
    package init(of folder: FilePath) throws(FileError) {
        path = folder
        descriptor = try Descriptor.openFolder(folder)
    }

    deinit {
        close(descriptor)
    }

    /// Brings all that was written to it to the disk. Errors: `.sync`, also for a write that failed earlier.
    package func bringToDisk() throws(FileError) {
        try Descriptor.syncFileSystem(descriptor, path: path)
    }
}
