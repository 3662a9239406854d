import CLinux
import Glibc

/// An empty file beside a target, for content that a library writes by name (a database), and later given the target's
/// name in one step.
///
/// It is called as the target with a marker and random digits after it, has mode 0600, and goes again, with a journal
/// beside it, when it is not published: on failure, out of scope, and on an interrupting signal (`Interrupts`). A kill
/// leaves it; `leftovers` finds it then.
package struct DraftFile: ~Copyable, Sendable {
    /// Where it is until it is published.
    package let path: FilePath
    private let target: FilePath
    private let folder: Int32
    private var tickets: [Interrupts.Ticket]

    private static let journalSuffix = "-journal"
    private static let digits = 16
    private static let attempts = 16

    /// Makes the empty file `target.marker-…`. Errors: what the kernel says of the folder or the file.
    package init(beside target: FilePath, marker: String) throws(FileError) {
        let folder = try Descriptor.openFolder(target.parent)
        for _ in 0..<Self.attempts {
            let path = target.appendingSuffix(".\(marker)-\(Self.randomDigits())")
            var code: Int32 = 0
            let ticket = Interrupts.announcing(folder: folder, name: path.lastComponent) {
                let opened = unsafe path.lastComponent.withCString { name in
                    unsafe openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
                }
                code = errno
                guard opened >= 0 else { return false }
                // The umask can only have taken bits away.
                _ = fchmod(opened, 0o600)
                close(opened)
                return true
            }
            if let ticket {
                let journal = path.lastComponent.appendingSuffix(Self.journalSuffix)
                let second = Interrupts.announcing(folder: folder, name: journal) { true }
                self.path = path
                self.target = target
                self.folder = folder
                tickets = [ticket] + (second.map { [$0] } ?? [])
                return
            }
            if code != EEXIST {
                close(folder)
                throw FileError(.create, target, code: code)
            }
        }
        close(folder)
        throw FileError(.create, target, code: EEXIST)
    }

    deinit {
        if !tickets.isEmpty {
            for name in [path.lastComponent, path.lastComponent.appendingSuffix(Self.journalSuffix)] {
                _ = unsafe name.withCString { unsafe unlinkat(folder, $0, 0) }
            }
            for ticket in tickets { Interrupts.forget(ticket) }
        }
        close(folder)
    }

    /// Gives the file its name, and syncs the folder. The content must be synced before. What takes the place of another
    /// file belongs to the same user: root may be at work for somebody.
    ///
    /// Errors: `.exists` when it may not replace what is there; `.rename`; `.sync` when the name is given and may yet be
    /// lost with the power.
    package consuming func publish(replacing: Bool) throws(FileError) {
        if replacing, geteuid() == 0 { try takeOwner() }
        let result = unsafe path.lastComponent.withCString { old in
            unsafe target.lastComponent.withCString { new in
                if replacing { return unsafe renameat(folder, old, folder, new) }
                let result = unsafe sx_rename_without_replacing(folder, old, folder, new)
                guard result != 0, errno == EINVAL || errno == ENOSYS else { return result }
                // No such rename here; a second name for the file refuses an existing target as well.
                let linked = unsafe linkat(folder, old, folder, new, 0)
                if linked == 0 { unsafe unlinkat(folder, old, 0) }
                return linked
            }
        }
        guard result == 0 else { throw FileError(replacing ? .rename : .create, target, code: errno) }
        for ticket in tickets { Interrupts.forget(ticket) }
        tickets = []
        try Descriptor.syncFolder(folder, path: target.parent)
    }

    private borrowing func takeOwner() throws(FileError) {
        var status = stat()
        let found = unsafe target.lastComponent.withCString { unsafe fstatat(folder, $0, &status, 0) }
        guard found == 0 else { return }
        let (user, group) = (status.st_uid, status.st_gid)
        let changed = unsafe path.lastComponent.withCString { name in
            unsafe fchownat(folder, name, user, group, AT_SYMLINK_NOFOLLOW)
        }
        guard changed == 0 else { throw FileError(.create, target, code: errno) }
    }

    /// Drafts of `target` with this marker that a killed process left, their journals included.
    package static func leftovers(of target: FilePath, marker: String) throws(FileError) -> [FilePath] {
        let beginning = target.lastComponent.appendingSuffix(".\(marker)-").bytes
        return try listFolder(target.parent).compactMap { entry in
            guard entry.kind == .regular, entry.name.bytes.starts(with: beginning) else { return nil }
            var rest = entry.name.bytes.dropFirst(beginning.count)
            if entry.name.hasSuffix(journalSuffix) { rest = rest.dropLast(journalSuffix.utf8.count) }
            guard rest.count == digits, rest.allSatisfy(isHexDigit) else { return nil }
            return target.parent.appending(entry.name)
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func randomDigits() -> String {
        var generator = SystemRandomNumberGenerator()
        let number: UInt64 = generator.next()
        let text = String(number, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }
}
