import SophaxFiles
import SystemIO

/// The folder that an export becomes: made under another name and given its own at the end, all at once.
///
/// It has one level of folders in it, and one file is written at a time.
package final class ExportFolder {
    /// A file in it.
    struct File: Hashable {
        let path: FilePath
        let bytes: Int
    }

    /// Where it will be.
    package let target: FilePath
    private let earlier: EarlierExport?
    private var draft: DraftFolder?
    private(set) var files: [File] = []
    private var subfolders: Set<FilePath> = []
    private var open: (path: FilePath, bytes: Int)?
    /// Folders beside it with something of somebody else's in them: they are not removed, and have another name now.
    package private(set) var leftFolders: [FilePath] = []
    /// Whether a file of an earlier export may get a second name.
    var mayLink = true

    private static let updateMarker = ".sxkey-update"
    private static let replacedMarker = ".sxkey-replaced"
    private static let leftMarker = ".sxkey-left"
    private static let maximumLeft = 100
    /// Bytes of a piece of a file that is read.
    static let pieceLength = 1 << 20

    /// Makes the empty folder beside `target`, which must not exist, or be an earlier export that this one takes the place of.
    ///
    /// Errors: `.exists`, and what the kernel says.
    package init(for target: FilePath, updating earlier: EarlierExport? = nil) throws(FileError) {
        self.target = target
        self.earlier = earlier
        if earlier == nil {
            draft = try DraftFolder(for: target)
        } else {
            for marker in [Self.updateMarker, Self.replacedMarker] { try clearAway(Self.sibling(target, marker)) }
            draft = try DraftFolder(for: Self.sibling(target, Self.updateMarker))
        }
    }

    /// Bytes of all files.
    package var bytes: Int { files.reduce(0) { $0 + $1.bytes } }

    /// Makes a folder in it, if it is not there yet.
    package func makeFolder(_ name: FilePath) throws(FileError) {
        guard subfolders.insert(name).inserted else { return }
        try draft?.makeFolder(name)
    }

    /// Begins a file. Errors: `.exists` when there is one of this name.
    package func begin(_ name: FilePath, in subfolder: FilePath? = nil) throws(FileError) {
        try draft?.begin(name, in: subfolder)
        open = (subfolder.map { $0.appending(name) } ?? name, 0)
    }

    /// Appends to the file that was begun; nothing stays in a buffer, so write larger pieces.
    package func write(_ bytes: Span<UInt8>) throws(FileError) {
        try draft?.write(bytes)
        open?.bytes += bytes.count
    }

    /// Ends the file that was begun. `modified`: its time in Unix seconds.
    package func end(modified: Double? = nil) throws(FileError) {
        try draft?.end(modified: modified)
        if let open = open.take() { files.append(File(path: open.path, bytes: open.bytes)) }
    }

    /// Removes the file that was begun and is not ended.
    func discard() {
        draft?.discard()
        open = nil
    }

    /// A whole file.
    package func write(_ bytes: [UInt8], as name: FilePath, in subfolder: FilePath? = nil) throws(FileError) {
        try begin(name, in: subfolder)
        try write(bytes.span)
        try end()
    }

    /// Takes over a file of the earlier export under a second name; as a copy where none may have two. False for a copy that
    /// came out with another hash.
    func carry(_ file: ExportedFile, from folder: FilePath) throws(FileError) -> Bool {
        let subfolder = file.path.parent == "." ? nil : file.path.parent
        let (old, name) = (folder.appending(file.path), file.path.lastComponent)
        if mayLink, try draft?.link(old, as: name, in: subfolder) == true {
            files.append(File(path: file.path, bytes: file.bytes))
            return true
        }
        var input = try InputFile(opening: old)
        try begin(name, in: subfolder)
        let hash = StreamingHash()
        while true {
            let piece = try input.read(upTo: Self.pieceLength)
            if piece.isEmpty { break }
            hash.update(piece.span)
            try write(piece.span)
        }
        guard hash.finish() == file.sha256 else {
            discard()
            return false
        }
        try end(modified: file.modified)
        return true
    }

    /// Makes an empty file for a library that writes by name, and gives its path until the folder has its own.
    func makeFile(_ name: FilePath) throws(FileError) -> FilePath? {
        try draft?.begin(name)
        try draft?.end()
        return draft?.path.appending(name)
    }

    /// Counts what the library wrote, and has it on the disk.
    func finishFile(_ name: FilePath) throws(FileError) {
        guard let path = draft?.path.appending(name) else { return }
        try syncFile(path)
        files.append(File(path: name, bytes: try fileStatus(at: path).size))
    }

    /// Gives the folder its name; an earlier export with the name is gone then. It is the old one or the new one at any
    /// moment, where the file system can exchange names; where it cannot, a crash between two renames leaves the old one as
    /// `displaced(from:)` says.
    package func publish() throws(FileError) {
        guard let finished = draft.take() else { return }
        try finished.publish()
        guard let earlier else { return }
        let (parent, new) = (target.parent, Self.sibling(target, Self.updateMarker))
        let old: FilePath
        do throws(FileError) {
            try exchangeNames(target.lastComponent, new.lastComponent, in: parent)
            try syncFolder(parent)
            old = new
        } catch {
            guard error.operation == .exchange else { throw error }
            old = try replaceInSteps(new, in: parent)
        }
        try removeReplaced(old, earlier)
    }

    /// Gives the name of the replaced folder.
    private func replaceInSteps(_ new: FilePath, in parent: FilePath) throws(FileError) -> FilePath {
        let old = Self.sibling(target, Self.replacedMarker)
        try renameWithoutReplacing(target.lastComponent, to: old.lastComponent, in: parent)
        do throws(FileError) {
            try renameWithoutReplacing(new.lastComponent, to: target.lastComponent, in: parent)
        } catch {
            try? renameWithoutReplacing(old.lastComponent, to: target.lastComponent, in: parent)
            try? FolderTree.remove(new, last: ExportManifest.fileName)
            throw error
        }
        try syncFolder(parent)
        return old
    }

    /// Removes what was seen of the earlier export. Where somebody put something into it meanwhile, or changed it, it stays.
    private func removeReplaced(_ old: FilePath, _ earlier: EarlierExport) throws(FileError) {
        let now = try FolderTree.entries(of: old)
        guard now.count == earlier.tree.count,
            zip(now, earlier.tree).allSatisfy({ $0.isUntouched(since: $1) })
        else { return try leave(old) }
        do throws(FileError) {
            try FolderTree.remove(now, of: old, last: ExportManifest.fileName)
        } catch {
            let seen = Set(now.map(\.path))
            guard let rest = try? FolderTree.entries(of: old), rest.contains(where: { !seen.contains($0.path) }) else {
                throw error
            }
            try leave(old)
        }
    }

    /// Gives a folder with something of somebody else's in it a name that no update clears away.
    private func leave(_ folder: FilePath) throws(FileError) {
        for number in 1...Self.maximumLeft {
            let name = Self.sibling(target, Self.leftMarker + (number == 1 ? "" : "-\(number)"))
            do throws(FileError) {
                try renameWithoutReplacing(folder.lastComponent, to: name.lastComponent, in: folder.parent)
                leftFolders.append(name)
                return
            } catch {
                if error.kind != .exists || number == Self.maximumLeft { throw error }
            }
        }
    }

    private static func sibling(_ target: FilePath, _ marker: String) -> FilePath {
        target.parent.appending(target.lastComponent.appendingSuffix(marker))
    }

    /// Removes what a killed update left, and nothing else: an export, or what was not removed of one yet.
    private func clearAway(_ path: FilePath) throws(FileError) {
        guard (try? fileStatus(at: path, followingLinks: false))?.kind == .folder else { return }
        if try listFolder(path).isEmpty {
            // The removal of `export.json` was its last step but one.
            try removeFolder(path)
        } else if EarlierExport.isRemainder(at: path) {
            try FolderTree.remove(path, last: ExportManifest.fileName)
        } else if (try? fileStatus(at: path.appending(ExportManifest.fileName), followingLinks: false)) != nil {
            try leave(path)
        }
    }

    // MARK: Where it is

    /// The folder that `path` means: links followed, so that an update changes the folder and not the link; without a slash at
    /// the end.
    package static func place(of path: FilePath) throws(FileError) -> FilePath {
        let name = path.lastComponent
        let plain = path.bytes.contains(UInt8(ascii: "/")) ? path.parent.appending(name) : path
        guard let status = try? fileStatus(at: plain, followingLinks: false) else { return plain }
        return status.kind == .link || name == "." || name == ".." ? try resolvedPath(path) : plain
    }

    /// Where the old folder is that an update was about to replace in two renames when it was killed between them; nil where
    /// `target` is there, and where there was no such update.
    package static func displaced(from target: FilePath) -> FilePath? {
        let old = sibling(target, replacedMarker)
        guard (try? fileStatus(at: target, followingLinks: false)) == nil,
            (try? fileStatus(at: old.appending(ExportManifest.fileName), followingLinks: false)) != nil
        else { return nil }
        return old
    }

    /// Gives the displaced folder its name back.
    package static func restore(_ displaced: FilePath, to target: FilePath) throws(FileError) {
        try renameWithoutReplacing(displaced.lastComponent, to: target.lastComponent, in: target.parent)
        try syncFolder(target.parent)
    }
}
