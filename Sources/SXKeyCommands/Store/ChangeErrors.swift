import CommandKit
import SophaxFiles
import StoreChanges
import SystemIO

extension CommandError {
    /// What is told of a store that was not changed.
    static func change(_ error: ChangeError, _ verb: ChangeVerb, _ path: FilePath) -> ErrorMessage {
        let command: TerminalText = "sxkey store \(trusted: verb.rawValue)"
        switch error {
        case .folder(let error): return CommandError.folder(error).message
        case .file(let error): return file(error, path)
        case .wrongKey: return CommandError.wrongStoreKey(path).message
        case .exists(let path):
            return Self.error(
                .wouldOverwrite, "exists", "cannot make \(quoted: path): it exists already",
                ["a new store is never put over anything; name another folder"])
        case .locked(let folder):
            return Self.error(
                .locked, "locked", "cannot change \(quoted: folder): another process is changing it now",
                ["wait until that is done, and run the command again"])
        case .mountPoint, .mountInside, .link, .nameTooLong, .cannotExchange, .tooLittleSpace, .tooFewFiles:
            return place(error, path)
        case .badTarget(let name):
            return Self.error(.failure, nil, "cannot change \(quoted: path): \(quoted: name) cannot be a file of it")
        case .unprovenWithoutKeeping(let files):
            let names = files.prefix(3).map { "\(quoted: $0.path)" as TerminalText }.joined(", ")
            let more: TerminalText = files.count > 3 ? " and \(files.count - 3) more" : ""
            return Self.error(
                .someDamaged, "not-proven",
                "cannot remove the old folder of \(quoted: path): \(names)\(more) cannot be proven; nothing was changed",
                ["without --no-keep they come along as they are, and the old folder stays"])
        case .changing(let file) where verb == .merge:
            return Self.error(
                .failure, "changing",
                "cannot merge into \(quoted: path): \(quoted: file) changed meanwhile; nothing was made",
                ["close the app first, and run the command again"])
        case .changing(let file):
            return Self.error(
                .failure, "changing",
                "cannot change \(quoted: path): \(quoted: file) changed meanwhile; the store is as it was",
                ["close the app first, and run the command again"])
        case .notProven(let file, let reason):
            return Self.error(
                .failure, "not-proven",
                "what was written as \(quoted: file) is not what is read back (\(trusted: reason.text)); the store is as it was",
                ["the disk or the memory of this machine may be at fault"])
        case .step(let file, let failure):
            return Self.error(
                .failure, nil, "cannot \(trusted: verb.rawValue) \(quoted: file) in \(quoted: path): \(failure.text)",
                ["the store is as it was"])
        case .interrupted(let signal):
            return Self.error(
                signal == Self.interruptSignal ? .interrupted : .terminated, "interrupted",
                verb == .rekey
                    ? "interrupted; nothing was lost: the store still opens with the old key"
                    : "interrupted; nothing was lost: the store is as it was",
                ["run the same command again to finish"])
        case .unclearLeftover(let folder, let folders):
            return Self.error(
                .failure, "unclear",
                "cannot tell what an interrupted change of \(quoted: folder) left; nothing was touched",
                folders.map {
                    "\(quoted: $0) stands beside it: one of the two is whole, so keep both until you have looked"
                }
                    + ["\"sxkey store verify\" with each key shows what a folder holds"])
        case .newerJournal(let journal):
            return Self.error(
                .newerVersion, nil, "\(quoted: journal) was written by a newer version of sxkey",
                ["the change that it belongs to can only be finished with that version"])
        case .changedButNotCleared(let error):
            return Self.error(
                .failure, "not-cleared",
                "\(quoted: path) is changed and whole, but cannot \(trusted: error.operation.rawValue) "
                    + "\(quoted: error.path): \(trusted: error.reason)",
                ["\"\(command) \(quoted: path)\" cleans up when it is run again"])
        }
    }

    /// SIGINT.
    private static let interruptSignal: Int32 = 2

    private static func file(_ error: FileError, _ path: FilePath) -> ErrorMessage {
        let isOutput = [.create, .write, .sync, .close, .rename, .exchange, .lock].contains(error.operation)
        guard isOutput else { return CommandError.file(error).message }
        return Self.error(
            .failure, error.kind == .noSpace ? "no-space" : nil,
            "cannot \(trusted: error.operation.rawValue) \(quoted: error.path): \(trusted: error.reason)",
            [
                error.kind == .noSpace
                    ? "the store is as it was; make room for a second copy of it" : "the store is as it was"
            ])
    }

    /// Why a folder cannot be changed where it is.
    private static func place(_ error: ChangeError, _ path: FilePath) -> ErrorMessage {
        switch error {
        case .mountPoint(let folder):
            Self.error(
                .failure, "mount-point",
                "cannot change \(quoted: folder): it is a mount point, and no other folder can take its name",
                ["move the store into a folder of its own below it"])
        case .mountInside(let folder):
            Self.error(
                .failure, "mount-inside", "cannot change \(quoted: path): \(quoted: folder) is on another file system",
                ["unmount it first"])
        case .link(let link):
            Self.error(
                .failure, "link",
                "cannot change \(quoted: path): \(quoted: link) is a link, and what it points to stands elsewhere",
                ["name the folder itself that it points to"])
        case .nameTooLong(let folder, let limit):
            Self.error(
                .failure, "name-too-long",
                "cannot change \(quoted: folder): its name has more than \(limit) bytes, which leaves no room for the name of the old folder",
                ["give it a shorter name first"])
        case .cannotExchange(let folder):
            Self.error(
                .failure, "cannot-exchange",
                "the file system of \(quoted: folder) cannot exchange two names in one step; nothing was changed",
                ["copy the store to another file system (ext4, XFS, Btrfs, tmpfs), change it there, and copy it back"])
        case .tooLittleSpace(let folder, let needed, let available):
            Self.error(
                .failure, "no-space",
                "no room beside \(quoted: folder): \(size: needed) are needed, and \(size: available) are there; nothing was changed",
                ["the new folder is made beside the old one, so that there is a whole one at any moment"])
        case .tooFewFiles(let folder, let needed, let available):
            Self.error(
                .failure, "no-space",
                "no room beside \(quoted: folder): the file system takes \(available) more files, and \(needed) are needed"
            )
        default: Self.error(.failure, nil, "cannot change \(quoted: path)")
        }
    }
}

extension ProofFailure {
    /// How it differs.
    fileprivate var text: String {
        switch self {
        case .text: "another text"
        case .bytes: "other bytes"
        case .messages(let reason): reason
        }
    }
}

extension ChangeStepFailure {
    fileprivate var text: TerminalText {
        switch self {
        case .source(let file, let failure): "\(quoted: file.path.lastComponent): \(trusted: failure.reason)"
        case .differs(let reason), .other(let reason): "\(reason)"
        }
    }
}
