import CommandKit
import History
import HistoryExport
import SophaxFiles
import SystemIO

/// Runs an export command: from an opened source into the file, the folder or the stream that the options name.
struct HistoryExporter {
    let options: ExportOptions
    let source: any HistorySource
    /// The source's own path, for messages.
    let path: FilePath
    let filter: MessageFilter
    /// The conversation that an operand names, for the record.
    var conversation: [UInt8]?
    let workers: Int
    /// Files that an output must not be.
    let inputs: [FileIdentity]
    /// What a store keeps aside, behind the messages of `jsonl` and `json`.
    var aside: AsideExport?

    /// The target could be written, as far as that can be known before anything is opened. Nothing goes into `folders`, which
    /// an app takes for its own.
    static func check(
        _ options: ExportOptions, inputs: [FileIdentity], notInside folders: [FilePath] = []
    ) throws(CommandError) {
        try checkPlace(options, inputs: inputs)
        let own = folders.compactMap { try? fileStatus(at: $0).identity }
        guard options.out != "-", !own.isEmpty else { return }
        var above = options.updates ? ((try? ExportFolder.place(of: options.out)) ?? options.out) : options.out
        above = above.parent
        // From the folder above upwards, as the kernel sees it.
        var last: FileIdentity?
        for _ in 0..<deepest {
            guard let status = try? fileStatus(at: above) else { return }
            if own.contains(status.identity) { throw .outputInside(options.out) }
            if status.identity == last { return }
            last = status.identity
            above = above.appending("..")
        }
    }

    private static let deepest = 1_000

    private static func checkPlace(_ options: ExportOptions, inputs: [FileIdentity]) throws(CommandError) {
        do throws(FileError) {
            if options.out == "-" {
                if let own = StandardStream.output.identity, inputs.contains(own) {
                    throw FileError(.write, StandardStream.output.path, .sameAsInput)
                }
            } else if !options.isFolder {
                try OutputFile.check(options.out, replacing: options.force, notSameAs: inputs)
            } else if !options.updates || (try? fileStatus(at: options.out, followingLinks: false)) == nil {
                try DraftFolder.check(options.out)
            }
        } catch {
            throw options.isFolder ? .folderOutput(error) : .output(error)
        }
    }

    /// The filter of the options with the words for conversations and people understood; a source is only asked for what it
    /// has where there are such words.
    static func filter(
        _ options: ExportOptions, of source: any HistorySource, path: FilePath
    ) throws(CommandError) -> MessageFilter {
        let selection = options.selection
        guard !selection.conversations.isEmpty || selection.namesSender else { return try selection.filter() }
        let look: HistoryLook
        do throws(HistoryError) { look = try HistoryLook.look(at: source) } catch { throw .history(error, path) }
        var filter = try selection.filter(names: look.names)
        if !selection.conversations.isEmpty {
            let choice = ConversationChoice(known: look.conversations, names: look.names)
            filter.restrict(to: try choice.conversations(named: selection.conversations))
        }
        return filter
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        try Self.check(options, inputs: inputs)
        var outcome: ExportOutcome
        do throws(ExportError) {
            outcome = try write(context)
        } catch {
            throw .exporting(error, path, isFolder: options.isFolder)
        }
        context.progress.finish()
        outcome.aside = aside?.entries.count ?? 0
        if let loss = aside?.loss { outcome.add(loss) }
        let status: ExitStatus = outcome.failed == 0 && outcome.attachments.isWhole ? .success : .someDamaged
        ExportLosses(outcome).say(status, context, isReported: options.out != "-")
        if options.out != "-" {
            context.console.present(
                ExportReport(path: options.out, format: options.format, outcome: outcome, status: status))
        }
        return status
    }

    private func run(_ writer: any HistoryWriter, _ context: Context) -> HistoryExportRun {
        let selection = HistorySelection(
            filter, limit: options.selection.limit, newestFirst: options.selection.newestFirst)
        let progress = context.progress
        let run = HistoryExportRun(source, selection, workers: workers) { progress.advance(by: $0) }
        let passes = run.passes(for: writer, attachments: options.writesAttachments)
        progress.begin("Exporting", total: source.origin.bytes * passes, unit: .bytes)
        return run
    }

    // MARK: The three kinds of output

    private func write(_ context: Context) throws(ExportError) -> ExportOutcome {
        if options.isFolder { return try writeFolder(context) }
        if options.format == .sqlite { return try writeDatabase(context) }
        let target = TextTarget(options, inputs, context.console)
        let writer = textWriter(context, target)
        var outcome = try run(writer, context).run(into: writer)
        outcome.bytes = try target.commit()
        return outcome
    }

    private func textWriter(_ context: Context, _ target: TextTarget) -> any HistoryWriter {
        func writer(_ format: some MessageFormat) -> any HistoryWriter {
            TextWriter(format, isThreaded: workers > 1) { (bytes) throws(ExportError) in try target.write(bytes) }
        }
        return formatted(context) { writer($0) }
    }

