import Archive
import CommandKit
import SophaxFiles
import SystemIO

/// `sxkey archive stats`
struct ArchiveStats: Command {
    static let specification = CommandSpecification(
        noun: "archive", verb: "stats",
        summary: "count the messages of the archive by month, person, hour, word and attachment",
        discussion: [
            "Counts all messages, or those that the options choose: by month, by person and conversation, by weekday and hour, the "
                + "words most used, attachments by kind and size, the longest silence, the first and the last message. Months, days and "
                + "hours are local, or those of --timezone. On a terminal with small charts.",
            "Words are counted as they are looked for: without case and accents, Chinese, Japanese, Korean and Thai in pairs of "
                + "letters.",
        ],
        options: [
            .value("words", "N", .number(0...1_000), "so many of the most used words (default: 15)"),
            .value("people", "N", .number(0...1_000_000), "so many people and conversations (default: 15)"),
        ] + ArchiveSelection.specifications + ArchiveOptions.specifications,
        examples: [
            Example("sxkey archive stats --archive-key-file archive.key", "the whole archive"),
            Example(
                "sxkey archive stats --since 2026-01 --words 5 --timezone UTC --archive-key-file archive.key --json",
                "this year, for a script"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.unreadable), StatusNote(.wrongSecret), StatusNote(.newerVersion),
            StatusNote(.locked), StatusNote(.notFound, "no archive, or no such conversation or person"),
        ]
    )

    private let options: ArchiveOptions
    private let selection: ArchiveSelection
    private let words: Int
    private let people: Int

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ArchiveOptions(arguments)
        selection = try ArchiveSelection(arguments)
        words = arguments.number("words") ?? 15
        people = arguments.number("people") ?? 15
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openArchive(options, .readOnly)
        let filter = try selection.filter(opened)
        let zone = selection.zone ?? context.zone
        let found = try opened.doing { (archive) throws(ArchiveError) in
            try archive.statistics(filter, zone: zone, words: words)
        }
        context.console.present(StatisticsReport(found: found, path: opened.path, zone: zone, people: people))
        return .success
    }
}
