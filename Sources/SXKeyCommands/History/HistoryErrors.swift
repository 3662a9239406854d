import Archive
import CommandKit
import History
import SophaxFiles
import SystemIO

extension CommandError {
    /// `path` is the source that was read.
    static func historyError(_ failure: HistoryError, _ path: FilePath) -> ErrorMessage {
        switch failure {
        case .entries(let error): return entryError(error, path)
        case .storeFile(let file, let reason):
            return error(
                reason.isDamage ? .unreadable : .failure, nil,
                "cannot read \(quoted: file): \(trusted: reason.reason)", ["\"sxkey store verify\" lists every file"])
        case .wrongKey: return CommandError.wrongStoreKey(path).message
        case .file(let failure): return CommandError.file(failure).message
        case .related(let failure): return relatedNotOpened(failure, path)
        case .outOfMemory(let requested):
            return error(.failure, "no-memory", "cannot read \(quoted: path): no memory for \(size: requested)")
        case .line(let number, let reason):
            return error(
                .unreadable, "bad-line", "cannot read \(quoted: path): line \(number): \(trusted: reason)",
                ["sxkey-formats(5) says what a line holds"])
        case .other(let cause):
            guard let cause = cause as? ArchiveError else {
                return error(.failure, nil, "cannot read \(quoted: path)")
            }
            return archive(cause, path)
        case .stopped: return error(.failure, nil, "cannot read \(quoted: path): reading was stopped")
        }
    }

    /// A file that is none of the things that history comes from.
    static func notHistory(_ path: FilePath) -> ErrorMessage {
        error(
            .unreadable, "not-a-source", "\(quoted: path) is nothing that messages can be taken from",
            [
                "known are the folder of a message store, .sophaxbackup, .sxfe and .sxb files, archives, and what sxkey exported "
                    + "as JSONL or JSON, and messages of btmessage, lchat and CoNET",
                "an Android backup has no mark of its own: say --kind android, or keep its name \(trusted: BundleKind.androidFileName)",
            ])
    }

    /// Key files on the command line for another number of sources than there are to open.
    static func keyFileCount(_ given: Int, _ wanted: [FilePath]) -> ErrorMessage {
        let names = wanted.prefix(4).map { "\(quoted: $0)" as TerminalText }.joined(", ")
        return error(
            .usage, "key-file-count",
            wanted.isEmpty
                ? "\(count: given, "key file") given, and no source opens with one"
                : "\(count: given, "key file") given, and \(count: wanted.count, "source") to open: \(names)",
            ["give --key-file once for each, in the order of the sources; the same file may be named twice"])
    }

    /// An archive as a source that no passphrase opens.
    static func sourceKeyFile(_ path: FilePath) -> ErrorMessage {
        error(
            .usage, "needs-key-file", "the archive \(quoted: path) opens with a key file, not with a passphrase",
            ["give it with --key-file FILE"])
    }
}
