import History
import SophaxFiles

/// What an import did.
package struct ImportReport: Sendable {
    /// Messages that were read, by what became of them.
    package struct Counts: Equatable, Sendable {
        package var new = 0
        package var alreadyThere = 0
        /// One message at two times, or in two versions: the newest is shown, and both sources are kept.
        package var changed = 0
        /// Another message with the same id: both are kept.
        package var conflicting = 0
        /// Removed from the archive earlier, so left out.
        package var removedBefore = 0
        /// Records that are no messages of a known kind.
        package var skipped = 0
        /// Messages of which the source could not be read.
        package var failed = 0

        package init() {}

        package var total: Int { new + alreadyThere + changed + conflicting + removedBefore + skipped + failed }
    }

    package struct AttachmentCounts: Equatable, Sendable {
        package var read = 0
        package var new = 0
        package var alreadyThere = 0
        /// The same id had other bytes before: both are kept.
        package var different = 0
        package var failed = 0

        package init() {}
    }

    /// Two messages with one id.
    package struct Conflict: Sendable {
        package let conversation: ConversationID
        package let id: ByteText
        /// The key in which they differ; empty where one of them is not strict JSON.
        package let field: ByteText
    }

    /// Items of a list that are kept; the counts say how many there were.
    package static let maximumListed = 1_000

    /// Messages that were read; always `counts.total`.
    package internal(set) var read = 0
    package internal(set) var counts = Counts()
    package internal(set) var conversations = 0
    package internal(set) var attachments = AttachmentCounts()
    /// Tombstones that were taken over from another archive.
    package internal(set) var removalsLearned = 0
    package internal(set) var conflicts: [Conflict] = []
    package internal(set) var losses: [HistoryLoss] = []
    package internal(set) var lossCount = 0
    /// Ids of attachments that messages of the archive mention and that it has not got.
    package internal(set) var missingAttachments: [ByteText] = []
    package internal(set) var missingAttachmentCount = 0
    /// Ids of attachments that no message mentions; they are kept.
    package internal(set) var unmentionedAttachments: [ByteText] = []
    package internal(set) var unmentionedAttachmentCount = 0
    /// Ids that have several contents.
    package internal(set) var differentAttachments: [ByteText] = []
    /// Why the source could not be read to its end; what is counted here is in the archive all the same.
    package internal(set) var failure: HistoryError?
    /// Somebody asked it to stop: what is counted here is in the archive, the rest is not.
    package internal(set) var wasStopped = false

    package init() {}

    mutating func add(_ loss: HistoryLoss) {
        lossCount += 1
        if losses.count < Self.maximumListed { losses.append(loss) }
        switch loss.reason {
        case .messages(let number) where loss.part == .conversations, .notOpened(let number, _):
            read += number
            counts.failed += number
        case .unknownLines(let number):
            read += number
            counts.skipped += number
        case .file, .messages, .notInSource, .wrongContent, .ownSender:
            if loss.part == .attachments { attachments.failed += 1 }
        }
    }

    /// The counts as `import.counts` has them.
    var countsText: String {
        "{\"read\":\(read),\"new\":\(counts.new),\"alreadyThere\":\(counts.alreadyThere),"
            + "\"changed\":\(counts.changed),\"conflicting\":\(counts.conflicting),"
            + "\"removedBefore\":\(counts.removedBefore),\"skipped\":\(counts.skipped),\"failed\":\(counts.failed),"
            + "\"attachments\":\(attachments.read)}"
    }

    mutating func add(_ conflict: Conflict) {
        if conflicts.count < Self.maximumListed { conflicts.append(conflict) }
    }
}

/// How far an import has come.
package struct ImportProgress: Sendable {
    /// Bytes of the source that were read, and what it has, as far as it knows.
    package let bytes: Int
    package let totalBytes: Int
    /// Messages that were read so far.
    package let messages: Int
    package let attachments: Int
}
