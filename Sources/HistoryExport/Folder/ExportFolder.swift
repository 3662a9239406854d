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

    private static let updateMarker = ".sxkey-update"
    private static let replacedMarker = ".sxkey-replaced"

    /// Makes the empty folder beside `target`, which must not exist, or be an earlier export that this one takes the place of.
    ///
    /// Errors: `.exists`, and what the kernel says.
    package init(for target: FilePath, updating earlier: EarlierExport? = nil) throws(FileError) {
        self.target = target
        self.earlier = earlier
        if earlier == nil {
            draft = try DraftFolder(for: target)
        } else {
            for marker in [Self.updateMarker, Self.replacedMarker] { try Self.removeLeftover(of: target, marker) }
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

    /// Takes over a file of the earlier export without a copy; false where it has to be written anew.
    func link(_ file: ExportedFile, from folder: FilePath) throws(FileError) -> Bool {
        let subfolder = file.path.parent == "." ? nil : file.path.parent
        let old = folder.appending(file.path)
        guard try draft?.link(old, as: file.path.lastComponent, in: subfolder) == true else { return false }
        files.append(File(path: file.path, bytes: file.bytes))
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
    /// moment, where the file system can exchange names.
    package func publish() throws(FileError) {
        guard let finished = draft.take() else { return }
        try finished.publish()
        guard earlier != nil else { return }
        let (parent, new) = (target.parent, Self.sibling(target, Self.updateMarker))
        do throws(FileError) {
            try exchangeNames(target.lastComponent, new.lastComponent, in: parent)
            try syncFolder(parent)
            try FolderTree.remove(new)
        } catch {
            guard error.operation == .exchange else { throw error }
            try replaceInSteps(new, in: parent)
        }
    }

    private func replaceInSteps(_ new: FilePath, in parent: FilePath) throws(FileError) {
        let old = Self.sibling(target, Self.replacedMarker)
        try renameWithoutReplacing(target.lastComponent, to: old.lastComponent, in: parent)
        do throws(FileError) {
            try renameWithoutReplacing(new.lastComponent, to: target.lastComponent, in: parent)
        } catch {
            try? renameWithoutReplacing(old.lastComponent, to: target.lastComponent, in: parent)
            try? FolderTree.remove(new)
            throw error
        }
        try syncFolder(parent)
        try FolderTree.remove(old)
    }

    private static func sibling(_ target: FilePath, _ marker: String) -> FilePath {
        target.parent.appending(target.lastComponent.appendingSuffix(marker))
    }

    /// Removes what a killed update left, and nothing else.
    private static func removeLeftover(of target: FilePath, _ marker: String) throws(FileError) {
        let path = sibling(target, marker)
        guard (try? fileStatus(at: path, followingLinks: false))?.kind == .folder,
            (try? fileStatus(at: path.appending(ExportManifest.fileName), followingLinks: false)) != nil
        else { return }
        try FolderTree.remove(path)
    }
}
