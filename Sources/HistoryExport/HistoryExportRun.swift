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
        var files: AttachmentFiles?
        do throws(FileError) {
            files = try style.map { (style) throws(FileError) in
                try AttachmentFiles(in: folder, style: style, earlier: earlier)
            }
        } catch {
            throw .file(error)
        }
        var (report, pass, attachments) = try export(into: writer, attachments: files)
        var manifest = ExportManifest(options: options)
        manifest.totals = report.totals
        manifest.conversations = pass.counts.map { ($0.id, $0.messages) }
        manifest.attachments = attachments.files
        let listed = Set(manifest.attachments.map(\.file.path))
        manifest.files = folder.files.filter { !listed.contains($0.path) }
        try checkNothingIsLost(earlier, manifest)
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

    /// An update only adds: what the earlier export has stays in it.
    private func checkNothingIsLost(_ earlier: EarlierExport?, _ manifest: ExportManifest) throws(ExportError) {
        guard let earlier else { return }
        var counts: [ConversationID: Int] = [:]
        for one in manifest.conversations { counts[one.id, default: 0] += one.messages }
        for (id, then) in earlier.conversations.sorted(by: { $0.key < $1.key }) where counts[id] ?? 0 < then {
            throw .earlier(.fewer(id, then: then, now: counts[id] ?? 0), earlier.path)
        }
    }

    private func export(
        into writer: any HistoryWriter, attachments files: AttachmentFiles?
    ) throws(ExportError) -> (report: ExportOutcome, pass: MessagePass, attachments: ExportedAttachments) {
        var report = ExportOutcome()
        var plan = ExportPlan(selection: selection)
        if needsOverview(writer, files != nil) {
            let pass = OverviewPass(selection, files, needsPlaces: writer.needs.contains(.places))
            try send(to: pass, attachments: files.map { files in .these { files.wants($0) } } ?? .none)
            plan = try pass.finish()
            if let files {
                do throws(FileError) {
                    (plan.attachments, report.attachments) = try files.finish()
                } catch {
                    throw .file(error)
                }
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
        for loss in pass.losses { report.add(loss) }
        try writer.finish(report.totals)
        return (report, pass, plan.attachments)
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
