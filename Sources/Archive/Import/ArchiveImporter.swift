import History
import SQLiteDatabase
import SophaxFiles
import Synchronization
import SystemIO

/// Brings the messages and attachments of a source into an archive.
///
/// The source is read on a thread of its own. Each conversation is in the archive as a whole or not at all; small ones share
/// a transaction. What is there already is not stored again, so that an import can be repeated, and one that was stopped or
/// killed is continued by starting it again.
package struct ArchiveImporter {
    package struct Options {
        /// Conversations to read; by the ids that the source has.
        package var conversations: (ConversationID) -> Bool = { _ in true }
        package var withAttachments = true
        /// Conversations that the source reads at the same time.
        package var workers = 1
        /// Milliseconds since 1970, for the record of imports.
        package var now: Int64 = 0

        package init() {}
    }

    /// A transaction ends after so many messages, at the end of a conversation.
    package static let messagesATransaction = 50_000
    /// Or after so many bytes of attachments.
    static let attachmentBytesATransaction = 64 << 20
    /// The index gathers the text of so many messages.
    static let messagesAFlush = 50_000

    private let archive: Archive
    private let options: Options

    package init(_ archive: Archive, _ options: Options = Options()) {
        self.archive = archive
        self.options = options
    }

    /// Imports the source.
    ///
    /// - Parameters:
    ///   - digest: SHA-256 of the source, where it is one file and somebody has computed it.
    ///   - isStopped: asked often; true ends the import at the next place where everything in the archive is whole.
    ///   - progress: told often, at most once for each batch of messages.
    ///
    /// Errors: `.source` where nothing more can be read; what was finished until then is in the archive.
    package func run(
        _ source: any HistorySource, digest: [UInt8]? = nil, isStopped: () -> Bool = { false },
        progress: (ImportProgress) -> Void = { _ in }
    ) throws(ArchiveError) -> ImportReport {
        let begun = try begin(source.origin, digest: digest ?? source.origin.sha256)
        var report = ImportReport()
        let again = try pass(
            source, begun, &report, conversations: options.conversations,
            attachments: options.withAttachments ? .all : .none, isSecondPass: false, isStopped, progress)
        if !again.isEmpty, !report.wasStopped {
            _ = try pass(
                source, begun, &report, conversations: { _ in false }, attachments: .these { again.contains($0) },
                isSecondPass: true, isStopped, progress)
        }
        return try end(begun, report)
    }

    // MARK: The record of the import

    private func begin(_ origin: HistoryOrigin, digest: [UInt8]?) throws(ArchiveError) -> Int64 {
        try archive.changing { () throws(ArchiveError) in
            try attempt { () throws(DatabaseError) in
                try archive.database.run(
                    """
                    INSERT INTO import (kind, path, sha256, owner_name, owner_fingerprint, begun_at)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """, .text(origin.kind.rawValue), .blob(origin.path.bytes), .blob(orNull: digest),
                    .text(orNull: origin.ownerName?.bytes),
                    .text(orNull: origin.ownerFingerprint.map { Array($0.utf8) }), .integer(options.now))
            }
            return archive.database.lastInsertedRow
        }
    }

    private func end(_ run: Int64, _ finished: ImportReport) throws(ArchiveError) -> ImportReport {
        var report = finished
        try archive.changing { () throws(ArchiveError) in
            try attempt { () throws(DatabaseError) in
                if options.withAttachments { try archive.judgeAttachments(&report) }
                try archive.database.run(
                    "UPDATE import SET ended_at = ?2, counts = ?3 WHERE id = ?1", .integer(run),
                    .integer(orNull: report.wasStopped ? nil : options.now), .text(report.countsText))
            }
        }
        return report
    }

    // MARK: One pass over the source

    private func pass(
        _ source: any HistorySource, _ run: Int64, _ report: inout ImportReport,
        conversations: @escaping (ConversationID) -> Bool, attachments: HistoryRequest.Attachments,
        isSecondPass: Bool, _ isStopped: () -> Bool, _ progress: (ImportProgress) -> Void
    ) throws(ArchiveError) -> Set<ByteText> {
        let queue = ImportQueue()
        let bytes = ByteCounter()
        let request = HistoryRequest(
            conversations: conversations, attachments: attachments, wantsDigests: true, workers: options.workers,
            progress: { bytes.add($0) })
        let work = ImportReader.Work(source, request, queue)
        guard let reader = WorkerThread({ work.run() }) else { throw .outOfMemory(requested: 0) }
        let again: Set<ByteText>
        do throws(ArchiveError) {
            let totalBytes = source.origin.bytes
            again = try write(run, queue, &report, isSecondPass: isSecondPass, isStopped) { messages, attachments in
                progress(
                    ImportProgress(
                        bytes: bytes.count, totalBytes: totalBytes, messages: messages, attachments: attachments))
            }
        } catch {
            queue.stop()
            reader.join()
            throw error
        }
        queue.stop()
        reader.join()
        return again
    }

    private func write(
        _ run: Int64, _ queue: ImportQueue, _ report: inout ImportReport, isSecondPass: Bool, _ isStopped: () -> Bool,
        _ progress: (Int, Int) -> Void
    ) throws(ArchiveError) -> Set<ByteText> {
        let writer = try attempt { () throws(DatabaseError) in try ImportWriter(archive.database, run: run) }
        let attachmentWriter = AttachmentWriter(archive.database, isSecondPass: isSecondPass)
        var hasEnded = false
        while !hasEnded {
            // Of what a transaction did nothing may be counted that is not in the archive.
            var current = report
            hasEnded = try archive.changing { () throws(ArchiveError) in
                var session = ImportSession(
                    writer: writer, attachments: attachmentWriter, queue: queue, isSecondPass: isSecondPass)
                return try session.run(&current, isStopped, progress)
            }
            report = current
            if report.wasStopped { break }
        }
        return attachmentWriter.again
    }
}

