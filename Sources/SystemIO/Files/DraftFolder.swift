import CLinux
import Glibc

/// A folder that appears whole or not at all: made beside its target under another name, filled through its own descriptor
/// without following links, and given the target's name in one step.
///
/// Folders have mode 0700, files 0600. Everything goes again when it is not published: on failure, out of scope, and on an
/// interrupting signal (`Interrupts`). A kill leaves it, called as the target with `.sxkey-part-` and digits after it.
package struct DraftFolder: ~Copyable, Sendable {
    /// Where it will be.
    package let target: FilePath
    /// Where it is until then.
    package let path: FilePath
    /// Bytes that were written into its files.
    package private(set) var bytesWritten = 0

    private let parent: Int32
    private let root: Int32
    private var rootTicket: Interrupts.Ticket?
    private var subfolders: [FilePath: Int32] = [:]
    /// Everything inside in the order in which it was made.
    private var made: [Made] = []
    private let sync: FolderSync
    /// Files that are not on the disk for certain; a sync of the whole file system is still to come.
    private var hasUnsynced = false
    /// The file that is being written.
    private var open: (descriptor: Int32, path: FilePath)?

    private struct Made: Sendable {
        let folder: Int32
        let name: FilePath
        let isFolder: Bool
        let ticket: Interrupts.Ticket
    }

    private static let marker = ".sxkey-part-"
    private static let attempts = 16
    /// So many files are synced one by one; more of them at once, for each sync waits for the disk.
    private static let syncedAlone = 64

    /// Makes the empty folder. Errors: `.exists` when the target is there, and what the kernel says.
    package init(for target: FilePath) throws(FileError) {
        try Self.check(target)
        let name = target.lastComponent
        let parent = try Descriptor.openFolder(target.parent)
        for _ in 0..<Self.attempts {
            let draft = name.appendingSuffix(Self.marker + Self.randomDigits())
            var (code, root): (Int32, Int32) = (0, -1)
            let ticket = Interrupts.announcing(folder: parent, name: draft, isFolder: true) {
                root = unsafe draft.withCString { unsafe Self.makeFolder($0, in: parent) }
                code = errno
                return root >= 0
            }
            if let ticket {
                self.target = target
                sync = .suited(to: target.parent)
                path = target.parent.appending(draft)
                self.parent = parent
                self.root = root
                rootTicket = ticket
                return
            }
            if code != EEXIST {
                close(parent)
                throw FileError(.create, target, code: code)
            }
        }
        close(parent)
        throw FileError(.create, target, code: EEXIST)
    }

    deinit {
        if let open { close(open.descriptor) }
        if rootTicket != nil { removeAll() }
        for folder in subfolders.values { close(folder) }
        close(root)
        close(parent)
    }

    /// Whether `target` could become a new folder: nothing has the name, not even a link to nothing.
    package static func check(_ target: FilePath) throws(FileError) {
        let name = target.lastComponent
        if target.bytes.isEmpty || target.bytes.contains(0) { throw FileError(.create, target, .notFound) }
        if name == "." || name == ".." || name == "/" { throw FileError(.create, target, .exists) }
        do throws(FileError) {
            _ = try fileStatus(at: target.parent.appending(name), followingLinks: false)
        } catch {
            if error.kind == .notFound { return }
            throw FileError(.create, target, code: error.code)
        }
        throw FileError(.create, target, .exists)
    }

    /// Makes a folder in it, or in a folder that was made in it. Errors: `.exists`; a name that is none, or one in a folder that
    /// was not made, is `.notFound`.
    package mutating func makeFolder(_ path: FilePath) throws(FileError) {
        let outer = path.parent == "." ? nil : path.parent
        let name = outer == nil ? path : path.lastComponent
        try checkName(name, path)
        guard let folder = outer.map({ subfolders[$0] }) ?? root else {
            throw FileError(.create, target.appending(path), .notFound)
        }
        var (code, descriptor): (Int32, Int32) = (0, -1)
        let ticket = Interrupts.announcing(folder: folder, name: name, isFolder: true) {
            descriptor = unsafe name.withCString { unsafe Self.makeFolder($0, in: folder) }
            code = errno
            return descriptor >= 0
        }
        guard let ticket else { throw FileError(.create, target.appending(path), code: code) }
        subfolders[path] = descriptor
        made.append(Made(folder: folder, name: name, isFolder: true, ticket: ticket))
    }

    /// Begins a new file in it, or in a folder that was made in it; one that was begun before is ended.
    ///
    /// Errors: `.exists` when it has a file of this name; a name that is none is `.notFound`.
    package mutating func begin(_ name: FilePath, in subfolder: FilePath? = nil) throws(FileError) {
        try end()
        let inside = subfolder.map { $0.appending(name) } ?? name
        try checkName(name, inside)
        guard let folder = subfolder.map({ subfolders[$0] }) ?? root else {
            throw FileError(.create, target.appending(inside), .notFound)
        }
        var (code, descriptor): (Int32, Int32) = (0, -1)
        let ticket = Interrupts.announcing(folder: folder, name: name) {
            descriptor = unsafe name.withCString { name in
                unsafe openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            }
            code = errno
            return descriptor >= 0
        }
        guard let ticket else { throw FileError(.create, target.appending(inside), code: code) }
        // The umask can only have taken bits away.
        _ = fchmod(descriptor, 0o600)
        open = (descriptor, target.appending(inside))
        made.append(Made(folder: folder, name: name, isFolder: false, ticket: ticket))
    }

    /// Appends to the file that was begun last. Nothing of it stays in a buffer.
    package mutating func write(_ bytes: Span<UInt8>) throws(FileError) {
        guard let (descriptor, path) = open else { throw FileError(.write, target, .notOpen) }
        var failure: FileError?
        unsafe bytes.withUnsafeBytes { raw in
            do throws(FileError) {
                unsafe try Descriptor.writeAll(descriptor, raw, path: path)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        bytesWritten += bytes.count
    }

    /// Ends the file that was begun last, with its bytes on the disk. `modified` is its time in Unix seconds, where it has one.
    package mutating func end(modified: Double? = nil) throws(FileError) {
        guard let (descriptor, path) = open else { return }
        open = nil
        if let modified, let seconds = Int(exactly: modified.rounded(.down)) {
            let time = timespec(tv_sec: seconds, tv_nsec: Int((modified - modified.rounded(.down)) * 1e9))
            let times = [time, time]
            // A file system that keeps no such time keeps the file.
            _ = unsafe times.withUnsafeBufferPointer { unsafe futimens(descriptor, $0.baseAddress) }
        }
        if sync == .eachFile || made.count <= Self.syncedAlone {
            do throws(FileError) {
                try Descriptor.sync(descriptor, path: path)
            } catch {
                close(descriptor)
                throw error
            }
        } else {
            hasUnsynced = true
        }
        // Closing is where a network file system may own up to a full disk. After EINTR Linux has closed it all the same.
        if close(descriptor) != 0, errno != EINTR { throw FileError(.close, path, code: errno) }
    }

    /// Removes the file that was begun last and is not ended yet.
    package mutating func discard() {
        guard let (descriptor, _) = open, let entry = made.popLast() else { return }
        open = nil
        close(descriptor)
        _ = unsafe entry.name.withCString { unsafe unlinkat(entry.folder, $0, 0) }
        Interrupts.forget(entry.ticket)
    }

    /// Gives a regular file of the same file system a second name in it, so that nothing is copied. False where that cannot be:
    /// there is no such file, or none may have two names here. Errors: `.exists` when it has a file of this name.
    package mutating func link(
        _ file: FilePath, as name: FilePath, in subfolder: FilePath? = nil
    ) throws(FileError) -> Bool {
        try end()
        let inside = subfolder.map { $0.appending(name) } ?? name
        try checkName(name, inside)
        guard let folder = subfolder.map({ subfolders[$0] }) ?? root else {
            throw FileError(.create, target.appending(inside), .notFound)
        }
        guard (try? fileStatus(at: file, followingLinks: false))?.kind == .regular else { return false }
        var code: Int32 = 0
        let ticket = Interrupts.announcing(folder: folder, name: name) {
            // A link in the place of the file would get the second name itself, and is seen below.
            let result = unsafe file.withCString { old in
                unsafe name.withCString { new in unsafe linkat(AT_FDCWD, old, folder, new, 0) }
            }
            code = errno
            return result == 0
        }
        guard let ticket else {
            if code == EEXIST { throw FileError(.create, target.appending(inside), code: code) }
            return false
        }
        made.append(Made(folder: folder, name: name, isFolder: false, ticket: ticket))
        var status = stat()
        let seen = unsafe name.withCString { unsafe fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) }
        guard seen == 0, FileStatus(status).kind == .regular else {
            throw FileError(.create, target.appending(inside), .notRegular)
        }
        return true
    }

    /// Syncs the folders and gives the whole its name. Errors: `.exists` when somebody made the target meanwhile; `.sync` when
    /// the name is given and may yet be lost with the power.
    package consuming func publish() throws(FileError) {
        try end()
        if hasUnsynced { try Descriptor.syncFileSystem(root, path: path) }
        for (name, folder) in subfolders { try Descriptor.syncFolder(folder, path: target.appending(name)) }
        try Descriptor.syncFolder(root, path: target)
        let (folder, draft, final) = (parent, path.lastComponent, target.lastComponent)
        var code: Int32 = 0
        // An interrupt in between would empty the published folder through the descriptors of what is in it.
        let isPublished = Interrupts.forgetting(made.map(\.ticket) + [rootTicket].compactMap { $0 }) {
            let result = unsafe draft.withCString { old in
                unsafe final.withCString { new in
                    let result = unsafe sx_rename_without_replacing(folder, old, folder, new)
                    guard result != 0, errno == EINVAL || errno == ENOSYS else { return result }
                    // No such rename here. rename(2) itself replaces an empty folder, and nothing else.
                    return unsafe renameat(folder, old, folder, new)
                }
            }
            code = errno
            return result == 0
        }
        guard isPublished else { throw FileError(.create, target, code: code == ENOTEMPTY ? EEXIST : code) }
        rootTicket = nil
        try Descriptor.syncFolder(parent, path: target.parent)
    }

    private borrowing func removeAll() {
        for entry in made.reversed() {
            let flags = entry.isFolder ? AT_REMOVEDIR : 0
            _ = unsafe entry.name.withCString { unsafe unlinkat(entry.folder, $0, flags) }
            Interrupts.forget(entry.ticket)
        }
        _ = unsafe path.lastComponent.withCString { unsafe unlinkat(parent, $0, AT_REMOVEDIR) }
        if let rootTicket { Interrupts.forget(rootTicket) }
    }

    /// One component that names something inside, and no way out.
    private borrowing func checkName(_ name: FilePath, _ inside: FilePath) throws(FileError) {
        let isName = !name.bytes.isEmpty && !name.bytes.contains(0) && !name.bytes.contains(UInt8(ascii: "/"))
        guard isName, name != ".", name != ".." else { throw FileError(.create, target.appending(inside), .notFound) }
    }

    /// Makes a folder and opens it; -1 with errno.
    private static func makeFolder(_ name: UnsafePointer<CChar>, in folder: Int32) -> Int32 {
        guard unsafe mkdirat(folder, name, 0o700) == 0 else { return -1 }
        let descriptor = unsafe openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            _ = unsafe unlinkat(folder, name, AT_REMOVEDIR)
            errno = code
            return -1
        }
        // The umask can only have taken bits away.
        _ = fchmod(descriptor, 0o700)
        return descriptor
    }

    private static func randomDigits() -> String {
        var generator = SystemRandomNumberGenerator()
        let number: UInt64 = generator.next()
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
