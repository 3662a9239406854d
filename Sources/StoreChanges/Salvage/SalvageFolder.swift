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
    private var draft: DraftFolder?
    private var folders: Set<FilePath> = []
    private var names: Set<FilePath> = []

    static let note = FilePath("NOT-AUTHENTICATED.txt")
    static let messages: FilePath = "messages"
    static let blobs: FilePath = "other"
    static let attachments: FilePath = "attachments"

    /// Checks that `path` is free and lies outside the store, without making anything.
    package init(at path: FilePath, outside store: StoreFolder) throws(Refusal) {
        self.path = path
        do throws(FileError) { try DraftFolder.check(path) } catch { throw .file(error) }
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
    /// `content` gives the bytes in pieces. Gives the path below the folder.
    mutating func write(
        _ name: FilePath, suffix: String, in folder: FilePath,
        _ content: ((Span<UInt8>) throws(FileError) -> Void) throws(FileError) -> Void
    ) throws(FileError) -> FilePath {
        var draft: DraftFolder
        if let begun = self.draft.take() {
            draft = begun
        } else {
            draft = try DraftFolder(for: path)
            try draft.begin(Self.note)
            let warning = Array(Self.warning.utf8)
            try draft.write(warning.span)
        }
        if folders.insert(folder).inserted { try draft.makeFolder(folder) }
        let free = free(name, suffix, in: folder)
        try draft.begin(free, in: folder)
        try content { (bytes) throws(FileError) in try draft.write(bytes) }
        try draft.end()
        self.draft = consume draft
        return folder.appending(free)
    }

    package var isMade: Bool { !names.isEmpty }

    /// Makes the folder appear, if anything was written.
    package consuming func publish() throws(FileError) {
        if let draft = draft.take() { try draft.publish() }
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
