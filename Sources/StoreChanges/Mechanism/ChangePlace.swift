import SystemIO

/// A folder by its name in the folder that holds it, whether it is there or not, and the names beside it that a change
/// uses.
package struct ChangePlace: Hashable, Sendable {
    /// Absolute, with no link in it.
    package let parent: FilePath
    package let name: FilePath

    package var path: FilePath { parent.appending(name) }

    /// Bytes that the longest name beside it has more: `.before-migrate-2026-11-30-99`.
    private static let longestSuffix = 40
    private static let longestName = 255

    /// The place of an existing folder: links are followed, `.` and `..` resolved.
    ///
    /// Errors: `.file`, `.mountPoint`, `.nameTooLong`.
    package init(of folder: FilePath) throws(ChangeError) {
        let resolved = try onDisk(try resolvedPath(folder))
        let status = try onDisk(try fileStatus(at: resolved))
        guard status.kind == .folder else { throw .file(FileError(.open, folder, .notFolder)) }
        parent = resolved.parent
        name = resolved.lastComponent
        guard name != "/" else { throw .mountPoint(folder) }
        try checkName()
        try checkMount()
    }

    /// The place of a folder that shall be made; the folder that holds it must be there.
    ///
    /// Errors: `.file`, `.exists`, `.nameTooLong`.
    package init(new folder: FilePath) throws(ChangeError) {
        let last = folder.lastComponent
        guard !last.bytes.isEmpty, !last.bytes.contains(0), !(["/", ".", ".."] as [FilePath]).contains(last) else {
            throw .exists(folder)
        }
        parent = try onDisk(try resolvedPath(folder.parent))
        name = last
        try checkName()
        if (try? fileStatus(at: path, followingLinks: false)) != nil { throw .exists(folder) }
    }

    private func checkName() throws(ChangeError) {
        let limit = Self.longestName - Self.longestSuffix
        guard name.bytes.count <= limit else { throw .nameTooLong(path, limit: limit) }
    }

    /// A folder on another device than the one that holds it is the root of a mount; a bind mount may be on the same device.
    private func checkMount() throws(ChangeError) {
        let own = try onDisk(try fileStatus(at: path, followingLinks: false))
        let above = try onDisk(try fileStatus(at: parent))
        let isMounted = own.identity.device != above.identity.device || MountPoints.all().contains(path)
        if isMounted { throw .mountPoint(path) }
    }

    /// The journal, which is the lock as well.
    package var journal: FilePath {
        parent.appending(FilePath(bytes: Array(".".utf8) + name.bytes).appendingSuffix(".sxkey-change"))
    }

    /// The name of the new folder until it takes the place's own.
    func draftName(_ mark: String) -> FilePath { name.appendingSuffix(".sxkey-new-\(mark)") }

    /// The file in a new folder that says which one it is.
    static func marker(_ mark: String) -> FilePath { FilePath(".sxkey-new-\(mark)") }
}
