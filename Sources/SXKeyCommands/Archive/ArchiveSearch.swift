import Archive
import CommandKit
import History
import SophaxFiles
import SystemIO

/// `sxkey archive search`
struct ArchiveSearch: Command {
    static let specification = CommandSpecification(
        noun: "archive", verb: "search",
        summary: "find messages of the archive by their words",
        discussion: [
            "Finds messages that hold every word of TEXT, in their text or in the name of their attachment, whatever the case "
                + "and the accents. \"several words\" within quotes follow one another, word* is the beginning of a word, -word must "
                + "not be there (put -- before a TEXT that begins with it). Everything else is taken as text: nothing that is typed is an "
                + "error. Punctuation is not looked for. Chinese, Japanese, Korean, Thai and the like are found by any of their "
                + "letters; emoji are words.",
            "The newest messages come first. --best puts those first in which rare words of TEXT are, and short ones. Without TEXT "
                + "the options choose alone.",
            "What was found stands in brackets, an arrow marks a reply. How many there are in all is said where the index knows.",
        ],
        operands: [OperandSpecification("TEXT", .text, .any, "words to look for")],
        options: [
            .flag("best", "the best first (default: the newest first)"),
            .flag("oldest", "the oldest first"),
            .value("limit", "N", .number(1...1_000_000), "at most so many messages (default: 50)"),
        ] + ArchiveSelection.specifications + ArchiveOptions.specifications,
        examples: [
            Example("sxkey archive search beach --archive-key-file archive.key", "the newest messages with a word"),
            Example(
                "sxkey archive search which train --best --since 2026-03 --sent --archive-key-file archive.key",
                "the best of those that you wrote since March"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.unreadable), StatusNote(.wrongSecret), StatusNote(.newerVersion),
            StatusNote(.locked),
            StatusNote(.notFound, "no archive, no such conversation or person, or nothing was found"),
        ]
    )

    private let options: ArchiveOptions
    private let selection: ArchiveSelection
    private let query: SearchQuery
    private let order: SearchRequest.Order
    private let limit: Int

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ArchiveOptions(arguments)
        selection = try ArchiveSelection(arguments)
        let text = Array(arguments.operands("TEXT").joined(separator: [0x20]))
        query = SearchQuery(text)
        if arguments.flag("best"), arguments.flag("oldest") { throw .conflict("best", "oldest") }
        order = arguments.flag("best") ? .best : arguments.flag("oldest") ? .oldest : .newest
        limit = arguments.number("limit") ?? SearchRequest.defaultLimit
        guard query.isEmpty else { return }
        if !text.isEmpty { throw .other("TEXT has no word to look for: punctuation alone is not in the index") }
        if !selection.isGiven { throw .other("nothing to look for: give TEXT, or an option that chooses messages") }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openArchive(options, .readOnly)
        let start = steadyClock()
        let request = SearchRequest(query, try selection.filter(opened), order: order, limit: limit)
        let presenter = HitPresenter(query, zone: selection.zone ?? context.zone, context)
        var total: Int?
        try opened.doing { (archive) throws(ArchiveError) in
            try archive.search(request) { hit throws(ArchiveError) in
                presenter.take(hit)
                return context.console.output.failure == nil
            }
            total = presenter.count < limit ? presenter.count : try archive.countMatches(of: request)
        }
        presenter.finish(total: total, seconds: steadyClock() - start)
        return presenter.count > 0 ? .success : .notFound
    }
}

/// The options that choose messages of an archive by what they are.
struct ArchiveSelection: Sendable {
    static let specifications =
        [SelectionOptions.conversations]
        + SelectionOptions.specifications.filter { !["grep", "limit", "newest-first"].contains($0.name) }
        + [ExportOptions.timeZone]

    /// Nil for the machine's.
    let zone: LocalZone?
    private let options: SelectionOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        zone = try ExportOptions.zone(arguments)
        options = try SelectionOptions(arguments, zone: zone ?? LocalZone())
    }

    /// Whether any option chooses.
    var isGiven: Bool { options.isChoosing }

    /// What is chosen; names and beginnings of ids are looked up.
    func filter(_ opened: OpenedArchive) throws(CommandError) -> MessageFilter {
        let known = try opened.doing { (archive) throws(ArchiveError) in try archive.directory() }
        var filter = try options.filter(names: known.names)
        guard !options.conversations.isEmpty else { return filter }
        let choice = ConversationChoice(known: known.conversations, names: known.names)
        filter.restrict(to: try choice.conversations(named: options.conversations))
        return filter
    }
}
