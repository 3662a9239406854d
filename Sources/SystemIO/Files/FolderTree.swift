import CLinux
import Glibc

/// A file or folder of a tree as it was seen, exact enough to tell whether somebody touched it since.
package struct TreeEntry: Hashable, Sendable {
    /// From the tree's root, without a slash at the beginning or end; empty for the root itself.
    package let path: FilePath
    package let kind: FileKind
    package let identity: FileIdentity
    /// Bytes of a regular file, else 0: a file system may change the size of a folder as it likes.
    package let size: Int
    /// Permission bits, 0o000…0o7777.
    package let permissions: UInt32
    package let owner: UInt32
    package let group: UInt32
    /// Last change of the content.
    package let modified: FileTime
    /// Last change of content, name, owner or permissions; nobody can set it.
    package let changed: FileTime

    /// Whether it is what was seen before, but for what a second name of a file, or another name of its folder, changes.
    package func isUntouched(since earlier: TreeEntry) -> Bool {
        path == earlier.path && kind == earlier.kind && identity == earlier.identity && size == earlier.size
            && permissions == earlier.permissions && owner == earlier.owner && group == earlier.group
            && modified == earlier.modified
    }
}

/// A time of a file as the kernel has it.
package struct FileTime: Hashable, Sendable {
    /// Seconds since 1970.
    package let seconds: Int
    /// 0…999,999,999.
    package let nanoseconds: Int
}

/// Walks a folder and what is in it, links not followed.
package enum FolderTree {
    /// Folders in folders; a deeper tree is refused.
    package static let maximumDepth = 64

    /// The root first, then every folder before what is in it, in the order of the names' bytes.
    ///
    /// Errors: `.notFound`, `.notFolder`, what the kernel says, and ENAMETOOLONG for more than `maximumDepth` levels.
    package static func entries(of root: FilePath) throws(FileError) -> [TreeEntry] {
        var entries = [try entry(FilePath(bytes: []), at: root)]
        guard entries[0].kind == .folder else { throw FileError(.list, root, .notFolder) }
        try add(FilePath(bytes: []), of: root, depth: 1, to: &entries)
        return entries
    }

    private static func add(
        _ folder: FilePath, of root: FilePath, depth: Int, to entries: inout [TreeEntry]
    ) throws(FileError) {
        let path = folder.bytes.isEmpty ? root : root.appending(folder)
        guard depth <= maximumDepth else { throw FileError(.list, path, code: ENAMETOOLONG) }
        for name in try listNames(path) {
            let place = folder.bytes.isEmpty ? name : folder.appending(name)
            let found: TreeEntry
            do throws(FileError) {
                found = try entry(place, at: root.appending(place))
            } catch {
                // Gone since it was listed: whoever compares two walks sees it in the other one.
                if error.kind == .notFound { continue }
                throw error
            }
            entries.append(found)
            if found.kind == .folder { try add(place, of: root, depth: depth + 1, to: &entries) }
        }
    }

    /// Does something in the folder `path` itself for which the owner may lack the right, and gives it its permissions back.
    package static func withRightToWrite(
        in path: FilePath, _ body: () throws(FileError) -> Void
    ) throws(FileError) {
        let permissions = try fileStatus(at: path, followingLinks: false).permissions
        setPermissions(permissions | ownerRights, of: path, FilePath(bytes: []))
        defer { setPermissions(permissions, of: path, FilePath(bytes: [])) }
        try body()
    }

    /// Reading, writing, entering.
    private static let ownerRights: UInt32 = 0o700

    private static func setPermissions(_ permissions: UInt32, of root: FilePath, _ place: FilePath) {
        let path = place.bytes.isEmpty ? root : root.appending(place)
        _ = unsafe path.withCString { unsafe chmod($0, mode_t(permissions)) }
    }

    private static func entry(_ place: FilePath, at path: FilePath) throws(FileError) -> TreeEntry {
        var status = stat()
        let result = unsafe path.withCString { unsafe fstatat(AT_FDCWD, $0, &status, AT_SYMLINK_NOFOLLOW) }
        guard result == 0 else { throw FileError(.status, path, code: errno) }
        let seen = FileStatus(status)
        return TreeEntry(
            path: place, kind: seen.kind, identity: seen.identity, size: seen.kind == .regular ? seen.size : 0,
            permissions: seen.permissions, owner: UInt32(status.st_uid), group: UInt32(status.st_gid),
            modified: FileTime(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec),
            changed: FileTime(seconds: status.st_ctim.tv_sec, nanoseconds: status.st_ctim.tv_nsec))
    }

    /// Removes a folder and all in it, links not followed; one that is not there is fine.
    ///
    /// - Parameter last: what is in the folder itself and goes after everything else, so that a removal that was cut off can
    ///   still be told by it.
    /// - Throws: what the kernel says of the first name that it does not remove; what went before is gone.
    package static func remove(_ root: FilePath, last: FilePath? = nil) throws(FileError) {
        let entries: [TreeEntry]
        do throws(FileError) {
            entries = try Self.entries(of: root)
        } catch {
            if error.kind == .notFound { return }
            throw error
        }
        try remove(entries, of: root, last: last)
    }

    /// Removes what a walk has seen, the root too, and nothing that came since: a folder with something new in it stays.
    package static func remove(
        _ entries: [TreeEntry], of root: FilePath, last: FilePath? = nil
    ) throws(FileError) {
        for entry in entries where entry.kind == .folder && entry.permissions & ownerRights != ownerRights {
            // What is in it could not be removed otherwise; where this fails, that says why.
            setPermissions(entry.permissions | ownerRights, of: root, entry.path)
        }
        let inside = entries.reversed().filter { !$0.path.bytes.isEmpty }
        for entry in inside.filter({ $0.path != last }) + inside.filter({ $0.path == last }) {
            let path = root.appending(entry.path)
            if entry.kind == .folder { try removeFolder(path) } else { try removeFile(path) }
        }
        try removeFolder(root)
    }
}
