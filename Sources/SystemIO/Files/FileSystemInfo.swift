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
        return known.contains(sx_file_system_kind(descriptor)) ? .wholeFileSystem : .eachFile
    }

    /// ext2/3/4, XFS, Btrfs, F2FS, tmpfs (statfs(2)).
    private static let known: Set<Int> = [0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x0102_1994]
}

/// Brings all that was written to the file system of `folder` to the disk. Errors: `.sync`.
package func syncFileSystem(of folder: FilePath) throws(FileError) {
    let descriptor = try Descriptor.openFolder(folder)
    defer { close(descriptor) }
    while sx_sync_file_system(descriptor) != 0 {
        if errno != EINTR { throw FileError(.sync, folder, code: errno) }
    }
}
