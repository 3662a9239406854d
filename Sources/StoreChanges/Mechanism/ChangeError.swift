import SophaxFiles
import SystemIO

/// Why a store was not changed. Whatever it is, the folder stands as it was under its name, but for the two cases that say
/// otherwise.
package enum ChangeError: Error, Equatable, Sendable {
    case file(FileError)
    case folder(StoreFolderError)
    /// Another process is changing this folder now.
    case locked(FilePath)
    /// A mount point cannot be renamed: the folder is the root of a file system.
    case mountPoint(FilePath)
    /// A folder inside is on another file system.
    case mountInside(FilePath)
    /// `sophax_messages` or `sophax_attachments` is a link; what it points to lies outside of what is changed.
    case link(FilePath)
    /// The name has more bytes than leave room for those beside it.
    case nameTooLong(FilePath, limit: Int)
    /// The file system cannot exchange two names in one step (renameat2(2), RENAME_EXCHANGE).
    case cannotExchange(FilePath)
    case tooLittleSpace(FilePath, needed: Int, available: Int)
    case tooFewFiles(FilePath, needed: Int, available: Int)
    /// Two planned files have one name, or a name leaves the folder.
    case badTarget(FilePath)
    /// Something is there already where a new store shall be.
    case exists(FilePath)

    /// The key opens not one of the files.
    case wrongKey
    /// The old folder would be removed, but these were carried over without being proven.
    case unprovenWithoutKeeping([CarriedFile])
    /// A file of the folder changed, came or went while it was read: an app is at work on it.
    case changing(FilePath)
    /// What was written is not what is read back.
    case notProven(FilePath, reason: ProofFailure)
    /// What the verb makes of a file could not be made.
    case step(FilePath, ChangeStepFailure)
    /// A signal asked for an end; its number.
    case interrupted(signal: Int32)

    /// What an interrupted run left cannot be judged; nothing is touched. `folders` stand beside the name.
    case unclearLeftover(FilePath, folders: [FilePath])
    /// The journal of an interrupted run was written by a newer version.
    case newerJournal(FilePath)

    /// The new folder stands under the name and is whole, but cleaning up behind it failed; the next run does that.
    case changedButNotCleared(FileError)
}

/// How a new file differed from what it was made from.
package enum ProofFailure: Error, Hashable, Sendable {
    /// It does not open with the key, or to another text.
    case text
    /// A copy has other bytes.
    case bytes
    /// Its messages are not those that it was made from; why, in plain words.
    case messages(String)
}

/// Why a verb could not make a new text, or found that it does not hold what it should.
package enum ChangeStepFailure: Error, Equatable, Sendable {
    /// A file that it is made from could not be read.
    case source(StoreFile, StoreFileFailure)
    /// The new text does not hold what the old files do; why, in plain words.
    case differs(String)
    /// Anything else, in plain words: lower case, no full stop.
    case other(String)
}

extension ChangeError {
    /// A call of libcrypto that cannot fail did.
    static var cipherFailed: ChangeError { .step("", .other("the cipher of libcrypto failed")) }

    static func outOfMemory(_ requested: Int) -> ChangeError {
        .step("", .other("no memory for \(requested) bytes"))
    }
}

/// Says the error of a file operation as one of a change.
func onDisk<R: ~Copyable>(_ work: @autoclosure () throws(FileError) -> R) throws(ChangeError) -> R {
    do throws(FileError) { return try work() } catch { throw .file(error) }
}
