import Archive
import CommandKit
import History
import SophaxFiles
import SystemIO

/// `sxkey archive remove`
struct ArchiveRemove: Command {
    static let specification = CommandSpecification(
        noun: "archive", verb: "remove",
        summary: "take messages out of the archive for good",
        discussion: [
            "Shows how many messages would go, and asks. A message goes when it meets every condition that is given: a conversation "
                + "alone takes all of it, with --before what is old in it. An attachment goes with the last message that mentions it.",
            "What remains of a message is a tombstone: its conversation, id, direction and time. Imports honour it, so that the next "
                + "backup does not bring the message back, and so does another archive that imports this one.",
            "The text is overwritten in the file; \"sxkey archive compact\" makes the file smaller. Earlier copies of the file, "
                + "and the sources, still have it.",
        ],
        operands: [
            OperandSpecification(
                "CONVERSATION", .text, .optional, "the id of a conversation, its beginning, or the name of a person")
        ],
        options: [
            .value("before", "DATE", .date, "messages from before then: 2026, 2026-05, 2026-05-01 or 2026-05-01T18:30"),
            .value("id", "ID", .text, "the message with this id", isRepeatable: true),
            .flag("dry-run", "show what would go, without removing it"), Context.yesOption,
        ] + ArchiveOptions.specifications,
        examples: [
            Example(
                "sxkey archive remove notes --before 2026-04 --dry-run --archive-key-file archive.key",
                "see what of the notes to self is from before April"),
            Example("sxkey archive remove Bob --yes --archive-key-file archive.key", "remove a conversation"),
        ],
        exitStatuses: [
            StatusNote(.success, "it is done, or there was nothing to remove"),
            StatusNote(.failure, "the answer was not yes"), StatusNote(.usage, "nobody can be asked, and no --yes"),
            StatusNote(.unreadable), StatusNote(.wrongSecret), StatusNote(.newerVersion), StatusNote(.locked),
            StatusNote(.notFound, "no archive, or no such conversation or message"),
        ]
    )

    private let options: ArchiveOptions
    private let word: [UInt8]?
    private let before: Double?
    private let ids: Set<ByteText>
    private let isDryRun: Bool
    private let isAnswered: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ArchiveOptions(arguments)
        word = arguments.operand("CONVERSATION")
        before = try arguments.date("before", zone: LocalZone())?.start
        ids = Set(arguments.values("id").map { ByteText($0) })
        isDryRun = arguments.flag("dry-run")
        isAnswered = arguments.flag("yes")
        if word == nil, before == nil, ids.isEmpty {
            throw .other("nothing is said to go", hint: "name a conversation, --before or --id")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openArchive(options, isDryRun ? .readOnly : .readWrite)
        var filter = MessageFilter(MessageSelection(until: before))
        let conversation = try word.map { (word) throws(CommandError) in try opened.conversation(named: word) }
        if let conversation { filter.restrict(to: [conversation.id]) }
        let selection = RemovalSelection(filter, ids: ids.isEmpty ? nil : ids)
        let plan = try opened.doing { (archive) throws(ArchiveError) in try archive.removable(selection) }
        if plan.messages == 0, let id = ids.first { throw .noMessage(id.bytes) }
        guard plan.messages > 0, !isDryRun else {
            context.console.present(Removed(path: opened.path, report: plan, isDone: false))
            return .success
        }
        let place: TerminalText =
            conversation.map { " of \($0.title)" } ?? " of \(count: plan.conversations, "conversation")"
        try context.confirm(
            "Remove \(count: plan.messages, "message")\(place) from \(quoted: opened.path) for good?",
            unless: isAnswered)
        let now = Int64(exactly: (context.now * 1_000).rounded()) ?? 0
        let report = try opened.doing { (archive) throws(ArchiveError) in try archive.remove(selection, now: now) }
        context.console.present(Removed(path: opened.path, report: report, isDone: true))
        return .success
    }
}

/// What went, or would.
private struct Removed: Report {
    let path: FilePath
    let report: RemovalReport
    let isDone: Bool

    func writeText(to stream: TextStream) {
        guard report.messages > 0 else { return stream.line("Nothing of \(quoted: path) is to go") }
        let what: TerminalText =
            "\(count: report.messages, "message") of \(count: report.conversations, "conversation")"
        guard isDone else {
            stream.line("\(what) would go from \(quoted: path), with attachments that only they mention")
            stream.line("Nothing was done (--dry-run)")
            return
        }
        stream.line("Removed \(what) from \(quoted: path)")
        if report.attachments > 0 {
            stream.line(
                "  Attachments  \(count: report.attachments), \(size: report.attachmentBytes), which nothing else mentions"
            )
        }
        stream.line("  Tombstones   keep imports from bringing them back")
        stream.line("  Still there  in the sources, and in copies of the archive that were made earlier")
        stream.line("  Next: \"sxkey archive compact\" makes the file smaller")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("messages", report.messages)
            json.member("conversations", report.conversations)
            json.member("attachments", report.attachments)
            json.member("attachmentBytes", report.attachmentBytes)
            json.member("dryRun", !isDone)
        }
    }
}
