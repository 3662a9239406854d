import CLinux
import Glibc

/// A file that appears whole or not at all: written beside its target, mode 0600, and given its name by `commit`.
///
/// Where the file system knows unnamed files nothing is left even after a kill; elsewhere a hidden file beside the target
/// holds the bytes, which failure, going out of scope, and an interrupting signal (`Interrupts`) remove.
/// The first error sticks: each later call throws it again and the target stays as it was.
package struct OutputFile: ~Copyable, Sendable {
    package let path: FilePath
    private let name: FilePath
    private let replacing: Bool
    private let folder: Int32
    private var descriptor: Int32
    /// The hidden file with the bytes so far, nil while it has no name.
    private var temporary: TemporaryFile?
    private var buffer: [UInt8] = []
    private var failure: FileError?

    private static let bufferSize = 262_144

    /// Opens a new file for `path`.
    ///
    /// - Parameters:
    ///   - replacing: whether an existing regular file (or link) may be replaced; a link is replaced, not followed.
    ///   - inputs: files that the target must not be, under whatever name.
    ///
    /// Errors: `.exists`, `.isFolder`, `.notRegular`, `.sameAsInput`, and what the kernel says.
    package init(
        creatingAt path: FilePath, replacing: Bool = false, notSameAs inputs: [FileIdentity] = []
    ) throws(FileError) {
        try self.init(creatingAt: path, replacing: replacing, notSameAs: inputs, namedOnly: false)
    }

    /// `namedOnly` is for the tests: it takes the way of file systems without unnamed files.
    package init(
        creatingAt path: FilePath, replacing: Bool, notSameAs inputs: [FileIdentity], namedOnly: Bool
    ) throws(FileError) {
        let name = path.lastComponent
        try Self.check(path, replacing: replacing, notSameAs: inputs)
        let folder = try Descriptor.openFolder(path.parent)
        var opened = namedOnly ? -1 : Self.openUnnamed(in: folder)
        var temporary: TemporaryFile?
        if opened < 0 {
            do throws(FileError) {
                let file = try TemporaryFile.create(in: folder, folderPath: path.parent)
                opened = file.descriptor
                temporary = file.file
            } catch {
                close(folder)
                throw FileError(.create, path, code: error.code)
            }
        }
        // The umask can only have taken bits away.
        _ = fchmod(opened, 0o600)
        self.path = path
        self.name = name
        self.replacing = replacing
        self.folder = folder
        self.temporary = temporary
        descriptor = opened
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        temporary?.remove(in: folder)
        close(folder)
    }

    /// Appends `bytes`. Errors, of this or an earlier call, are `.write`.
    package mutating func write(_ bytes: Span<UInt8>) throws(FileError) {
        if let failure { throw failure }
        if buffer.isEmpty { buffer.reserveCapacity(Self.bufferSize) }
        if buffer.count + bytes.count > Self.bufferSize { try flush() }
        if bytes.count >= Self.bufferSize {
            try sticking { file throws(FileError) in
                var failure: FileError?
                unsafe bytes.withUnsafeBytes { raw in
                    do throws(FileError) {
                        unsafe try Descriptor.writeAll(file.descriptor, raw, path: file.path)
                    } catch {
                        failure = error
                    }
                }
                if let failure { throw failure }
            }
        } else {
            for index in bytes.indices { buffer.append(bytes[index]) }
        }
    }

    /// Appends bytes that must not stay in a buffer; otherwise as `write`.
    package mutating func writeUnbuffered(_ bytes: Span<UInt8>) throws(FileError) {
        if let failure { throw failure }
        try flush()
        try sticking { file throws(FileError) in
            var failure: FileError?
            unsafe bytes.withUnsafeBytes { raw in
                do throws(FileError) {
                    unsafe try Descriptor.writeAll(file.descriptor, raw, path: file.path)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }
    }

    package mutating func write(_ bytes: [UInt8]) throws(FileError) {
        try write(bytes.span)
    }

    package mutating func write(_ text: String) throws(FileError) {
        try write(Array(text.utf8).span)
    }

    /// Has the kernel begin to write to the disk, so that `commit` waits less; for files of many mebibytes. Whether it could
    /// is of no interest: `commit` syncs all the same.
    package borrowing func beginWriteback() {
        _ = sx_begin_writeback(descriptor)
    }

    /// Opens what was written so far for reading, before the file has its name.
    package mutating func reopen() throws(FileError) -> InputFile {
        if let failure { throw failure }
        try flush()
        let opened: Int32
        if let temporary {
            opened = unsafe temporary.name.withCString { unsafe openat(folder, $0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
        } else {
            opened = unsafe open(Self.descriptorLink(descriptor), O_RDONLY | O_CLOEXEC)
        }
        guard opened >= 0 else { throw FileError(.open, path, code: errno) }
        return try InputFile(descriptor: opened, path: path)
    }

    /// Syncs the bytes, gives the file its name, and syncs the folder. Only after it returns is the target changed for good.
    ///
    /// Errors: those of `write`; `.sync` and `.close` when the disk did not take the bytes; `.exists` when somebody else
    /// made the target meanwhile.
    package consuming func commit() throws(FileError) {
        if let failure { throw failure }
        try flush()
        try Descriptor.sync(descriptor, path: path)
        if let temporary {
            try closeDescriptor()
            try moveIntoPlace(temporary)
        } else if replacing {
            // An unnamed file cannot replace a name in one step, so it gets a name of its own first.
            let named = try TemporaryFile.link(descriptor, in: folder, path: path)
            temporary = named
            try closeDescriptor()
            try moveIntoPlace(named)
        } else {
            let result = unsafe name.withCString { unsafe Self.link(descriptor, in: folder, as: $0) }
            guard result == 0 else { throw FileError(.create, path, code: errno) }
            do throws(FileError) {
                try closeDescriptor()
            } catch {
                _ = unsafe name.withCString { unsafe unlinkat(folder, $0, 0) }
                throw error
            }
        }
        try Descriptor.syncFolder(folder, path: path.parent)
    }

    private mutating func moveIntoPlace(_ file: TemporaryFile) throws(FileError) {
        let result = unsafe file.name.withCString { old in
            unsafe name.withCString { new in
                replacing
                    ? unsafe renameat(folder, old, folder, new)
                    : unsafe sx_rename_without_replacing(folder, old, folder, new)
            }
        }
        if result != 0, !replacing, errno == EINVAL || errno == ENOSYS {
            // No such rename here; a second name for the file refuses an existing target as well.
            let linked = unsafe file.name.withCString { old in
                unsafe name.withCString { new in unsafe linkat(folder, old, folder, new, 0) }
            }
            guard linked == 0 else { throw FileError(.create, path, code: errno) }
            file.remove(in: folder)
        } else if result != 0 {
            throw FileError(replacing ? .rename : .create, path, code: errno)
        } else {
            file.forget()
        }
        temporary = nil
    }

    /// Closing is where a network file system may own up to a full disk.
    private mutating func closeDescriptor() throws(FileError) {
        let closing = descriptor
        descriptor = -1
        // After EINTR Linux has closed it all the same.
        if close(closing) != 0, errno != EINTR { throw FileError(.close, path, code: errno) }
    }

    private mutating func flush() throws(FileError) {
        guard !buffer.isEmpty else { return }
        try sticking { file throws(FileError) in
            var failure: FileError?
            unsafe file.buffer.withUnsafeBytes { raw in
                do throws(FileError) {
                    unsafe try Descriptor.writeAll(file.descriptor, raw, path: file.path)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private mutating func sticking(_ body: (borrowing OutputFile) throws(FileError) -> Void) throws(FileError) {
        do throws(FileError) {
            try body(self)
        } catch {
            failure = error
            throw error
        }
    }

    /// Whether `path` could become an output, without making anything: to know it before there is work to lose.
    /// Arguments and errors are those of `init`.
    package static func check(
        _ path: FilePath, replacing: Bool, notSameAs inputs: [FileIdentity]
    ) throws(FileError) {
        let name = path.lastComponent
        // A path with a NUL byte names nothing; see FilePath.
        if path.bytes.isEmpty || path.bytes.contains(0) { throw FileError(.create, path, .notFound) }
        if path.bytes.last == UInt8(ascii: "/") || name == "." || name == ".." || name == "/" {
            throw FileError(.create, path, .isFolder)
        }
        let own: FileStatus
        do throws(FileError) {
            own = try fileStatus(at: path, followingLinks: false)
        } catch {
            if error.kind == .notFound { return }
            throw FileError(.create, path, code: error.code)
        }
        var identities = [own.identity]
        if own.kind == .link, let target = try? fileStatus(at: path) { identities.append(target.identity) }
        if identities.contains(where: inputs.contains) { throw FileError(.create, path, .sameAsInput) }
        if own.kind == .folder { throw FileError(.create, path, .isFolder) }
        if !replacing { throw FileError(.create, path, .exists) }
        if own.kind != .regular, own.kind != .link { throw FileError(.create, path, .notRegular) }
    }

    /// A file without a name in `folder`, or -1 where the file system has none or it could not be named later.
    private static func openUnnamed(in folder: Int32) -> Int32 {
        let opened = unsafe openat(folder, ".", sx_O_TMPFILE | O_WRONLY | O_CLOEXEC, 0o600)
        guard opened >= 0 else { return -1 }
        if unsafe access(descriptorLink(opened), F_OK) != 0 {
            close(opened)
            return -1
        }
        return opened
    }

    /// Names an unnamed file (open(2), the example under O_TMPFILE); gives what linkat(2) gives.
    fileprivate static func link(_ descriptor: Int32, in folder: Int32, as name: UnsafePointer<CChar>) -> Int32 {
        unsafe linkat(AT_FDCWD, descriptorLink(descriptor), folder, name, AT_SYMLINK_FOLLOW)
    }

    private static func descriptorLink(_ descriptor: Int32) -> String {
        "/proc/self/fd/\(descriptor)"
    }
}

/// The hidden file beside a target. `Interrupts` knows of it until it is removed or has become the target.
struct TemporaryFile: Sendable {
    let name: FilePath
    private let ticket: Interrupts.Ticket

    /// Creates a hidden file in `folder` that nobody else has.
    static func create(
        in folder: Int32, folderPath: FilePath
    ) throws(FileError) -> (descriptor: Int32, file: TemporaryFile) {
        unsafe try make(in: folder, path: folderPath) { name in
            unsafe openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
    }

    /// Gives the unnamed file `descriptor` a hidden name in `folder`.
    static func link(_ descriptor: Int32, in folder: Int32, path: FilePath) throws(FileError) -> TemporaryFile {
        let made = unsafe try make(in: folder, path: path.parent) { name in
            unsafe OutputFile.link(descriptor, in: folder, as: name)
        }
        return made.file
    }

    /// Removes the file; a file that is gone already is fine.
    func remove(in folder: Int32) {
        _ = unsafe name.withCString { unsafe unlinkat(folder, $0, 0) }
        forget()
    }

    /// The file has become the target or is gone.
    func forget() {
        Interrupts.forget(ticket)
    }

    /// Tries random names until `body` does not say EEXIST. The name is announced before the file is there, and an
    /// interrupt waits until it is.
    private static func make(
        in folder: Int32, path: FilePath, _ body: (UnsafePointer<CChar>) -> Int32
    ) throws(FileError) -> (descriptor: Int32, file: TemporaryFile) {
        for _ in 0..<attempts {
            let name = FilePath(".sxkey-\(randomName()).tmp")
            var code: Int32 = 0
            var result: Int32 = -1
            let ticket = Interrupts.announcing(folder: folder, name: name) {
                result = unsafe name.withCString { unsafe body($0) }
                if result < 0 { code = errno }
                return result >= 0
            }
            if let ticket { return (result, TemporaryFile(name: name, ticket: ticket)) }
            if code != EEXIST { throw FileError(.create, path, code: code) }
        }
        throw FileError(.create, path, code: EEXIST)
    }

    private static let attempts = 16

    private static func randomName() -> String {
        var generator = SystemRandomNumberGenerator()
        let number: UInt64 = generator.next()
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
