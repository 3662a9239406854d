import SophaxFiles
import SystemIO

/// One of the two stores that are merged.
package struct MergeInput: Sendable {
    package let folder: StoreFolder
    package let key: SharedKey

    package init(_ folder: StoreFolder, key: SharedKey) {
        self.folder = folder
        self.key = key
    }

    /// The store as its folders show it now. Errors: `.folder`.
    func lookedAtAgain() throws(ChangeError) -> MergeInput {
        do throws(StoreFolderError) {
            let now = try StoreFolder(messages: folder.messagesPath, attachments: folder.attachmentsPath)
            return MergeInput(now, key: key)
        } catch {
            throw .folder(error)
        }
    }
}

/// A file that comes along with its own text or bytes: an attachment, a blob, or what no app makes.
struct MergedFile: Sendable {
    let source: StoreFile
    let key: SharedKey
    /// From the second store.
    let isSecond: Bool
}

/// What the folders of a store hold, so that it can be told at the end whether somebody wrote into them meanwhile.
struct SeenFolders: Sendable {
    private let folders: [(path: FilePath, entries: [TreeEntry])]

    /// Errors: `.file`.
    init(_ store: StoreFolder) throws(ChangeError) {
        var folders: [(path: FilePath, entries: [TreeEntry])] = []
        for path in [store.messagesPath, store.attachmentsPath].compactMap({ $0 }) {
            // The folder itself may be reached through a link.
            let resolved = try onDisk(try resolvedPath(path))
            folders.append((resolved, try onDisk(try FolderTree.entries(of: resolved))))
        }
        self.folders = folders
    }

    /// Errors: `.changing` with the first path that differs.
    func compare() throws(ChangeError) {
        for (path, entries) in folders {
            let now = try onDisk(try FolderTree.entries(of: path))
            if let changed = TreeDifference.first(entries, now) { throw .changing(path.appending(changed)) }
        }
    }
}

/// Two files that want one name.
enum FileComparison: Sendable {
    case same
    case different
    /// The first does not authenticate, the second does.
    case onlySecond

    /// Opens both; what does not authenticate is compared by its bytes.
    static func compare(_ first: MergedFile, _ second: MergedFile) throws(ChangeError) -> FileComparison {
        let one = try content(of: first)
        let two = try content(of: second)
        switch (one, two) {
        case (.text(let left), .text(let right)), (.bytes(let left), .bytes(let right)):
            return left == right ? .same : .different
        case (.bytes, .text): return .onlySecond
        case (.text, .bytes): return .different
        }
    }

    private enum Content {
        case text([UInt8])
        case bytes([UInt8])
    }

    private static func content(of file: MergedFile) throws(ChangeError) -> Content {
        do throws(StoreFileFailure) {
            var reader = try StoreFileReader(key: file.key.bytes)
            return .text(try reader.bytes(of: file.source))
        } catch .notAuthentic, .tooShort {
            do throws(FileError) {
                var input = try InputFile(opening: file.source.path)
                return .bytes(try input.read(upTo: file.source.size + 1))
            } catch {
                throw .file(error)
            }
        } catch {
            throw .step(file.source.path, .source(file.source, error))
        }
    }
}
