import Archive
import CommandKit
import SQLiteDatabase
import SystemIO

/// The archive as a file.
enum ArchiveNoun: SealedNoun {
    static let kind = SealedFileKind.archive

    static func make(at path: FilePath, slots: [NewSlot]) throws(CommandError) {
        try telling(path) { () throws(ArchiveError) in _ = try Archive.make(at: path, slots: slots) }
    }

    static func rekey(
        _ opened: OpenedSealedFile<Self>, secrets: [Int: UnlockSecret], dropping: Set<Int>
    ) throws(CommandError) -> SealedCount {
        messages(
            try telling(opened.path) { () throws(ArchiveError) in
                try Archive.rekey(opened.file, secrets: secrets, dropping: dropping)
            })
    }

    static func backup(
        _ opened: OpenedSealedFile<Self>, to path: FilePath, slots: [NewSlot]
    ) throws(CommandError) -> SealedCount {
        messages(
            try telling(opened.path) { () throws(ArchiveError) in
                try Archive.backup(opened.file, to: path, slots: slots)
            })
    }

    private static func messages(_ count: Int) -> SealedCount {
        SealedCount(key: "messages", value: count, title: "message")
    }

    /// An error of the file is told as one, so that the commands for all sealed files know it.
    private static func telling<R>(
        _ path: FilePath, _ body: () throws(ArchiveError) -> R
    ) throws(CommandError) -> R {
        do throws(ArchiveError) {
            return try body()
        } catch {
            switch error {
            case .sealed(let failure): throw .sealed(failure, kind, path)
            case .database(let failure): throw .sealed(.database(failure), kind, path)
            default: throw .archive(error, path)
            }
        }
    }

    static let afterInit: TerminalText = "\"sxkey archive import SOURCE...\", from stores, backups and other archives"
    static let rekeyDiscussion = ""
    static let notRekeyed: TerminalText? = nil
}
