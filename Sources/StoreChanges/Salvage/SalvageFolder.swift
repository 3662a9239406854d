import SophaxFiles
import SystemIO

/// The new folder that salvaged text goes into; made with the first file, and never a part of a store.
package struct SalvageFolder: ~Copyable {
    /// What stands in the way of a folder.
    package enum Refusal: Error, Equatable, Sendable {
        case file(FileError)
        /// It would lie in a folder of the store.
        case insideStore
    }

    package let path: FilePath
    private var folders: [FilePath] = []
    private var files: [FilePath] = []
    private var names: Set<FilePath> = []

    static let note = FilePath("NOT-AUTHENTICATED.txt")
    static let messages: FilePath = "messages"
    static let blobs: FilePath = "other"
    static let attachments: FilePath = "attachments"

    /// Checks that `path` is free and lies outside the store, without making anything.
    package init(at path: FilePath, outside store: StoreFolder) throws(Refusal) {
        self.path = path
        if (try? fileStatus(at: path, followingLinks: false)) != nil { throw .file(FileError(.create, path, .exists)) }
        let own = [store.messagesPath, store.attachmentsPath].compactMap { $0 }
        let inside = own.compactMap { try? fileStatus(at: $0).identity }
        // From the folder above upwards, as the kernel sees it.
        var above = path.parent
        var last: FileIdentity?
        for _ in 0..<Self.deepest {
            let status: FileStatus
            do throws(FileError) { status = try fileStatus(at: above) } catch { throw .file(error) }
            if inside.contains(status.identity) { throw .insideStore }
            if status.identity == last { break }
            last = status.identity
            above = above.appending("..")
        }
    }

    private static let deepest = 1_000

    /// Writes a file `name` in one of the folders; a name that is taken or too long gets a number.
    ///
    /// Gives the path below the folder.
    package mutating func write(
        _ name: FilePath, suffix: String, in folder: FilePath, _ body: (inout OutputFile) throws(FileError) -> Void
    ) throws(FileError) -> FilePath {
        try make(path, note: true)
        let inner = path.appending(folder)
        try make(inner, note: false)
        let relative = folder.appending(free(name, suffix, in: folder))
        let full = path.appending(relative)
        var file = try OutputFile(creatingAt: full)
        try body(&file)
        try file.commit()
        files.append(full)
        return relative
    }

    package var isMade: Bool { !folders.isEmpty }

    /// Removes everything that was written, after a failure.
    package mutating func takeBack() {
        for file in files.reversed() { try? removeFile(file) }
        for folder in folders.reversed() { try? removeFolder(folder) }
        files = []
        folders = []
    }

    private mutating func make(_ folder: FilePath, note: Bool) throws(FileError) {
        guard !folders.contains(folder) else { return }
        try makeFolder(folder)
        folders.append(folder)
        guard note else { return }
        let full = folder.appending(Self.note)
        var file = try OutputFile(creatingAt: full)
        try file.write(Self.warning)
        try file.commit()
        files.append(full)
    }

    private mutating func free(_ name: FilePath, _ suffix: String, in folder: FilePath) -> FilePath {
        let stem = Array(name.bytes.prefix(Self.longestStem))
        var tried = FilePath(bytes: stem + Array(suffix.utf8))
        var number = 2
        while !names.insert(folder.appending(tried)).inserted {
            tried = FilePath(bytes: stem + Array("-\(number)\(suffix)".utf8))
            number += 1
        }
        return tried
    }

    /// Leaves room for a number and an ending in the 255 bytes of a name.
    private static let longestStem = 230

    private static let warning = """
        Nothing in this folder is authenticated.

        It was decrypted by "sxkey store salvage" from files that are damaged or cut off, without the check that every
        file of a message store has. Any letter may have been changed, by an accident or by somebody who could write to
        these files. Which messages are as they were written cannot be told. Do not put any of this back into a store.

        """
}
