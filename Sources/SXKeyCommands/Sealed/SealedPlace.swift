import CommandKit
import SQLiteDatabase
import SystemIO

extension SealedFileKind {
    /// The variable that names the file.
    var variable: String {
        switch self {
        case .keyring: "SXKEY_KEYRING"
        case .archive: "SXKEY_ARCHIVE"
        }
    }

    /// Its name in sxkey's own folder.
    var fileName: String {
        switch self {
        case .keyring: "keyring.sxdb"
        case .archive: "archive.sxdb"
        }
    }
}

/// Where a sealed file is.
struct SealedPlace {
    static let folderName: FilePath = "sxkey"

    let kind: SealedFileKind
    let path: FilePath
    /// Nobody named it: it is in sxkey's own folder.
    let isDefault: Bool

    /// `named`, else the file that the kind's variable names, else the one in `sxkey` in XDG_DATA_HOME or ~/.local/share.
    ///
    /// As the XDG base directory specification wants, an XDG_DATA_HOME that is not absolute is ignored.
    init(_ kind: SealedFileKind, named: FilePath?, _ context: Context) throws(CommandError) {
        self.kind = kind
        func variable(_ name: String) -> FilePath? {
            context.environment(name).flatMap { $0.isEmpty ? nil : FilePath(bytes: $0) }
        }
        if let path = named ?? variable(kind.variable) {
            self.path = path
            isDefault = false
            return
        }
        let folder: FilePath
        if let data = variable("XDG_DATA_HOME"), data.isAbsolute {
            folder = data
        } else if let home = variable("HOME") {
            folder = home.appending(".local").appending("share")
        } else {
            throw .sealedAccess(.noPlace(kind))
        }
        path = folder.appending(Self.folderName).appending(FilePath(kind.fileName))
        isDefault = true
    }

    /// Makes sxkey's own folder, and those above it, for their owner only. A folder that somebody named must be there.
    func makeFolder() throws(CommandError) {
        guard isDefault else { return }
        do throws(FileError) {
            try Self.makeFolders(path.parent)
        } catch {
            throw .file(error)
        }
    }

    private static func makeFolders(_ path: FilePath) throws(FileError) {
        do throws(FileError) {
            try SystemIO.makeFolder(path, mode: 0o700)
        } catch {
            switch error.kind {
            case .exists: return
            case .notFound where path.parent != path:
                try makeFolders(path.parent)
                try makeFolders(path)
            default: throw error
            }
        }
    }

    /// What others than the owner may do here and should not; each is a clause for people.
    ///
    /// sxkey's own folder is for its owner only. Another folder may be seen by others, but not be written by them: they could
    /// put another file there.
    var exposures: [Exposure] {
        var found: [Exposure] = []
        if let file = try? fileStatus(at: path), file.permissions & 0o077 != 0 {
            found.append(Exposure(path: path, permissions: file.permissions, wanted: 0o600))
        }
        let (folder, mask): (FilePath, UInt32) = (path.parent, isDefault ? 0o077 : 0o022)
        // In a folder with the sticky bit, such as /tmp, others cannot replace a file.
        if let status = try? fileStatus(at: folder), status.permissions & mask != 0,
            isDefault || status.permissions & 0o1000 == 0
        {
            found.append(Exposure(path: folder, permissions: status.permissions, wanted: 0o700))
        }
        return found
    }

    /// A file or folder with wider permissions than it should have.
    struct Exposure {
        let path: FilePath
        let permissions: UInt32
        let wanted: UInt32

        init(path: FilePath, permissions: UInt32, wanted: UInt32) {
            self.path = path
            self.permissions = permissions
            self.wanted = wanted
        }

        /// Nil when the secret is in no regular file, or only its owner has access.
        init?(ofSecretIn input: borrowing InputFile) {
            guard input.status.kind == .regular, input.status.permissions & 0o077 != 0 else { return nil }
            self.init(path: input.path, permissions: input.status.permissions, wanted: 0o600)
        }

        var text: TerminalText {
            let (found, right) = (String(permissions & 0o777, radix: 8), String(wanted, radix: 8))
            return "\(quoted: path) is open to others: mode 0\(trusted: found), should be 0\(trusted: right)"
        }
    }
}
