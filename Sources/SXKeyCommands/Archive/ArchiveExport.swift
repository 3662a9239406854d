import Archive
import CommandKit
import History
import HistoryExport
import SophaxFiles
import SystemIO

/// `sxkey archive export`
struct ArchiveExport: Command {
    static let specification = CommandSpecification(
        noun: "archive", verb: "export",
        summary: "write messages of the archive to a file or folder that is not encrypted",
        discussion: ExportOptions.discussion + [
            "The output is readable for its owner only. It appears whole or not at all. jsonl has all that an archive knows of a "
                + "message, so that importing it into another archive gives the same messages."
        ],
        operands: [
            OperandSpecification(
                "CONVERSATION", .text, .optional, "the id of a conversation, its beginning, or the name of a person")
        ],
        options: ExportOptions.specifications + [SelectionOptions.conversations, StoreArguments.jobs]
            + ArchiveOptions.specifications,
        examples: [
            Example(
                "sxkey archive export --format html --out family --archive-key-file archive.key",
                "make a folder of pages for a browser, with pictures"),
            Example(
                "sxkey archive export Bob --since 2026 --format csv --out bob.csv --archive-key-file archive.key",
                "a table of one conversation"),
        ],
        exitStatuses: ExportOptions.statuses + [
            StatusNote(.unreadable), StatusNote(.wrongSecret), StatusNote(.newerVersion), StatusNote(.locked),
            StatusNote(.notFound, "no archive, or no such conversation"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let archive: ArchiveOptions
    private let word: [UInt8]?
    private let options: ExportOptions
    private let jobs: Int?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        archive = try ArchiveOptions(arguments)
        word = arguments.operand("CONVERSATION")
        options = try ExportOptions(arguments)
        jobs = arguments.number("jobs")
        if word != nil, !options.selection.conversations.isEmpty {
            throw .other("a CONVERSATION and --with exclude each other")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let place = try archive.existing(context)
        let inputs = [try? InputFile.identity(ofOperand: place.path)].compactMap { $0 } + archive.inputs(context)
        try HistoryExporter.check(options, inputs: inputs)
        let opened = try context.openArchive(archive, .readOnly)
        var filter = try options.selection.filter(names: options.selection.namesSender ? opened.names() : PeerNames())
        let words = (word.map { [$0] } ?? []) + options.selection.conversations
        for word in words { filter.restrict(to: [try opened.conversation(named: word).id]) }
        return try HistoryExporter(
            options: options, source: opened.history(), path: opened.path, filter: filter, conversation: word,
            workers: jobs ?? context.workers, inputs: inputs
        ).run(context)
    }
}
