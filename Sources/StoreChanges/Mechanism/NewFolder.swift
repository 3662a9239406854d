import CryptoPrimitives
import SystemIO

/// The new folder while it is made, beside the name that it will take.
struct NewFolder: Sendable {
    let place: ChangePlace
    let mark: String
    let sync: FolderSync
    private let wholeFileSystem: FileSystemSync

    var path: FilePath { place.parent.appending(place.draftName(mark)) }
    var marker: FilePath { ChangePlace.marker(mark) }

    /// 16 hex digits that no draft beside `place` has yet.
    static func newMark() -> String {
        Random.bytes(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Makes the folder, mode 0700, with its marker. Errors: `.cannotExchange` where `exchanges` and the file system cannot;
    /// `.file`.
    init(_ place: ChangePlace, mark: String, exchanges: Bool) throws(ChangeError) {
        self.place = place
        self.mark = mark
        sync = FolderSync.suited(to: place.parent)
        let path = place.parent.appending(place.draftName(mark))
        do throws(FileError) {
            try makeFolder(path)
            wholeFileSystem = try FileSystemSync(of: path)
            try makeMarker(marker)
            if exchanges { try tryExchange() }
        } catch {
            // EINVAL: this file system has no such rename (renameat2(2)). ENOSYS: this kernel has none.
            if error.operation == .exchange, [.other].contains(error.kind) { throw .cannotExchange(place.parent) }
            throw .file(error)
        }
    }

    private func makeMarker(_ name: FilePath) throws(FileError) {
        let file = try NewFile(creating: path.appending(name))
        if sync == .eachFile { try file.sync() }
        try file.finish()
    }

    /// It is better to know before gigabytes are written.
    private func tryExchange() throws(FileError) {
        let second = marker.appendingSuffix("-try")
        try makeMarker(second)
        try exchangeNames(marker, second, in: path)
        try removeFile(path.appending(second))
    }

    /// Makes the folders of a tree, root first; `entries` are those of the old one.
    func makeFolders(_ folders: [FilePath]) throws(ChangeError) {
        do throws(FileError) {
            for folder in folders where !folder.bytes.isEmpty { try makeFolder(path.appending(folder)) }
        } catch {
            throw .file(error)
        }
    }

    /// Gives the folders permissions and owners as the old ones have them; those that only hold carried files their time too.
    func takeStatus(_ folders: [TreeEntry], changed: Set<FilePath>) throws(ChangeError) {
        do throws(FileError) {
            for folder in folders.reversed() {
                let own = folder.path.bytes.isEmpty ? path : path.appending(folder.path)
                try SystemIO.takeStatus(folder, at: own, time: !changed.contains(folder.path))
            }
        } catch {
            throw .file(error)
        }
    }

    /// Brings all of it to the disk.
    func bringToDisk(_ folders: [FilePath]) throws(ChangeError) {
        do throws(FileError) {
            switch sync {
            case .wholeFileSystem: try wholeFileSystem.bringToDisk()
            case .eachFile:
                for folder in folders.reversed() where !folder.bytes.isEmpty {
                    try syncFolder(path.appending(folder))
                }
            }
            try syncFolder(path)
            // Its name: an exchange of two names that are both on the disk has no third outcome, whatever the file system.
            try syncFolder(place.parent)
        } catch {
            throw .file(error)
        }
    }
}