/// Counts on any thread.
private final class ByteCounter: Sendable {
    private let bytes = Atomic(0)

    func add(_ count: Int) { bytes.add(count, ordering: .relaxed) }

    var count: Int { bytes.load(ordering: .relaxed) }
}

/// What happens in one transaction of an import.
private struct ImportSession {
    let writer: ImportWriter
    let attachments: AttachmentWriter
    let queue: ImportQueue
    let isSecondPass: Bool
    private var messages = 0
    private var attachmentBytes = 0
    /// Between two conversations, and between two attachments.
    private var isWhole = true

    init(writer: ImportWriter, attachments: AttachmentWriter, queue: ImportQueue, isSecondPass: Bool) {
        self.writer = writer
        self.attachments = attachments
        self.queue = queue
        self.isSecondPass = isSecondPass
    }

    /// True when the source has come to its end, or everything has.
    mutating func run(
        _ report: inout ImportReport, _ isStopped: () -> Bool, _ progress: (Int, Int) -> Void
    ) throws(ArchiveError) -> Bool {
        while true {
            if isWhole {
                if isStopped() {
                    report.wasStopped = true
                    try writer.flushIndex()
                    return true
                }
                if messages >= ArchiveImporter.messagesATransaction
                    || attachmentBytes >= ArchiveImporter.attachmentBytesATransaction
                {
                    try writer.flushIndex()
                    return false
                }
            }
            guard let item = queue.take() else { throw .stopped }
            if case .end(let failure) = item {
                try attachments.discard()
                try writer.flushIndex()
                if let failure { try fail(failure, &report) }
                return true
            }
            try take(item, &report)
            progress(report.read, report.attachments.read)
        }
    }

    /// The source cannot be read any further. What came from it stays: each of it is whole.
    private mutating func fail(_ failure: HistoryError, _ report: inout ImportReport) throws(ArchiveError) {
        report.failure = failure
    }

    private mutating func take(_ item: ImportItem, _ report: inout ImportReport) throws(ArchiveError) {
        switch item {
        case .people(let names): if !isSecondPass { try writer.take(names) }
        case .batch(let batch):
            try writer.take(batch, &report)
            messages += batch.rows.count
            isWhole = batch.endsConversation
            if isWhole { report.conversations += 1 }
            if writer.pendingTexts >= ArchiveImporter.messagesAFlush { try writer.flushIndex() }
        case .removed(let removed): if !isSecondPass { try writer.take(removed, &report) }
        case .beginAttachment(let id, let size):
            isWhole = false
            try attachments.begin(id, size: size)
        case .attachment(let piece):
            attachmentBytes += piece.count
            try attachments.take(piece)
        case .endAttachment(let sha256):
            let origin = try writer.originRow(ByteText([]), nil)
            try attachments.end(sha256, origin: origin, &report)
            isWhole = true
        case .loss(let loss):
            // A second pass tells the same again.
            if !isSecondPass { report.add(loss) }
            if loss.part == .attachments { isWhole = true }
        case .end: break
        }
    }
}
