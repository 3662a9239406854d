import History
import SophaxFiles
import SystemIO

/// One export of messages from any source: an archive, a store, a bundle, or lines that sxkey wrote before.
///
/// Where a format or the attachment files need it, the source is read twice: first for what the chosen messages refer to,
/// with the attachment files written, then for the messages. Memory holds what the source gives at a time, and a line for
/// every conversation and attachment.
package struct HistoryExportRun {
    private let source: any HistorySource
    private let selection: HistorySelection
    private let workers: Int
    private let progress: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - workers: conversations that the source may read at a time.
    ///   - progress: bytes of the source that were read; it gets `passes(for:)` times all of them.
    package init(
        _ source: any HistorySource, _ selection: HistorySelection = HistorySelection(), workers: Int = 1,
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.source = source
        self.selection = selection
        self.workers = workers
        self.progress = progress
    }

    /// How often the messages of the source are read.
    package func passes(for writer: any HistoryWriter, attachments: Bool) -> Int {
        needsOverview(writer, attachments) ? 2 : 1
    }

    private func needsOverview(_ writer: any HistoryWriter, _ attachments: Bool) -> Bool {
        attachments || selection.limit != nil || !writer.needs.isDisjoint(with: [.overview, .places])
    }

    /// Writes into one output; there are no attachment files.
    package func run(into writer: any HistoryWriter) throws(ExportError) -> ExportOutcome {
        try export(into: writer, attachments: nil).report
    }

    /// Writes into a folder, which is complete but for its name afterwards: the caller publishes it.
    ///
    /// - Parameters:
    ///   - style: names of attachment files; nil for no such files.
    ///   - options: what `export.json` says of how the folder was made.
    package func run(
        into writer: any HistoryWriter, in folder: ExportFolder, attachments style: FileNameStyle?,
        options: [ExportOption], updating earlier: EarlierExport? = nil
    ) throws(ExportError) -> ExportOutcome {
        if let earlier, let problem = earlier.difference(from: options) { throw .earlier(problem, earlier.path) }
        let files = style.map { AttachmentFiles(in: folder, style: $0, earlier: earlier) }
        let hashing = HashingWriter(writer)
        var (report, pass, attachments) = try export(into: hashing, attachments: files)
        var manifest = ExportManifest(options: options)
        manifest.totals = report.totals
        manifest.conversations = pass.counts.map { ($0.id, $0.messages) }
        manifest.hashes = hashing.hashes
        manifest.attachments = attachments.files
        let listed = Set(manifest.attachments.map(\.file.path))
        manifest.files = folder.files.filter { !listed.contains($0.path) }
        // An update only adds: what the earlier export has stays in it.
        if let earlier, let lost = hashing.hashes.lost(since: earlier.hashes) {
            throw .earlier(.lost(lost.messages, first: lost.first), earlier.path)
        }
        do throws(FileError) {
            try folder.write(manifest.json, as: ExportManifest.fileName)
        } catch {
            throw .file(error)
        }
        report.files = folder.files.count
        report.bytes = folder.bytes
        if let earlier {
            report.added = (report.totals.written - earlier.written, files?.added ?? 0)
        }
        return report
    }

    private typealias Exported = (report: ExportOutcome, pass: MessagePass, attachments: ExportedAttachments)

    /// The source stays the same for both passes, if it can.
    private func export(
        into writer: any HistoryWriter, attachments files: AttachmentFiles?
    ) throws(ExportError) -> Exported {
        var exported: Exported?
        var failure: ExportError?
        do throws(HistoryError) {
            try source.holdingStill { () throws(HistoryError) in
                do throws(ExportError) {
                    exported = try exportHeld(into: writer, attachments: files)
                } catch {
                    failure = error
                    throw .stopped
                }
            }
        } catch {
            throw failure ?? .source(error)
        }
        guard let exported else { throw .stopped }
        return exported
    }

    private func exportHeld(
        into writer: any HistoryWriter, attachments files: AttachmentFiles?
    ) throws(ExportError) -> Exported {
        var report = ExportOutcome()
        var plan = ExportPlan(selection: selection)
        let hasPlan = needsOverview(writer, files != nil)
        if hasPlan {
            let pass = OverviewPass(selection, files, needsPlaces: writer.needs.contains(.places))
            try send(to: pass, attachments: files.map { files in .these { files.wants($0) } } ?? .none)
            plan = try pass.finish()
            if let files {
                (plan.attachments, report.attachments) = try files.finish()
                for loss in pass.attachmentLosses { report.add(loss) }
            }
        }
        try writer.begin(
            ExportOverview(
                origin: source.origin, names: plan.names, conversations: plan.conversations,
                attachments: plan.attachments, places: plan.places))
        let pass = MessagePass(plan, writer)
        try send(to: pass, attachments: .none)
        report.totals = try pass.finish()
        if hasPlan { try checkSameSource(plan, pass) }
        for loss in pass.losses { report.add(loss) }
        try writer.finish(report.totals)
        return (report, pass, plan.attachments)
    }

    /// Both passes had as many messages of each conversation: what was planned is what was written.
    private func checkSameSource(_ plan: ExportPlan, _ pass: MessagePass) throws(ExportError) {
        let planned = Dictionary(plan.conversations.map { ($0.id, $0.messages) }, uniquingKeysWith: +)
        let written = Dictionary(pass.counts.map { ($0.id, $0.messages) }, uniquingKeysWith: +)
        guard planned == written else { throw .sourceChanged }
    }

    private func send(to pass: some ExportPass, attachments: HistoryRequest.Attachments) throws(ExportError) {
        let request = HistoryRequest(
            conversations: selection.filter.takes, attachments: attachments, workers: workers, progress: progress)
        do throws(HistoryError) {
            try source.send(request, to: pass)
        } catch {
            throw pass.failure ?? .source(error)
        }
    }
}

/// A sink that knows why it refused.
protocol ExportPass: HistorySink {
    var failure: ExportError? { get }
}

/// What the first pass found out, or would have.
struct ExportPlan {
    let selection: HistorySelection
    var names = PeerNames()
    var conversations: [ConversationSummary] = []
    var attachments = ExportedAttachments()
    var places = ReplyPlaces()
    /// How many chosen messages are too old for the limit, each time that a conversation begins.
    var skipped: [Int] = []
}
