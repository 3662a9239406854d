import CryptoPrimitives
import JSONCoding
import SystemIO

/// Reads a whole store on all cores and judges it; never writes.
package struct StoreSurvey: Sendable {
    package let folder: StoreFolder
    /// Seconds since 1970, for messages that should have disappeared.
    package let now: Double
    package let workers: Int
    /// Attachments are decrypted and compared with the messages that refer to them.
    package let includesAttachments: Bool

    package init(_ folder: StoreFolder, now: Double, workers: Int, includesAttachments: Bool) {
        self.folder = folder
        self.now = now
        self.workers = workers
        self.includesAttachments = includesAttachments
    }

    private enum Job: Sendable {
        case messages(StoreFile)
        case blob(StoreFile)
        case attachment(StoreFile)

        var file: StoreFile {
            switch self {
            case .messages(let file), .blob(let file), .attachment(let file): file
            }
        }
    }

    /// Reads every file. `progress` gets the bytes of each file that is done, on any thread.
    ///
    /// Throws only where nothing at all can be done, such as no memory for a cipher; a file that fails is in the report.
    package func run(
        key: borrowing SecretBytes, progress: @Sendable (Int) -> Void = { _ in }
    ) throws(StoreFileFailure) -> StoreReport {
        var jobs = folder.conversations.map(Job.messages) + folder.blobs.map(Job.blob)
        if includesAttachments { jobs += folder.attachments.map(Job.attachment) }
        jobs.sort { $0.file.size > $1.file.size }
        let reports = try parallelMap(
            jobs, workers: workers,
            makeState: { () throws(StoreFileFailure) in try StoreFileReader(key: key) },
            { (reader, job) throws(StoreFileFailure) in
                let report = run(job, &reader)
                progress(job.file.size)
                return report
            })
        var byPath: [FilePathKey: StoreFileReport] = [:]
        for report in reports { byPath[FilePathKey(report.file)] = report }
        let conversations = try summaries(byPath, key: key)
        let blobs = folder.blobs.compactMap { byPath[FilePathKey($0)] }
        let attachments = includesAttachments ? folder.attachments.compactMap { byPath[FilePathKey($0)] } : []
        var judge = StoreJudge(folder: folder, includesAttachments: includesAttachments)
        let findings = judge.findings(conversations: conversations, blobs: blobs, attachments: attachments)
        return StoreReport(
            folder: folder, conversations: conversations, blobs: blobs, attachments: attachments, findings: findings)
    }

    private func run(_ job: Job, _ reader: inout StoreFileReader) -> StoreFileReport {
        var report = StoreFileReport(job.file)
        do throws(StoreFileFailure) {
            switch job {
            case .attachment(let file):
                let opened = try reader.open(file)
                (report.nonce, report.tag) = (opened.nonce, opened.tag)
            case .messages(let file):
                let opened = try reader.open(file)
                (report.nonce, report.tag) = (opened.nonce, opened.tag)
                var audit = MessageAudit(now: now)
                report.outcome = try reader.scan(opened, into: &audit)
                report.tally = audit.tally
            case .blob(let file):
                let (buffer, opened) = try reader.openForKeeping(file)
                (report.nonce, report.tag) = (opened.nonce, opened.tag)
                if case .blob(let kind) = file.kind { report.blobEntries = BlobContent.entries(of: kind, in: buffer) }
            }
        } catch {
            report.failure = error
        }
        return report
    }

    private func summaries(
        _ reports: [FilePathKey: StoreFileReport], key: borrowing SecretBytes
    ) throws(StoreFileFailure) -> [ConversationSummary] {
        var summaries: [ConversationSummary] = []
        for group in ConversationFiles.grouping(folder.conversations) {
            var files = group.files.compactMap { reports[FilePathKey($0)] }
            for index in files.indices where files[index].file == group.orphan {
                let ids = files[index].tally.conversations.map(\.id)
                let own = ConversationFiles.group(ofOrphan: files[index].file.stem)
                files[index].isOrphan = files[index].isAuthentic && ids.allSatisfy { $0 == own }
            }
            let known = files.lazy.compactMap(\.tally.conversations.first).map(\.id).first
            var messages = files.reduce(0) { $0 + $1.tally.messages }
            var onlyInOrphan = 0
            if files.count(where: \.isAuthentic) > 1 {
                let overlap = try ConversationReader.overlap(of: group, key: key)
                messages -= overlap.inBoth
                onlyInOrphan = files.contains(where: \.isOrphan) ? overlap.onlyInFirst : 0
            } else if let orphan = files.first(where: \.isOrphan) {
                onlyInOrphan = orphan.tally.messages
            }
            summaries.append(
                ConversationSummary(
                    files: files, id: known ?? group.guess, isGuess: known == nil, messages: messages,
                    onlyInOrphan: onlyInOrphan))
        }
        return summaries
    }
}

/// A file of the listing as a dictionary key.
private struct FilePathKey: Hashable {
    let path: FilePath

    init(_ file: StoreFile) {
        path = file.path
    }
}

/// What a blob file holds, as far as the formats say (section 6.1.2).
enum BlobContent {
    /// Entries, or nil when the text is not what the format says.
    static func entries(of kind: BlobKind, in buffer: PlaintextBuffer) -> Int? {
        let whole = 0..<buffer.count
        switch kind {
        case .pendingQueue:
            // An object by peer id; a real file with nothing waiting holds `[]`.
            if let list = try? JSONMembers(array: buffer, whole) { return list.members.count }
            guard let peers = try? JSONMembers(object: buffer, whole) else { return nil }
            return sum(peers, in: buffer)
        case .storedForwardItems, .refusedMessages:
            return (try? JSONMembers(array: buffer, whole))?.members.count
        case .dhtBuckets:
            guard let buckets = try? JSONMembers(array: buffer, whole) else { return nil }
            return sum(buckets, in: buffer)
        }
    }

    private static func sum(_ lists: JSONMembers, in buffer: PlaintextBuffer) -> Int? {
        var count = 0
        for list in lists.members {
            guard list.kind == .array, let items = try? JSONMembers(array: buffer, list.value) else { return nil }
            count += items.members.count
        }
        return count
    }
}
