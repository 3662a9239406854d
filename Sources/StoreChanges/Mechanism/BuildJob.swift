import SophaxFiles
import SystemIO

/// What all workers of one change share.
struct BuildJob: Sendable {
    /// The folder that is made.
    let draft: FilePath
    /// The folder that relative sources are in.
    let source: FilePath
    let oldKey: SharedKey
    /// Nil where the key stays.
    let newKey: SharedKey?
    let sync: FolderSync
    /// The old folder by path; empty for a new store.
    let entries: [FilePath: TreeEntry]

    /// Where in the old folder a file of its store is; nil for a file from elsewhere.
    func place(of file: StoreFile) -> FilePath? {
        let beginning = source.bytes + [UInt8(ascii: "/")]
        guard file.path.bytes.starts(with: beginning) else { return nil }
        let place = FilePath(bytes: Array(file.path.bytes.dropFirst(beginning.count)))
        return entries[place] == nil ? nil : place
    }
}
