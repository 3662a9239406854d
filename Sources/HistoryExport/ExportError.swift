import History
import SQLiteDatabase
import SophaxFiles
import SystemIO

/// Why an export failed. Nothing of it is left then; a folder that was to be updated is as it was.
package enum ExportError: Error, Sendable {
    case source(HistoryError)
    case file(FileError)
    /// The plain database of `--format sqlite`.
    case database(DatabaseError)
    /// The folder that was to be updated.
    case earlier(EarlierExportProblem, FilePath)
    /// The source was read twice, and was not the same.
    case sourceChanged
    /// The reader of the output is gone, or it cannot be written; whoever takes the bytes knows why.
    case stopped
}

/// Why a folder cannot be updated.
package enum EarlierExportProblem: Error, Hashable, Sendable {
    /// It has no `export.json`, or one that sxkey did not write.
    case notOurs
    case madeByNewer(version: Int)
    /// It was made in another format, or with other options: which, then and now.
    case otherwiseMade(option: String, then: String, now: String)
    /// A file that sxkey did not put there, or one that is missing or was changed since.
    case foreign(FilePath)
    case changed(FilePath)
    /// The source has lost so many messages of the export, the first of them in this conversation.
    case lost(Int, first: ConversationID)
    /// There is no such folder: an update was cut off between its two renames and has left it under this name.
    case displaced(FilePath)
}

/// What an export came to.
package struct ExportOutcome: Sendable {
    package internal(set) var totals = ExportTotals()
    /// Losses by what was lost, at most `maximumLosses` of them.
    package internal(set) var losses: [HistoryLoss] = []
    /// Files or messages of the source that could not be read.
    package internal(set) var failed = 0
    package internal(set) var attachments = AttachmentCounts()
    /// Bytes of all files.
    package var bytes = 0
    /// Files of the folder, `export.json` included; 0 for an export that is one file.
    package internal(set) var files = 0
    /// What an update added; nil for a new export.
    package internal(set) var added: (messages: Int, attachments: Int)?

    /// Entries that a store keeps aside, and that were written behind its messages.
    package var aside = 0

    package static let maximumLosses = 1_000

    package init() {}

    package mutating func add(_ loss: HistoryLoss) {
        if losses.count < Self.maximumLosses { losses.append(loss) }
        if case .messages(let count) = loss.reason { failed += count } else { failed += 1 }
    }
}

/// Attachments of an export: `referred`, those that chosen messages refer to, and `unreferred` are together as many as
/// `written`, `missing` and `damaged`.
package struct AttachmentCounts: Sendable {
    package internal(set) var referred = 0
    /// Files that an update took over though no chosen message refers to them any more.
    package internal(set) var unreferred = 0
    /// Files on the disk.
    package internal(set) var written = 0
    /// Bytes of them.
    package internal(set) var bytes = 0
    /// Ids that the source has nothing for.
    package internal(set) var missing: [ByteText] = []
    /// Ids whose bytes cannot be read, or are not those that they should be.
    package internal(set) var damaged: [ByteText] = []

    package var isWhole: Bool { missing.isEmpty && damaged.isEmpty }
}
