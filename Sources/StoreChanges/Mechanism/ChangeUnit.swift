import SophaxFiles
import SystemIO

/// The smallest folder that holds everything that a verb changes; it is changed as a whole.
package struct ChangeUnit: Sendable {
    /// What a verb writes.
    package enum Scope: Hashable, Sendable {
        /// Only what is in `sophax_messages`: attachments are neither copied nor looked at.
        case messages
        /// Messages and attachments: the folder that holds both.
        case messagesAndAttachments
    }

    package let place: ChangePlace
    /// The store inside the unit; its paths begin with that of the unit. Attachments are empty when they are outside.
    package let store: StoreFolder
    /// All that was in the unit before anybody looked at `store`. A plan is made from what was read after it, so whatever
    /// changes from here on is found before the exchange.
    let tree: [TreeEntry]
    /// Where in the unit the messages are: `sophax_messages`, or empty when the unit is the message folder itself.
    package let messages: FilePath
    /// Where in the unit the attachments are; nil when there are none, or they are outside.
    package let attachments: FilePath?
    /// The unit is the folder that the process works in, or holds it: a shell there stays in the old folder.
    package let holdsWorkingFolder: Bool

    package var path: FilePath { place.path }

    /// Finds the unit of the store at `path`, which is any folder that `StoreFolder` takes.
    ///
    /// Errors: `.folder`, `.file`, `.mountPoint`, `.link`, `.nameTooLong`.
    package init(of path: FilePath, _ scope: Scope) throws(ChangeError) {
        let found: StoreFolder
        do throws(StoreFolderError) { found = try StoreFolder(at: path) } catch { throw .folder(error) }
        let root = try onDisk(try resolvedPath(path))
        let inside = root.appending(StoreFolder.messagesName)
        let holdsMessages = (try? fileStatus(at: inside))?.kind == .folder
        let folder: FilePath
        if holdsMessages {
            try Self.refuseLink(inside)
            if scope == .messages {
                folder = inside
                messages = ""
            } else {
                folder = root
                messages = StoreFolder.messagesName
            }
        } else if scope == .messagesAndAttachments, found.attachmentsPath != nil {
            folder = root.parent
            messages = root.lastComponent
        } else {
            folder = root
            messages = ""
        }
        if scope == .messagesAndAttachments, !messages.bytes.isEmpty {
            let beside = folder.appending(StoreFolder.attachmentsName)
            if (try? fileStatus(at: beside, followingLinks: false)) == nil {
                attachments = nil
            } else {
                try Self.refuseLink(beside)
                attachments = StoreFolder.attachmentsName
            }
        } else {
            attachments = nil
        }
        place = try ChangePlace(of: folder)
        let own = place.path
        tree = try onDisk(try FolderTree.entries(of: own))
        do throws(StoreFolderError) {
            let messages = messages.bytes.isEmpty ? own : own.appending(messages)
            store = try StoreFolder(messages: messages, attachments: attachments.map { own.appending($0) })
        } catch {
            throw .folder(error)
        }
        let working = try? resolvedPath(".")
        holdsWorkingFolder =
            working.map { $0 == own || $0.bytes.starts(with: own.bytes + [UInt8(ascii: "/")]) } ?? false
    }

    private static func refuseLink(_ path: FilePath) throws(ChangeError) {
        if try onDisk(try fileStatus(at: path, followingLinks: false)).kind != .folder { throw .link(path) }
    }

    /// Where in the unit a file of `store` is.
    package func place(of file: StoreFile) -> FilePath {
        FilePath(bytes: Array(file.path.bytes.dropFirst(path.bytes.count + 1)))
    }

    /// Where in the unit a message file of this name is or would be; `name` includes `.enc`.
    package func messagePlace(_ name: FilePath) -> FilePath {
        messages.bytes.isEmpty ? name : messages.appending(name)
    }

    /// Where in the unit an attachment of this name would be; nil where the unit has no place for attachments.
    package func attachmentPlace(_ name: FilePath) -> FilePath? {
        messages.bytes.isEmpty ? nil : StoreFolder.attachmentsName.appending(name)
    }
}
