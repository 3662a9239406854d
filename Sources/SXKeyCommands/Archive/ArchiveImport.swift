import Archive
import CommandKit
import History
import SQLiteDatabase
import SophaxFiles
import SystemIO

/// `sxkey archive import`
struct ArchiveImport: Command {
    static let specification = CommandSpecification(
        noun: "archive", verb: "import",
        summary: "take messages and attachments into the archive",
        discussion: [
            "Each source is read from its beginning, and what the archive has already is not stored again: importing twice, or "
                + "overlapping exports, or the same history from two devices, doubles nothing. Of a message that is there in another state "
                + "(status, receipts, reactions, a newer edit, fields that one of the two lacks) the newest counts, and every version is "
                + "kept; two different messages with one id are both kept and listed as conflicting. What was removed with "
                + "\"sxkey archive remove\" is not taken in again.",
            HistoryInputs.discussion,
            "A conversation is in the archive as a whole or not at all. An import that was interrupted or killed has lost nothing: the "
                + "same command goes on with what is missing. The sources are never changed.",
        ],
        operands: [HistoryInputs.operand],
        options: [
            .flag("no-attachments", "messages only"),
            .flag("dry-run", "read and compare, and show the counts, without changing the archive"),
        ] + ArchiveOptions.specifications + HistoryInputs.options,
        examples: [
            Example(
                "sxkey archive import phone --key-file storage.key --archive-key-file archive.key",
                "take in a message store with its attachments"),
            Example(
                "sxkey archive import sample.sophaxbackup sample.sxfe -p passphrase.txt -p passphrase.txt --archive-key-file archive.key",
                "take in two exports that overlap"),
            Example(
                "sxkey archive import sample.sxb -p passphrase.txt --dry-run --archive-key-file archive.key --json",
                "see what an import would bring, for a script"),
            Example(
                "sxkey archive import chat.json --related-key btmessage.json --archive-key-file archive.key",
                "take in what was sent to you with btmessage"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.usage, "secrets for another number of sources"),
            StatusNote(.someDamaged, "something of a source could not be read; the rest is in the archive"),
            StatusNote(.unreadable, "a source is damaged, or nothing that messages are taken from"),
            StatusNote(.wrongSecret), StatusNote(.newerVersion),
            StatusNote(.locked, "another process changes the archive"),
            StatusNote(.notFound, "no archive, or no such source"), StatusNote(.interrupted),
        ],
        seeAlso: ["sxkey-related(1)", "sxkey-formats(5)"]
    )

    private let inputs: HistoryInputs
    private let options: ArchiveOptions
    private let withAttachments: Bool
    private let isDryRun: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        inputs = try HistoryInputs(arguments)
        options = try ArchiveOptions(arguments)
        withAttachments = !arguments.flag("no-attachments")
        isDryRun = arguments.flag("dry-run")
        if options.readsStandardInput, inputs.readsStandardInput {
            throw .other("standard input cannot give two things")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let place = try options.existing(context)
        if let own = try? fileStatus(at: place.path).identity {
            for path in inputs.paths where (try? InputFile.identity(ofOperand: path)) == own {
                throw .importsItself(path)
            }
        }
        // Nobody types a passphrase for nothing.
        let looked = try inputs.look(context)
        let secret = try options.secret(for: place.path, context)
        let opened = try context.openArchive(at: place.path, .readWrite, unlocking: secret)
        let sources = try inputs.open(looked, context)
        var report = ArchiveImportReport(path: opened.path, isDryRun: isDryRun)
        Interrupts.beginOrderlyWork()
        defer { Interrupts.endOrderlyWork() }
        if isDryRun {
            try tryOut(sources, in: opened, &report, context)
        } else {
            try take(sources, into: opened, &report, context)
        }
        context.console.present(report)
        for source in report.sources {
            guard let failure = source.report.failure else { continue }
            context.console.report(CommandError.history(failure, source.path).message)
        }
        if report.wasStopped { throw .importInterrupted(Interrupts.requested ?? 0, isDryRun: isDryRun) }
        return report.status
    }

    private func take(
        _ sources: [OpenedHistory], into opened: OpenedArchive, _ report: inout ArchiveImportReport, _ context: Context
    ) throws(CommandError) {
        for source in sources where !report.wasStopped {
            let outcome = try take(source, into: opened, context)
            report.sources.append(
                ArchiveImportReport.Source(path: source.path, origin: source.source.origin, report: outcome))
        }
    }

    /// Does all of it in one transaction, and takes that back.
    private func tryOut(
        _ sources: [OpenedHistory], in opened: OpenedArchive, _ report: inout ArchiveImportReport, _ context: Context
    ) throws(CommandError) {
        var outcome = Result<ArchiveImportReport, CommandError>.success(report)
        do throws(ArchiveError) {
            try opened.archive.changing { () throws(ArchiveError) in
                do throws(CommandError) {
                    var tried = report
                    try take(sources, into: opened, &tried, context)
                    outcome = .success(tried)
                } catch {
                    outcome = .failure(error)
                }
                throw .stopped
            }
        } catch .stopped {
            report = try outcome.get()
        } catch {
            throw .archive(error, opened.path)
        }
    }

    private func take(
        _ source: OpenedHistory, into opened: OpenedArchive, _ context: Context
    ) throws(CommandError) -> ImportReport {
        var importing = ArchiveImporter.Options()
        importing.withAttachments = withAttachments
        importing.workers = inputs.workers(context)
        importing.now = Int64(exactly: (context.now * 1_000).rounded()) ?? 0
        let importer = ArchiveImporter(opened.archive, importing)
        let progress = context.progress
        progress.begin("Importing \(quoted: source.path)", total: source.source.origin.bytes, unit: .bytes)
        defer { progress.finish() }
        var seen = 0
        do throws(ArchiveError) {
            return try importer.run(
                source.source, digest: source.digest, isStopped: { Interrupts.requested != nil }
            ) { step in
                progress.advance(by: max(0, step.bytes - seen))
                seen = max(seen, step.bytes)
            }
        } catch {
            if case .source(let failure) = error { throw .history(failure, source.path) }
            throw .archive(error, opened.path)
        }
    }
}