    /// The writer that `make` makes of the format that the options name.
    private func formatted(
        _ context: Context, _ make: (any MessageFormat) -> any HistoryWriter
    ) -> any HistoryWriter {
        let zone = options.zone ?? context.zone
        let lastLines = aside?.lines ?? []
        return switch options.format {
        case .json: make(JSONLinesFormat(isArray: true, lastLines: lastLines))
        case .csv: make(CSVFormat(guardsFormulas: options.guardsFormulas))
        case .markdown: make(MarkdownFormat(zone: zone) { Escaping.escaped($0, .block) })
        case .text: make(TranscriptFormat(zone: zone))
        case .jsonl, .html, .sqlite: make(JSONLinesFormat(lastLines: lastLines))
        }
    }

    private func writeDatabase(_ context: Context) throws(ExportError) -> ExportOutcome {
        let draft: DraftFile
        do throws(FileError) {
            draft = try DraftFile(beside: options.out, marker: "sxkey-part")
        } catch {
            throw .file(error)
        }
        var outcome = try fill(draft.path, context)
        do throws(FileError) {
            try syncFile(draft.path)
            outcome.bytes = try fileStatus(at: draft.path).size
            try draft.publish(replacing: options.force)
        } catch {
            throw .file(error)
        }
        return outcome
    }

    /// The database is closed when this returns.
    private func fill(_ path: FilePath, _ context: Context) throws(ExportError) -> ExportOutcome {
        let writer = try SQLiteWriter(at: path)
        return try run(writer, context).run(into: writer)
    }

    /// The folder that is to be, and what an update finds there.
    private func folderPlace() throws(ExportError) -> (target: FilePath, earlier: EarlierExport?) {
        if let displaced = ExportFolder.displaced(from: options.out) {
            guard options.updates else { throw .earlier(.displaced(displaced), options.out) }
            do throws(FileError) { try ExportFolder.restore(displaced, to: options.out) } catch { throw .file(error) }
        }
        guard options.updates, (try? fileStatus(at: options.out, followingLinks: false)) != nil else {
            return (options.out, nil)
        }
        let target: FilePath
        do throws(FileError) { target = try ExportFolder.place(of: options.out) } catch { throw .file(error) }
        return (target, try EarlierExport(at: target))
    }

    private func writeFolder(_ context: Context) throws(ExportError) -> ExportOutcome {
        let (target, earlier) = try folderPlace()
        let folder: ExportFolder
        do throws(FileError) { folder = try ExportFolder(for: target, updating: earlier) } catch {
            throw .file(error)
        }
        let name = options.format.fileName
        let writer: any HistoryWriter =
            switch options.format {
            case .html: HTMLWriter(in: folder, zone: options.zone ?? context.zone, workers: workers)
            case .sqlite: FolderDatabaseWriter(as: name, in: folder)
            case .jsonl, .json, .csv, .markdown, .text:
                formatted(context) { format in
                    func writer(_ format: some MessageFormat) -> any HistoryWriter {
                        FolderTextWriter(format, as: name, in: folder, isThreaded: workers > 1)
                    }
                    return writer(format)
                }
            }
        let outcome = try run(writer, context).run(
            into: writer, in: folder, attachments: options.writesAttachments ? options.style : nil,
            options: options.record(
                source.origin.kind.rawValue, conversation: conversation, zone: options.zone ?? context.zone),
            updating: earlier)
        do throws(FileError) { try folder.publish() } catch { throw .file(error) }
        for left in folder.leftFolders {
            context.console.note(
                "sxkey: warning: something was put into the old folder, or changed there, while it was updated: it is left as \(quoted: left)"
            )
        }
        return outcome
    }
}

/// The file or stream of a text. A class, for what cannot be copied does not go into a closure.
private final class TextTarget {
    private let options: ExportOptions
    private let inputs: [FileIdentity]
    private let console: Console
    private var file: OutputFile?
    private var bytes = 0

    init(_ options: ExportOptions, _ inputs: [FileIdentity], _ console: Console) {
        self.options = options
        self.inputs = inputs
        self.console = console
    }

    func write(_ text: [UInt8]) throws(ExportError) {
        bytes += text.count
        if options.out == "-" {
            console.output.write(bytes: text)
            if let failure = console.output.failure { throw .file(failure) }
            return
        }
        do throws(FileError) {
            if file == nil {
                file = try OutputFile(creatingAt: options.out, replacing: options.force, notSameAs: inputs)
            }
            try file?.write(text)
        } catch {
            throw .file(error)
        }
    }

    /// Makes the file appear; gives its bytes.
    func commit() throws(ExportError) -> Int {
        do throws(FileError) {
            if file == nil, options.out != "-" {
                file = try OutputFile(creatingAt: options.out, replacing: options.force, notSameAs: inputs)
            }
            if let finished = file.take() { try finished.commit() }
        } catch {
            throw .file(error)
        }
        return bytes
    }
}
